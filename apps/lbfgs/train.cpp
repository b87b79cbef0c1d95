#include "apps/lbfgs/train.h"

#include <algorithm>
#include <cstddef>

#include "apps/lbfgs/lbfgs.h"
#include "apps/lbfgs/owlqn.h"

namespace apps {
namespace {

using kasen::Shared, kasen::Vector;

template <class T>
Fit<T> solve(const LabelledSamples& samples, const Vector<T>& sign, const Vector<T>& offset, const Training& training) {
  const Problem<T> problem{samples.X, sign, offset, training.loss, training.l1, training.l2, training.intercept};
  return training.l1 > 0 ? owlqn(problem, training.settings) : lbfgs(problem, training.settings);
}

/// Adds problem k of a fit to the model.
template <class T>
void take(const Fit<T>& fit, std::size_t k, Model& model, std::vector<Outcome>& outcomes) {
  const auto number = [&](const Shared<T>& x) {
    const T all = x.get();
    return detail::lane(all, k);
  };
  outcomes.push_back({number(fit.objective), number(fit.gradient), number(fit.left) == 0});
  if constexpr (kLanes<T> == 1) {
    model.weights.push_back(fit.weights.features);
  } else {
    model.weights.push_back(kasen::map([k](const T& all) { return all.lane[k]; }, fit.weights.features));
  }
  model.intercepts.push_back(fit.weights.intercept ? number(*fit.weights.intercept) : 0.0);
}

}  // namespace

Model train(const LabelledSamples& samples, const std::vector<double>& classes, const Training& training,
            std::vector<Outcome>& outcomes) {
  Model model{classes, {}, {}};
  const kasen::Space rows = samples.X.rows();
  kasen::Session& session = kasen::Session::current();
  const std::uint64_t most = training.settings.stopping.most();
  if (classes.size() <= 2) {
    session.expect_iterations(most);
    Vector<double> sign = kasen::constant(rows, 1.0), offset = kasen::constant(rows, 0.0);
    if (classes.empty()) {  // half the square of score - label is the squared loss of the margin score + (1 - label)
      offset = kasen::map(KASEN_FN((auto label), 1.0 - label), samples.labels);
    } else {
      sign =
          kasen::map(KASEN_FN((auto label, auto positive), label == positive ? 1.0 : -1.0), samples.labels, classes[1]);
    }
    take(solve(samples, sign, offset, training), 0, model, outcomes);
    return model;
  }
  constexpr std::size_t kAtATime = kLanes<Several>;
  session.expect_iterations(most * ((classes.size() + kAtATime - 1) / kAtATime));
  for (std::size_t from = 0; from < classes.size(); from += kAtATime) {
    const std::size_t count = std::min(kAtATime, classes.size() - from);
    Several positive;  // lanes that are left over repeat the last class
    for (std::size_t k = 0; k < kAtATime; ++k) positive.lane[k] = classes[from + std::min(k, count - 1)];
    const auto one_or_rest = each<Several>([](double label, double one) { return label == one ? 1.0 : -1.0; });
    const auto fit = solve<Several>(samples, kasen::map(one_or_rest, samples.labels, positive),
                                    kasen::constant(rows, spread<Several>(0)), training);
    for (std::size_t k = 0; k < count; ++k) take(fit, k, model, outcomes);
  }
  return model;
}

}  // namespace apps
