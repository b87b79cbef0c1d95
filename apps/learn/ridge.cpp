#include "apps/learn/ridge.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "apps/common/cholesky.h"
#include "apps/learn/row_functions.h"

namespace apps {

using kasen::Rows, kasen::RowsView, kasen::Vector, kasen::map, kasen::whole, kasen::width;

namespace {

/// Columns whose deviation is a smaller part of their mean are constant, but for rounding.
constexpr double kConstant = 1e-12;
/// Features of which less than this part of the variance is left are determined by others, but for rounding.
constexpr double kDetermined = 1e-12;

/// Of a sample, the products of all pairs of numbers: the first row of the triangle, those with 1, are the numbers
/// themselves.
constexpr auto products_of_pairs = [](Numbers fields, Numbers layout, const RowsView<double>& centre,
                                      std::span<double> out) {
  const std::size_t size = centre.width() + 1;
  out[0] = 1;
  expand(fields, layout, out.subspan(1, size - 1));
  for (std::size_t j = 1; j < size; ++j) out[j] -= centre[0][j - 1];
  double* row = out.data() + size;
  for (std::size_t i = 1; i < size; ++i) {
    const double* const from = &out[i];
    const double by = *from;
#pragma omp simd
    for (std::size_t j = 0; j < size - i; ++j) row[j] = by * from[j];
    row += size - i;
  }
};

/// A sample's fold.
constexpr auto fold_of = [](kasen::GlobalIndex sample, std::uint64_t folds, std::uint64_t seed) {
  return static_cast<kasen::GlobalIndex>(kasen::random_below(folds, seed, static_cast<std::uint64_t>(sample)));
};

/// The mean sample, as one row: features and target.
Rows<double> mean_of(const EncodedTable& table) {
  const auto row = width(table.features.size() + 1);
  const auto divided = [](Numbers sum, double by, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = sum[c] / by;
  };
  const Rows<double> samples = map(expand, table.fields, whole(table.layout), row);
  const Vector<std::int64_t> all = kasen::constant(table.samples, std::int64_t{0});
  return map(divided, kasen::reduce_by_key(kasen::plus, all, samples, 1), static_cast<double>(table.samples.length()),
             row);
}

/// By fold, the sums of the products of pairs.
Rows<double> sums_by_fold(const EncodedTable& table, const Rows<double>& centre, std::uint64_t folds,
                          std::uint64_t seed) {
  const auto row = width(packed_numbers(table.features.size() + 2));
  const Rows<double> products = map(products_of_pairs, table.fields, whole(table.layout), whole(centre), row);
  const auto fold = map(fold_of, kasen::iota(table.samples), folds, seed);
  return kasen::reduce_by_key(kasen::plus, fold, products, folds);
}

using Packed = std::vector<double>;

/// By place, 1 and the target: 1; features: what makes their variance 1, or of constant ones 0.
std::vector<double> scales_of(const Packed& all, const std::vector<double>& centre, bool raw) {
  const std::size_t size = centre.size() + 1;
  const double n = all[0];
  std::vector<double> scales(size, 1.0);
  for (std::size_t j = 1; j + 1 < size; ++j) {
    const double mean = all[j] / n;
    const double deviation = std::sqrt(std::max(all[packed_place(j, j, size)] / n - mean * mean, 0.0));
    const bool constant = deviation <= kConstant * std::abs(centre[j - 1]);
    scales[j] = constant ? 0 : raw ? 1 : 1 / deviation;
  }
  return scales;
}
void scale(Packed& sums, const std::vector<double>& by) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < by.size(); ++i)
    for (std::size_t j = i; j < by.size(); ++j) sums[at++] *= by[i] * by[j];
}

/// Intercept and weights that minimise the squared errors of some samples and the penalty.
/// @param least by unknown, what its pivot must exceed
std::vector<double> fitted(Packed sums, double penalty, const std::vector<double>& least) {
  for (std::size_t j = 1; j < least.size(); ++j) sums[packed_place(j, j, least.size() + 1)] += penalty;
  return solve_positive(std::move(sums), least);
}

/// The sum of the squared errors of some samples.
double squared_errors(const Packed& sums, std::vector<double> weights) {
  weights.push_back(-1);
  double sum = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double row = weights[i] * sums[at++];
    for (std::size_t j = i + 1; j < weights.size(); ++j) row += 2 * weights[j] * sums[at++];
    sum += weights[i] * row;
  }
  return std::max(sum, 0.0);
}

}  // namespace

FoldProducts fold_products(const EncodedTable& table, std::uint64_t folds, std::uint64_t seed) {
  const Rows<double> centre = mean_of(table);
  const std::vector<double> sums = sums_by_fold(table, centre, folds, seed).get();
  FoldProducts products{centre.get(), {}};
  const auto numbers = static_cast<std::ptrdiff_t>(packed_numbers(table.features.size() + 2));
  for (auto at = sums.begin(); at != sums.end(); at += numbers) products.sums.emplace_back(at, at + numbers);
  return products;
}

RidgeFit ridge(const FoldProducts& products, const RidgeSettings& settings) {
  const std::size_t d = products.features();
  std::vector<Packed> folds = products.sums;
  Packed all(folds[0].size());
  for (const Packed& fold : folds)
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += fold[k];
  const std::vector<double> by = scales_of(all, products.centre, settings.raw);
  for (Packed& fold : folds) scale(fold, by);
  scale(all, by);
  std::vector<double> least(d + 1);
  for (std::size_t j = 1; j <= d; ++j) least[j] = kDetermined * all[packed_place(j, j, d + 2)];

  RidgeFit fit;
  const double n = all[0];
  for (const double penalty : settings.penalties) {
    double errors = 0;
    for (const Packed& fold : folds) {
      if (fold[0] == 0) continue;
      Packed others = all;
      for (std::size_t k = 0; k < others.size(); ++k) others[k] -= fold[k];
      errors += squared_errors(fold, fitted(std::move(others), penalty, least));
    }
    fit.errors.push_back(errors / n);
  }
  fit.best = static_cast<std::size_t>(std::min_element(fit.errors.begin(), fit.errors.end()) - fit.errors.begin());
  const std::vector<double> weights = fitted(all, settings.penalties[fit.best], least);
  fit.error = squared_errors(all, weights) / n;
  fit.intercept = weights[0] + products.centre[d];
  for (std::size_t j = 0; j < d; ++j) {
    fit.weights.push_back(weights[j + 1] * by[j + 1]);
    fit.intercept -= fit.weights[j] * products.centre[j];
  }
  return fit;
}

}  // namespace apps
