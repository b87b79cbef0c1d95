#include <algorithm>
#include <numeric>

#include "apps/graphs/verify.h"
#include "comm/communicator.h"
#include "kasen/workers.h"

namespace apps {

namespace {

using kasen::GlobalIndex;

/// A union-find structure in which the root of a set is its smallest element.
class UnionFind {
 public:
  explicit UnionFind(std::size_t length) : _parent(length) { std::iota(_parent.begin(), _parent.end(), 0); }
  GlobalIndex find(GlobalIndex v) {
    while (up(v) != v) {
      up(v) = up(up(v));
      v = up(v);
    }
    return v;
  }
  void join(GlobalIndex a, GlobalIndex b) {
    a = find(a), b = find(b);
    up(std::max(a, b)) = std::min(a, b);
  }
  std::span<GlobalIndex> parents() { return _parent; }

 private:
  GlobalIndex& up(GlobalIndex v) { return _parent[static_cast<std::size_t>(v)]; }
  std::vector<GlobalIndex> _parent;
};

/// Collective. Of everybody's edges: each worker joins its own, then one forest after the other is sent to all.
UnionFind joined(const Edges& edges) {
  const kasen::comm::Communicator& workers = kasen::workers::communicator();
  UnionFind mine(edges.vertices), all(edges.vertices);
  for (std::size_t e = 0; e < edges.source.size(); ++e) mine.join(edges.source[e], edges.target[e]);
  std::vector<GlobalIndex> forest(edges.vertices);
  for (kasen::Rank worker = 0; worker < workers.size(); ++worker) {
    std::copy(mine.parents().begin(), mine.parents().end(), forest.begin());
    workers.broadcast(std::span<GlobalIndex>(forest), worker);
    for (std::size_t v = 0; v < forest.size(); ++v) all.join(static_cast<GlobalIndex>(v), forest[v]);
  }
  return all;
}

}  // namespace

Finding verify_components(const Edges& edges, std::span<const GlobalIndex> label, GlobalIndex count) {
  std::uint64_t cut = 0, wrong = 0, roots = 0;
  edges.each(false, [&](std::size_t u, std::size_t v, double) { cut += label[u] != label[v]; });
  UnionFind sets = joined(edges);
  for (std::size_t v = 0; v < label.size(); ++v) {
    const GlobalIndex root = sets.find(static_cast<GlobalIndex>(v));
    wrong += label[v] != root;
    roots += root == static_cast<GlobalIndex>(v);
  }
  std::uint64_t miscounted = roots != static_cast<std::uint64_t>(count);
  if (kasen::workers::rank() != 0) wrong = miscounted = 0;  // all workers count these
  return no_violations(fmt::format("{} components, as union-find counts them", roots), {cut, wrong, miscounted},
                       {"edges between two labels", "vertices with another label than the smallest of their component",
                        "wrong number of components"});
}

}  // namespace apps
