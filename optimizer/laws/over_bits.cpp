// Bit by bit: functions of flags by truth tables, and functions of integers whose every bit depends on one bit of x.
#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "kasen/base/evaluate.h"
#include "optimizer/laws/coefficients.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::optimizer {
namespace {

/// Functions of more unknowns than this are not examined.
constexpr std::size_t kMostUnknowns = 8;

/// A reducer on single bits, or on flags: a sum converted to bool is an or.
bool reduced(ReducerKind reducer, bool a, bool b) {
  switch (reducer) {
    case ReducerKind::times:
    case ReducerKind::minimum:
    case ReducerKind::logical_and:
    case ReducerKind::bit_and:
      return a && b;
    case ReducerKind::bit_xor:
      return a != b;
    default:
      return a || b;
  }
}

/// Tries all values of the bits of x (those of `bits`) and of the unknowns. Of a function that does not use x, x still
/// has a bit: what the pushdown law combines the result with.
/// @param f of x's bits and the unknowns, both as masks.
Obeyed tried(ReducerKind reducer, std::size_t bits, std::size_t unknowns,
             const std::function<bool(unsigned x, unsigned unknown)>& f) {
  bits = std::max<std::size_t>(bits, 1);
  Obeyed obeyed{true, bits == 1};
  for (unsigned unknown = 0; unknown < 1u << unknowns; ++unknown) {
    for (unsigned a = 0; a < 1u << bits; ++a) {
      for (unsigned b = 0; b < 1u << bits; ++b) {
        unsigned both = 0;
        for (std::size_t k = 0; k < bits; ++k) {
          both |= static_cast<unsigned>(reduced(reducer, (a >> k) & 1u, (b >> k) & 1u)) << k;
        }
        const bool whole = f(both, unknown);
        obeyed.distributes &= whole == reduced(reducer, f(a, unknown), f(b, unknown));
        obeyed.pushes_down &= whole == reduced(reducer, f(a, unknown), (b & 1u) != 0);
      }
    }
  }
  return obeyed;
}

/// The table of a function of a flag. Independent flags are its unknowns; it uses no other operands but literals.
class TruthTable {
 public:
  TruthTable(const Expression& expression, std::uint32_t argument)
      : _expression(expression), _depends(depends_on(expression, argument)) {
    _needed.resize(expression.nodes.size(), 0);
    _possible = need(static_cast<std::uint32_t>(expression.nodes.size() - 1)) && _unknowns.size() <= kMostUnknowns;
  }
  bool possible() const { return _possible; }
  std::size_t unknowns() const { return _unknowns.size(); }

  bool value(unsigned x, unsigned unknown) const {
    std::vector<kasen::Scalar> values(_expression.nodes.size());
    for (std::uint32_t k = 0; k < values.size(); ++k) {
      const Node& node = _expression.nodes[k];
      if (!_needed[k]) continue;
      if (const auto found = _unknowns.find(k); found != _unknowns.end()) {
        values[k] = kasen::Scalar::of(((unknown >> found->second) & 1u) != 0);
      } else if (node.op == Operator::element) {
        values[k] = kasen::Scalar::of(x != 0);
      } else if (node.op == Operator::literal) {
        values[k] = {node.type, node.bits};
      } else {
        std::vector<kasen::Scalar> operands;
        for (int j = 0; j < operands_of(node.op); ++j) {
          operands.push_back(values[node.in[static_cast<std::size_t>(j)]]);
        }
        values[k] = evaluate(node.op, node.type, operands);
      }
    }
    return values.back().as<bool>();
  }

 private:
  bool need(std::uint32_t k) {
    if (_needed[k]) return true;
    _needed[k] = 1;
    const Node& node = _expression.nodes[k];
    if (node.op == Operator::literal) return true;
    const bool of_flags =
        node.op == Operator::logical_not || node.op == Operator::logical_and || node.op == Operator::logical_or;
    if (!_depends[k] && node.type == ScalarType::boolean && !of_flags) {
      _unknowns.try_emplace(k, _unknowns.size());
      return true;
    }
    if (operands_of(node.op) == 0) return _depends[k] != 0;
    for (int j = 0; j < operands_of(node.op); ++j) {
      if (!need(node.in[static_cast<std::size_t>(j)])) return false;
    }
    return true;
  }

  const Expression& _expression;
  std::vector<char> _depends, _needed;
  std::map<std::uint32_t, std::size_t> _unknowns;
  bool _possible = false;
};

/// One bit of a function of integers: of the same bit of x, of the bits that shifted copies of x have there, and of
/// unknown bits of all else.
class OneBit {
 public:
  OneBit(const Expression& expression, std::uint32_t argument)
      : _nodes(expression.nodes),
        _element(element_type(expression, argument)),
        _depends(depends_on(expression, argument)),
        _needed(_nodes.size(), 0) {
    _possible = need(static_cast<std::uint32_t>(_nodes.size() - 1));
    _possible = _possible && _copies.size() <= kMostCopies && _unknowns.size() <= kMostUnknowns;
  }
  bool possible() const { return _possible; }
  std::size_t copies() const { return _copies.size(); }
  bool shifted() const { return _shifted; }
  std::size_t unknowns() const { return _unknowns.size(); }
  /// Operands come before what is made of them.
  bool value(unsigned x, unsigned unknown) const {
    std::vector<char> values(_nodes.size(), 0);
    for (std::uint32_t k = 0; k < _nodes.size(); ++k) {
      if (_needed[k]) values[k] = value(k, x, unknown, values);
    }
    return values.back() != 0;
  }

