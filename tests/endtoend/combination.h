/// @file
/// Options to run the same programs under, each with a name for the test's.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "kasen/base/options.h"

namespace kasen::tests {

struct Combination {
  std::string name;
  Options options;
  friend std::ostream& operator<<(std::ostream& out, const Combination& combination) { return out << combination.name; }
};

/// Some that between them switch everything on and off: for every commit.
std::vector<Combination> spread();

/// The full cross product of fusion, sync and roles, with no pass, each pass and all passes off; each with two of all
/// partitions, in turn, the second one numbered by degree.
std::vector<Combination> every_combination();

}  // namespace kasen::tests
