/// @file
/// Programs whose results are compared bit by bit between numbers of workers and ways to spread data.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kasen::tests {

/// A program of the session that is alive; gives a hash of the bits of all of its results. Collective.
struct ReproducibleProgram {
  std::string name;
  std::function<std::uint64_t()> run;
};

std::vector<ReproducibleProgram> reproducible_programs();

}  // namespace kasen::tests
