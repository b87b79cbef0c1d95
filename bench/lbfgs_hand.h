/// @file
/// Hand-written L-BFGS for logistic regression on one core: the algorithm of apps/lbfgs, every pass fused as far as its
/// sums allow, in a translation unit of its own, for comparison.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/lbfgs/line_search.h"
#include "kasen/runtime/buffer_pool.h"

namespace bench {

/// A sparse matrix by rows or by columns.
struct Compressed {
  std::vector<std::uint64_t> begin;  ///< of each row or column, and the end of the last
  std::vector<std::uint32_t> index;
  std::vector<double> value;
  std::uint64_t size() const { return begin.size() - 1; }
};
/// The matrix by columns that is given by rows.
Compressed transposed(const Compressed& rows, std::uint64_t columns);

/// The hand-written L-BFGS. Its vectors come from a buffer pool, as Kasen's do.
class LbfgsByHand {
 public:
  /// @param sign the labels, -1 and 1
  LbfgsByHand(Compressed rows, std::uint64_t features, const std::vector<double>& sign, double l2, std::size_t history);
  /// Runs so many iterations from weights 0; returns the objective.
  double run(std::uint64_t iterations);

 private:
  double* obtain(std::uint64_t elements);
  void start();
  double descend();
  apps::WolfeSearch find_step(double slope);
  void move_margins(double step);
  void move_weights(double step);

  Compressed _rows, _columns;
  double _l2;
  kasen::runtime::BufferPool _pool;
  std::vector<kasen::runtime::BufferRef> _buffers;
  double *_sign, *_margin, *_along, *_u;  ///< of samples; _along: the change of the margins along d
  double *_w, *_g, *_d;                   ///< of features
  std::vector<double*> _s, _y;            ///< of features, newest first
  std::vector<double> _rho;
  double _scale = 0, _objective = 0;
  double _ww = 0, _wd = 0, _dd = 0;  ///< products of w and d
  double _sd = 0;                    ///< s[0]'d before the two loops
};

}  // namespace bench
