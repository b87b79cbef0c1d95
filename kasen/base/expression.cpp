#include "kasen/base/expression.h"

#include <algorithm>

namespace kasen {
namespace {

struct OperatorFacts {
  const char* name;
  int operands;
  bool infix = false;
  std::uint32_t transcendentals = 0;  // Work::transcendentals of one, as measured with vectors of 8 doubles
};
constexpr OperatorFacts kFacts[] = {
    {"v", 0},
    {"m", 0},
    {"s", 0},
    {"p", 0},
    {"literal", 0},
    {"cast", 1},
    {"-", 1},
    {"+", 2, true},
    {"-", 2, true},
    {"*", 2, true},
    {"/", 2, true},
    {"%", 2, true},
    {"min", 2},
    {"max", 2},
    {"abs", 1},
    {"<", 2, true},
    {"<=", 2, true},
    {"==", 2, true},
    {"!=", 2, true},
    {"!", 1},
    {"&&", 2, true},
    {"||", 2, true},
    {"~", 1},
    {"&", 2, true},
    {"|", 2, true},
    {"^", 2, true},
    {"<<", 2, true},
    {">>", 2, true},
    {"select", 3},
    {"floor", 1},
    {"ceil", 1},
    {"sqrt", 1},
    {"pow", 2, false, 20},
    {"exp", 1, false, 4},
    {"expm1", 1, false, 5},
    {"log", 1, false, 6},
    {"log1p", 1, false, 5},
    {"sin", 1, false, 4},
    {"cos", 1, false, 5},
    {"tan", 1, false, 6},
    {"asin", 1, false, 6},
    {"acos", 1, false, 7},
    {"atan", 1, false, 6},
    {"tanh", 1, false, 11},
    {"erf", 1, false, 8},
    {"erfc", 1, false, 10},
};
static_assert(std::size(kFacts) == static_cast<std::size_t>(Operator::erfc) + 1);

const OperatorFacts& facts(Operator op) { return kFacts[static_cast<std::size_t>(op)]; }

constexpr std::uint32_t kIntegerDivision = 8;  // floating-point divisions; it has no vector instruction

/// Nodes as text, those used twice under a name of their own.
class Printer {
 public:
  explicit Printer(const Expression& expression) : _nodes(expression.nodes), _uses(_nodes.size()) {
    for (const Node& node : _nodes) {
      for (int k = 0; k < operands_of(node.op); ++k) ++_uses[node.in[static_cast<std::size_t>(k)]];
    }
  }
  std::string text() const {
    std::string result;
    for (std::uint32_t k = 0; k + 1 < _nodes.size(); ++k) {
      if (named(k)) result += "t" + std::to_string(k) + " = " + body(k, false) + "; ";
    }
    return result + body(static_cast<std::uint32_t>(_nodes.size() - 1), false);
  }

 private:
  bool named(std::uint32_t k) const { return operands_of(_nodes[k].op) > 0 && _uses[k] > 1; }
  std::string operand(std::uint32_t k, bool nested) const {
    return named(k) ? "t" + std::to_string(k) : body(k, nested);
  }
  std::string body(std::uint32_t k, bool nested) const {
    const Node& node = _nodes[k];
    const OperatorFacts& f = facts(node.op);
    if (node.op == Operator::literal) return to_text(Scalar{node.type, node.bits});
    if (node.op == Operator::entry) return f.name;
    if (f.operands == 0) return f.name + std::to_string(node.position);
    if (f.infix) {
      const std::string text = operand(node.in[0], true) + " " + f.name + " " + operand(node.in[1], true);
      return nested ? "(" + text + ")" : text;
    }
    std::string text = node.op == Operator::cast ? name_of(node.type) : f.name;
    text += "(";
    for (int j = 0; j < f.operands; ++j)
      text += (j > 0 ? ", " : "") + operand(node.in[static_cast<std::size_t>(j)], false);
    return text + ")";
  }

