/// @file
/// Ranking of vertex ids: the global index of an id is its rank among the distinct ids of all workers in ascending
/// order, so it depends neither on the number of workers nor on the order of the file.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "kasen/io/lines/words.h"

namespace kasen::io {

/// `Keys` is std::vector<std::int64_t> or Words.
template <class Keys>
struct RankedIds {
  std::vector<GlobalIndex> index;  ///< parallel to the ids that were given
  Keys block;                      ///< the ids of this worker's block of [0, length), ascending
  std::uint64_t length = 0;        ///< distinct ids of all workers
};

/// Collective. Ranks ids by sample sort: regular samples of everybody's ids cut the ids into one interval per worker,
/// which sorts and numbers it. Integers compare numerically, words bytewise.
/// @param ids each once, in any order.
/// Cost: an all-gather of up to 64 samples a worker; three all-to-alls: ids out, indices back, ids to their blocks.
RankedIds<std::vector<std::int64_t>> rank_ids(const comm::Communicator& communicator, std::vector<std::int64_t> ids);
RankedIds<Words> rank_ids(const comm::Communicator& communicator, Words ids);

}  // namespace kasen::io
