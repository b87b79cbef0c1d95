// Over times: every node as c * x^p * |x|^q.
#include <cmath>

#include "optimizer/laws/coefficients.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::optimizer {
namespace {

struct Monomial {
  std::uint32_t c = 0;
  double p = 0;           ///< whole
  double q = 0;           ///< any number
  bool singular = false;  ///< undefined where x = 0
  bool other = false;
};
constexpr Monomial kOther{0, 0, 0, false, true};

bool is_whole(double number) { return number == std::floor(number); }
bool is_even(double number) { return is_whole(number / 2); }

class MonomialForm {
 public:
  MonomialForm(const Expression& expression, std::uint32_t argument)
      : _element(element_type(expression, argument)), _depends(depends_on(expression, argument)) {
    for (const Node& node : expression.nodes) add(node);
  }

  Obeyed obeyed() const {
    const Monomial& f = _forms.back();
    if (f.other) return {};
    return {_k.is(f.c, 1) || _k.is(f.c, 0), f.p == 1 && f.q == 0 && !f.singular};
  }

 private:
  void add(const Node& node) {
    Monomial form;
    if (!_depends[_forms.size()]) {
      _moved.push_back(_k.copy(node, _moved));
      form.c = _moved.back();
    } else {
      _moved.push_back(Node::kNothing);
      form = dependent(node);
    }
    _forms.push_back(form);
  }

  Monomial dependent(const Node& node) {
    if (node.op == Operator::element) return {_k.number(node.type, 1), 1};
    for (int k = 0; k < operands_of(node.op); ++k) {
      if (_forms[node.in[static_cast<std::size_t>(k)]].other) return kOther;
    }
    const Monomial a = _forms[node.in[0]];
    const Monomial b = operands_of(node.op) > 1 ? _forms[node.in[1]] : kOther;
    switch (node.op) {
      case Operator::cast:
        if (!keeps_value(_k.node(a.c).type, node.type, _element)) return kOther;
        return {_k.cast(a.c, node.type), a.p, a.q, a.singular};
      case Operator::negate:
        return {_k.negate(a.c), a.p, a.q, a.singular};
      case Operator::multiply:
        return {_k.multiply(a.c, b.c), a.p + b.p, a.q + b.q, a.singular || b.singular};
      case Operator::divide:
        if (!is_floating(node.type)) return kOther;
        return {_k.divide(a.c, b.c), a.p - b.p, a.q - b.q, a.singular || b.singular || _depends[node.in[1]] != 0};
      case Operator::add:
      case Operator::subtract:
        if (a.p != b.p || a.q != b.q) return kOther;
        return {node.op == Operator::add ? _k.add(a.c, b.c) : _k.subtract(a.c, b.c), a.p, a.q,
                a.singular || b.singular};
      case Operator::absolute:
        if (!is_floating(node.type)) return kOther;  // a product that wraps around may change its sign
        return {_k.is(a.c, 1) ? a.c : _k.apply(Operator::absolute, a.c), 0, a.p + a.q, a.singular};
      case Operator::square_root:
        return power(a, 0.5);
      case Operator::power: {
        const Node& exponent = _k.node(b.c);
        if (_depends[node.in[1]] || exponent.op != Operator::literal) return kOther;
        return power(a, converted(kasen::Scalar{exponent.type, exponent.bits}, ScalarType::float64).as<double>());
      }
      case Operator::select: {
        const Monomial& otherwise = _forms[node.in[2]];
        if (_depends[node.in[0]] || b.p != otherwise.p || b.q != otherwise.q) return kOther;
        return {_k.select(a.c, b.c, otherwise.c), b.p, b.q, b.singular || otherwise.singular};
      }
      default:
        return kOther;
    }
  }

  /// A broken power is defined for partial results only if it is for their product: not of what can be negative.
  Monomial power(const Monomial& a, double exponent) {
    if (!_k.is(a.c, 1) || !std::isfinite(exponent)) return kOther;
    const bool singular = a.singular || exponent < 0;
    if (is_whole(exponent)) return {a.c, a.p * exponent, a.q * exponent, singular};
    if (!is_even(a.p)) return kOther;
    return {a.c, 0, (a.p + a.q) * exponent, singular};
  }

  Coefficients _k;
  ScalarType _element;
  std::vector<char> _depends;
  std::vector<Monomial> _forms;
  std::vector<std::uint32_t> _moved;
};

}  // namespace

Obeyed obeyed_over_times(const Expression& expression, std::uint32_t argument) {
  return MonomialForm(expression, argument).obeyed();
}

}  // namespace kasen::optimizer
