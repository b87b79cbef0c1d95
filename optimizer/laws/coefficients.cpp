#include "optimizer/laws/coefficients.h"

#include <algorithm>
#include <cmath>

#include "kasen/base/evaluate.h"

namespace kasen::optimizer {
namespace {

/// Whole numbers up to this have exact sums and products in every type of 32 bits and more.
constexpr double kSmall = 4096;

bool is_literal(const Node& node) { return node.op == Operator::literal; }

/// The literal as a double; exact if it is small.
double value_of(const Node& node) {
  return converted(kasen::Scalar{node.type, node.bits}, ScalarType::float64).as<double>();
}

}  // namespace

std::uint32_t Coefficients::number(ScalarType type, int value) {
  return _writer.literal(converted(kasen::Scalar::of(value), type));
}

std::uint32_t Coefficients::copy(const Node& node, const std::vector<std::uint32_t>& moved) {
  Node copied = node;
  for (int k = 0; k < operands_of(node.op); ++k) {
    auto& in = copied.in[static_cast<std::size_t>(k)];
    in = moved[in];
  }
  return _writer.add(copied);
}

bool Coefficients::is(std::uint32_t a, int value) const { return is_literal(node(a)) && value_of(node(a)) == value; }

bool Coefficients::is_large(std::uint32_t a) const {
  return is_literal(node(a)) && !(std::abs(value_of(node(a))) <= kSmall);
}

std::uint32_t Coefficients::folded(Operator op, std::uint32_t a, std::uint32_t b) {
  if (!is_literal(node(a)) || !is_literal(node(b)) || bytes_of(node(a).type) < 4) return Node::kNothing;
  for (const std::uint32_t k : {a, b}) {
    const double value = value_of(node(k));
    if (!(std::abs(value) <= kSmall) || value != std::floor(value)) return Node::kNothing;
  }
  const ScalarType type = node(a).type;
  const kasen::Scalar operands[] = {{type, node(a).bits}, {node(b).type, node(b).bits}};
  return _writer.literal(evaluate(op, type, operands));
}

std::uint32_t Coefficients::add(std::uint32_t a, std::uint32_t b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (node(b).op == Operator::negate) return subtract(a, node(b).in[0]);
  if (node(a).op == Operator::negate) return subtract(b, node(a).in[0]);
  const std::uint32_t known = folded(Operator::add, a, b);
  return known != Node::kNothing ? known : apply(Operator::add, a, b);
}

std::uint32_t Coefficients::subtract(std::uint32_t a, std::uint32_t b) {
  if (a == b) return number(node(a).type, 0);
  if (is(b, 0)) return a;
  if (is(a, 0)) return negate(b);
  const std::uint32_t known = folded(Operator::subtract, a, b);
  return known != Node::kNothing ? known : apply(Operator::subtract, a, b);
}

std::uint32_t Coefficients::multiply(std::uint32_t a, std::uint32_t b) {
  if (is(a, 0) || is(b, 1)) return a;
  if (is(b, 0) || is(a, 1)) return b;
  const std::uint32_t known = folded(Operator::multiply, a, b);
  return known != Node::kNothing ? known : apply(Operator::multiply, a, b);
}

std::uint32_t Coefficients::divide(std::uint32_t a, std::uint32_t b) {
  return is(b, 1) ? a : apply(Operator::divide, a, b);
}

std::uint32_t Coefficients::negate(std::uint32_t a) {
  if (node(a).op == Operator::negate) return node(a).in[0];
  const std::uint32_t known = folded(Operator::subtract, number(node(a).type, 0), a);
  return known != Node::kNothing ? known : apply(Operator::negate, a);
}

std::uint32_t Coefficients::select(std::uint32_t condition, std::uint32_t a, std::uint32_t b) {
  return a == b ? a : _writer.apply(Operator::select, node(a).type, condition, a, b);
}

std::uint32_t Coefficients::apply(Operator op, std::uint32_t a, std::uint32_t b) {
  return _writer.apply(op, node(a).type, a, b);
}

std::vector<char> depends_on(const Expression& expression, std::uint32_t argument) {
  std::vector<char> depends(expression.nodes.size(), 0);
  for (std::size_t k = 0; k < depends.size(); ++k) {
    const Node& node = expression.nodes[k];
    depends[k] = node.op == Operator::element && node.position == argument;
    for (int j = 0; j < operands_of(node.op); ++j) depends[k] |= depends[node.in[static_cast<std::size_t>(j)]];
  }
  return depends;
}

ScalarType element_type(const Expression& expression, std::uint32_t argument) {
  for (const Node& node : expression.nodes) {
    if (node.op == Operator::element && node.position == argument) return node.type;
  }
  return expression.result().type;
}

bool keeps_value(ScalarType from, ScalarType to, ScalarType element) {
  if (is_floating(element) != is_floating(from) || is_floating(element) != is_floating(to)) return false;
  return from != ScalarType::boolean && to != ScalarType::boolean && (to == element || holds_all(to, from));
}

}  // namespace kasen::optimizer
