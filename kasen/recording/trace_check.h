/// @file
/// Check of a traced expression: whether it computes what the compiled function computes.
#pragma once

#include <span>

#include "kasen/base/expression.h"

namespace kasen::recording {

/// An operand of a function that was traced; operands of each kind are numbered in order.
struct TracedOperand {
  Operator kind;
  ScalarType type;
};

/// Whether both give the same at three tries, up to rounding. Where the expression divides an integer by 0, shifts by
/// more than its bits, or converts what does not fit, the compiled function is not called. Cost: 3 calls.
bool computes(const Expression& expression, std::span<const TracedOperand> operands,
              Scalar (*compiled)(const void* function, const Scalar* operands), const void* function);

}  // namespace kasen::recording
