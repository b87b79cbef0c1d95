#include "optimizer/laws/changes.h"

#include <cstdint>
#include <optional>
#include <type_traits>

namespace kasen::optimizer {
namespace {

enum class Sign : std::uint8_t { negative, zero, positive };

Sign sign_of(const Scalar& scalar) {
  return with_type(scalar.type, [&]<class T>(std::type_identity<T>) {
    const T value = scalar.as<T>();
    if (value > T{}) return Sign::positive;
    return value == T{} ? Sign::zero : Sign::negative;
  });
}

/// Whether sums of so large a number do not wrap, as far as there are elements.
bool adds_up(const Scalar& scalar) {
  constexpr std::uint64_t kMost = 1u << 16;
  return is_floating(scalar.type) || scalar.bits <= kMost;
}

/// The node, or what it is a cast of, if that has kept its value.
const Node& uncast(const Expression& expression, std::uint32_t index) {
  const Node* node = &expression.nodes[index];
  while (node->op == Operator::cast) {
    const Node& from = expression.nodes[node->in[0]];
    if (from.type != ScalarType::boolean && !holds_all(node->type, from.type)) break;
    node = &from;
  }
  return *node;
}

/// The sign of a literal or plain operand; none of what is not known.
std::optional<Sign> sign_of(const Expression& expression, std::uint32_t index, const std::vector<Scalar>& plain) {
  const Node& node = uncast(expression, index);
  if (node.op == Operator::literal) return sign_of(Scalar{node.type, node.bits});
  if (node.op == Operator::plain && node.position < plain.size()) return sign_of(plain[node.position]);
  return std::nullopt;
}

class Difference {
 public:
  Difference(const Expression& expression, ReducerKind reducer, const std::function<bool(std::uint32_t)>& older,
             const std::function<bool(std::uint32_t)>& newer, const std::function<bool(std::uint32_t)>& nested)
      : _expression(expression), _reducer(reducer), _older(older), _newer(newer), _nested(nested) {}

  /// Whether the node is more than 0 (`differ`), or 0, exactly where the vectors differ.
  bool shows(std::uint32_t index, bool differ) const {
    const Node& node = uncast(_expression, index);
    switch (node.op) {
      case Operator::element:
        return differ && _nested(node.position);
      case Operator::logical_not:
        return shows(node.in[0], !differ);
      case Operator::not_equal:
        return differ && compares(node);
      case Operator::equal:
        return !differ && compares(node);
      case Operator::less:
        return differ && goes_up(node);
      case Operator::select:
        return (shows(node.in[0], differ) && is(node.in[1], Sign::positive) && is(node.in[2], Sign::zero)) ||
               (shows(node.in[0], !differ) && is(node.in[1], Sign::zero) && is(node.in[2], Sign::positive));
      default:
        return false;
    }
  }

 private:
  bool is(std::uint32_t index, Sign sign) const {
    const Node& node = uncast(_expression, index);
    return node.op == Operator::literal && adds_up({node.type, node.bits}) && sign_of(_expression, index, {}) == sign;
  }
  bool is_vector(std::uint32_t index, const std::function<bool(std::uint32_t)>& which) const {
    const Node& node = uncast(_expression, index);
    return node.op == Operator::element && which(node.position);
  }
  bool compares(const Node& node) const {
    return (is_vector(node.in[0], _older) && is_vector(node.in[1], _newer)) ||
           (is_vector(node.in[0], _newer) && is_vector(node.in[1], _older));
  }
  /// What min has made is nowhere more than it was made of, what max has made nowhere less; but where it is NaN.
  bool goes_up(const Node& node) const {
    if (is_floating(_expression.nodes[node.in[0]].type)) return false;
    if (_reducer == ReducerKind::minimum) return is_vector(node.in[0], _newer) && is_vector(node.in[1], _older);
    return _reducer == ReducerKind::maximum && is_vector(node.in[0], _older) && is_vector(node.in[1], _newer);
  }

  const Expression& _expression;
  const ReducerKind _reducer;
  const std::function<bool(std::uint32_t)>&_older, &_newer, &_nested;
};

}  // namespace

bool is_positive(const Expression& expression, const std::vector<Scalar>& plain) {
  const auto shared = [&](std::uint32_t index) { return uncast(expression, index).op == Operator::shared; };
  const auto is_zero = [&](std::uint32_t index) { return sign_of(expression, index, plain) == Sign::zero; };
  const Node& result = expression.result();
  if (result.op == Operator::less) return is_zero(result.in[0]) && shared(result.in[1]);
  if (result.op != Operator::not_equal) return false;
  return (is_zero(result.in[0]) && shared(result.in[1])) || (shared(result.in[0]) && is_zero(result.in[1]));
}

bool says_where_different(const Expression& expression, ReducerKind reducer,
                          const std::function<bool(std::uint32_t)>& older,
                          const std::function<bool(std::uint32_t)>& newer,
                          const std::function<bool(std::uint32_t)>& nested) {
  const Difference difference(expression, reducer, older, newer, nested);
  return difference.shows(static_cast<std::uint32_t>(expression.nodes.size() - 1), true);
}

}  // namespace kasen::optimizer
