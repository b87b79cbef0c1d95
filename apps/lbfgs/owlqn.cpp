#include "apps/lbfgs/owlqn.h"

#include <tuple>

#include "apps/lbfgs/line_search.h"
#include "apps/lbfgs/two_loop.h"

namespace apps {
namespace {

using kasen::apply, kasen::map, kasen::Shared, kasen::Vector, kasen::zip_with;

/// The derivative with the L1 penalty in the direction of steepest descent. The intercept is not regularised.
template <class T>
Point<T> pseudo_gradient(const Point<T>& g, const Point<T>& w, double l1) {
  const auto of_weight = kasen::traced([](auto slope, auto weight, auto penalty) {
    const auto up = slope + penalty, down = slope - penalty;
    const auto at_zero = kasen::select(up < 0.0, up, kasen::select(down > 0.0, down, 0.0 * slope));
    return kasen::select(weight > 0.0, up, kasen::select(weight < 0.0, down, at_zero));
  });
  return {zip_with(each<T>(of_weight), g.features, w.features, l1), g.intercept};
}

/// The direction d where it descends, else 0.
template <class T>
Point<T> descending(const Point<T>& d, const Point<T>& v) {
  return {zip_with(each<T>(KASEN_FN((auto x, auto slope), x * slope < 0.0 ? x : 0.0)), d.features, v.features),
          d.intercept};
}

/// w + step * d, with 0 for weights that leave the orthant of w, or where w is 0 that of steepest descent.
template <class T>
Point<T> within_orthant(const Point<T>& w, const Shared<T>& step, const Point<T>& d, const Point<T>& v) {
  const auto of_weight = kasen::traced([](auto weight, auto x, auto slope, auto a) {
    const auto next = weight + a * x;
    return kasen::select(next * kasen::select(weight == 0.0, -slope, weight) > 0.0, next, 0.0 * next);
  });
  Point<T> next = w + scaled(d, step);
  next.features = zip_with(each<T>(of_weight), std::tie(w.features, d.features, v.features, step));
  return next;
}

template <class T>
Shared<T> objective_at(const Problem<T>& problem, const Point<T>& w, const Vector<T>& margin) {
  const double l1 = problem.l1, l2 = problem.l2;
  return apply(
      each<T>([l1, l2](double loss, double ones, double squares) { return loss + l1 * ones + l2 / 2 * squares; }),
      sum(losses(problem.loss, margin).value),
      sum(Vector<T>(map(each<T>(KASEN_FN((auto x), kasen::abs(x))), w.features))), dot(w.features, w.features));
}

}  // namespace

template <class T>
Fit<T> owlqn(const Problem<T>& problem, const Settings& settings) {
  const double least = settings.stopping.least();
  Point<T> w = zero(problem);
  Vector<T> margin = problem.offset;
  Shared<T> objective = objective_at(problem, w, margin);
  Point<T> g = gradient(problem, w, losses(problem.loss, margin).slope), v = pseudo_gradient(g, w, problem.l1);
  const Shared<T> first = norm(v);
  Shared<T> relative = relative_to<T>(first, first), left = relative;
  History<T> history(settings.history, w, first);
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return settings.stopping.goes_on(largest<T>(left), iteration); }), [&] {
    const Point<T> d = descending(history.descent(v), v);
    auto search =
        apply(each<T>([least](double f, double now) { return backtracking(f, now > least); }), objective, left);
    Point<T> w_next = w;
    const auto try_step = [&] {
      w_next = within_orthant(w, step_of<T>(search), d, v);
      margin = zip_with(each<T>(kasen::plus), problem.offset, margins(problem, w_next));
      search = apply(each<T>(after_backtrack), search, objective_at(problem, w_next, margin), dot(v, w_next - w));
    };
    try_step();
    kasen::while_([&] { return goes_on<T>(search); }, try_step);

    const Point<T> g_next = gradient(problem, w_next, losses(problem.loss, margin).slope);
    history.push(w_next - w, g_next - g);
    w = w_next;
    g = g_next;
    v = pseudo_gradient(g, w, problem.l1);
    objective = value_of<T>(search);
    const Shared<T> now = norm(v);
    relative = relative_to<T>(now, first);
    left = apply(each<T>(KASEN_FN((auto r, auto a), a > 0.0 ? r : 0.0)), relative, step_of<T>(search));
    follow<T>(objective, now);
    iteration = iteration + 1;
  });
  return {w, objective, relative, left};
}

template Fit<double> owlqn(const Problem<double>&, const Settings&);
template Fit<Several> owlqn(const Problem<Several>&, const Settings&);

}  // namespace apps
