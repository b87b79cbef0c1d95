#include "optimizer/laws/changes.h"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

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

/// A literal or plain operand; none of what is not known.
std::optional<Scalar> number_of(const Expression& expression, std::uint32_t index, const std::vector<Scalar>& plain) {
  const Node& node = uncast(expression, index);
  if (node.op == Operator::literal) return Scalar{node.type, node.bits};
  if (node.op == Operator::plain && node.position < plain.size()) return plain[node.position];
  return std::nullopt;
}

std::optional<Sign> sign_of(const Expression& expression, std::uint32_t index, const std::vector<Scalar>& plain) {
  const auto number = number_of(expression, index, plain);
  return number ? std::optional(sign_of(*number)) : std::nullopt;
}

/// Comparisons of one Shared with a number.
class Positive {
 public:
  Positive(const Expression& expression, const std::vector<Scalar>& plain) : _expression(expression), _plain(plain) {}

  /// Whether the node is `holds` where the Shared is more than 0, and not where it is 0.
  bool shows(std::uint32_t index, bool holds) const {
    const Node& node = uncast(_expression, index);
    const auto [a, b] = std::pair(node.in[0], node.in[1]);
    switch (node.op) {
      case Operator::logical_not:
        return shows(a, !holds);
      case Operator::less:
        return holds ? is_zero(a) && is_shared(b) : is_shared(a) && is_least(b);
      case Operator::less_equal:
        return holds ? is_least(a) && is_shared(b) : is_shared(a) && is_zero(b);
      case Operator::not_equal:
        return holds && differs(a, b);
      case Operator::equal:
        return !holds && differs(a, b);
      default:
        return false;
    }
  }

 private:
  bool is_shared(std::uint32_t index) const { return uncast(_expression, index).op == Operator::shared; }
  bool is_zero(std::uint32_t index) const { return sign_of(_expression, index, _plain) == Sign::zero; }
  bool differs(std::uint32_t a, std::uint32_t b) const {
    return (is_zero(a) && is_shared(b)) || (is_shared(a) && is_zero(b));
  }
  /// The least integer that is more than 0.
  bool is_least(std::uint32_t index) const {
    if (is_floating(_expression.nodes[index].type)) return false;
    const auto number = number_of(_expression, index, _plain);
    return number && with_type(number->type, [&]<class T>(std::type_identity<T>) { return number->as<T>() == T{1}; });
  }

  const Expression& _expression;
  const std::vector<Scalar>& _plain;
};

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
  return Positive(expression, plain).shows(static_cast<std::uint32_t>(expression.nodes.size() - 1), true);
}

bool says_where_different(const Expression& expression, ReducerKind reducer,
                          const std::function<bool(std::uint32_t)>& older,
                          const std::function<bool(std::uint32_t)>& newer,
                          const std::function<bool(std::uint32_t)>& nested) {
  const Difference difference(expression, reducer, older, newer, nested);
  return difference.shows(static_cast<std::uint32_t>(expression.nodes.size() - 1), true);
}

}  // namespace kasen::optimizer