  const std::vector<Node>& _nodes;
  std::vector<std::uint32_t> _uses;
};

}  // namespace

const char* name_of(Operator op) { return facts(op).name; }
int operands_of(Operator op) { return facts(op).operands; }

std::string to_text(const Expression& expression) { return Printer(expression).text(); }

namespace {

/// Adds what kasen::pow (kasen/math.h) does by products, a quotient or a root, and says whether it does.
bool add_power(const Expression& expression, const Node& node, Work& work) {
  if (node.op != Operator::power) return false;
  const Node& exponent = expression.nodes[node.in[1]];
  if (exponent.op != Operator::literal) return false;
  const auto y = converted(Scalar{exponent.type, exponent.bits}, ScalarType::float64).as<double>();
  if (y == -1 || y == 0.5) {
    ++work.divisions;
  } else if (y == 1 || y == 2 || y == 3 || y == 4) {
    work.arithmetic += y == 1 ? 0 : y == 2 ? 1 : 2;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Work work_of(const Expression& expression) {
  Work work{true};
  std::vector<char> varies(expression.nodes.size(), 0);
  for (std::size_t k = 0; k < expression.nodes.size(); ++k) {
    const Node& node = expression.nodes[k];
    varies[k] = node.op == Operator::element || node.op == Operator::entry;
    for (int j = 0; j < operands_of(node.op); ++j) varies[k] |= varies[node.in[static_cast<std::size_t>(j)]];
    if (!varies[k] || operands_of(node.op) == 0 || node.op == Operator::cast) continue;
    if (add_power(expression, node, work)) continue;
    if (facts(node.op).transcendentals > 0) {
      work.transcendentals += facts(node.op).transcendentals;
    } else if (node.op == Operator::divide || node.op == Operator::remainder || node.op == Operator::square_root) {
      work.divisions += is_floating(node.type) ? 1 : kIntegerDivision;
    } else {
      const bool compares = node.op >= Operator::less && node.op <= Operator::not_equal;
      const ScalarType type = compares ? expression.nodes[node.in[0]].type : node.type;
      ++(is_floating(type) ? work.arithmetic : work.integers);
    }
  }
  work.whole = !is_floating(expression.result().type);
  return work;
}

bool is_total(const Expression& expression) {
  return std::none_of(expression.nodes.begin(), expression.nodes.end(), [&](const Node& node) {
    if (is_floating(node.type) || (node.op != Operator::divide && node.op != Operator::remainder)) return false;
    const Node& by = expression.nodes[node.in[1]];
    // By -1 the least number of a type traps too.
    return by.op != Operator::literal || by.bits == 0 ||
           (is_signed(node.type) && by.bits == converted(Scalar::of(std::int64_t{-1}), node.type).bits);
  });
}

std::uint32_t ExpressionWriter::add(const Node& node) {
  const auto found = std::find(_nodes.begin(), _nodes.end(), node);
  if (found != _nodes.end()) return static_cast<std::uint32_t>(found - _nodes.begin());
  _nodes.push_back(node);
  return static_cast<std::uint32_t>(_nodes.size() - 1);
}

std::uint32_t ExpressionWriter::input(Operator op, ScalarType type, std::uint32_t position) {
  Node node{op, type};
  node.position = position;
  return add(node);
}

std::uint32_t ExpressionWriter::literal(const Scalar& value) {
  Node node{Operator::literal, value.type};
  node.bits = value.bits;
  return add(node);
}

std::uint32_t ExpressionWriter::apply(Operator op, ScalarType type, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return add(Node{op, type, {a, b, c}});
}

std::uint32_t ExpressionWriter::cast(std::uint32_t index, ScalarType type) {
  const Node& from = node(index);
  if (from.type == type) return index;
  if (from.op == Operator::literal) return literal(converted(Scalar{from.type, from.bits}, type));
  return apply(Operator::cast, type, index);
}

Expression ExpressionWriter::take(std::uint32_t result) const {
  std::vector<char> needed(_nodes.size(), 0);
  needed[result] = 1;
  for (std::size_t k = _nodes.size(); k-- > 0;) {
    if (!needed[k]) continue;
    for (int j = 0; j < operands_of(_nodes[k].op); ++j) needed[_nodes[k].in[static_cast<std::size_t>(j)]] = 1;
  }
  Expression expression;
  std::vector<std::uint32_t> moved(_nodes.size(), Node::kNothing);
  for (std::size_t k = 0; k <= result; ++k) {
    if (!needed[k]) continue;
    Node node = _nodes[k];
    for (int j = 0; j < operands_of(node.op); ++j) {
      auto& in = node.in[static_cast<std::size_t>(j)];
      in = moved[in];
    }
    moved[k] = static_cast<std::uint32_t>(expression.nodes.size());
    expression.nodes.push_back(node);
  }
  return expression;
}

}  // namespace kasen
