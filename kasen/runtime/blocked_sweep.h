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

/// One sweep of one run: runs all MxVs on one block of the matrix before the next. Those of one family run as a batch.
/// Each thread has a part of the matrix.
class BlockedSweep {
 public:
  /// Builds the matrix in blocks if this sweep is the first to need it.
  BlockedSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context);
  void run();

 private:
  struct Vector {
    ValueId value;
    std::uint64_t bytes;  ///< of an element
    bool counted = true;  ///< false if another launch counts it
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

  /// What one thread works with.
  struct alignas(CacheLine) Hand {
    std::vector<Product> products;
    Counts measured, witnessed;
  };

  std::vector<Product> products(Hand& hand) const;
  void run_part(std::size_t part);
  void run_block(Hand& hand, const partition::BlockedMatrix::Block& block) const;

  const optimizer::Sweep& _sweep;
  RunContext& _context;
  LawCheck _law_check;
  std::vector<ValueId> _replaceable;
  const partition::BlockedMatrix& _matrix;
  const std::uint64_t _value_bytes;
  std::vector<Hand> _hands;  ///< by part of the matrix
  std::vector<Fill> _fills;
};

}  // namespace kasen::runtime
