#include "apps/learn/svm.h"

#include <cmath>

#include "apps/learn/vectors.h"

namespace apps {

using kasen::Shared, kasen::Vector, kasen::apply, kasen::map, kasen::reduce, kasen::zip_with;

namespace {

constexpr double kFlat = 1e-9;  ///< of the first slope: then the search is done
constexpr int kMostTrials = 50;

}  // namespace

ExactSearch after_trial(const ExactSearch& search, double slope, double curvature) {
  ExactSearch s = search;
  if (s.trials++ == 0) s.first = slope;
  s.done = !(std::abs(slope) > kFlat * std::abs(s.first)) || s.trials == kMostTrials;
  if (s.done) return s;
  (slope < 0 ? s.low : s.high) = s.step;
  const double newton = s.step - slope / curvature;
  const double middle = s.high < kasen::infinity ? 0.5 * (s.low + s.high) : 2 * s.low + 1;
  s.step = newton > s.low && newton < s.high ? newton : middle;
  return s;
}

SvmFit svm(const SvmProblem& problem, const Stopping& stopping) {
  const auto& X = problem.X;
  const Vector<double> penalty = penalties(X.columns(), problem.l2, problem.constant);
  const auto missing_of = KASEN_FN((auto m), kasen::max(1.0 - m, 0.0));
  const auto descent = [&](const Vector<double>& missing, const Vector<double>& w) {
    const Vector<double> sums = kasen::multiply_transposed(X, zip_with(kasen::times, problem.sign, missing));
    return zip_with(KASEN_FN((auto s, auto v, auto l2), 2.0 * s - l2 * v), sums, w, penalty);
  };
  Vector<double> w = kasen::constant(X.columns(), 0.0), margin = kasen::constant(X.rows(), 0.0);
  Vector<double> missing = map(missing_of, margin), g = descent(missing, w), s = g;
  Shared<double> gg = dot(g, g), objective = dot(missing, missing), change = kasen::infinity;
  const Shared<double> first = gg;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return stopping.goes_on(change, iteration); }), [&] {
    const Vector<double> along = zip_with(kasen::times, problem.sign, kasen::multiply(X, s));
    const Vector<double> of_s = zip_with(kasen::times, penalty, s);
    const Shared<double> ws = dot(w, of_s), ss = dot(s, of_s);
    Shared<ExactSearch> search{ExactSearch{}};
    kasen::while_([&] { return apply([](const ExactSearch& at) { return !at.done; }, search); },
                  [&] {
                    const auto step = kasen::member(search, &ExactSearch::step);
                    const Vector<double> lacks = map(missing_of, add_scaled(margin, step, along));
                    const auto square = KASEN_FN((auto h, auto a), kasen::select(h > 0.0, a * a, 0.0));
                    const Shared<double> slope = ws + step * ss - 2.0 * dot(lacks, along);
                    const Shared<double> curvature = ss + 2.0 * reduce(kasen::plus, zip_with(square, lacks, along));
                    search = apply(after_trial, search, slope, curvature);
                  });

    const auto step = kasen::member(search, &ExactSearch::step);
    w = add_scaled(w, step, s);
    margin = add_scaled(margin, step, along);
    missing = map(missing_of, margin);
    const Shared<double> next =
        dot(missing, missing) +
        0.5 * reduce(kasen::plus, zip_with(KASEN_FN((auto v, auto l2), l2 * v * v), w, penalty));
    change = apply(KASEN_FN((auto from, auto to), from > 0.0 ? (from - to) / from : 0.0), objective, next);
    objective = next;
    g = descent(missing, w);
    const Shared<double> now = dot(g, g), turn = kasen::select(gg > 0.0, now / gg, 0.0);
    const Shared<double> ascends = now + turn * dot(g, s);  // rounding can turn s away from the descent
    s = add_scaled(g, kasen::select(ascends > 0.0, turn, 0.0), s);
    gg = now;
    iteration = iteration + 1;
    kasen::track("objective", objective);
    kasen::track("change", change);
  });
  const auto relative = KASEN_FN((auto to, auto from), from > 0.0 ? kasen::sqrt(to / from) : 0.0);
  return {w, objective, apply(relative, gg, first)};
}

}  // namespace apps
