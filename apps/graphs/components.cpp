#include "apps/graphs/components.h"

#include <numeric>
#include <utility>

namespace apps {

using kasen::GlobalIndex, kasen::Shared, kasen::Vector;

Components components(const kasen::Matrix<kasen::Pattern>& G) {
  const auto self = kasen::iota(G.rows());
  Vector<GlobalIndex> label = self;
  Shared<GlobalIndex> changed = 1;

  kasen::while_(kasen::likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto before = kasen::mxv(kasen::first, kasen::min, G, label);  // smallest of those with an edge to it
    const auto after = kasen::mxvt(kasen::first, kasen::min, G, label);
    const auto least = kasen::zip_with(kasen::min, label, kasen::zip_with(kasen::min, before, after));
    const auto lower =
        kasen::zip_with(KASEN_FN((auto a, auto b), kasen::select(a < b, GlobalIndex{1}, GlobalIndex{0})), least, label);
    changed = kasen::reduce(kasen::plus, lower);
    kasen::track("changed", changed);
    label = least;
  });
  const auto roots =
      kasen::zip_with(KASEN_FN((auto l, auto v), kasen::select(l == v, GlobalIndex{1}, GlobalIndex{0})), label, self);
  return {label, kasen::reduce(kasen::plus, roots)};
}

Vector<GlobalIndex> component_sizes(const Vector<GlobalIndex>& label) {
  const kasen::Space vertices = label.length();
  kasen::Entries members;  // a matrix with an entry (vertex, its label)
  members.column = kasen::block_values(label);
  members.row.resize(members.column.size());
  std::iota(members.row.begin(), members.row.end(), kasen::block_of(vertices).first);
  const auto M = kasen::make_matrix(vertices, vertices, std::move(members));
  return kasen::mxv(kasen::first, kasen::plus, M, kasen::constant(vertices, GlobalIndex{1}));
}

}  // namespace apps
