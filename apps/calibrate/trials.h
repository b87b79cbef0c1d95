/// @file
/// What is measured by programs: the time of a step, and trials of a profile, which measure sweeps and exchanges as
/// programs have them beside what the profile predicts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/base/profile.h"

namespace kasen::calibrate {

/// Collective. Fills in the time of a step: of a program that maps one element again and again.
void measure_steps(Profile& profile);

/// Collective. Fills in how much of memory traffic and computing does not hide the other: of programs that do the same
/// to vectors of any size. Requires the rates of memory.
void measure_unhidden(std::uint64_t most_bytes, Profile& profile);

struct Trial {
  std::string name;
  double predicted, measured;  ///< seconds of one round
};

/// Collective. Each trial is a Kasen program that repeats what its name says, planned by the profile in the file at
/// `path`, which is `profile`. On every worker; each uses about `most_bytes`.
/// Cost: some seconds.
std::vector<Trial> try_profile(const std::string& path, const Profile& profile, std::uint64_t most_bytes);

}  // namespace kasen::calibrate
