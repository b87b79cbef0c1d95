/// @file
/// Whether everything that counts what a session did agrees: formulas, counters, the MPI profiling layer, and in
/// programs that link kasen::checked the counting iterators.
#pragma once

#include <string>

#include "kasen/base/counts.h"
#include "kasen/session.h"

namespace kasen::tests {

/// One line for each count that differs: its name, and what either side says. Empty: all are equal.
std::string differences(const char* one, const Counts& a, const char* other, const Counts& b);

/// Collective. The same for what the session has sent: `measured`, against what MPI was given on the plans'
/// communicator since the witness was reset.
std::string network_disagreements(Session& session, const Counts& measured);

/// Collective. What the plans say against what their steps counted, of runs that came to their end.
std::string disagreements_of_plans(Session& session);

/// Collective. All that disagrees about what the session has done since it was made, one line each; empty: nothing.
/// The witness must have been reset when the session was made.
std::string disagreements(Session& session);

}  // namespace kasen::tests
