// Over minimum and maximum: functions known to be monotone.
#include <cmath>

#include "optimizer/laws/coefficients.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::optimizer {
namespace {

/// Facts about how a node varies with x.
struct Trend {
  enum class Kind : std::uint8_t { none, rising, falling, other };
  Kind kind = Kind::other;
  /// Defined only for x above, or only below some bound. The least of some numbers then is where the function is
  /// defined if all of them are, the greatest is not, and the other way round.
  bool bounded_below = false, bounded_above = false;
  /// Is min(x, d) or max(x, d) with d independent of x, or x itself.
  bool is_minimum = false, is_maximum = false;
  /// Known to be neither infinite nor NaN; only of what does not depend on x.
  bool finite = false;
  /// May be infinite whatever x is, like min(x, d).
  bool clamped = false;
};
using Kind = Trend::Kind;
constexpr Trend kOther{};

Trend flipped(Trend a) {
  a.is_minimum = a.is_maximum = false;
  if (a.kind == Kind::rising || a.kind == Kind::falling) {
    a.kind = a.kind == Kind::rising ? Kind::falling : Kind::rising;
  }
  return a;
}
/// The trend of a rising function of a.
Trend within(Trend a) {
  a.is_minimum = a.is_maximum = false;
  return a;
}
/// The trend of a function that rises with a and with b.
Trend joined(const Trend& a, const Trend& b) {
  if (a.kind == Kind::other || b.kind == Kind::other) return kOther;
  if (a.kind != Kind::none && b.kind != Kind::none && a.kind != b.kind) return kOther;
  Trend both;
  both.kind = a.kind != Kind::none ? a.kind : b.kind;
  both.bounded_below = a.bounded_below || b.bounded_below;
  both.bounded_above = a.bounded_above || b.bounded_above;
  const auto infinite = [](const Trend& t) { return t.kind == Kind::none ? !t.finite : t.clamped; };
  both.clamped = infinite(a) || infinite(b);
  return both;
}
/// The trend of a sum. At an identity x is infinite, and infinity minus infinity is NaN: what does not depend on x has
/// to be finite, and what does must not be infinite on its own.
Trend sum(const Trend& a, const Trend& b) {
  if (a.kind == Kind::none || b.kind == Kind::none) {
    const bool finite = (a.kind == Kind::none ? a : b).finite;
    if (!finite) return kOther;
    Trend moved = joined(a, b);
    moved.clamped = (a.kind == Kind::none ? b : a).clamped;
    return moved;
  }
  return a.clamped || b.clamped ? kOther : joined(a, b);
}

class TrendOf {
 public:
  TrendOf(const Expression& expression, std::uint32_t argument)
      : _nodes(expression.nodes), _depends(depends_on(expression, argument)) {
    for (std::size_t k = 0; k < _nodes.size(); ++k) {
      _trends.push_back(_depends[k] ? dependent(_nodes[k]) : independent(_nodes[k]));
    }
  }
  const Trend& result() const { return _trends.back(); }

 private:
  /// Finite are literals and integers; non-zeros of matrices are taken to be. Of other operands nobody knows.
  Trend independent(const Node& node) const {
    Trend constant{Kind::none};
    if (node.op == Operator::literal) {
      constant.finite = std::isfinite(value_of(node));
    } else {
      const bool converted = node.op == Operator::cast && !is_floating(_nodes[node.in[0]].type);
      constant.finite = converted || !is_floating(node.type) || node.op == Operator::entry;
    }
    return constant;
  }

  Trend dependent(const Node& node) const {
    if (node.op == Operator::element) return {Kind::rising, false, false, true, true};
    const auto operand = [&](std::size_t k) -> const Trend& { return _trends[node.in[k]]; };
    const auto varies = [&](std::size_t k) { return _depends[node.in[k]] != 0; };
    const Trend& a = operand(0);
    // Identities of floating types are infinite: sums of them with finite numbers, and multiples by literals, are
    // defined. Those of integers overflow.
    const bool floating = is_floating(node.type);
    switch (node.op) {
      case Operator::cast: {
        const ScalarType from = _nodes[node.in[0]].type;
        const bool monotone = floating ? is_floating(from) : is_integer(from) && holds_all(node.type, from);
        if (!monotone) return kOther;
        return holds_all(node.type, from) ? a : within(a);  // what it rounds, it also rounds on the masters
      }
      case Operator::negate:
        return floating ? flipped(a) : kOther;
      case Operator::add:
        return floating ? sum(a, operand(1)) : kOther;
      case Operator::subtract:
        return floating ? sum(a, flipped(operand(1))) : kOther;
      case Operator::multiply:
        return floating ? scaled(varies(0) ? node.in[0] : node.in[1], varies(0) ? node.in[1] : node.in[0]) : kOther;
      case Operator::divide: {
        const Trend by = scaled(node.in[0], node.in[1]);
        return floating || by.kind == a.kind ? by : kOther;  // of integers by a positive number only
      }
      case Operator::shift_right:
        return varies(1) ? kOther : within(a);
      case Operator::minimum:
      case Operator::maximum: {
        Trend both = joined(a, operand(1));
        const auto one_sided = [&](bool Trend::*is) { return (a.*is || !varies(0)) && (operand(1).*is || !varies(1)); };
        if (node.op == Operator::minimum) both.is_minimum = one_sided(&Trend::is_minimum);
        if (node.op == Operator::maximum) both.is_maximum = one_sided(&Trend::is_maximum);
        return both;
      }
      case Operator::select: {
        if (varies(0)) return kOther;
        Trend both = joined(operand(1), operand(2));
        both.is_minimum = operand(1).is_minimum && operand(2).is_minimum;
        both.is_maximum = operand(1).is_maximum && operand(2).is_maximum;
        return both;
      }
      case Operator::floor:
      case Operator::ceil:
      case Operator::exp:
      case Operator::expm1:
      case Operator::atan:
      case Operator::tanh:
      case Operator::erf:
        return within(a);
      case Operator::erfc:
        return flipped(a);
      case Operator::square_root:
      case Operator::log:
      case Operator::log1p: {
        Trend bounded = within(a);
        (a.kind == Kind::rising ? bounded.bounded_below : bounded.bounded_above) = true;
        return bounded;
      }
      default:
        return kOther;
    }
  }

  static double value_of(const Node& literal) {
    return converted(kasen::Scalar{literal.type, literal.bits}, ScalarType::float64).as<double>();
  }

  /// A product or quotient with a literal of known sign. Zero times infinity is NaN: it is neither of them.
  Trend scaled(std::uint32_t x, std::uint32_t factor) const {
    const Node& by = _nodes[factor];
    if (by.op != Operator::literal) return kOther;
    const double value = value_of(by);
    if (!std::isfinite(value)) return kOther;
    return value > 0 ? within(_trends[x]) : value < 0 ? flipped(_trends[x]) : kOther;
  }

  const std::vector<Node>& _nodes;
  std::vector<char> _depends;
  std::vector<Trend> _trends;
};

}  // namespace

Obeyed obeyed_over_extrema(ReducerKind reducer, const Expression& expression, std::uint32_t argument) {
  const Trend f = TrendOf(expression, argument).result();
  const bool minimum = reducer == ReducerKind::minimum;
  const bool monotone = f.kind == Kind::rising || f.kind == Kind::none;
  return {monotone && !(minimum ? f.bounded_above : f.bounded_below), minimum ? f.is_minimum : f.is_maximum};
}

}  // namespace kasen::optimizer
