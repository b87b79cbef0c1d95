/// @file
/// Cutting a sweep's replicas where the set of active launches changes.
#include "kasen/runtime/segments.h"

#include <algorithm>
#include <numeric>

namespace kasen::runtime {
namespace {

/// Intervals of one launch, visited from left to right.
class Cursor {
 public:
  explicit Cursor(std::span<const partition::Interval> intervals) : _intervals(intervals) {}
  bool covers(LocalIndex index) {
    while (_at < _intervals.size() && _intervals[_at].first + _intervals[_at].count <= index) ++_at;
    return _at < _intervals.size() && _intervals[_at].first <= index;
  }

 private:
  std::span<const partition::Interval> _intervals;
  std::size_t _at = 0;
};

std::span<const partition::Interval> replicas(const partition::IndexSpace& space, const RoleSet& roles) {
  if (roles.empty()) return {};
  return space.replicas(roles);
}

}  // namespace

std::vector<Segment> segments(std::span<const optimizer::Launch> launches, const partition::IndexSpace& space) {
  std::vector<Segment> result(1);
  result[0].count = space.masters();
  result[0].launches.resize(launches.size());
  std::iota(result[0].launches.begin(), result[0].launches.end(), 0u);

  std::vector<Cursor> run, copied;
  std::vector<LocalIndex> cuts;
  const auto add = [&](std::vector<Cursor>& cursors, const RoleSet& roles) {
    const auto intervals = replicas(space, roles);
    cursors.emplace_back(intervals);
    for (const auto& interval : intervals) {
      cuts.push_back(interval.first);
      cuts.push_back(interval.first + interval.count);
    }
  };
  for (const auto& launch : launches) {
    add(run, launch.roles);
    add(copied, launch.copied_roles);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    Segment segment{cuts[c], cuts[c + 1] - cuts[c], {}, {}};
    for (std::uint32_t l = 0; l < launches.size(); ++l) {
      if (run[l].covers(segment.first)) segment.launches.push_back(l);
      if (copied[l].covers(segment.first)) segment.copies.push_back(l);
    }
    if (segment.launches.empty() && segment.copies.empty()) continue;
    Segment& last = result.back();
    const bool same = result.size() > 1 && last.first + last.count == segment.first &&
                      last.launches == segment.launches && last.copies == segment.copies;
    if (same) {
      last.count += segment.count;
    } else {
      result.push_back(std::move(segment));
    }
  }
  return result;
}

}  // namespace kasen::runtime
