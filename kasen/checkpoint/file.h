/// @file
/// Checkpoint files of a folder: written whole or not at all, checked before they are used.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "comm/communicator.h"
#include "kasen/checkpoint/contents.h"
#include "kasen/checkpoint/vectors.h"

namespace kasen::checkpoint {

/// Collective. Makes the folder if it is not there, and checks that files can be made in it.
/// @return the highest number of a checkpoint in it; 0: there is none. @throws AgreedError
std::uint64_t open_folder(const comm::Communicator& workers, const std::string& folder);

/// Collective. Writes checkpoint `number`, and then removes all but the last `kept`, which it counts itself among.
/// @return bytes of the file. @throws AgreedError if it cannot be written: then no part of it is left
std::uint64_t write(const comm::Communicator& workers, const std::string& folder, std::uint64_t number,
                    Contents contents, const VectorsToWrite& vectors, std::uint64_t kept);

/// A checkpoint that was found whole.
struct Found {
  std::string path;
  Contents contents;
  std::shared_ptr<const io::Hdf5File> file;
};

/// Collective. The newest checkpoint in the folder whose checksums all hold; says on stderr which ones it passes over.
/// @throws AgreedError if there is none
Found newest(const comm::Communicator& workers, const std::string& folder);

}  // namespace kasen::checkpoint
