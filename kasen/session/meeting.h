/// @file
/// Meetings: workers compare what they are about to do together, so that one that does something else ends the job with
/// an error instead of leaving the others waiting.
#pragma once

#include <cstdint>
#include <exception>
#include <span>

#include "comm/communicator.h"
#include "kasen/base/program.h"
#include "kasen/recording/recorder.h"

namespace kasen {

/// The kinds of things that workers do together.
enum class Meeting : std::uint64_t {
  no_plan,  ///< an error has kept it from planning
  end,      ///< the session computes nothing more
  leave,    ///< the end of the session itself
  get,
  block,
  top,
  between_plans,  ///< a scan, a sort, quantiles, a join, a filter, or a matrix of a form or in batches
  matrix,
  vector,
  column,
  write,
  file,
  names,
  vertices,
  counts,
  commit,
  owners,
  spaces,   ///< what pending work computes over, before it is planned
  numbers,  ///< workers::sum and its like
  exit,
  plan,  ///< and every larger number, which is a plan's fingerprint
};

/// The facts that one worker brings to a meeting.
struct MeetingWord {
  std::uint64_t what;                              ///< a Meeting, or a plan's fingerprint
  SourceLine where;                                ///< of the call
  std::span<const std::uint64_t> numbers;          ///< which vectors it is about, and how long they are
  std::span<const recording::GivenValue> given{};  ///< the functions and plain values of the calls in a plan
  std::exception_ptr error{};                      ///< with no_plan
};

/// Collective. Cost: one small message. @throws AgreedError if another worker does something else, or the same with
/// other numbers or given values, with the line of the first worker that knows one; or the error of the first worker
/// that has one.
void meet(const comm::Communicator& control, const MeetingWord& mine);

}  // namespace kasen
