/// @file
/// Kernels for the two parts of an affine function, made from its coefficients instead of from a compiled function.
#pragma once

#include <vector>

#include "kasen/base/expression.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// out[i] = coefficient op in[i] for op = multiply, in[i] op coefficient for op = add, on vectors of the coefficient's
/// type. The coefficient is computed once per tile, from the tile's Shareds and the call's plain operands.
ElementKernel affine_kernel(Operator op, Expression coefficient, std::vector<Scalar> plain);

}  // namespace kasen::runtime
