/// @file
/// A made-up program of any length, to see how planning grows with it: steps of gradient descent in a recorded loop.
#pragma once

#include "optimizer/record/program_file.h"

namespace bench {

/// `steps` times z = mxvt(X, w), u = z - y, g = mxv(X, u), w = w - rate * g in the body of one loop, for two workers
/// and a matrix X of 500 samples by 300 features.
kasen::optimizer::RecordedProgram sgd_in_a_loop(int steps);

}  // namespace bench
