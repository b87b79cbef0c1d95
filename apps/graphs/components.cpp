#include "apps/graphs/components.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "apps/graphs/spread.h"

namespace apps {

using kasen::GlobalIndex, kasen::Shared, kasen::Vector;

namespace {

constexpr GlobalIndex kNobody = std::numeric_limits<GlobalIndex>::max();

Shared<GlobalIndex> smallest(const Vector<bool>& among, const Vector<GlobalIndex>& self) {
  return kasen::reduce(kasen::min,
                       kasen::zip_with(KASEN_FN((auto a, auto v), kasen::select(a, v, kNobody)), among, self));
}

/// A vertex that most edges lead to, which is likely to be in the largest component.
Vector<bool> hub(const kasen::Matrix<kasen::Pattern>& G, const Vector<GlobalIndex>& self) {
  const auto edges = kasen::mxv(kasen::count, kasen::plus, G, self);
  const auto most = kasen::map(KASEN_FN((auto e, auto m), e == m), edges, kasen::reduce(kasen::max, edges));
  return kasen::map(KASEN_FN((auto v, auto least), v == least), self, smallest(most, self));
}

}  // namespace

Components components(const kasen::Matrix<kasen::Pattern>& G) {
  const auto self = kasen::iota(G.rows());
  const auto reached = spread(kasen::first, kasen::logical_or, G, hub(G, self), true);
  const auto rest = kasen::zip_with(KASEN_FN((auto r, auto v), kasen::select(r, kNobody, v)), reached, self);
  const auto label = kasen::zip_with(KASEN_FN((auto r, auto l, auto least), kasen::select(r, least, l)), reached,
                                     spread(kasen::first, kasen::min, G, rest, true), smallest(reached, self));
  return {label, count_if(kasen::zip_with(KASEN_FN((auto l, auto v), l == v), label, self))};
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
