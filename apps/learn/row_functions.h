/// @file
/// Functions of rows that several algorithms are written in.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "kasen/kasen.h"

namespace apps {

using Numbers = std::span<const double>;

/// a + by * b
inline constexpr auto plus_multiple = [](Numbers a, Numbers b, double by, std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = a[k] + by * b[k];
};
inline constexpr auto squared_norm = [](Numbers a) { return kasen::dot(a, a); };

/// The log of the sum of the exponentials, without overflow.
inline constexpr auto log_of_sum = [](Numbers scores) {
  double most = scores[0];
  for (const double score : scores) most = std::max(most, score);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < scores.size(); ++k) sum += kasen::exp(scores[k] - most);
  return most + std::log(sum);
};
/// Exponentials in proportion, which add up to 1. @param log of their sum
inline constexpr auto shares = [](Numbers scores, double log, std::span<double> out) {
#pragma omp simd
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = kasen::exp(scores[k] - log);
};

/// The sum of the products of all numbers of two Rows.
inline kasen::Shared<double> dot_of(const kasen::Rows<double>& a, const kasen::Rows<double>& b) {
  return kasen::reduce(kasen::plus, kasen::zip_with([](Numbers x, Numbers y) { return kasen::dot(x, y); }, a, b));
}

}  // namespace apps
