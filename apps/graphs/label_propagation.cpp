#include "apps/graphs/label_propagation.h"

#include <algorithm>
#include <cmath>

namespace apps {

using kasen::Shared, kasen::Vector;

namespace {

constexpr std::int32_t kTogether = std::tuple_size_v<Scores>;

struct Weigh {  ///< what a neighbour contributes
  constexpr Scores operator()(const Scores& s) const { return s; }
  constexpr Scores operator()(Scores s, double weight) const {
    for (double& x : s) x *= weight;
    return s;
  }
  constexpr double operator()(double one) const { return one; }
  constexpr double operator()(double one, double weight) const { return one * weight; }
};
constexpr auto kAdd = kasen::with_identity(
    [](Scores a, const Scores& b) {
      for (std::size_t c = 0; c < a.size(); ++c) a[c] += b[c];
      return a;
    },
    Scores{});

/// The scores of a seed, for classes from `first` on; of other vertices 0.
constexpr auto kGiven = [](std::int32_t seed, std::int32_t first) {
  Scores s{};
  if (seed >= first && seed < first + kTogether) s[static_cast<std::size_t>(seed - first)] = 1;
  return s;
};
constexpr auto kMeanOrGiven = [](Scores sum, double weight, std::int32_t seed, std::int32_t first) {
  if (seed >= 0) return kGiven(seed, first);
  for (double& x : sum) x = weight > 0 ? x / weight : 0;
  return sum;
};
constexpr auto kLargestChange = [](const Scores& a, const Scores& b) {
  double largest = 0;
  for (std::size_t c = 0; c < a.size(); ++c) largest = kasen::max(largest, std::abs(a[c] - b[c]));
  return largest;
};

}  // namespace

template <class E>
Labels label_propagation(const kasen::Matrix<E>& G, const Vector<std::int32_t>& seed, std::int32_t classes,
                         bool directed, const Stopping& stopping) {
  const auto over_neighbours = [&](auto add, const auto& v) {
    auto sum = kasen::mxv(Weigh{}, add, G, v);
    if (!directed) sum = kasen::zip_with(add, sum, kasen::mxvt(Weigh{}, add, G, v));
    return sum;
  };
  const auto weight = over_neighbours(kasen::plus, kasen::constant(G.rows(), 1.0));
  std::vector<Vector<Scores>> scores;
  for (std::int32_t first = 0; first < classes; first += kTogether) scores.push_back(kasen::map(kGiven, seed, first));
  Shared<double> change = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return stopping.goes_on(change, iteration); }), [&] {
    change = 0.0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const auto first = static_cast<std::int32_t>(k) * kTogether;
      const auto next = kasen::zip_with(kMeanOrGiven, over_neighbours(kAdd, scores[k]), weight, seed, first);
      const auto most = kasen::reduce(kasen::max, kasen::zip_with(kLargestChange, next, scores[k]));
      change = kasen::apply(kasen::max, change, most);
      scores[k] = next;
    }
    kasen::track("change", change);
    iteration = iteration + 1;
  });
  return {scores, change};
}

Vector<double> Labels::score(std::int32_t of) const {
  const auto at = static_cast<std::size_t>(of % kTogether);
  return kasen::map([at](const Scores& s) { return s[at]; }, scores[static_cast<std::size_t>(of / kTogether)]);
}

Vector<std::int32_t> Labels::best() const {
  struct Best {
    double score;
    std::int32_t of;
  };
  Vector<Best> best = kasen::map([](const Scores&) { return Best{0, -1}; }, scores.at(0));
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const auto higher = [](Best b, const Scores& s, std::int32_t first) {
      for (std::size_t c = 0; c < s.size(); ++c) {
        if (s[c] > b.score) b = {s[c], first + static_cast<std::int32_t>(c)};
      }
      return b;
    };
    best = kasen::zip_with(higher, best, scores[k], static_cast<std::int32_t>(k) * kTogether);
  }
  return kasen::map([](Best b) { return b.of; }, best);
}

template Labels label_propagation(const kasen::Matrix<kasen::Pattern>&, const Vector<std::int32_t>&, std::int32_t, bool,
                                  const Stopping&);
template Labels label_propagation(const kasen::Matrix<double>&, const Vector<std::int32_t>&, std::int32_t, bool,
                                  const Stopping&);

}  // namespace apps
