/// @file
/// The fixture of programs that run through the whole of Kasen, under one combination of options each, and what they
/// are compared with: serial loops over std::vector.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kasen/kasen.h"
#include "tests/endtoend/combination.h"

namespace kasen::tests {

using Int = std::int64_t;
inline constexpr std::uint64_t kLength = 37;  ///< of vectors without a matrix
/// Relative, of iterations whose rounding may differ with the order of sums.
inline constexpr double kAgreement = 1e-10;

/// A session for each test. When the test is over, all counts must agree.
class EndToEnd : public testing::TestWithParam<Combination> {
 protected:
  void SetUp() override;
  void TearDown() override;
  Session& session() { return *_session; }

 private:
  std::optional<Session> _session;
};

/// Collective. The vector with these values, of which this worker gives its block.
template <class T>
Vector<T> distribute(Space space, const std::vector<T>& values) {
  const BlockRange range = block_of(space);
  return make_vector<T>(space, std::span<const T>(values).subspan(static_cast<std::size_t>(range.first), range.count));
}

/// A matrix as every worker knows it, for references.
template <class T>
struct Sparse {
  std::uint64_t height = 0, width = 0;
  std::vector<Entry<T>> entries;

  /// Collective. The matrix in the current session, of which this worker gives every so manieth entry.
  Matrix<T> distribute() const { return distribute(height, width); }
  Matrix<T> distribute(Space rows, Space columns) const {
    const auto workers = static_cast<std::size_t>(Session::current().workers());
    std::vector<Entry<T>> mine;
    for (auto k = static_cast<std::size_t>(Session::current().rank()); k < entries.size(); k += workers) {
      mine.push_back(entries[k]);
    }
    return make_matrix<T>(rows, columns, std::span<const Entry<T>>(mine));
  }
};

namespace detail {
template <class F, class V, class T>
auto product(const F& f, const V& v, const Entry<T>& entry) {
  if constexpr (std::is_same_v<T, Pattern>) {
    return f(v);
  } else {
    return f(v, entry.value);
  }
}
}  // namespace detail

/// out[column] = op over the non-zeros of f(v[row], value), starting from `identity`.
template <class T, class F, class Op, class Out, class V>
std::vector<Out> serial_mxv(const Sparse<T>& m, F f, Op op, Out identity, const std::vector<V>& v) {
  std::vector<Out> out(m.width, identity);
  for (const Entry<T>& e : m.entries) {
    auto& at = out[static_cast<std::size_t>(e.column)];
    at = op(at, static_cast<Out>(detail::product(f, v[static_cast<std::size_t>(e.row)], e)));
  }
  return out;
}
template <class T, class F, class Op, class Out, class V>
std::vector<Out> serial_mxvt(const Sparse<T>& m, F f, Op op, Out identity, const std::vector<V>& v) {
  std::vector<Out> out(m.height, identity);
  for (const Entry<T>& e : m.entries) {
    auto& at = out[static_cast<std::size_t>(e.row)];
    at = op(at, static_cast<Out>(detail::product(f, v[static_cast<std::size_t>(e.column)], e)));
  }
  return out;
}

// For references, and for the same in Kasen.
inline constexpr auto kAdd = [](double a, double b) { return a + b; };
inline constexpr auto kMultiply = [](double a, double b) { return a * b; };
inline constexpr auto kSame = [](double a) { return a; };
std::vector<double> added(std::vector<double> v, double by);
double dot(const std::vector<double>& a, const std::vector<double>& b);
Shared<double> dot(const Vector<double>& a, const Vector<double>& b);

/// Numbers with few bits, so that sums of them are the same in any order.
double exact_number(std::uint64_t k);
std::vector<double> exact_numbers(std::uint64_t count, std::uint64_t seed);
/// A vector with these numbers in the current session.
Vector<double> exact_vector(Space space, std::uint64_t seed);

/// A random graph with skewed degrees, duplicates, self-loops, and vertices without edges.
Sparse<Pattern> small_graph(int scale = 6, std::uint64_t edges_per_vertex = 4, std::uint64_t seed = 1);
/// A rectangular random matrix with values exact_number.
Sparse<double> small_matrix(std::uint64_t height, std::uint64_t width, std::uint64_t entries, std::uint64_t seed = 1);

/// |got - want| <= relative * max(|want|, floor) everywhere.
testing::AssertionResult near(const std::vector<double>& got, const std::vector<double>& want, double relative,
                              double floor = 1e-300);

}  // namespace kasen::tests
