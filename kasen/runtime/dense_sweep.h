/// @file
/// Class DenseSweep: runs a sweep of a plan that walks a dense matrix in rectangles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/law_check.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"
#include "partition/dense_block.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// One sweep of one run: runs all MxVs, which pull, on one rectangle of the matrix, which stays in a cache, before the
/// next. Rectangles do not depend on what is computed, so a product has the same bits alone and beside others. Threads
/// share rectangles with different outputs. Where outputs are few, inputs are cut into parts, each with results of its
/// own, which are reduced in the end; how many depends on the matrix alone.
class DenseSweep {
 public:
  DenseSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context);
  void run();

 private:
  struct Vector {
    ValueId value;
    std::uint64_t bytes;  ///< of an element
    bool counted = true;  ///< false if another launch counts it
    bool at_outputs = false;
    std::byte* base = nullptr;
    std::uint64_t partials = 0;  ///< of an output: where its own begin, in lines
  };
  struct Product {
    const optimizer::Launch* launch;
    const MatrixKernel* kernel;
    std::vector<Vector> in, out;
    std::vector<partition::Interval> outputs;  ///< of all kinds
    std::vector<const void*> source;
    std::vector<void*> target;
    std::vector<AccessCount*> read, read_again, written;  ///< again: where outputs have been before
    DenseTile tile;
  };
  struct Range {
    std::uint64_t first, end;
  };

  /// What one thread works with.
  struct alignas(CacheLine) Hand {
    std::vector<Product> products;
    Counts measured, witnessed;
  };

  void cut();
  std::vector<Product> products(Hand& hand);
  void multiply();
  void walk(Hand& hand, std::uint64_t part, Range inputs, Range outputs);
  void run_rectangle(Hand& hand, Product& product, std::uint64_t part, Range inputs, Range outputs, bool adds);
  void finish_outputs(Product& product);
  /// Adds the results of parts, in order, to outputs in this range.
  void reduce_parts(Hand& hand, Range outputs);
  /// Where the results of a part are, for all outputs of the matrix.
  std::byte* results(const Vector& vector, std::uint64_t part);
  /// The part of 0, ..., all - 1 that belongs to a thread, in multiples of `unit`.
  Range share_of(std::uint32_t thread, std::uint64_t all, std::uint64_t unit) const;

  const optimizer::Sweep& _sweep;
  RunContext& _context;
  LawCheck _law_check;
  std::vector<ValueId> _replaceable;
  const partition::DenseBlock& _matrix;
  const std::uint64_t _value_bytes;
  const bool _by_columns;                             ///< outputs are columns
  std::uint64_t _inputs = 0, _outputs = 0;            ///< of the matrix
  std::uint64_t _inputs_once = 0, _outputs_once = 0;  ///< of a rectangle
  std::uint64_t _parts = 1, _inputs_of_part = 0;      ///< of the inputs
  std::vector<Hand> _hands;                           ///< by thread
  std::vector<CacheLine> _partials;                   ///< results of the parts but the first, which has the outputs
};

}  // namespace kasen::runtime
