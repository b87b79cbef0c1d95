/// @file
/// Line searches as states that take one trial after the other.
#pragma once

#include "apps/lbfgs/lanes.h"

namespace apps {

/// The objective and its slope at a step along the direction.
struct Trial {
  double step, value, slope;
};

/// The L2 penalty along the direction: constant + step * linear + step^2 / 2 * square.
struct Penalty {
  double constant, linear, square;
  double value(double step) const { return constant + step * (linear + step / 2 * square); }
  double slope(double step) const { return linear + step * square; }
};

/// For the strong Wolfe conditions: Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 3.5 and 3.6,
/// with steps from cubic interpolation. The objective is convex.
struct WolfeSearch {
  Trial start;  ///< step 0
  Penalty penalty;
  Trial low;  ///< the best so far that decreases enough; between it and `high` are steps that will do
  Trial high;
  double step;   ///< to try next, or accepted; 0 if there is none
  double value;  ///< of the objective at `step`, once done
  int trials;
  bool bracketed;  ///< `high` is known
  bool done;
};
/// @param wanted else it is done with step 0
WolfeSearch wolfe_search(double value, double slope, const Penalty& penalty, bool wanted);
/// After the trial of search.step. @param loss the sum of the losses there @param slope its derivative by the step
WolfeSearch after_trial(const WolfeSearch& search, double loss, double slope);

/// For enough decrease, by halving the step, where trials are not along a line: Andrew and Gao, Scalable training of
/// L1-regularized log-linear models, ICML 2007, equation 6.
struct Backtracking {
  double start;  ///< the objective at step 0
  double step, value;
  int trials;
  bool done;  ///< after at most 30 steps and step 0, also where the objective is not a number
};
Backtracking backtracking(double value, bool wanted);
/// @param value of the objective at the trial @param gain what its pseudo-gradient promises: at most 0
Backtracking after_backtrack(const Backtracking& search, double value, double gain);

/// To try next, or accepted.
template <class T, class Search>
kasen::Shared<T> step_of(const kasen::Shared<Search>& search) {
  return kasen::apply(each<T>([](const auto& s) { return s.step; }), search);
}
template <class T, class Search>
kasen::Shared<T> value_of(const kasen::Shared<Search>& search) {
  return kasen::apply(each<T>([](const auto& s) { return s.value; }), search);
}
/// Of any of the problems.
template <class T, class Search>
kasen::Shared<bool> goes_on(const kasen::Shared<Search>& search) {
  return largest<T>(kasen::apply(each<T>([](const auto& s) { return s.done ? 0.0 : 1.0; }), search)) > 0.0;
}

}  // namespace apps
