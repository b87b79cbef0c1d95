/// @file
/// Runs the sweeps of a plan that multiply vectors with one local matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/runtime/run_context.h"
#include "kasen/runtime/segments.h"
#include "optimizer/plan.h"

namespace kasen::runtime {

/// One sweep of one run. Launches of one family run as a batch, per non-zero; different ones alternate per tile.
class MatrixSweep {
 public:
  /// Builds the matrix's compressed form if it is the first to need it.
  MatrixSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context);
  void run();

 private:
  struct Batch {
    void (*run)(const void* context, const MatrixTile&) = nullptr;
    const void* context = nullptr;
    const optimizer::Launch* launch = nullptr;
    std::vector<const void*> in;
    std::vector<std::byte*> out_base;
    std::vector<void*> out;  ///< at the current tile
    std::vector<AccessCount*> read;
    MatrixTile tile;
  };
  /// The batches that are active on some segments, and what an entry of the matrix and an output cost there.
  struct Program {
    std::vector<std::uint32_t> launches;
    std::uint64_t vectors_read = 0, vector_bytes = 0, outputs = 0, output_bytes = 0;
  };
  struct Stretch {
    LocalIndex first, count;
    std::size_t program;
  };

  Program make_program(const std::vector<std::uint32_t>& launches) const;
  void bind();
  void bind_counters(const Program& program);
  void run_tile(const Program& program, LocalIndex first, std::uint32_t n);

  const optimizer::Sweep& _sweep;
  std::span<const ValueId> _dies;
  RunContext& _context;
  Compressed _matrix;
  std::uint64_t _entries = 0;
  std::uint64_t _entry_bytes = 0;  ///< index and value
  std::vector<Batch> _batches;     ///< by launch
  std::vector<Program> _programs;
  std::vector<Stretch> _stretches;
};

}  // namespace kasen::runtime
