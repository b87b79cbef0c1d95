/// @file
/// Makes random programs.
#pragma once

#include <cstdint>

#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

struct Kind {
  bool exact = true;          ///< see Program
  bool defects = false;       ///< functions that are wrong on purpose are among those called
  bool errors = false;        ///< some runs end in errors, which are caught
  bool searches = false;      ///< programs are about searches, see make_searches.cpp
  bool reproducible = false;  ///< no functions that --reproducible refuses
};

/// A function of seed and kind alone. The interpreter runs the program within bounds.
Program generate(std::uint64_t seed, Kind kind);

}  // namespace kasen::tests::fuzz
