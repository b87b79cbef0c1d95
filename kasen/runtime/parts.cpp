#include "kasen/runtime/parts.h"

#include <algorithm>
#include <numeric>

namespace kasen::runtime {

std::vector<Part> cut(std::span<const partition::Interval> stretches,
                      const std::function<std::uint64_t(LocalIndex first, LocalIndex end)>& entries, LocalIndex unit,
                      std::uint64_t least) {
  const auto weight = [&](LocalIndex first, LocalIndex end) {
    return end - first + (entries ? entries(first, end) : 0);
  };
  std::uint64_t all = 0;
  for (const partition::Interval& stretch : stretches) all += weight(stretch.first, stretch.first + stretch.count);
  const std::uint64_t aim = std::max({least, (all + kMostParts - 1) / kMostParts, std::uint64_t{1}});
  std::vector<Part> parts;
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    const LocalIndex begin = stretches[s].first, end = begin + stretches[s].count;
    const std::uint64_t whole = weight(begin, end), count = std::max<std::uint64_t>(whole / aim, 1);
    const auto end_of = [&](std::uint64_t units) {
      return static_cast<LocalIndex>(std::min<std::uint64_t>(begin + units * unit, end));
    };
    std::uint64_t units = 0;  // in all parts so far
    LocalIndex first = begin;
    for (std::uint64_t k = 1; k <= count && first < end; ++k) {
      std::uint64_t most = (std::uint64_t{stretches[s].count} + unit - 1) / unit;
      if (!entries) {
        units = (whole * k / count + unit - 1) / unit;
      } else {  // the first that have the weight of k parts
        while (units < most) {
          const std::uint64_t middle = units + (most - units) / 2;
          if (weight(begin, end_of(middle)) * count >= whole * k) {
            most = middle;
          } else {
            units = middle + 1;
          }
        }
      }
      const LocalIndex last = k == count ? end : end_of(units);
      if (last <= first) continue;
      parts.push_back({s, first, last, weight(first, last)});
      first = last;
    }
  }
  return parts;
}

std::vector<std::size_t> share_out(std::span<const std::uint64_t> weights, std::uint32_t threads) {
  const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::size_t> shares(std::size_t{threads} + 1, weights.size());
  shares[0] = 0;
  std::uint64_t before = 0;
  std::uint32_t next = 1;  // whose share may begin here
  for (std::size_t k = 0; k < weights.size(); ++k) {
    // By its middle it belongs to what lies before the next share, or after.
    while (next < threads && (2 * before + weights[k]) * threads >= 2 * all * next) shares[next++] = k;
    before += weights[k];
  }
  return shares;
}

std::vector<std::size_t> share_out(std::span<const Part> parts, std::size_t most) {
  std::vector<std::uint64_t> weights;
  for (const Part& part : parts) weights.push_back(part.weight);
  return share_out(weights, static_cast<std::uint32_t>(std::clamp<std::size_t>(parts.size(), 1, most)));
}

}  // namespace kasen::runtime
