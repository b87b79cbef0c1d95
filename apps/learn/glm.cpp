#include "apps/learn/glm.h"

#include <tuple>

#include "apps/learn/vectors.h"

namespace apps {

using kasen::Shared, kasen::Vector, kasen::apply, kasen::map, kasen::reduce, kasen::select, kasen::zip_with;

namespace {

constexpr double kLeft = 1e-14;  ///< of the squared norm of what is left of the equations: then they are solved
constexpr double kFlat = 1e-12;  ///< of a direction's length by the diagonal: curvature that is rounding
constexpr double kLeast = 2.220446049250313e-16;  ///< how near means come to the limits that a link sets them
constexpr double kRounding = 1e-12;               ///< of the objective: smaller differences say nothing
constexpr std::uint64_t kMostTrials = 30;

/// Means to begin with: the targets, or what is near to them and the family and link can have.
Vector<double> first_means(const GlmProblem& problem) {
  const Vector<double>& y = problem.targets;
  if (problem.family == Family::poisson) return map(KASEN_FN((auto t), t + 0.1), y);
  if (problem.family == Family::binomial) return map(KASEN_FN((auto t), 0.5 * (t + 0.5)), y);
  if (problem.family == Family::gamma || problem.link == Link::identity) return y;
  const Shared<double> mean = reduce(kasen::plus, y) / static_cast<double>(y.length());
  return map(KASEN_FN((auto t, auto m), t * m > 0.1 * m * m ? t : 0.1 * m), y, mean);
}
/// The scores that stand for means; of the probit link nearly.
Vector<double> scores_of(Link link, const Vector<double>& means) {
  switch (link) {
    case Link::identity:
      return means;
    case Link::log:
      return map(KASEN_FN((auto m), kasen::log(m)), means);
    case Link::logit:
      return map(KASEN_FN((auto m), kasen::log(m / (1.0 - m))), means);
    case Link::probit:
      return map(KASEN_FN((auto m), 0.6 * kasen::log(m / (1.0 - m))), means);
    case Link::inverse:
      return map(KASEN_FN((auto m), 1.0 / m), means);
  }
  return means;
}

/// The derivative of the mean by the score.
Vector<double> slopes_of(Link link, const Vector<double>& scores, const Vector<double>& means) {
  switch (link) {
    case Link::identity:
      return map(KASEN_FN((auto), 1.0), scores);
    case Link::log:
      return means;
    case Link::logit:
      return map(KASEN_FN((auto m), m * (1.0 - m)), means);
    case Link::probit:
      return map(KASEN_FN((auto s), kasen::max(kasen::exp(-0.5 * s * s) * 0.3989422804014327, kLeast)), scores);
    case Link::inverse:
      return map(KASEN_FN((auto m), -m * m), means);
  }
  return scores;
}

/// The solution of (X' weight X + penalty) d = right, by conjugate gradients with the diagonal as preconditioner.
Vector<double> solved(const kasen::Matrix<double>& X, const Vector<double>& weight, const Vector<double>& penalty,
                      const Vector<double>& right, std::uint64_t most) {
  const auto square = KASEN_FN((auto u, auto e), u * e * e);
  const Vector<double> diagonal = zip_with(kasen::plus, kasen::mxv(square, kasen::plus, X, weight), penalty);
  const auto divided = KASEN_FN((auto a, auto by), kasen::select(by > 0.0, a / by, 0.0));
  const Shared<double> size = reduce(kasen::plus, diagonal);
  Vector<double> d = map(KASEN_FN((auto, auto all), 0.0 * all), right, size);  // no number if one is not finite
  Vector<double> r = right, z = zip_with(divided, r, diagonal), p = z;
  Shared<double> rz = dot(r, z);
  const Shared<double> goal = kLeft * rz;
  Shared<std::uint64_t> step = 0;
  kasen::while_([&] { return rz > goal && step < most; },
                [&] {
                  const Vector<double> of_p = zip_with(kasen::times, weight, kasen::multiply(X, p));
                  const Vector<double> q = zip_with(KASEN_FN((auto s, auto v, auto by), s + by * v),
                                                    kasen::multiply_transposed(X, of_p), p, penalty);
                  const auto length = KASEN_FN((auto v, auto by), by * v * v);
                  const Shared<double> pq = dot(p, q), pp = reduce(kasen::plus, zip_with(length, p, diagonal));
                  const Shared<bool> curved = pq > kFlat * pp;
                  const Shared<double> by = kasen::select(curved, rz / pq, 0.0);
                  d = add_scaled(d, by, p);
                  r = add_scaled(r, -by, q);
                  z = zip_with(divided, r, diagonal);
                  const Shared<double> next = dot(r, z);
                  p = add_scaled(z, next / rz, p);
                  rz = kasen::select(curved, next, 0.0);
                  step = step + 1;
                });
  return d;
}

}  // namespace

GlmFit glm(const GlmProblem& problem, const GlmSettings& settings) {
  const kasen::Matrix<double>& X = problem.X;
  const Vector<double>& y = problem.targets;
  const Family family = problem.family;
  const Link link = problem.link;
  const Vector<double> penalty = penalties(X.columns(), problem.l2, problem.constant);
  Vector<double> w = kasen::constant(X.columns(), 0.0), scores = kasen::constant(X.rows(), 0.0);
  Vector<double> at = scores_of(link, first_means(problem));  // where means and weights are taken
  Shared<double> objective = kasen::infinity, change = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return settings.stopping.goes_on(change, iteration); }), [&] {
    const Vector<double> means = means_of(link, at), slope = slopes_of(link, at, means);
    const Vector<double> variance = variances_of(family, means);
    const Vector<double> weight = zip_with(KASEN_FN((auto s, auto v), s * s / v), slope, variance);
    const auto pull = KASEN_FN((auto target, auto m, auto s, auto v, auto from, auto to),
                               (target - m) * s / v + s * s / v * (from - to));
    const Vector<double> sums =
        kasen::multiply_transposed(X, zip_with(pull, std::tie(y, means, slope, variance, at, scores)));
    const Vector<double> right = zip_with(KASEN_FN((auto s, auto v, auto by), s - by * v), sums, w, penalty);
    const Vector<double> d = solved(X, weight, penalty, right, settings.most_products);

    const Vector<double> along = kasen::multiply(X, d);
    Shared<double> length = 1.0, tried = 1.0, next = objective;
    Shared<std::uint64_t> trials = 0;
    Shared<bool> found = false;
    kasen::while_([&] { return !found; },
                  [&] {
                    const Vector<double> reached = means_of(link, add_scaled(scores, length, along));
                    const Vector<double> v = add_scaled(w, length, d);
                    next = reduce(kasen::plus, deviances_of(family, y, reached)) +
                           reduce(kasen::plus, zip_with(KASEN_FN((auto a, auto by), by * a * a), v, penalty));
                    trials = trials + 1;
                    found = length == 0.0 ||
                            (next < kasen::infinity && next <= objective + kRounding * kasen::abs(objective));
                    tried = length;
                    length = kasen::select(trials < kMostTrials, 0.5 * length, 0.0);
                  });
    w = add_scaled(w, tried, d);
    scores = add_scaled(scores, tried, along);
    at = scores;
    const auto decrease = KASEN_FN((auto from, auto to), to > 0.0 ? (from - to) / to : 0.0);
    change = kasen::select(tried > 0.0, apply(decrease, objective, next), 0.0);
    objective = next;
    iteration = iteration + 1;
    kasen::track("objective", objective);
    kasen::track("change", change);
  });
  const Vector<double> means = means_of(link, scores);
  const auto pearson = KASEN_FN((auto target, auto m, auto v), (target - m) * (target - m) / v);
  return {w, objective, reduce(kasen::plus, deviances_of(family, y, means)),
          reduce(kasen::plus, zip_with(pearson, y, means, variances_of(family, means)))};
}

