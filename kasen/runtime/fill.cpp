#include "kasen/runtime/fill.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kasen/base/error.h"

namespace kasen::runtime {
namespace {

constexpr std::uint64_t kCopiedAtOnce = std::uint64_t{64} << 10;  ///< bytes, which stay in a cache

}  // namespace

std::vector<Fill> fills_of(const optimizer::Sweep& sweep, const RunContext& context) {
  std::vector<Fill> fills;
  for (const optimizer::Launch& launch : sweep.launches) {
    if (!launch.push && sweep.walk != optimizer::Walk::blocked) continue;
    for (const ValueId out : launch.out) {
      const partition::IndexSpace& space = context.placement.space(context.plan.values[index_of(out)].space);
      const auto& identity = context.reducers[index_of(launch.reducer)].identity;
      if (identity.size() != context.element_bytes(out)) throw InternalError("an output without identity");
      Fill fill{out, identity, {{0, space.masters()}}};
      if (!launch.filled_roles.empty()) {
        const auto replicas = space.replicas(launch.filled_roles);
        fill.intervals.insert(fill.intervals.end(), replicas.begin(), replicas.end());
      }
      fills.push_back(std::move(fill));
    }
  }
  return fills;
}

/// Fills by copies of what is filled already, twice as much each time.
void fill(std::byte* elements, std::span<const std::byte> identity, const partition::Interval& interval) {
  if (interval.count == 0) return;
  const std::uint64_t bytes = identity.size(), all = bytes * interval.count;
  std::byte* first = elements + bytes * interval.first;
  std::memcpy(first, identity.data(), bytes);
  for (std::uint64_t done = bytes; done < all;) {
    const std::uint64_t more = std::min({done, all - done, kCopiedAtOnce / bytes * bytes + bytes});
    std::memcpy(first + done, first, more);
    done += more;
  }
}

void fill(const Fill& fill, LocalIndex first, LocalIndex end, const RunContext& context, Counts& counts) {
  for (const partition::Interval& interval : fill.intervals) {
    const LocalIndex from = std::max(interval.first, first), to = std::min(interval.first + interval.count, end);
    if (from >= to) continue;
    runtime::fill(context.storage.vector(fill.value), fill.identity, {from, to - from});
    counts.elements_initialised += to - from;
  }
}

void fill(const Fill& of, RunContext& context) {
  fill(of, 0, std::numeric_limits<LocalIndex>::max(), context, context.measured);
}

}  // namespace kasen::runtime
