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

/// Exponentials of what scores are beside the largest of them, which do not overflow; 0 below exp(-600). What
/// underflows a vector of exponentials computes one by one, so it is not asked to.
inline constexpr auto exponentials = kasen::laws(
    [](Numbers scores, std::span<double> out) {
      constexpr double kLeast = -600.0, kNothing = 3e-261;  // more than exp(kLeast), and less than half of a digit of 1
      double most = scores[0];
      for (const double score : scores) most = std::max(most, score);
#pragma omp simd
      for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = std::max(kasen::exp(std::max(scores[k] - most, kLeast)) - kNothing, 0.0);
    },
    kasen::PerNumber{.arithmetic = 10, .exponentials = 1});
/// The log of the sum of the exponentials of scores. @param of their `exponentials`
inline constexpr auto log_of_sum = kasen::laws(
    [](Numbers scores, Numbers of) {
      double most = scores[0], sum = 0;
      for (const double score : scores) most = std::max(most, score);
      for (const double power : of) sum += power;
      return most + std::log(sum);
    },
    kasen::PerNumber{.arithmetic = 12}, kasen::PerCall{.exponentials = 1});
/// What adds up to 1, in proportion to positive numbers.
inline constexpr auto shares = kasen::laws(
    [](Numbers of, std::span<double> out) {
      double sum = 0;
      for (const double power : of) sum += power;
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = of[k] / sum;
    },
    kasen::PerNumber{.arithmetic = 6, .divisions = 1});

/// The sum of the products of all numbers of two Rows.
inline kasen::Shared<double> dot_of(const kasen::Rows<double>& a, const kasen::Rows<double>& b) {
  return kasen::reduce(kasen::plus, kasen::zip_with([](Numbers x, Numbers y) { return kasen::dot(x, y); }, a, b));
}

}  // namespace apps
