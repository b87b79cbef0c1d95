/// @file
/// Shares of a text: which worker reads what of it, so that a file that is compressed is decompressed by one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// The stored bytes of a text, cut for workers: worker w has those from the w-th cut to the next. Shares are equal, but
/// that a cut in a compressed part moves to its nearer end where it leaves no more than half a share there: what is
/// left is cut between workers that read little else.
/// @param first the byte from which the text is read. @return workers + 1 of them, ascending
std::vector<std::uint64_t> cut_text(const Text& text, std::uint64_t first, int workers);

/// Those who read the bytes from `begin` to `end`, in ascending order.
std::vector<Rank> readers_of(const std::vector<std::uint64_t>& cuts, std::uint64_t begin, std::uint64_t end);

}  // namespace kasen::io
