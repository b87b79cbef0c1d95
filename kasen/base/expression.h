/// @file
/// Expressions: what a white-box function computes from its operands, as a graph of operators.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kasen/base/scalar.h"

namespace kasen {

/// The operation that a node of an expression applies to its operands.
enum class Operator : std::uint8_t {
  // Inputs; Node::position says which.
  element,  ///< of vector `position` of the call
  entry,    ///< of the matrix (mxv, mxvt); of fold, which has none, what the step adds to
  shared,   ///< Shared operand `position`
  plain,    ///< plain operand `position`: a value that only the kernel knows
  literal,
  cast,
  // Operators whose operands have one type, which is the result's.
  negate,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  minimum,
  maximum,
  absolute,
  // Operators whose operands have one type and whose result is boolean.
  less,
  less_equal,
  equal,
  not_equal,
  // Operators on booleans.
  logical_not,
  logical_and,
  logical_or,
  // Operators on integers and, save for bit_not and shifts, booleans; a shift's amount may have another type.
  bit_not,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  select,  ///< condition, then, otherwise
  // Operators on floating-point numbers.
  floor,
  ceil,
  square_root,
  power,
  exp,
  expm1,
  log,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  tanh,
  erf,
  erfc,
};
const char* name_of(Operator op);  ///< "+", "select", "exp"

/// The number of operands; 0 for inputs and literals.
int operands_of(Operator op);

struct Node {
  static constexpr std::uint32_t kNothing = 0xffffffff;

  Operator op{};
  ScalarType type{};  ///< of the result
  std::array<std::uint32_t, 3> in{kNothing, kNothing, kNothing};
  std::uint32_t position = 0;  ///< of inputs
  std::uint64_t bits = 0;      ///< of a literal, as in Scalar
  bool operator==(const Node&) const = default;
};

inline constexpr std::uint32_t kQuartersOfExponential = 4;

/// The amount of arithmetic in one application of a function: of one that is declared, for each number of the longest
/// row or struct. Casts and moves are free, and so is what does not depend on an element: it is computed once per tile.
struct Work {
  bool known = false;                 ///< false: a black box that says nothing
  std::uint32_t arithmetic = 0;       ///< + - * comparisons, selections, rounding of floating-point numbers
  std::uint32_t divisions = 0;        ///< of floating-point numbers, and square roots; one of integers counts 8
  std::uint32_t transcendentals = 0;  ///< in quarters of an exponential: exp 4, pow 20, ...
  std::uint32_t integers = 0;         ///< + - * comparisons, selections, bits of integers and truth values
  bool whole = false;                 ///< the result is an integer or a truth value
  /// Of one that is declared, beside that: once in an application, and not in vectors.
  struct Once {
    std::uint32_t arithmetic = 0, divisions = 0, transcendentals = 0;
    bool operator==(const Once&) const = default;
  };
  Once once = {};
  bool operator==(const Work&) const = default;
};

/// Nodes in topological order without duplicates; the last is the result. Equal functions of the same operands compare
/// equal if they are written alike. Types are those of C++ after promotion, every conversion is a cast.
struct Expression {
  std::vector<Node> nodes;

  const Node& result() const { return nodes.back(); }
  bool operator==(const Expression&) const = default;
};

/// The expression as text: v0, v1 for elements, m for the matrix, s0 for Shareds, p0 for plain operands; what is used
/// more than once has a name: "t3 = v0 - v1; t3 * t3".
std::string to_text(const Expression& expression);
Work work_of(const Expression& expression);
/// Whether the expression is defined for every argument: no integer is divided by what may be zero, or -1.
bool is_total(const Expression& expression);

/// An expression or none, shared by copies, compared by content.
class ExpressionRef {
 public:
  ExpressionRef() = default;
  ExpressionRef(Expression expression)  // NOLINT: an expression is one
      : _expression(std::make_shared<const Expression>(std::move(expression))) {}

  explicit operator bool() const { return _expression != nullptr; }
  const Expression& operator*() const { return *_expression; }
  const Expression* operator->() const { return _expression.get(); }
  bool operator==(const ExpressionRef& other) const {
    if (!_expression || !other._expression) return _expression == other._expression;
    return _expression == other._expression || *_expression == *other._expression;
  }

 private:
  std::shared_ptr<const Expression> _expression;
};

/// Writes an expression node by node. Equal nodes are written once.
class ExpressionWriter {
 public:
  std::uint32_t add(const Node& node);
  std::uint32_t input(Operator op, ScalarType type, std::uint32_t position);
  std::uint32_t literal(const Scalar& value);
  std::uint32_t apply(Operator op, ScalarType type, std::uint32_t a, std::uint32_t b = Node::kNothing,
                      std::uint32_t c = Node::kNothing);
  /// The node cast to `type`; the node itself if it has that type already.
  std::uint32_t cast(std::uint32_t node, ScalarType type);
  const Node& node(std::uint32_t index) const { return _nodes[index]; }
  std::size_t size() const { return _nodes.size(); }
  /// The expression of `result`: the nodes that it needs, and no others.
  Expression take(std::uint32_t result) const;

 private:
  std::vector<Node> _nodes;
};

}  // namespace kasen
