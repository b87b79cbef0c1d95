/// @file
/// Loops of graph programs in which what a vertex has spreads along edges until nothing changes.
#pragma once

#include "kasen/kasen.h"

namespace apps {

/// Local: records how many elements are true.
inline kasen::Shared<kasen::GlobalIndex> count_if(const kasen::Vector<bool>& holds) {
  using kasen::GlobalIndex;
  return kasen::reduce(kasen::plus,
                       kasen::map(KASEN_FN((auto h), kasen::select(h, GlobalIndex{1}, GlobalIndex{0})), holds));
}

/// Local: records a loop in which every element becomes what `op` makes of it and of f(x, edge) of those with an edge
/// to it, and with `both_ways` of those that it has an edge to. With a monotone f it is one to a fixpoint
/// (docs/loops.md): each worker goes on by itself, and a superstep is not one edge.
/// @param op min, max, logical_or or logical_and
template <class F, class Op, class E, class T>
kasen::Vector<T> spread(const F& f, const Op& op, const kasen::Matrix<E>& G, kasen::Vector<T> x, bool both_ways) {
  kasen::Shared<kasen::GlobalIndex> changed = 1;
  kasen::while_(kasen::likely([&] { return changed > kasen::GlobalIndex{0}; }), [&] {
    auto told = kasen::mxv(f, op, G, x);
    if (both_ways) told = kasen::zip_with(op, told, kasen::mxvt(f, op, G, x));
    const auto next = kasen::zip_with(op, x, told);
    changed = count_if(kasen::zip_with(KASEN_FN((auto a, auto b), a != b), next, x));
    x = next;
  });
  return x;
}

}  // namespace apps
