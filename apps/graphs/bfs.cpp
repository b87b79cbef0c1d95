#include "apps/graphs/bfs.h"

#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "apps/graphs/spread.h"

namespace apps {

using kasen::GlobalIndex, kasen::Shared, kasen::Vector;

namespace {

/// Levels that are searched one at a time. Most graphs have no more of them, and those that are wide have few.
constexpr std::int32_t kLevelsInTurn = 64;

constexpr auto kNextLevel = kasen::laws(KASEN_FN((auto l), l + 1.0), kasen::keeps_identity);

/// The levels of all vertices from those of some, of which those after them are to be found.
Vector<std::int32_t> search_on(const kasen::Matrix<kasen::Pattern>& G, bool undirected,
                               const Vector<std::int32_t>& level) {
  const auto begin = kasen::map(KASEN_FN((auto l), kasen::select(l < 0, kasen::infinity, kasen::cast<double>(l))),
                                level);  // sums of integers may wrap, and so have no order
  return kasen::map(KASEN_FN((auto l), kasen::select(l < kasen::infinity, kasen::cast<std::int32_t>(l), -1)),
                    spread(kNextLevel, kasen::min, G, begin, undirected));
}

/// @tparam Vertex what holds an index: vectors of smaller ones are read and sent in less time
template <class Vertex>
Search search(const kasen::Matrix<kasen::Pattern>& G, Vertex source, bool undirected) {
  static constexpr Vertex kNobody = std::numeric_limits<Vertex>::max();  // the identity of min
  const auto self = kasen::map(KASEN_FN((auto v), kasen::cast<Vertex>(v)), kasen::iota(G.rows()));
  Vector<Vertex> frontier = kasen::map(KASEN_FN((auto v, auto s), kasen::select(v == s, v, kNobody)), self, source);
  Vector<Vertex> parent = kasen::map(KASEN_FN((auto f), kasen::select(f != kNobody, f, Vertex{-1})), frontier);
  Vector<std::int32_t> level = kasen::map(KASEN_FN((auto f), kasen::select(f != kNobody, 0, -1)), frontier);
  Shared<std::int32_t> depth = 0;
  Shared<GlobalIndex> found = 1, reached = 1;

  kasen::while_(kasen::likely([&] { return found > GlobalIndex{0} && depth < kLevelsInTurn; }), [&] {
    auto from = kasen::mxv(kasen::first, kasen::min, G, frontier);  // the neighbour of smallest index in the frontier
    if (undirected) from = kasen::zip_with(kasen::min, from, kasen::mxvt(kasen::first, kasen::min, G, frontier));
    from = kasen::zip_with(KASEN_FN((auto f, auto l), kasen::select(l < 0, f, kNobody)), from, level);
    depth = depth + 1;
    level = kasen::zip_with(KASEN_FN((auto l, auto f, auto d), kasen::select(f != kNobody, d, l)), level, from, depth);
    parent = kasen::zip_with(KASEN_FN((auto p, auto f), kasen::select(f != kNobody, f, p)), parent, from);
    frontier = kasen::zip_with(KASEN_FN((auto v, auto f), kasen::select(f != kNobody, v, kNobody)), self, from);
    found = count_if(kasen::map(KASEN_FN((auto f), f != kNobody), from));
    reached = reached + found;
    kasen::track("frontier", found);
  });
  kasen::if_(found > GlobalIndex{0}, [&] {
    level = search_on(G, undirected, level);
    reached = count_if(kasen::map(KASEN_FN((auto l), l >= 0), level));
    constexpr auto kLeads = KASEN_FN((auto l, auto u, auto m), kasen::select(l >= 0 && l + 1 == m, u, kNobody));
    auto from = kasen::mxv(kLeads, kasen::min, G, std::tuple{level, self}, level);
    if (undirected)
      from = kasen::zip_with(kasen::min, from, kasen::mxvt(kLeads, kasen::min, G, std::tuple{level, self}, level));
    parent = kasen::zip_with(KASEN_FN((auto p, auto f), kasen::select(p < 0 && f != kNobody, f, p)), parent, from);
  });
  return {level, kasen::map(KASEN_FN((auto p), kasen::cast<GlobalIndex>(p)), parent), reached};
}

}  // namespace

Search bfs(const kasen::Matrix<kasen::Pattern>& G, GlobalIndex source, bool undirected) {
  constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int32_t>::max()};  // which is nobody
  if (G.rows().length() > kMost || !std::in_range<std::int32_t>(source)) return search(G, source, undirected);
  return search(G, static_cast<std::int32_t>(source), undirected);
}

}  // namespace apps
