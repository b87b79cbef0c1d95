/// @file
/// Arithmetic on vectors that several algorithms are written in.
#pragma once

#include <cstdint>

#include "kasen/kasen.h"

namespace apps {

inline kasen::Shared<double> dot(const kasen::Vector<double>& a, const kasen::Vector<double>& b) {
  return kasen::reduce(kasen::plus, kasen::zip_with(kasen::times, a, b));
}
/// a + by * b
inline kasen::Vector<double> add_scaled(const kasen::Vector<double>& a, const kasen::Shared<double>& by,
                                        const kasen::Vector<double>& b) {
  return kasen::zip_with(KASEN_FN((auto x, auto y, auto s), x + s * y), a, b, by);
}

/// By feature, the weight of the penalty: l2; 0 of the last if that is a constant.
inline kasen::Vector<double> penalties(kasen::Space features, double l2, bool constant) {
  const auto free = static_cast<std::int64_t>(constant ? features.length() : 0);
  return kasen::map(KASEN_FN((auto j, auto from, auto by), j + 1 == from ? 0.0 : by), kasen::iota(features), free, l2);
}

}  // namespace apps
