#include "optimizer/sweeps/tiles.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint32_t kSmallestTile = 128, kLargestTile = 1024, kMatrixTile = 512;

/// By position in `places`: the position of the last launch that reads the value; -1 if none does.
std::vector<std::ptrdiff_t> last_reads(const Sweep& sweep, Places& places) {
  std::vector<std::ptrdiff_t> last(places.size(), -1);
  for (std::size_t i = 0; i < sweep.launches.size(); ++i) {
    for (ValueId in : sweep.launches[i].in) last[places.position(in)] = static_cast<std::ptrdiff_t>(i);
  }
  return last;
}

/// By position in `places`: whether the value is touched all through the sweep, not just where a tile is.
std::vector<bool> touched_as_wholes(const Sweep& sweep, Places& places) {
  std::vector<bool> whole(places.size());
  const auto mark = [&](ValueId value) { whole[places.position(value)] = true; };
  for (const Launch& launch : sweep.launches) {
    if (launch.push) {
      std::for_each(launch.out.begin(), launch.out.end(), mark);
    } else if (is_matrix_op(launch.op)) {
      std::for_each(launch.in.begin(), launch.in.end(), mark);
    }
    if (launch.active != kNone<ValueId>) mark(launch.active);
  }
  return whole;
}

/// Slots in which tile buffers live, reused when their value is no longer read.
class SlotAllocator {
 public:
  std::uint16_t take() {
    if (_free.empty()) return _count++;
    const std::uint16_t slot = *_free.begin();
    _free.erase(_free.begin());
    return slot;
  }
  void give_back(std::uint16_t slot) { _free.insert(slot); }
  std::uint16_t count() const { return _count; }

 private:
  std::set<std::uint16_t> _free;
  std::uint16_t _count = 0;
};

}  // namespace

std::uint32_t tile_elements(std::uint64_t live_bytes) {
  const auto fitting = static_cast<std::uint32_t>(kTileCacheBytes / std::max<std::uint64_t>(live_bytes, 1));
  return std::clamp(std::bit_floor(std::max(fitting, 1u)), kSmallestTile, kLargestTile);
}

std::uint32_t tile_elements(const Sweep& sweep, std::uint64_t live_bytes) {
  const std::uint32_t fitting = tile_elements(live_bytes);
  if (sweep.matrix == kNone<MatrixId>) return fitting;
  return only_pulls(sweep) ? kMatrixTile : std::min(fitting, kMatrixTile);
}

void assign_tiles(const Plan& plan, Sweep& sweep, Places places) {
  const std::vector<std::ptrdiff_t> last = last_reads(sweep, places);
  const auto bytes_of = [&](ValueId value) { return plan.values[index_of(value)].type.bytes; };
  SlotAllocator slots;
  for (std::size_t i = 0; i < sweep.launches.size(); ++i) {
    const Launch& launch = sweep.launches[i];
    const auto here = static_cast<std::ptrdiff_t>(i);
    for (ValueId made : launch.out) {
      if (launch.op == Op::reduce || launch.push) break;
      Place& out = places.at(made);
      const bool read_here = out.replaces != kNone<ValueId> && places.find(out.replaces) != nullptr;
      out.late_copy = read_here && last[places.position(out.replaces)] > here;
      if (out.kind == Place::Kind::temporary || out.late_copy) {
        out.slot = slots.take();
        sweep.slot_element_bytes = std::max(sweep.slot_element_bytes, bytes_of(out.value));
      }
    }
    for (ValueId in : launch.in) {
      const Place& read = places.at(in);
      if (read.kind == Place::Kind::temporary && last[places.position(in)] == here) slots.give_back(read.slot);
    }
  }
  sweep.slots = slots.count();
  const std::vector<bool> whole = touched_as_wholes(sweep, places);
  std::uint64_t live = std::uint64_t{sweep.slots} * sweep.slot_element_bytes;
  sweep.places = places.take();
  for (std::size_t k = 0; k < sweep.places.size(); ++k) {
    const Place& place = sweep.places[k];
    const bool in_tile = place.kind == Place::Kind::temporary || place.late_copy;
    if (!in_tile && !whole[k]) live += bytes_of(place.value);
  }
  sweep.tile_elements = tile_elements(sweep, live);
}

}  // namespace kasen::optimizer
