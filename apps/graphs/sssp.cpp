#include "apps/graphs/sssp.h"

#include <limits>
#include <tuple>

#include "apps/graphs/spread.h"

namespace apps {

using kasen::GlobalIndex, kasen::Shared, kasen::Vector;

namespace {

constexpr GlobalIndex kNobody = std::numeric_limits<GlobalIndex>::max();  // the identity of min

constexpr auto kFollow = kasen::laws(KASEN_FN((auto way, auto weight), way + weight), kasen::keeps_identity);

/// Of each vertex the smallest of those before it on a shortest path that are nearer to the source; else kNobody.
Vector<GlobalIndex> nearer_parents(const kasen::Matrix<double>& G, bool undirected, const Vector<GlobalIndex>& self,
                                   const Vector<double>& distance) {
  constexpr auto leads = KASEN_FN((auto d, auto u, auto weight, auto e),
                                  kasen::select(d + weight == e && d < e && e < kasen::infinity, u, kNobody));
  const auto from = kasen::mxv(leads, kasen::min, G, std::tuple{distance, self}, distance);
  if (!undirected) return from;
  return kasen::zip_with(kasen::min, from, kasen::mxvt(leads, kasen::min, G, std::tuple{distance, self}, distance));
}

/// A way over an edge: how long it is from the source, and the vertex before its last.
struct Way {
  double length;
  GlobalIndex from;
};
constexpr Way kNoWay{kasen::infinity, kNobody};

constexpr auto kExtend = kasen::laws(
    [](Way w, double weight) {
      return Way{w.length + weight, w.from};
    },
    kasen::keeps_identity);
constexpr auto kBetter = kasen::with_identity(
    kasen::laws([](Way a, Way b) { return std::tie(b.length, b.from) < std::tie(a.length, a.from) ? b : a; },
                kasen::idempotent),
    kNoWay);
constexpr auto kFound = [](Way w, double d, GlobalIndex parent) {
  return parent == kNobody && d < kasen::infinity && w.length == d ? w.from : kNobody;
};
constexpr auto kTell = [](double d, GlobalIndex v, GlobalIndex found) { return found != kNobody ? Way{d, v} : kNoWay; };

}  // namespace

Paths sssp(const kasen::Matrix<double>& G, GlobalIndex source, bool undirected) {
  const auto begin = kasen::map(KASEN_FN((auto v, auto s), kasen::select(v == s, 0.0, kasen::infinity)),
                                kasen::iota(G.rows()), source);
  const auto distance = spread(kFollow, kasen::min, G, begin, undirected);
  return {distance, count_if(kasen::map(KASEN_FN((auto d), d < kasen::infinity), distance))};
}

Vector<GlobalIndex> parents(const kasen::Matrix<double>& G, GlobalIndex source, bool undirected,
                            const Vector<double>& distance) {
  const auto self = kasen::iota(G.rows());
  Vector<GlobalIndex> parent = kasen::zip_with(KASEN_FN((auto v, auto from, auto s), kasen::select(v == s, v, from)),
                                               self, nearer_parents(G, undirected, self, distance), source);
  // What is left is as far from the source as all those before it. It is told of vertices that have a parent.
  Shared<GlobalIndex> left =
      count_if(kasen::zip_with(KASEN_FN((auto p, auto d), p == kNobody && d < kasen::infinity), parent, distance));
  Vector<Way> frontier = kasen::zip_with(kTell, distance, self, parent);
  kasen::while_([&] { return left > GlobalIndex{0}; },
                [&] {
                  auto way = kasen::mxv(kExtend, kBetter, G, frontier);
                  if (undirected) way = kasen::zip_with(kBetter, way, kasen::mxvt(kExtend, kBetter, G, frontier));
                  const auto found = kasen::zip_with(kFound, way, distance, parent);
                  parent =
                      kasen::zip_with(KASEN_FN((auto p, auto f), kasen::select(f != kNobody, f, p)), parent, found);
                  frontier = kasen::zip_with(kTell, distance, self, found);
                  left = left - count_if(kasen::map(KASEN_FN((auto f), f != kNobody), found));
                });
  return kasen::map(KASEN_FN((auto p), kasen::select(p != kNobody, p, GlobalIndex{-1})), parent);
}

}  // namespace apps
