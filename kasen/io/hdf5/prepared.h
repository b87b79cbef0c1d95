/// @file
/// Prepared files: Kasen's own, with the partition for a number of workers, and a run of entries for each. As many
/// workers as a file was prepared for read one run each, and no entry is sent; any other number reads it as any file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/hdf5/hdf5_search.h"
#include "partition/partitioner.h"

namespace kasen::io {

/// Collective. Writes `data` prepared for as many workers as the partitioning has parts; any number of workers may
/// write it, with the same result. The layout is in docs/file_format.md. @throws AgreedError "PATH: reason"
/// Cost: entries go to the workers that write them, in one all-to-all, and are sorted there.
void write_prepared(const comm::Communicator& communicator, const std::string& path, SparseData data,
                    const partition::Partitioning& partitioning);

/// The preparation of a file, as one worker sees it.
struct Preparation {
  std::uint64_t begin = 0, end = 0;  ///< of one worker's run among the entries
  std::shared_ptr<const partition::Partitioning> partitioning;
};

/// Local. The preparation of a matrix for as many workers, and the run of worker `rank`; none if the file is prepared
/// for another number, or not at all. @throws InputError if what it says does not fit.
std::optional<Preparation> find_preparation(const Hdf5File& file, const SparseGroup& group, int workers, Rank rank);

}  // namespace kasen::io
