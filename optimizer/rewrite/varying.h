/// @file
/// Marking of element work whose results follow Shareds that a loop changes.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Sets Statement::varies in the body of a loop in normal form that has products of active elements. White boxes are
/// evaluated as far as what such products leave out, their reducers' identities, decides: `select(f != identity, depth,
/// level)` does not depend on `depth` there. Cost: once through the body.
void mark_varying(const Program& program, Block& body);

}  // namespace kasen::optimizer
