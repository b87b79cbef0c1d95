/// @file
/// Identities of built-in reducers, as scalars.
#pragma once

#include "kasen/base/program.h"
#include "kasen/base/scalar.h"

namespace kasen::optimizer {

/// The identity of an idempotent reducer over elements of a scalar type.
Scalar identity_of(ReducerKind kind, ScalarType type);

}  // namespace kasen::optimizer
