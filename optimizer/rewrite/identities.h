/// @file
/// Idempotent built-in reducers in expressions: what combines vectors by one, and its identity; and what passes on
/// elements as they are.
#pragma once

#include "kasen/base/program.h"
#include "kasen/base/scalar.h"

namespace kasen::optimizer {

/// The identity of an idempotent reducer over elements of a scalar type.
Scalar identity_of(ReducerKind kind, ScalarType type);

/// The built-in idempotent reducer by which element work combines all of its vectors, and does nothing else; `other` if
/// there is none.
ReducerKind combined_by(const Statement& statement);

/// Whether the function of an MxV is known to give an element as it is.
bool gives_element(const Statement& product);

}  // namespace kasen::optimizer
