#include "apps/learn/mlogreg.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "apps/learn/row_functions.h"
#include "apps/learn/vectors.h"

namespace apps {

using kasen::Rows, kasen::Shared, kasen::Vector, kasen::apply, kasen::map, kasen::reduce, kasen::zip_with;

namespace {

constexpr double kDecrease = 1e-4;   ///< of what the slope promises, which a step must have
constexpr double kRounding = 1e-11;  ///< of the objective: smaller differences say nothing
constexpr std::uint64_t kMostTrials = 30;

constexpr auto lost = [](Numbers scores, double log, std::int32_t label) {
  return label < 0 ? kasen::infinity : log - scores[static_cast<std::size_t>(label)];
};
/// The derivative of the loss by the scores.
constexpr auto residual = [](Numbers share, std::int32_t label, std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = share[k] - (static_cast<std::int32_t>(k) == label ? 1.0 : 0.0);
};
/// The product of the second derivatives by the scores, and a change of these.
constexpr auto curved = [](Numbers share, Numbers change, std::span<double> out) {
  const double mean = kasen::dot(share, change);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = share[k] * (change[k] - mean);
};

/// What the objective is at some weights.
struct Point {
  Rows<double> weights, shares, gradient;
  Shared<double> objective;
};

class Objective {
 public:
  explicit Objective(const ClassProblem& problem)
      : _problem(problem), _penalty(penalties(kasen::Space(problem.design.features()), problem.l2, problem.constant)) {}

  Point at(const Rows<double>& weights) const {
    const auto row = kasen::width(_problem.classes);
    const Rows<double> scores = _problem.design.times(weights);
    const Rows<double> likely = map(exponentials, scores, row), share = map(shares, likely, row);
    const Vector<double> log = zip_with(log_of_sum, scores, likely);
    const Rows<double> sums = _problem.design.transposed_times(zip_with(residual, share, _problem.label, row));
    const auto squares = [](Numbers w, double by) { return 0.5 * by * kasen::dot(w, w); };
    return {weights, share, zip_with(plus_multiple, sums, weights, _penalty, row),
            reduce(kasen::plus, zip_with(lost, scores, log, _problem.label)) +
                reduce(kasen::plus, zip_with(squares, weights, _penalty))};
  }
  /// The product of the Hessian there and a direction.
  Rows<double> curvature(const Point& point, const Rows<double>& along) const {
    const auto row = kasen::width(_problem.classes);
    const Rows<double> changes = zip_with(curved, point.shares, _problem.design.times(along), row);
    return zip_with(plus_multiple, _problem.design.transposed_times(changes), along, _penalty, row);
  }

 private:
  const ClassProblem& _problem;
  Vector<double> _penalty;
};

Rows<double> zeros(std::uint64_t rows, std::uint64_t width) {
  const auto none = [](std::int64_t, std::span<double> out) { std::fill(out.begin(), out.end(), 0.0); };
  return map(none, kasen::iota(kasen::Space(rows)), kasen::width(width));
}

}  // namespace

std::uint64_t Design::samples() const {
  const auto* matrix = std::get_if<kasen::Matrix<double>>(&X);
  return matrix != nullptr ? matrix->rows().length() : std::get<Rows<double>>(X).length();
}
std::uint64_t Design::features() const {
  const auto* matrix = std::get_if<kasen::Matrix<double>>(&X);
  return matrix != nullptr ? matrix->columns().length() : std::get<Rows<double>>(X).width();
}
Rows<double> Design::times(const Rows<double>& W) const {
  const auto* matrix = std::get_if<kasen::Matrix<double>>(&X);
  return matrix != nullptr ? kasen::multiply(*matrix, W) : kasen::product(std::get<Rows<double>>(X), kasen::whole(W));
}
Rows<double> Design::transposed_times(const Rows<double>& R) const {
  const auto* matrix = std::get_if<kasen::Matrix<double>>(&X);
  return matrix != nullptr ? kasen::multiply_transposed(*matrix, R) : kasen::cross(std::get<Rows<double>>(X), R);
}

ClassFit mlogreg(const ClassProblem& problem, const NewtonSettings& settings) {
  const auto row = kasen::width(problem.classes);
  const Objective objective(problem);
  Point now = objective.at(zeros(problem.design.features(), problem.classes));
  const Shared<double> first = kasen::sqrt(dot_of(now.gradient, now.gradient));
  Shared<double> relative = kasen::select(first > 0.0, 1.0, 0.0), left = relative;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return settings.stopping.goes_on(left, iteration); }), [&] {
    // The direction d: Hessian d = -gradient, as nearly as the gradient is small.
    Rows<double> d = zeros(problem.design.features(), problem.classes);
    Rows<double> r = zip_with(plus_multiple, d, now.gradient, -1.0, row), p = r;
    Shared<double> rr = dot_of(r, r);
    const Shared<double> goal = rr * kasen::min(0.01, relative);
    Shared<std::uint64_t> step = 0;
    kasen::while_([&] { return rr > goal && step < settings.most_products; },
                  [&] {
                    const Rows<double> Hp = objective.curvature(now, p);
                    const Shared<double> pHp = dot_of(p, Hp);
                    const Shared<double> by = kasen::select(pHp > 0.0, rr / pHp, 0.0);
                    d = zip_with(plus_multiple, d, p, by, row);
                    r = zip_with(plus_multiple, r, Hp, -by, row);
                    const Shared<double> next = dot_of(r, r);
                    p = zip_with(plus_multiple, r, p, next / rr, row);
                    rr = kasen::select(pHp > 0.0, next, 0.0);
                    step = step + 1;
                  });

    // Along it, the whole step or halves of it, until the objective has decreased enough.
    const Shared<double> slope = dot_of(now.gradient, d), start = now.objective;
    Shared<double> length = 1.0, tried = 1.0;
    Shared<std::uint64_t> trials = 0;
    Shared<bool> found = false;
    Point next = now;
    kasen::while_([&] { return !found; },
                  [&] {
                    next = objective.at(zip_with(plus_multiple, now.weights, d, length, row));
                    const auto enough = [](double from, double to, double before, double after, double by) {
                      if (to <= from + kDecrease * by * before) return true;
                      return to <= from + kRounding * std::abs(from) && after <= (2 * kDecrease - 1) * before;
                    };
                    trials = trials + 1;
                    found =
                        length == 0.0 || apply(enough, start, next.objective, slope, dot_of(next.gradient, d), length);
                    tried = length;
                    length = kasen::select(trials < kMostTrials, 0.5 * length, 0.0);
                  });
    now = next;
    const auto ratio = KASEN_FN((auto to, auto from), from > 0.0 ? to / from : 0.0);
    relative = apply(ratio, kasen::sqrt(dot_of(now.gradient, now.gradient)), first);
    left = kasen::select(tried > 0.0 && slope < 0.0, relative, 0.0);  // no step: no nearer
    iteration = iteration + 1;
    kasen::track("objective", now.objective);
    kasen::track("gradient", relative);
    kasen::track("products", kasen::cast<double>(step + trials));
  });
  return {now.weights, now.objective, relative, left};
}

Shared<double> log_likelihood(const Rows<double>& scores, const Vector<std::int32_t>& label) {
  const Rows<double> likely = map(exponentials, scores, kasen::width(scores.width()));
  return -reduce(kasen::plus, zip_with(lost, scores, zip_with(log_of_sum, scores, likely), label));
}

}  // namespace apps
