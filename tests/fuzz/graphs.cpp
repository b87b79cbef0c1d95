#include "tests/fuzz/graphs.h"

#include <numeric>

namespace kasen::tests::fuzz {
namespace {

using Edges = std::vector<std::pair<int, int>>;

Edges path(int vertices) {
  Edges edges;
  for (int v = 0; v + 1 < vertices; ++v) edges.emplace_back(v, v + 1);
  return edges;
}

/// The last row may be shorter.
Edges grid(int vertices, int width) {
  Edges edges;
  for (int v = 0; v < vertices; ++v) {
    if ((v + 1) % width != 0 && v + 1 < vertices) edges.emplace_back(v, v + 1);
    if (v + width < vertices) edges.emplace_back(v, v + width);
  }
  return edges;
}

Edges tree(int vertices, int children) {
  Edges edges;
  for (int v = 1; v < vertices; ++v) edges.emplace_back((v - 1) / children, v);
  return edges;
}

/// A part in which all is near, and a tail behind it.
Edges comet(Draw& draw, int vertices) {
  const int middle = vertices / 3 + 1;
  Edges edges;
  if (draw.chance(50)) {
    for (int v = 1; v < middle; ++v) edges.emplace_back(0, v);
  } else {
    for (int k = 0; k < 3 * middle; ++k) edges.emplace_back(draw.below(middle), draw.below(middle));
  }
  for (int v = draw.chance(50) ? 0 : middle - 1, next = middle; next < vertices; v = next++)
    edges.emplace_back(v, next);
  return edges;
}

Edges some_kind(Draw& draw, int vertices) {
  switch (draw.below(7)) {
    case 0:
    case 1:
      return path(vertices);
    case 2: {
      Edges edges = path(vertices);
      edges.emplace_back(vertices - 1, draw.chance(50) ? 0 : draw.below(vertices));
      return edges;
    }
    case 3:
    case 4:
      return grid(vertices, draw.between(2, 12));
    case 5:
      return tree(vertices, draw.between(2, 4));
    default:
      return comet(draw, vertices);
  }
}

}  // namespace

std::vector<std::pair<int, int>> draw_graph(Draw& draw, int vertices) {
  const int reached = draw.chance(20) ? vertices - vertices / 4 : vertices;
  Edges edges = some_kind(draw, reached);
  int step = draw.chance(50) ? 1 : draw.between(2, 40);
  while (std::gcd(step, reached) != 1) ++step;
  for (auto& [from, to] : edges) from = from * step % reached, to = to * step % reached;
  if (draw.chance(15)) {
    for (std::size_t k = 0, count = edges.size(); k < count; k += 5) {
      edges.push_back(edges[k]);
      edges.emplace_back(edges[k].first, edges[k].first);
    }
  }
  if (draw.chance(15)) edges.emplace_back(draw.below(vertices), draw.below(vertices));
  return edges;
}

}  // namespace kasen::tests::fuzz
