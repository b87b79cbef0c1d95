/// @file
/// Writing of --trace: the timelines of all workers in one file, in the Chrome trace format.
#pragma once

#include <string>

namespace kasen {

class Engine;

/// Collective. Writes what the workers' timelines have kept (docs/trace.md), on one clock, and says on the terminal
/// what there was no room for. Every worker writes its own events.
/// @throws AgreedError "FILE: reason"
void write_trace(const Engine& engine, const std::string& path);

}  // namespace kasen
