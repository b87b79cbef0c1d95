/// @file
/// The user's function that runs now, for messages about what it throws, and to refuse what it may not do. An
/// exception cannot leave a vectorised loop, so it mostly ends the program there.
#pragma once

#include <string>

#include "kasen/base/program.h"
#include "kasen/base/thread_team.h"

namespace kasen::runtime {

/// A function of the user's that runs; `label` is null while none does.
struct Running {
  const std::string* label = nullptr;
  SourceLine where;
};
inline thread_local constinit Running running;

/// The message "FILE:LINE: [map(f)] the function WHAT" about a function that runs.
std::string told_of(const Running& function, const std::string& what);

/// Of a handler: throws on what is in flight, as a ProgramError with the function's line if a user's function threw it.
[[noreturn]] void throw_with_line();

/// Runs tasks as ThreadTeam::run; what leaves a further thread has been through throw_with_line() there.
template <class Task>
void on_threads(ThreadTeam& team, std::uint32_t tasks, const Task& task) {
  team.run(tasks, [&](std::uint32_t k) {
    if (k == 0) return task(k);
    try {
      task(k);
    } catch (...) {
      throw_with_line();
    }
  });
}

}  // namespace kasen::runtime
