/// @file
/// Measurement of products with dense matrices beside Eigen's, called directly, and beside hand-written loops: the time
/// that a sweep adds to a product's, also for other functions, whose loops the compiler has to vectorise.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/computed.h"
#include "bench/dense_sweep_hand.h"
#include "bench/measure.h"
#include "kasen/kasen.h"

namespace {

using bench::DenseMatrix;
using bench::Eight;

/// A vector with the numbers that `numbers` has by index.
template <class T>
kasen::Vector<T> vector_of(kasen::Space space, const std::vector<T>& numbers) {
  const T* all = numbers.data();
  return kasen::map([all](kasen::GlobalIndex i) { return all[i]; }, kasen::iota(space));
}

void check(const std::string& what, const double* a, const double* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (std::abs(a[i] - b[i]) <= 1e-9 * (1 + std::abs(b[i]))) continue;
    std::fprintf(stderr, "error: variants of %s disagree at %zu: %.17g and %.17g\n", what.c_str(), i, a[i], b[i]);
    std::exit(1);
  }
}
template <class T>
void check(const std::string& what, const std::vector<T>& a, const std::vector<T>& b) {
  constexpr std::size_t kNumbers = sizeof(T) / sizeof(double);
  check(what, reinterpret_cast<const double*>(a.data()), reinterpret_cast<const double*>(b.data()),
        a.size() * kNumbers);
}

/// What Kasen computes, and the same by others, into `out`.
template <class T>
struct Case {
  std::string name;
  std::function<kasen::Vector<T>()> planned;
  std::vector<std::pair<std::string, std::function<void(T* out)>>> others;
  double target = 0;
};

template <class T>
void run(const std::string& size, Case<T> tested, int repetitions) {
  kasen::Vector<T> result = tested.planned();
  const std::vector<T> planned = result.get();
  std::vector<T> out(planned.size());
  std::vector<bench::Variant> variants = {{"kasen", [&] {
                                             result = tested.planned();
                                             bench::computed(result);
                                           }}};
  for (auto& [name, compute] : tested.others) {
    compute(out.data());
    check(tested.name + " by " + name, planned, out);
    variants.push_back({name, [&out, c = compute] { c(out.data()); }});
  }
  bench::measure(variants, repetitions);
  const std::string benchmark = "dense_sweep_" + tested.name;
  bench::print_rows(benchmark, size, variants);
  for (std::size_t k = 1; k < variants.size(); ++k) {
    bench::print_ratio(benchmark, size, variants[0], variants[k], k == 1 ? tested.target : 0);
  }
}

struct SquaredDistances {
  Eight operator()(const Eight& centres, double x) const {
    Eight result;
    for (std::size_t k = 0; k < 8; ++k) result[k] = (centres[k] - x) * (centres[k] - x);
    return result;
  }
};
struct Scaled {
  Eight operator()(const Eight& weights, double x) const {
    Eight result;
    for (std::size_t k = 0; k < 8; ++k) result[k] = weights[k] * x;
    return result;
  }
};
struct Added {
  Eight operator()(const Eight& a, const Eight& b) const {
    Eight result;
    for (std::size_t k = 0; k < 8; ++k) result[k] = a[k] + b[k];
    return result;
  }
};

template <class T>
std::vector<T> numbers(std::uint64_t n, std::uint64_t seed) {
  std::vector<T> result(n);
  auto* at = reinterpret_cast<double*>(result.data());
  for (std::uint64_t k = 0; k < n * sizeof(T) / sizeof(double); ++k) at[k] = kasen::random_unit(seed, k);
  return result;
}

void run_all(std::uint64_t rows, std::uint64_t columns, int repetitions) {
  const std::string size = std::to_string(rows) + "x" + std::to_string(columns);
  const std::vector<double> x = numbers<double>(rows * columns, 1);
  const DenseMatrix m{x.data(), rows, columns};
  const auto X = kasen::Table(kasen::io::DenseData{rows, columns, x, {}}).matrix();
  const auto by_row = numbers<double>(rows, 2), by_column = numbers<double>(columns, 3);
  const auto eight_by_row = numbers<Eight>(rows, 4), eight_by_column = numbers<Eight>(columns, 5);
  const auto h = vector_of(X.rows(), by_row), w = vector_of(X.columns(), by_column);
  const auto eight_h = vector_of(X.rows(), eight_by_row), eight_w = vector_of(X.columns(), eight_by_column);
  const auto add_eight = kasen::with_identity(Added{}, Eight{});
  run<double>(size,
              {"mxv",
               [&] { return kasen::mxv(kasen::times, kasen::plus, X, h); },
               {{"eigen", [&](double* out) { bench::eigen_mxv(m, by_row.data(), out); }},
                {"hand", [&](double* out) { bench::hand_mxv(m, by_row.data(), out); }}},
               1.05},
              repetitions);
  run<double>(size,
              {"mxvt",
               [&] { return kasen::mxvt(kasen::times, kasen::plus, X, w); },
               {{"eigen", [&](double* out) { bench::eigen_mxvt(m, by_column.data(), out); }},
                {"hand", [&](double* out) { bench::hand_mxvt(m, by_column.data(), out); }}},
               1.05},
              repetitions);
  const auto product = [](double a, double b) { return a * b; };
  run<double>(size,
              {"mxv_lambda",
               [&] { return kasen::mxv(product, kasen::plus, X, h); },
               {{"hand", [&](double* out) { bench::hand_mxv(m, by_row.data(), out); }}}},
              repetitions);
  run<double>(size,
              {"mxvt_lambda",
               [&] { return kasen::mxvt(product, kasen::plus, X, w); },
               {{"hand", [&](double* out) { bench::hand_mxvt(m, by_column.data(), out); }}}},
              repetitions);
  run<double>(size,
              {"there_and_back",
               [&] {
                 const auto z = kasen::map(KASEN_FN((auto s), s / (1 + kasen::abs(s))),
                                           kasen::mxvt(kasen::times, kasen::plus, X, w));
                 return kasen::mxv(kasen::times, kasen::plus, X, z);
               },
               {{"hand", [&](double* out) { bench::hand_there_and_back(m, by_column.data(), out); }}}},
              repetitions);
  run<Eight>(size,
             {"distances",
              [&] { return kasen::mxvt(SquaredDistances{}, add_eight, X, eight_w); },
              {{"hand", [&](Eight* out) { bench::hand_distances(m, eight_by_column.data(), out); }}}},
             repetitions);
  run<Eight>(size,
             {"sums",
              [&] { return kasen::mxv(Scaled{}, add_eight, X, eight_h); },
              {{"hand", [&](Eight* out) { bench::hand_sums(m, eight_by_row.data(), out); }}}},
             repetitions);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("products with dense matrices on one worker, beside Eigen and hand-written loops");
  std::vector<std::uint64_t> rows = {20000, 200000, 2000000}, columns = {1000, 100, 16};
  int repetitions = 11;
  app.add_option("--rows", rows, "of each matrix")->capture_default_str();
  app.add_option("--columns", columns, "of each matrix")->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  bench::print_header();
  for (std::size_t k = 0; k < std::min(rows.size(), columns.size()); ++k) run_all(rows[k], columns[k], repetitions);
  return 0;
}
