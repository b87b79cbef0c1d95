/// @file
/// Class BlockedSweep: runs a sweep of a plan that walks a matrix in blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/fill.h"
#include "kasen/runtime/law_check.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"
#include "partition/blocked_matrix.h"

namespace kasen::runtime {

/// One sweep of one run: runs all MxVs on one block of the matrix before the next. Those of one family run as a group.
/// Each thread has a part of the matrix.
class BlockedSweep {
 public:
  /// Builds the matrix in blocks if this sweep is the first to need it.
  /// @param under_way overlapped exchanges that the sweep ends and begins
  BlockedSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context,
               std::span<const optimizer::UnderWay> under_way = {});
  void run();

 private:
  struct Vector {
    ValueId value;
    std::uint64_t bytes;  ///< of an element
    bool counted = true;  ///< false if another launch counts it
    bool at_outputs = false;
    std::byte* base = nullptr;
  };
  struct Product {
    const optimizer::Launch* launch;
    const MatrixKernel* kernel;
    void (*run)(const void* context, const MatrixBlock&);
    std::vector<Vector> in, out;
    std::vector<const void*> source;
    std::vector<void*> target;
    std::vector<AccessCount*> read, accumulated, written;
    MatrixBlock block;
  };

  /// Blocks in the order in which they are walked: those whose inputs are masters alone, if the rest waits for
  /// replicas; of the rest those with outputs on replicas, if other workers wait for these; all others. Each output
  /// gets its runs in one order in any case.
  static constexpr std::size_t kStages = 3;
  /// What one thread works with.
  struct alignas(CacheLine) Hand {
    std::vector<Product> products;
    std::vector<std::size_t> stage[kStages];
    Counts measured, witnessed;
    bool polls = false;  ///< it is the thread that talks to MPI
  };
  /// Consecutive runs of a block, each group's in whole lots of kRunsAtOnce.
  struct Piece;

  std::vector<Product> products(Hand& hand) const;
  void order_blocks();
  void run_stages(std::size_t first, std::size_t end);
  void run_part(std::size_t part, std::size_t first_stage, std::size_t end_stage);
  void run_block(Hand& hand, const partition::BlockedMatrix::Block& block) const;
  void run_in_pieces(Hand& hand, const partition::BlockedMatrix::Block& block) const;
  void run_piece(Hand& hand, const Piece& piece) const;

  const optimizer::Sweep& _sweep;
  RunContext& _context;
  LawCheck _law_check;
  std::vector<ValueId> _replaceable;
  const partition::BlockedMatrix& _matrix;
  const std::uint64_t _value_bytes;
  std::uint32_t _ends = optimizer::kNotOverlapped, _begins = optimizer::kNotOverlapped;  ///< these exchanges
  std::vector<Hand> _hands;                                                              ///< by part of the matrix
  std::vector<Fill> _fills;
};

}  // namespace kasen::runtime
