/// @file
/// Files of profiles, which kasen-calibrate writes and `--profile` reads: JSON with a member per field of Profile.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/base/profile.h"

namespace kasen {

/// The profile as JSON text, and back. @throws InputError "NAME: what is wrong" for text that is no profile: `name` is
/// the file's. Every field must be there; rates and times are whole numbers from 1.
std::string profile_text(const Profile& profile);
Profile parse_profile(const std::string& text, const std::string& name);

/// Collective. The profile in a file, which the first worker reads for all. @throws AgreedError "PATH: reason"
Profile read_profile(const comm::Communicator& communicator, const std::string& path);

}  // namespace kasen
