/// @file
/// Writing of the files about a run: the report, the recorded programs, and the drawing of the plan.
#pragma once

#include <string>

namespace kasen {

class Engine;

/// Collective. Writes the run report (docs/report.md names every field) in JSON.
/// @throws AgreedError "FILE: reason"
void write_report(const Engine& engine, const std::string& path);

/// Collective. Writes the programs that were planned, each with the number of its runs, for kasen-analyze.
/// @throws AgreedError "FILE: reason"
void write_record(const Engine& engine, const std::string& path);

/// Collective. Draws the plan with the most steps for Graphviz. @throws AgreedError "FILE: reason"
void write_drawing(const Engine& engine, const std::string& path);

}  // namespace kasen
