/// @file
/// PageRank as the paper's Algorithm 1 writes it, operation by operation. docs/analyzer.md has the derivations.
#pragma once

#include <cstdint>

#include "kasen/kasen.h"

namespace kasen::tests {

/// One iteration. Elements have the paper's sizes: ranks 8 bytes, degrees 4, a non-zero 8 (index and value). F4, the
/// copy, stays a map of its own.
/// @param f2 the update (1 - r) + r * x
template <class F2>
void pagerank_verbatim(const Matrix<std::int32_t>& G, F2 f2) {
  // It divides no integers, which of a black box over integers nobody knows: else it could not be done ahead of the
  // test.
  const auto f1 = laws([](double x, std::int32_t y) { return x / y; }, defined_everywhere);
  const auto f3 = [](double x, double y) { return kasen::abs(x - y); };
  const auto f4 = [](double x) { return x; };
  Shared<double> r = 0.85, theta = 1e-6, diff = infinity;
  Shared<int> iteration = 0;

  Vector<double> pr = constant(G.rows(), 1.0);
  auto degree = mxvt(count, plus, G, pr);  // line 1

  while_(likely([&] { return diff > theta && iteration < 1; }), [&] {
    auto tmp1 = zip_with(f1, pr, degree);           // line 3
    auto tmp2 = mxv(times, plus, G, tmp1);          // line 4
    auto new_pr = map(f2, tmp2, r);                 // line 5
    diff = reduce(plus, zip_with(f3, pr, new_pr));  // line 6
    pr = map(f4, new_pr);                           // line 7
    iteration = iteration + 1;
  });
  pr.get();
}

inline constexpr auto kBlackBoxUpdate = [](double x, double r) { return (1 - r) + r * x; };

}  // namespace kasen::tests
