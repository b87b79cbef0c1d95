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
constexpr auto kFollow = kasen::laws(
    [](Way w, double weight) {
      return Way{w.length + weight, w.edges, w.from};
    },
    kasen::keeps_identity);
/// Of ways of equal length that of fewer edges, so that edges of length 0 close no circle.
constexpr auto kBetter = kasen::with_identity(
    kasen::laws(
        [](Way a, Way b) { return std::tie(b.length, b.edges, b.from) < std::tie(a.length, a.edges, a.from) ? b : a; },
        kasen::idempotent),
    kNoWay);
/// Whether there are ways on from here that nobody has been told of.
constexpr auto kImproves = [](Way known, Way found) {
  return std::tie(found.length, found.edges) < std::tie(known.length, known.edges);
};
constexpr auto kTell = [](Way w, bool goes) { return goes ? w : kNoWay; };
constexpr auto kGoOn = [](Way w, GlobalIndex v) {
  return w.length < kasen::infinity ? Way{w.length, w.edges + 1, v} : kNoWay;
};

/// So many mean weights make a bucket: on grids 10 to 20 were best, on R-MAT graphs then all is in one.
constexpr double kMeansInBucket = 16;

Shared<double> chosen_delta(const kasen::Matrix<double>& G) {
  const auto ones = kasen::constant(G.rows(), 1.0);
  const auto weights = kasen::reduce(kasen::plus, kasen::mxv(kasen::times, kasen::plus, G, ones));
  const auto edges =
      kasen::reduce(kasen::plus, kasen::mxv([](double one, double) { return one; }, kasen::plus, G, ones));
  return kMeansInBucket * weights / edges;
}

}  // namespace

Paths sssp(const kasen::Matrix<double>& G, GlobalIndex source, bool undirected, std::optional<double> delta) {
  const Shared<double> width = delta ? Shared<double>(*delta) : chosen_delta(G);
  const auto self = kasen::iota(G.rows());
  Vector<Way> best = kasen::map(kStart, self, source);
  Vector<Way> frontier = kasen::constant(G.rows(), kNoWay);
  Vector<bool> later = kasen::map(KASEN_FN((auto v, auto s), v == s), self, source);
  Shared<double> bound = 0.0;
  Shared<bool> more = true;

  kasen::while_(kasen::likely([&] { return more; }), [&] {
    auto way = kasen::mxv(kFollow, kBetter, G, frontier);
    if (undirected) way = kasen::zip_with(kBetter, way, kasen::mxvt(kFollow, kBetter, G, frontier));
    const auto improved = kasen::zip_with(kImproves, best, way);
    best = kasen::zip_with(kBetter, best, way);

    const auto length = kasen::map([](Way w) { return w.length; }, best);
    const auto waits = kasen::zip_with(KASEN_FN((auto i, auto l), i || l), improved, later);
    const auto goes = kasen::zip_with(KASEN_FN((auto w, auto l, auto b), w && l <= b), waits, length, bound);
    later = kasen::zip_with(KASEN_FN((auto w, auto g), w && !g), waits, goes);
    frontier = kasen::zip_with(kGoOn, kasen::zip_with(kTell, best, goes), self);

    const auto count = kasen::reduce(
        kasen::plus, kasen::map(KASEN_FN((auto g), kasen::select(g, GlobalIndex{1}, GlobalIndex{0})), goes));
    const auto nearest = kasen::reduce(
        kasen::min, kasen::zip_with(KASEN_FN((auto l, auto x), kasen::select(l, x, kasen::infinity)), later, length));
    bound = kasen::apply(KASEN_FN((auto b, auto c, auto n, auto d), kasen::select(c > GlobalIndex{0}, b, n + d)), bound,
                         count, nearest, width);
    more = kasen::apply(KASEN_FN((auto c, auto n), c > GlobalIndex{0} || n < kasen::infinity), count, nearest);
    kasen::track("frontier", count);
  });
  const auto distance = kasen::map([](Way w) { return w.length; }, best);
  const auto parent = kasen::map([](Way w) { return w.length < kasen::infinity ? w.from : GlobalIndex{-1}; }, best);
  const auto reached =
      kasen::map(KASEN_FN((auto d), kasen::select(d < kasen::infinity, GlobalIndex{1}, GlobalIndex{0})), distance);
  return {distance, parent, kasen::reduce(kasen::plus, reached)};
}

}  // namespace apps
