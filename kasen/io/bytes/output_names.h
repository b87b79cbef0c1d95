/// @file
/// Check of the names of a run's output files: each is a file of its own, and none is one that the run reads.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "comm/communicator.h"

namespace kasen::io {

/// Collective. Checks before work is spent that these files can be written (require_writable,
/// kasen/io/bytes/output_file.h), and that no two of them are one; from here on none can be read as input (InputFile)
/// before it is written anew. Empty names do not count.
/// @throws AgreedError "PATH: reason"
void require_outputs(const comm::Communicator& communicator, const std::vector<std::string>& paths);

/// Local. Whether an open file is one of these, as it was before the run.
bool is_output(const struct stat& status);

/// Local. Whether one of these is not there, or is as it was before the run.
bool is_unwritten(const std::string& path);

}  // namespace kasen::io
