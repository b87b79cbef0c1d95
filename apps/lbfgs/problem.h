/// @file
/// The problem that is minimised: the sum over samples of a loss of their margins, l2/2 times the squared norm of the
/// weights and l1 times the sum of their magnitudes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "apps/common/stopping.h"
#include "apps/lbfgs/losses.h"
#include "apps/lbfgs/point.h"

namespace apps {

/// The margin of a sample is sign * (x'w + intercept) + offset.
template <class T>
struct Problem {
  kasen::Matrix<double> X;  ///< one sample a row
  kasen::Vector<T> sign;    ///< of samples: the label, -1 or +1
  kasen::Vector<T> offset;  ///< of samples
  Loss loss = Loss::logistic;
  double l1 = 0, l2 = 0;
  bool intercept = false;  ///< not regularised
};

struct Settings {
  std::size_t history = 10;
  Stopping stopping;  ///< by the gradient's norm relative to the first one's
};

/// The solution that was found, when the loop has ended.
template <class T>
struct Fit {
  Point<T> weights;
  kasen::Shared<T> objective;
  kasen::Shared<T> gradient;  ///< its norm relative to the first one's; of the pseudo-gradient with L1
  kasen::Shared<T> left;      ///< the same, but 0 where the last line search has found no step
};

template <class T>
Point<T> zero(const Problem<T>& problem) {
  Point<T> w{kasen::constant(problem.X.columns(), spread<T>(0)), {}};
  if (problem.intercept) w.intercept = kasen::Shared<T>(spread<T>(0));
  return w;
}

/// The change of the margins along d: sign * (X d + intercept).
template <class T>
kasen::Vector<T> margins(const Problem<T>& problem, const Point<T>& d) {
  const auto by_entry = each<T>(KASEN_FN((auto x, auto e), x * e));
  kasen::Vector<T> score;
  if constexpr (kLanes<T> == 1) {
    score = kasen::mxvt(kasen::times, kasen::plus, problem.X, d.features);
  } else {
    score = kasen::mxvt(by_entry, kasen::with_identity(kasen::plus, spread<T>(0)), problem.X, d.features);
  }
  if (!d.intercept) return kasen::zip_with(each<T>(kasen::times), problem.sign, score);
  return kasen::zip_with(each<T>(KASEN_FN((auto y, auto z, auto b), y * (z + b))), problem.sign, score, *d.intercept);
}

/// The gradient of the losses and the L2 penalty. @param slope of the losses, by sample
template <class T>
Point<T> gradient(const Problem<T>& problem, const Point<T>& w, const kasen::Vector<T>& slope) {
  const kasen::Vector<T> u = kasen::zip_with(each<T>(kasen::times), problem.sign, slope);
  const auto by_entry = each<T>(KASEN_FN((auto x, auto e), x * e));
  kasen::Vector<T> of_losses;
  if constexpr (kLanes<T> == 1) {
    of_losses = kasen::mxv(kasen::times, kasen::plus, problem.X, u);
  } else {
    of_losses = kasen::mxv(by_entry, kasen::with_identity(kasen::plus, spread<T>(0)), problem.X, u);
  }
  Point<T> g{kasen::zip_with(each<T>(KASEN_FN((auto x, auto v, auto c), x + c * v)), of_losses, w.features, problem.l2),
             {}};
  if (w.intercept) g.intercept = sum(u);
  return g;
}

/// Tracks the values of an iteration for --progress and the report; of several problems the largest.
template <class T>
void follow(const kasen::Shared<T>& objective, const kasen::Shared<T>& gradient_norm) {
  kasen::track("objective", largest<T>(objective));
  kasen::track("gradient norm", largest<T>(gradient_norm));
}

/// The ratio of `now` to `first`; 0 if the first one is.
template <class T>
kasen::Shared<T> relative_to(const kasen::Shared<T>& now, const kasen::Shared<T>& first) {
  return kasen::apply(each<T>(KASEN_FN((auto n, auto n1), n1 > 0.0 ? n / n1 : 0.0)), now, first);
}

}  // namespace apps
