#include "optimizer/rewrite/identities.h"

#include <cstdint>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

namespace kasen::optimizer {

Scalar identity_of(ReducerKind kind, ScalarType type) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    using Limits = std::numeric_limits<T>;
    constexpr T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr T least = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
    switch (kind) {
      case ReducerKind::minimum:
        return Scalar::of(most);
      case ReducerKind::maximum:
        return Scalar::of(least);
      case ReducerKind::logical_and:
        return Scalar::of(static_cast<T>(1));
      case ReducerKind::bit_and:
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return Scalar::of(static_cast<T>(~T{}));
        return Scalar::of(static_cast<T>(1));
      default:
        return Scalar::of(T{});
    }
  });
}

namespace {

ReducerKind reducer_of(const Node& node) {
  switch (node.op) {
    case Operator::minimum:
      return ReducerKind::minimum;
    case Operator::maximum:
      return ReducerKind::maximum;
    case Operator::logical_or:
      return ReducerKind::logical_or;
    case Operator::logical_and:
      return ReducerKind::logical_and;
    case Operator::bit_or:
      return ReducerKind::bit_or;
    case Operator::bit_and:
      return ReducerKind::bit_and;
    default:
      return ReducerKind::other;
  }
}

}  // namespace

ReducerKind combined_by(const Statement& statement) {
  if (statement.op != Op::element || !statement.expression || !statement.shared.empty()) return ReducerKind::other;
  const std::vector<Node>& nodes = statement.expression->nodes;
  const ReducerKind kind = reducer_of(nodes.back());
  std::set<std::uint32_t> combined;
  for (const Node& node : nodes) {
    if (node.op == Operator::element) {
      combined.insert(node.position);
    } else if (reducer_of(node) != kind) {
      return ReducerKind::other;
    }
  }
  return combined.size() == statement.in.size() ? kind : ReducerKind::other;
}

bool gives_element(const Statement& product) {
  return product.expression && product.expression->nodes.size() == 1 &&
         product.expression->result().op == Operator::element;
}

}  // namespace kasen::optimizer
