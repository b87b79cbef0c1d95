/// @file
/// Profiles as files: what kasen-calibrate writes and `--profile` reads. JSON, one member per field of kasen::Profile.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/base/profile.h"

namespace kasen {

/// The profile as JSON text, and back. @throws InputError "NAME: what is wrong" for text that is no profile: `name` is
/// the file's. Every field must be there; rates and times are whole numbers from 1.
std::string profile_text(const Profile& profile);
Profile parse_profile(const std::string& text, const std::string& name);

/// Collective. Read by the first worker for all. @throws InputError (agreed) "PATH: reason"
Profile read_profile(const comm::Communicator& communicator, const std::string& path);

}  // namespace kasen
