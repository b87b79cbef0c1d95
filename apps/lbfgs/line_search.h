/// @file
/// Line searches of L-BFGS and OWL-QN, as states that take one trial after the other.
#pragma once

#include "apps/lbfgs/lanes.h"

namespace apps {

/// A trial: the objective and its slope at a step along the direction.
struct Trial {
  double step, value, slope;
};

/// The L2 penalty along the direction: constant + step * linear + step^2 / 2 * square.
struct Penalty {
  double constant, linear, square;
  double value(double step) const { return constant + step * (linear + step / 2 * square); }
  double slope(double step) const { return linear + step * square; }
};

/// A search for the strong Wolfe conditions: Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 3.5
/// and 3.6, with steps from cubic interpolation. The objective is convex.
struct WolfeSearch {
  Trial start;  ///< step 0
  Penalty penalty;
  Trial low;  ///< the best so far that decreases enough; between it and `high` are steps that will do
  Trial high;
  double step;   ///< the one to try next, or the accepted one; 0 if there is none
  double value;  ///< of the objective at `step`, once done
  int trials;
  bool bracketed;  ///< whether `high` is known
  bool done;
};
/// A search at its start. @param wanted if false, it is done with step 0
WolfeSearch wolfe_search(double value, double slope, const Penalty& penalty, bool wanted);
/// The search after the trial of search.step. @param loss the sum of losses there @param slope its derivative
WolfeSearch after_trial(const WolfeSearch& search, double loss, double slope);

/// A search for enough decrease by halving the step, if trials are not along a line: Andrew and Gao, Scalable training
/// of L1-regularized log-linear models, ICML 2007, equation 6.
struct Backtracking {
  double start;  ///< the objective at step 0
  double step, value;
  int trials;
  bool done;  ///< after at most 30 steps and step 0, also where the objective is not a number
};
Backtracking backtracking(double value, bool wanted);
/// The search after a trial. @param value the objective there @param gain what its pseudo-gradient promises: at most 0
Backtracking after_backtrack(const Backtracking& search, double value, double gain);

/// The step to try next, or the accepted one.
template <class T, class Search>
kasen::Shared<T> step_of(const kasen::Shared<Search>& search) {
  return kasen::apply(each<T>([](const auto& s) { return s.step; }), search);
}
template <class T, class Search>
kasen::Shared<T> value_of(const kasen::Shared<Search>& search) {
  return kasen::apply(each<T>([](const auto& s) { return s.value; }), search);
}
/// Whether the search of any problem goes on.
template <class T, class Search>
kasen::Shared<bool> goes_on(const kasen::Shared<Search>& search) {
  return largest<T>(kasen::apply(each<T>([](const auto& s) { return s.done ? 0.0 : 1.0; }), search)) > 0.0;
}

}  // namespace apps
