#include "apps/graphs/sssp.h"

#include <limits>

namespace apps {

using kasen::GlobalIndex, kasen::Shared, kasen::Vector;

namespace {

/// A way to a vertex: how long it is, and the vertex before it.
struct Way {
  double length;
  GlobalIndex from;
};
constexpr Way kNoWay{kasen::infinity, std::numeric_limits<GlobalIndex>::max()};

constexpr auto kStart = kasen::laws([](double d, GlobalIndex v) { return Way{d, v}; }, kasen::defined_everywhere);
constexpr auto kFollow = [](Way w, double weight) { return Way{w.length + weight, w.from}; };
constexpr auto kBetter = kasen::with_identity(
    [](Way a, Way b) { return a.length < b.length || (a.length == b.length && a.from < b.from) ? a : b; }, kNoWay);

}  // namespace

Paths sssp(const kasen::Matrix<double>& G, GlobalIndex source, bool undirected) {
  const auto self = kasen::iota(G.rows());
  Vector<double> distance =
      kasen::map(KASEN_FN((auto v, auto s), kasen::select(v == s, 0.0, kasen::infinity)), self, source);
  Vector<GlobalIndex> parent =
      kasen::map(KASEN_FN((auto v, auto s), kasen::select(v == s, v, GlobalIndex{-1})), self, source);
  Shared<GlobalIndex> changed = 1;

  kasen::while_(kasen::likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto here = kasen::zip_with(kStart, distance, self);
    auto way = kasen::mxv(kFollow, kBetter, G, here);
    if (undirected) way = kasen::zip_with(kBetter, way, kasen::mxvt(kFollow, kBetter, G, here));
    const auto shorter = kasen::zip_with([](Way w, double d) { return w.length < d; }, way, distance);
    parent = kasen::zip_with([](GlobalIndex p, Way w, bool s) { return s ? w.from : p; }, parent, way, shorter);
    distance = kasen::zip_with([](double d, Way w) { return w.length < d ? w.length : d; }, distance, way);
    changed = kasen::reduce(kasen::plus, kasen::map([](bool s) { return GlobalIndex{s}; }, shorter));
    kasen::track("changed", changed);
  });
  const auto reached =
      kasen::map(KASEN_FN((auto d), kasen::select(d < kasen::infinity, GlobalIndex{1}, GlobalIndex{0})), distance);
  return {distance, parent, kasen::reduce(kasen::plus, reached)};
}

}  // namespace apps
