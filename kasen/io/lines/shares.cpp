/// @file
/// Equal cuts, moved to the ends of compressed parts that are not worth cutting there.
#include "kasen/io/lines/shares.h"

#include <algorithm>

namespace kasen::io {

std::vector<std::uint64_t> cut_text(const Text& text, std::uint64_t first, int workers) {
  const std::uint64_t bytes = text.size() - first;
  const auto count = static_cast<std::uint64_t>(workers);
  std::vector<std::uint64_t> cuts;
  for (std::uint64_t w = 0; w <= count; ++w) cuts.push_back(first + bytes / count * w + bytes % count * w / count);
  for (std::size_t part = 0; part < text.parts().size(); ++part) {
    if (text.parts()[part].compression == Compression::none) continue;
    const std::uint64_t begin = std::max(text.part_begin(part), first), end = text.part_begin(part + 1);
    const auto from = std::upper_bound(cuts.begin(), cuts.end(), begin);
    const auto to = std::lower_bound(from, cuts.end(), end);
    if (from == to) continue;
    const std::uint64_t half = bytes / count / 2, before = *from - begin, behind = end - *(to - 1);
    const bool leaves_end = behind <= half && (to - from > 1 || behind < before || before > half);
    if (leaves_end) *(to - 1) = end;
    if (before <= half && *from < end) *from = begin;
  }
  return cuts;
}

std::vector<Rank> readers_of(const std::vector<std::uint64_t>& cuts, std::uint64_t begin, std::uint64_t end) {
  std::vector<Rank> readers;
  for (std::size_t w = 0; w + 1 < cuts.size(); ++w) {
    if (std::max(cuts[w], begin) < std::min(cuts[w + 1], end)) readers.push_back(static_cast<Rank>(w));
  }
  return readers;
}

}  // namespace kasen::io
