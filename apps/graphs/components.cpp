#include "apps/graphs/components.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "apps/graphs/spread.h"

namespace apps {

using kasen::GlobalIndex, kasen::Shared, kasen::Vector;

namespace {

/// @tparam Vertex what holds an index: vectors of smaller ones are read and sent in less time
template <class Vertex>
Components search(const kasen::Matrix<kasen::Pattern>& G) {
  const auto self = kasen::map(KASEN_FN((auto v), kasen::cast<Vertex>(v)), kasen::iota(G.rows()));
  const auto label = spread(kasen::first, kasen::min, G, self, true);
  return {kasen::map(KASEN_FN((auto l), kasen::cast<GlobalIndex>(l)), label),
          count_if(kasen::zip_with(KASEN_FN((auto l, auto v), l == v), label, self))};
}

}  // namespace

Components components(const kasen::Matrix<kasen::Pattern>& G) {
  constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int32_t>::max()};
  return G.rows().length() > kMost ? search<GlobalIndex>(G) : search<std::int32_t>(G);
}

Vector<GlobalIndex> component_sizes(const Vector<GlobalIndex>& label) {
  const kasen::Space vertices = label.length();
  kasen::Entries members;  // a matrix with an entry (vertex, its label)
  members.column = kasen::block_values(label);
  const GlobalIndex first = kasen::block_of(vertices).first;
  for (std::size_t k = 0; k < members.column.size(); ++k) members.row.push_back(first + static_cast<GlobalIndex>(k));
  const auto M = kasen::make_matrix(vertices, vertices, std::move(members));
  return kasen::mxv(kasen::first, kasen::plus, M, kasen::constant(vertices, GlobalIndex{1}));
}

}  // namespace apps
