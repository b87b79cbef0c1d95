/// @file
/// Arithmetic on coefficients, for the analyses of laws: expressions that do not depend on the argument in question.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/expression.h"

namespace kasen::optimizer {

/// Coefficients as nodes of one expression. Sums and products are simplified where that is exact, so that zero and one
/// are recognised.
class Coefficients {
 public:
  std::uint32_t number(ScalarType type, int value);
  /// Copies a node of another expression that does not depend on the argument; `moved` maps its operands.
  std::uint32_t copy(const Node& node, const std::vector<std::uint32_t>& moved);
  std::uint32_t add(std::uint32_t a, std::uint32_t b);
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b);
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b);
  std::uint32_t divide(std::uint32_t a, std::uint32_t b);
  std::uint32_t negate(std::uint32_t a);
  std::uint32_t cast(std::uint32_t a, ScalarType type) { return _writer.cast(a, type); }
  std::uint32_t select(std::uint32_t condition, std::uint32_t a, std::uint32_t b);
  /// Applies any other operator, without simplifying.
  std::uint32_t apply(Operator op, std::uint32_t a, std::uint32_t b = Node::kNothing);

  bool is(std::uint32_t a, int value) const;
  /// Whether it is a literal so large that sums and products with it may round.
  bool is_large(std::uint32_t a) const;
  const Node& node(std::uint32_t a) const { return _writer.node(a); }
  ExpressionWriter& writer() { return _writer; }

 private:
  /// The result of + - * on two literals, if it is exact; else kNothing.
  std::uint32_t folded(Operator op, std::uint32_t a, std::uint32_t b);

  ExpressionWriter _writer;
};

/// For each node, whether it depends on the vector at `argument`.
std::vector<char> depends_on(const Expression& expression, std::uint32_t argument);

/// The type of the vector's elements; the result's type if the function does not use the vector.
ScalarType element_type(const Expression& expression, std::uint32_t argument);

/// Whether a cast from `from` to `to`, in a function of elements of type `element`, loses nothing an element can hold:
/// it is between floating types or between integers, to one that holds all values, or back to the element's own.
bool keeps_value(ScalarType from, ScalarType to, ScalarType element);

}  // namespace kasen::optimizer