 private:
  static constexpr std::size_t kMostCopies = 3;

  bool varies(const Node& node, std::size_t k) const { return _depends[node.in[k]] != 0; }

  /// x itself: 1. x moved by shifts: 2. Else 0.
  int copy_of_x(std::uint32_t k) const {
    const Node& node = _nodes[k];
    if (!_depends[k] || !is_integer(node.type)) return 0;
    if (node.op == Operator::element) return 1;
    if (node.op == Operator::cast) return bytes_of(node.type) >= bytes_of(_element) ? copy_of_x(node.in[0]) : 0;
    const bool shift = node.op == Operator::shift_left || node.op == Operator::shift_right;
    return shift && !varies(node, 1) && copy_of_x(node.in[0]) != 0 ? 2 : 0;
  }

  /// All bits zero or all one: not an unknown.
  std::optional<bool> uniform(const Node& node) const {
    if (node.op != Operator::literal) return std::nullopt;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * bytes_of(_element));
    const std::uint64_t bits = node.bits & mask;
    if (bits == 0) return false;
    return bits == mask ? std::optional(true) : std::nullopt;
  }

  bool need(std::uint32_t k) {
    if (_needed[k]) return true;
    _needed[k] = 1;
    const Node& node = _nodes[k];
    if (!_depends[k]) {
      if (!uniform(node)) _unknowns.try_emplace(k, _unknowns.size());
      return is_integer(node.type) || node.type == ScalarType::boolean;
    }
    if (const int copy = copy_of_x(k)) {
      // Casts of x are x.
      if (copy == 2) _shifted = true;
      _copies.try_emplace(copy == 1 ? kUnmoved : k, _copies.size());
      return true;
    }
    if (!is_integer(node.type)) return false;
    switch (node.op) {
      case Operator::cast:
        return is_integer(_nodes[node.in[0]].type) && bytes_of(node.type) >= bytes_of(_element) && need(node.in[0]);
      case Operator::bit_not:
        return need(node.in[0]);
      case Operator::bit_and:
      case Operator::bit_or:
      case Operator::bit_xor:
        return need(node.in[0]) && need(node.in[1]);
      case Operator::select:
        return !varies(node, 0) && need(node.in[0]) && need(node.in[1]) && need(node.in[2]);
      default:
        return false;
    }
  }

  bool value(std::uint32_t k, unsigned x, unsigned unknown, const std::vector<char>& values) const {
    const Node& node = _nodes[k];
    if (!_depends[k]) {
      const std::optional<bool> same = uniform(node);
      return same ? *same : ((unknown >> _unknowns.at(k)) & 1u) != 0;
    }
    if (const int copy = copy_of_x(k)) return ((x >> _copies.at(copy == 1 ? kUnmoved : k)) & 1u) != 0;
    const auto operand = [&](std::size_t j) { return values[node.in[j]] != 0; };
    switch (node.op) {
      case Operator::bit_not:
        return !operand(0);
      case Operator::bit_and:
        return operand(0) && operand(1);
      case Operator::bit_or:
        return operand(0) || operand(1);
      case Operator::bit_xor:
        return operand(0) != operand(1);
      case Operator::select:
        return operand(0) ? operand(1) : operand(2);
      default:
        return operand(0);  // a cast
    }
  }

  static constexpr std::uint32_t kUnmoved = Node::kNothing;

  const std::vector<Node>& _nodes;
  ScalarType _element;
  std::vector<char> _depends, _needed;
  std::map<std::uint32_t, std::size_t> _copies;    ///< of x, by node: each is a bit of its own
  std::map<std::uint32_t, std::size_t> _unknowns;  ///< by node
  bool _shifted = false, _possible = false;
};

}  // namespace

Obeyed obeyed_by_flags(ReducerKind reducer, const Expression& expression, std::uint32_t argument) {
  const TruthTable table(expression, argument);
  if (!table.possible()) return {};
  return tried(reducer, 1, table.unknowns(), [&](unsigned x, unsigned unknown) { return table.value(x, unknown); });
}

Obeyed obeyed_over_bits(ReducerKind reducer, const Expression& expression, std::uint32_t argument) {
  const OneBit bit(expression, argument);
  if (!bit.possible()) return {};
  Obeyed obeyed =
      tried(reducer, bit.copies(), bit.unknowns(), [&](unsigned x, unsigned unknown) { return bit.value(x, unknown); });
  if (bit.shifted()) obeyed.pushes_down = false;
  return obeyed;
}

bool approximates(const Expression& expression) {
  return std::any_of(expression.nodes.begin(), expression.nodes.end(),
                     [](const Node& node) { return node.op >= Operator::power; });
}

Obeyed obeyed_over(ReducerKind reducer, const Expression& expression, std::uint32_t argument) {
  const ScalarType type = element_type(expression, argument);
  if (type != expression.result().type || reducer == ReducerKind::other) return {};
  if (type == ScalarType::boolean) return obeyed_by_flags(reducer, expression, argument);
  switch (reducer) {
    case ReducerKind::plus:
      return obeyed_over_plus(expression, argument);
    case ReducerKind::times:
      return obeyed_over_times(expression, argument);
    case ReducerKind::minimum:
    case ReducerKind::maximum:
      return obeyed_over_extrema(reducer, expression, argument);
    case ReducerKind::bit_or:
    case ReducerKind::bit_and:
    case ReducerKind::bit_xor:
      return is_integer(type) ? obeyed_over_bits(reducer, expression, argument) : Obeyed{};
    default:
      return {};
  }
}

}  // namespace kasen::optimizer
