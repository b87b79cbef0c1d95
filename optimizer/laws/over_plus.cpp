// Over plus: every node as c*x + d.
#include <cmath>
#include <utility>

#include "optimizer/laws/coefficients.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::optimizer {
namespace {

/// c*x + d, or `other`.
struct Affine {
  std::uint32_t c = 0, d = 0;
  bool other = false;
};

class AffineForm {
 public:
  AffineForm(const Expression& expression, std::uint32_t argument)
      : _element(element_type(expression, argument)), _depends(depends_on(expression, argument)) {
    for (const Node& node : expression.nodes) add(node);
  }

  const Affine& result() const { return _forms.back(); }
  Coefficients& coefficients() { return _k; }
  ScalarType element() const { return _element; }

 private:
  void add(const Node& node) {
    const std::size_t here = _forms.size();
    Affine form;
    if (!_depends[here]) {
      _moved.push_back(_k.copy(node, _moved));
      form = {_k.number(node.type, 0), _moved.back()};
    } else {
      _moved.push_back(Node::kNothing);
      form = dependent(node);
    }
    _forms.push_back(form);
  }

  Affine dependent(const Node& node) {
    constexpr Affine kOther{0, 0, true};
    if (node.op == Operator::element) return {_k.number(node.type, 1), _k.number(node.type, 0)};
    const auto operand = [&](std::size_t k) -> const Affine& { return _forms[node.in[k]]; };
    const auto varies = [&](std::size_t k) { return _depends[node.in[k]] != 0; };
    for (int k = 0; k < operands_of(node.op); ++k) {
      if (operand(static_cast<std::size_t>(k)).other) return kOther;
    }
    const Affine a = operand(0);
    switch (node.op) {
      case Operator::cast:
        if (!keeps_value(_k.node(a.c).type, node.type, _element)) return kOther;
        return {_k.cast(a.c, node.type), _k.cast(a.d, node.type)};
      case Operator::negate:
        return {_k.negate(a.c), _k.negate(a.d)};
      case Operator::add:
      case Operator::subtract:
        if (is_floating(node.type) && rounds(node.op, a, operand(1))) return kOther;
        if (node.op == Operator::add) return {_k.add(a.c, operand(1).c), _k.add(a.d, operand(1).d)};
        return {_k.subtract(a.c, operand(1).c), _k.subtract(a.d, operand(1).d)};
      case Operator::multiply: {
        if (varies(0) && varies(1)) return kOther;
        const Affine& x = varies(0) ? a : operand(1);
        const std::uint32_t factor = varies(0) ? operand(1).d : a.d;
        return {_k.multiply(x.c, factor), _k.multiply(x.d, factor)};
      }
      case Operator::divide: {
        if (varies(1) || !is_floating(node.type)) return kOther;
        // 0 / e is left as it is: the quotient of nothing is nothing only for e != 0, which is all it is defined for.
        const std::uint32_t by = operand(1).d;
        return {_k.divide(a.c, by), _k.is(a.d, 0) ? a.d : _k.divide(a.d, by)};
      }
      case Operator::shift_left:
        if (varies(1)) return kOther;
        return {_k.apply(Operator::shift_left, a.c, operand(1).d),
                _k.is(a.d, 0) ? a.d : _k.apply(Operator::shift_left, a.d, operand(1).d)};
      case Operator::select:
        if (varies(0)) return kOther;
        return {_k.select(a.d, operand(1).c, operand(2).c), _k.select(a.d, operand(1).d, operand(2).d)};
      default:
        return kOther;
    }
  }

  /// What is added is taken away again, or the most of x: (x + d) - d and t - (t - x) with large d and t are ways to
  /// round, and nothing else.
  bool rounds(Operator op, const Affine& a, const Affine& b) {
    const auto negated = [&](std::uint32_t k) { return _k.node(k).op == Operator::negate ? _k.node(k).in[0] : k; };
    const bool takes = op == Operator::subtract || negated(a.d) != a.d || negated(b.d) != b.d;
    if (takes && !_k.is(a.d, 0) && negated(a.d) == negated(b.d)) return true;
    return !_k.is(a.c, 0) && !_k.is(b.c, 0) && (_k.is_large(a.c) || _k.is_large(b.c));
  }

  Coefficients _k;
  ScalarType _element;
  std::vector<char> _depends;
  std::vector<Affine> _forms;
  std::vector<std::uint32_t> _moved;  ///< nodes that do not depend on x, as coefficients
};

}  // namespace

Obeyed obeyed_over_plus(const Expression& expression, std::uint32_t argument) {
  AffineForm form(expression, argument);
  const Affine& f = form.result();
  if (f.other) return {};
  return {form.coefficients().is(f.d, 0), form.coefficients().is(f.c, 1)};
}

namespace {

/// Factor and offset are those of the function for every x: a choice would multiply what it does not choose by 0, and a
/// quotient by what has no reciprocal.
bool splits(const Expression& expression) {
  const std::vector<char> depends = depends_on(expression, 0);
  for (std::size_t k = 0; k < expression.nodes.size(); ++k) {
    const Node& node = expression.nodes[k];
    if (!depends[k]) continue;
    if (node.op == Operator::select) return false;
    if (node.op != Operator::divide || !is_floating(node.type)) continue;
    const Node& by = expression.nodes[node.in[1]];
    if (by.op != Operator::literal) return false;
    const double divisor = converted(kasen::Scalar{by.type, by.bits}, ScalarType::float64).as<double>();
    const bool normal =
        by.type == ScalarType::float32 ? std::isnormal(1 / static_cast<float>(divisor)) : std::isnormal(1 / divisor);
    if (!normal) return false;
  }
  return true;
}

}  // namespace

std::optional<AffineParts> affine_parts(const Expression& expression) {
  for (const Node& node : expression.nodes) {
    if (node.op == Operator::entry || (node.op == Operator::element && node.position != 0)) return std::nullopt;
  }
  if (!splits(expression)) return std::nullopt;
  AffineForm form(expression, 0);
  const Affine f = form.result();
  const ScalarType type = form.element();
  if (f.other || type == ScalarType::boolean || expression.result().type != type) return std::nullopt;
  Coefficients& k = form.coefficients();
  if (k.is(f.d, 0) || k.is(f.c, 0) || k.is(f.c, 1)) return std::nullopt;
  AffineParts parts;
  parts.factor = k.writer().take(f.c);
  parts.offset = k.writer().take(f.d);
  const std::uint32_t x = k.writer().input(Operator::element, type, 0);
  parts.scale = k.writer().take(k.apply(Operator::multiply, f.c, x));
  parts.shift = k.writer().take(k.apply(Operator::add, x, f.d));
  return parts;
}

}  // namespace kasen::optimizer
