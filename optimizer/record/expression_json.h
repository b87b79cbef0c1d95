/// @file
/// Expressions of white-box functions as JSON, written and read: the list of an expression's nodes.
#pragma once

#include "kasen/base/expression.h"
#include "optimizer/record/json_reader.h"

namespace kasen::optimizer {

Json to_json(const Expression& expression);

/// The inverse. @throws InputError with the place of what is wrong: an unknown word, an operand that does not come
/// before its node, or the wrong number of operands.
Expression expression_from_json(const JsonReader& json);

}  // namespace kasen::optimizer
