#include "apps/lbfgs/lbfgs.h"

#include "apps/lbfgs/line_search.h"
#include "apps/lbfgs/two_loop.h"

namespace apps {
namespace {

using kasen::apply, kasen::Shared, kasen::Vector, kasen::zip_with;

/// From step 0 along d, where the gradient is g. `left` is what the tolerance is compared with.
template <class T>
auto begin_search(const Problem<T>& problem, const Settings& settings, const Shared<T>& objective,
                  const Shared<T>& left, const Point<T>& w, const Point<T>& g, const Point<T>& d) {
  const double l2 = problem.l2, least = settings.stopping.least();
  const auto penalty = apply(each<T>([l2](double ww, double wd, double dd) {
                               return Penalty{l2 / 2 * ww, l2 * wd, l2 * dd};
                             }),
                             dot(w.features, w.features), dot(w.features, d.features), dot(d.features, d.features));
  return apply(each<T>([least](double value, double slope, const Penalty& p, double now) {
                 return wolfe_search(value, slope, p, now > least);
               }),
               objective, dot(g, d), penalty, left);
}

/// Margins at a step, without a product.
template <class T>
Vector<T> moved(const Vector<T>& margin, const Vector<T>& along, const Shared<T>& step) {
  return zip_with(each<T>(kasen::plus), margin, scaled(along, step));
}

}  // namespace

template <class T>
Fit<T> lbfgs(const Problem<T>& problem, const Settings& settings) {
  Point<T> w = zero(problem);
  Vector<T> margin = problem.offset;
  const Losses<T> at_zero = losses(problem.loss, margin);
  Shared<T> objective = sum(at_zero.value);
  Point<T> g = gradient(problem, w, at_zero.slope);
  const Shared<T> first = norm(g);
  Shared<T> relative = relative_to<T>(first, first), left = relative;
  History<T> history(settings.history, w, first);
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return settings.stopping.goes_on(largest<T>(left), iteration); }), [&] {
    const Point<T> d = history.descent(g);
    const Vector<T> along = margins(problem, d);
    auto search = begin_search(problem, settings, objective, left, w, g, d);
    const auto try_step = [&] {  // on the margins, which follow d as margin + step * along: no trial takes a product
      const Losses<T> trial = losses(problem.loss, moved(margin, along, step_of<T>(search)));
      search = apply(each<T>(after_trial), search, sum(trial.value), dot(trial.slope, along));
    };
    try_step();
    kasen::while_([&] { return goes_on<T>(search); }, try_step);

    const Shared<T> step = step_of<T>(search);
    const Point<T> s = scaled(d, step);
    w = w + s;
    margin = moved(margin, along, step);
    const Point<T> g_next = gradient(problem, w, losses(problem.loss, margin).slope);
    history.push(s, g_next - g);
    g = g_next;
    objective = value_of<T>(search);
    const Shared<T> now = norm(g);
    relative = relative_to<T>(now, first);
    left = apply(each<T>(KASEN_FN((auto r, auto a), a > 0.0 ? r : 0.0)), relative, step);  // no step: no nearer
    follow<T>(objective, now);
    iteration = iteration + 1;
  });
  return {w, objective, relative, left};
}

template Fit<double> lbfgs(const Problem<double>&, const Settings&);
template Fit<Several> lbfgs(const Problem<Several>&, const Settings&);

}  // namespace apps
