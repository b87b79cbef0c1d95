/// @file
/// Files of recorded programs, each with its placement, which `--record` writes and kasen-analyze reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/base/degrees.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// One program as the recorder wrote it, and how often a program of its structure ran.
struct RecordedProgram {
  Program program;
  PlacementStats stats;
  std::uint64_t runs = 0;
};

struct RecordedRun {
  std::string name;  ///< of the executable that ran
  std::vector<RecordedProgram> programs;
  std::vector<Degrees> degrees;  ///< by MatrixId; may be shorter than the matrices
};

inline constexpr std::uint64_t kRecordVersion = 2;
inline constexpr std::uint32_t kMostWorkers = 1u << 20;  ///< that are planned for

/// The run as JSON text (docs/analyzer.md). Placements that several programs share are written once.
std::string write_recorded(const RecordedRun& run);

/// The run in such a text; `file` is for messages. @throws InputError "FILE: what is wrong": no JSON, another version
RecordedRun read_recorded(std::string_view text, const std::string& file);

}  // namespace kasen::optimizer
