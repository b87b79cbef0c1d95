/// @file
/// Class DenseSweep: runs a sweep of a plan that walks a dense matrix in rectangles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kasen/runtime/law_check.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"
#include "partition/dense_block.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// One sweep of one run: runs all MxVs, which pull, on one rectangle of the matrix, which stays in a cache, before the
/// next. Rectangles do not depend on what is computed, so a product has the same bits alone and beside others.
class DenseSweep {
 public:
  DenseSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context);
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
    std::vector<Vector> in, out;
    std::vector<partition::Interval> outputs;  ///< of all kinds
    std::vector<const void*> source;
    std::vector<void*> target;
    std::vector<AccessCount*> read, written;
    DenseTile tile;
  };
  struct Range {
    std::uint64_t first, end;
  };

  void multiply();
  void run_rectangle(Product& product, Range rows, Range columns, bool adds);
  void finish_outputs(Product& product);

  const optimizer::Sweep& _sweep;
  RunContext& _context;
  LawCheck _law_check;
  std::vector<ValueId> _replaceable;
  const partition::DenseBlock& _matrix;
  const std::uint64_t _value_bytes;
  const bool _by_columns;  ///< outputs are columns
  std::vector<Product> _products;
};

}  // namespace kasen::runtime
