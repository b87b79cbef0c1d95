/// @file
/// Evaluation of expressions from values of their inputs, for coefficients that are the same for a whole tile, for
/// checks, and for tests.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kasen/base/expression.h"

namespace kasen {

/// The result of one operator, neither an input nor a literal, on operands as a node has them. As C++ computes it, but
/// total: integers wrap around, their division by zero gives 0, shifts use the amount modulo the width.
Scalar evaluate(Operator op, ScalarType result, std::span<const Scalar> operands);

/// The value of each node. `input` gives the value of an input node, of the node's type.
std::vector<Scalar> values_of(const Expression& expression, const std::function<Scalar(const Node&)>& input);

/// The value of the whole expression.
Scalar evaluate(const Expression& expression, const std::function<Scalar(const Node&)>& input);

}  // namespace kasen
