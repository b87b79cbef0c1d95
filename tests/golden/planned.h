/// @file
/// What golden tests of programs share: sessions without output, matrices of a formula, loops of the plans that ran.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/kasen.h"
#include "optimizer/plan/plan.h"

namespace kasen::tests {

/// Rows stay whole, and matrices compressed.
Options compressed_rows();
Options quiet_options();

/// A matrix of the entries entry(0), entry(1), ..., over spaces of its own.
template <class F>
Matrix<double> matrix_of(std::uint64_t rows, std::uint64_t columns, std::uint64_t entries, const F& entry) {
  const Session& session = Session::current();
  std::vector<Entry<double>> mine;
  for (auto k = static_cast<std::uint64_t>(session.rank()); k < entries;
       k += static_cast<std::uint64_t>(session.workers()))
    mine.push_back(entry(k));
  return make_matrix<double>(separate_space(rows, "rows"), separate_space(columns, "columns"), mine);
}

/// Loops of all plans so far that stand in no other, and those that do; in order.
std::vector<const optimizer::Loop*> outer_loops(Session& session);
std::vector<const optimizer::Loop*> inner_loops(Session& session);

void expect_counts_as_predicted(const Session& session);

}  // namespace kasen::tests
