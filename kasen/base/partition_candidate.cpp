#include "kasen/base/partition_candidate.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kasen {
namespace {

std::string ratio(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace

std::string candidates_text(std::span<const PartitionCandidate> candidates) {
  using Line = std::array<std::string, 7>;
  std::vector<Line> lines{
      {"partition", "row replicas", "column replicas", "imbalance", "of elements", "of load", "bytes/product"}};
  for (const PartitionCandidate& candidate : candidates) {
    if (!candidate.counted) {
      lines.push_back({candidate.name, "-", "-", "-", "-", "-", "-"});
      continue;
    }
    const auto number = [&](std::uint64_t value) { return (candidate.sampled ? "~" : "") + std::to_string(value); };
    lines.push_back({candidate.name, number(candidate.row_replicas), number(candidate.column_replicas),
                     ratio(candidate.nonzero_imbalance), ratio(candidate.master_imbalance),
                     ratio(candidate.load_imbalance), number(candidate.bytes_per_product())});
  }
  std::array<std::size_t, 7> width{};
  for (const Line& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], line[c].size());
  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    text += "  " + lines[k][0] + std::string(width[0] - lines[k][0].size(), ' ');
    for (std::size_t c = 1; c < lines[k].size(); ++c)
      text += std::string(2 + width[c] - lines[k][c].size(), ' ') + lines[k][c];
    if (k > 0) text += (candidates[k - 1].chosen ? "  chosen: " : "  ") + candidates[k - 1].reason;
    text += '\n';
  }
  return text;
}

}  // namespace kasen