Vector<double> means_of(Link link, const Vector<double>& scores) {
  switch (link) {
    case Link::identity:
      return scores;
    case Link::log:
      return map(KASEN_FN((auto s), kasen::max(kasen::exp(s), kLeast)), scores);
    case Link::logit:
      return map(KASEN_FN((auto s), kasen::min(kasen::max(1.0 / (1.0 + kasen::exp(-s)), kLeast), 1.0 - kLeast)),
                 scores);
    case Link::probit:
      return map(
          KASEN_FN((auto s), kasen::min(kasen::max(0.5 * kasen::erfc(-0.7071067811865476 * s), kLeast), 1.0 - kLeast)),
          scores);
    case Link::inverse:
      return map(KASEN_FN((auto s), 1.0 / s), scores);
  }
  return scores;
}

Vector<double> variances_of(Family family, const Vector<double>& means) {
  switch (family) {
    case Family::gaussian:
      return map(KASEN_FN((auto), 1.0), means);
    case Family::poisson:
      return means;
    case Family::gamma:
      return map(KASEN_FN((auto m), m * m), means);
    case Family::binomial:
      return map(KASEN_FN((auto m), m * (1.0 - m)), means);
  }
  return means;
}

namespace {

// Deviances, infinite where m is no mean of the family. What functions are of is chosen, not their results: vectors of
// logarithms have no branches, and compute that of 0 one by one.

/// y log(y / m), and 0 where y is 0.
template <class Y, class M>
auto times_log(const Y& y, const M& m) {
  return y * kasen::log(select(y > 0.0, y / m, 1.0));
}
template <class Y, class M>
auto poisson_deviance(const Y& y, const M& m) {
  return 2.0 * (times_log(y, m) - (y - m));
}
template <class Y, class M>
auto gamma_deviance(const Y& y, const M& m) {
  return 2.0 * ((y - m) / m - kasen::log(y / m));
}
template <class Y, class M>
auto binomial_deviance(const Y& y, const M& m) {
  return 2.0 * (times_log(y, m) + times_log(1.0 - y, 1.0 - m));
}
template <class Condition>
auto infinite_unless(const Condition& possible) {
  return select(possible, 0.0, kasen::infinity);
}

}  // namespace

Vector<double> deviances_of(Family family, const Vector<double>& targets, const Vector<double>& means) {
  switch (family) {
    case Family::gaussian:
      return zip_with(KASEN_FN((auto y, auto m), (y - m) * (y - m)), targets, means);
    case Family::poisson:
      return zip_with(
          KASEN_FN((auto y, auto m), poisson_deviance(y, select(m > 0.0, m, 1.0)) + infinite_unless(m > 0.0)), targets,
          means);
    case Family::gamma:
      return zip_with(KASEN_FN((auto y, auto m), gamma_deviance(y, select(m > 0.0, m, 1.0)) + infinite_unless(m > 0.0)),
                      targets, means);
    case Family::binomial:
      return zip_with(KASEN_FN((auto y, auto m), binomial_deviance(y, select(m > 0.0 && m < 1.0, m, 0.5)) +
                                                     infinite_unless(m > 0.0 && m < 1.0)),
                      targets, means);
  }
  return means;
}

}  // namespace apps
