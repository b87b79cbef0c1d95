/// @file
/// Marking of element work whose results follow Shareds that a loop changes.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Sets Operation::varies and Operation::rest in the bodies of loops that have such products. White boxes are evaluated
/// as far as what such products leave out, their reducers' identities, decides: `select(f != identity, depth, level)`
/// does not depend on `depth` there. Where that is not enough, nor does `waits && length < bound` on `bound` where
/// `waits` is false: what makes `waits` gets this value as its `rest`, and who relies on `varies` has to look after the
/// elements that are not at rest.
/// Before: all other rewrites, as a statement that has been replaced by an equal one takes its rest along. Cost: once
/// or twice through the bodies.
void mark_varying(Program& program);

}  // namespace kasen::optimizer
