/// @file
/// Gradient descent in the body of one loop, of any number of steps.
#pragma once

#include <cstddef>

#include "kasen/base/program.h"

namespace kasen::optimizer::tests {

/// So many steps of w = w - X'(Xw - y) in the body of one loop, which is in its normal form.
Program descent(std::size_t steps);

}  // namespace kasen::optimizer::tests
