/// @file
/// Losses of a sample as functions of its margin: the score times the label, which is -1 or +1.
#pragma once

#include "apps/lbfgs/lanes.h"

namespace apps {

enum class Loss : unsigned char {
  logistic,       ///< log(1 + exp(-margin))
  squared,        ///< (1 - margin)^2 / 2
  squared_hinge,  ///< max(0, 1 - margin)^2
};

/// By sample, the loss and its derivative by the margin; one that is not used is not computed.
template <class T>
struct Losses {
  kasen::Vector<T> value, slope;
};

template <class T>
Losses<T> losses(Loss loss, const kasen::Vector<T>& margin) {
  using kasen::map, kasen::zip_with;
  if (loss == Loss::logistic) {  // the exponential of what is negative neither overflows nor cancels
    const auto e = map(each<T>(KASEN_FN((auto m), kasen::exp(-kasen::abs(m)))), margin);
    return {zip_with(each<T>(KASEN_FN((auto m, auto q), kasen::log1p(q) + kasen::max(-m, 0.0))), margin, e),
            zip_with(each<T>(KASEN_FN((auto m, auto q), (m > 0.0 ? -q : -1.0) / (1.0 + q))), margin, e)};
  }
  if (loss == Loss::squared) {
    return {map(each<T>(KASEN_FN((auto m), 0.5 * (1.0 - m) * (1.0 - m))), margin),
            map(each<T>(KASEN_FN((auto m), m - 1.0)), margin)};
  }
  const auto missing = map(each<T>(KASEN_FN((auto m), kasen::max(1.0 - m, 0.0))), margin);
  return {map(each<T>(KASEN_FN((auto h), h * h)), missing), map(each<T>(KASEN_FN((auto h), -2.0 * h)), missing)};
}

}  // namespace apps
