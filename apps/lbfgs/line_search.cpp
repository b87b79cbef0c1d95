#include "apps/lbfgs/line_search.h"

#include <algorithm>
#include <cmath>

namespace apps {
namespace {

constexpr double kDecrease = 1e-4, kCurvature = 0.9;  ///< c1 and c2 of the conditions
constexpr double kRounding = 1e-11;                   ///< of the objective: smaller differences say nothing
constexpr int kMostTrials = 30;

/// The minimum of the cubic through two trials; not a number if it has none.
double cubic_minimum(const Trial& a, const Trial& b) {
  const double d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step);
  const double d2 = std::copysign(std::sqrt(d1 * d1 - a.slope * b.slope), b.step - a.step);
  return b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
}

/// Enough for its step; where rounding hides the decrease, by the slope (Hager and Zhang, A new conjugate gradient
/// method with guaranteed descent and an efficient line search, 2005, condition 4.1).
bool decreases(const Trial& start, const Trial& t) {
  if (t.value <= start.value + kDecrease * t.step * start.slope) return true;
  return t.value <= start.value + kRounding * std::abs(start.value) && t.slope <= (2 * kDecrease - 1) * start.slope;
}

WolfeSearch accept(WolfeSearch s, const Trial& t) {
  s.step = t.step;
  s.value = t.value;
  s.done = true;
  return s;
}

/// Between 2 and 10 times as far as the last trial.
double farther(const Trial& last, const Trial& t) {
  const double least = 2 * t.step, most = 10 * t.step, guess = cubic_minimum(last, t);
  return std::isfinite(guess) && guess > t.step ? std::clamp(guess, least, most) : most;
}

/// Inside of the bracket, a tenth of it away from its ends.
double inside(const Trial& low, const Trial& high) {
  const auto [left, right] = std::minmax(low.step, high.step);
  const double margin = 0.1 * (right - left), guess = cubic_minimum(low, high);
  return std::isfinite(guess) ? std::clamp(guess, left + margin, right - margin) : (left + right) / 2;
}

}  // namespace

WolfeSearch wolfe_search(double value, double slope, const Penalty& penalty, bool wanted) {
  const Trial start{0, value, slope};
  const bool search = wanted && slope < 0;
  return {start, penalty, start, start, search ? 1.0 : 0.0, value, 0, false, !search};
}

WolfeSearch after_trial(const WolfeSearch& search, double loss, double slope) {
  if (search.done) return search;
  WolfeSearch s = search;
  const Trial t{s.step, loss + s.penalty.value(s.step), slope + s.penalty.slope(s.step)};
  if (++s.trials == kMostTrials) return accept(s, s.low);
  const bool enough = decreases(s.start, t);
  if (enough && std::abs(t.slope) <= -kCurvature * s.start.slope) return accept(s, t);
  const bool beyond = s.bracketed ? t.slope * (s.high.step - s.low.step) < 0 : t.slope < 0;  // lies the minimum
  if (enough && beyond && !s.bracketed) {
    s.step = farther(s.low, t);
    s.low = t;
    return s;
  }
  s.bracketed = true;
  if (enough && beyond) {
    s.low = t;
  } else if (enough && t.value <= s.low.value) {
    s.high = s.low;
    s.low = t;
  } else {  // also where the objective is not finite
    s.high = t;
  }
  s.step = inside(s.low, s.high);
  return s;
}

Backtracking backtracking(double value, bool wanted) { return {value, wanted ? 1.0 : 0.0, value, 0, false}; }

Backtracking after_backtrack(const Backtracking& search, double value, double gain) {
  if (search.done) return search;
  Backtracking s = search;
  if (s.step == 0) {  // whatever the trial says: it is where the search began
    s.value = s.start;
    s.done = true;
    return s;
  }
  ++s.trials;
  s.value = value;
  s.done = value <= s.start + kDecrease * gain;
  if (!s.done) s.step = s.trials < kMostTrials ? s.step / 2 : 0;
  return s;
}

}  // namespace apps
