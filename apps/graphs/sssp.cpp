#include "apps/graphs/sssp.h"

#include <limits>
#include <tuple>

namespace apps {

using kasen::GlobalIndex, kasen::Shared, kasen::Vector;

namespace {

/// A way to a vertex: how long it is, how many edges it has, and the vertex before this one.
struct Way {
  double length;
  GlobalIndex edges, from;
};
constexpr GlobalIndex kMost = std::numeric_limits<GlobalIndex>::max();
constexpr Way kNoWay{kasen::infinity, kMost, kMost};

constexpr auto kStart = [](GlobalIndex v, GlobalIndex source) { return v == source ? Way{0, 0, v} : kNoWay; };
constexpr auto kGoOn = kasen::laws(
    [](Way w, GlobalIndex v) {
      return w.length < kasen::infinity ? Way{w.length, w.edges + 1, v} : kNoWay;
    },
    kasen::defined_everywhere);
constexpr auto kFollow = [](Way w, double weight) { return Way{w.length + weight, w.edges, w.from}; };
/// Of ways of equal length that of fewer edges, so that edges of length 0 close no circle.
constexpr auto kBetter = kasen::with_identity(
    kasen::laws(
        [](Way a, Way b) { return std::tie(b.length, b.edges, b.from) < std::tie(a.length, a.edges, a.from) ? b : a; },
        kasen::idempotent),
    kNoWay);

}  // namespace

Paths sssp(const kasen::Matrix<double>& G, GlobalIndex source, bool undirected) {
  const auto self = kasen::iota(G.rows());
  Vector<Way> best = kasen::map(kStart, self, source);
  Shared<GlobalIndex> changed = 1;

  kasen::while_(kasen::likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto here = kasen::zip_with(kGoOn, best, self);
    auto way = kasen::mxv(kFollow, kBetter, G, here);
    if (undirected) way = kasen::zip_with(kBetter, way, kasen::mxvt(kFollow, kBetter, G, here));
    const auto better = kasen::zip_with(kBetter, best, way);
    const auto shorter = kasen::zip_with([](Way a, Way b) { return GlobalIndex{b.length < a.length}; }, best, better);
    best = better;
    changed = kasen::reduce(kasen::plus, shorter);
    kasen::track("changed", changed);
  });
  const auto distance = kasen::map([](Way w) { return w.length; }, best);
  const auto parent = kasen::map([](Way w) { return w.length < kasen::infinity ? w.from : GlobalIndex{-1}; }, best);
  const auto reached =
      kasen::map(KASEN_FN((auto d), kasen::select(d < kasen::infinity, GlobalIndex{1}, GlobalIndex{0})), distance);
  return {distance, parent, kasen::reduce(kasen::plus, reached)};
}

}  // namespace apps
