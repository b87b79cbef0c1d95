#include "optimizer/sweeps/tiles.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <set>
#include <vector>

#include "kasen/base/cached_bytes.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

/// Of elements of so many bytes together, such as rows, fewer are worth a call.
constexpr std::uint64_t kWideElement = 1024;
/// Tables with rows of so many bytes are prepared in a moment.
constexpr std::uint64_t kNarrowTable = 128;
constexpr std::uint32_t kSmallestTile = 128, kSmallestWideTile = 16, kSmallestTileOfTables = 32;
constexpr std::uint32_t kLargestTile = 1024, kMatrixTile = 512;

/// By position in `places`: whether the value is touched all through the sweep, not just where a tile is.
std::vector<bool> touched_as_wholes(const Sweep& sweep, Places& places) {
  std::vector<bool> whole(places.size());
  const auto mark = [&](ValueId value) { whole[places.position(value)] = true; };
  for (const Launch& launch : sweep.launches) {
    if (is_matrix_op(launch.op)) {
      if (launch.push) std::for_each(launch.out.begin(), launch.out.end(), mark);
      for (std::size_t k = 0; k < launch.in.size(); ++k) {
        if (reads_through_matrix(launch, k)) mark(launch.in[k]);
      }
    } else if (launch.op == Op::reduce_by_key) {
      std::for_each(launch.out.begin(), launch.out.end(), mark);
    } else {
      std::for_each(launch.in.begin(), launch.in.begin() + launch.wholes, mark);
    }
    if (launch.active != kNone<ValueId>) mark(launch.active);
  }
  return whole;
}

/// Slots in which tile buffers live, reused when their value is no longer read.
class SlotAllocator {
 public:
  std::uint16_t take(std::uint32_t element_bytes) {
    std::uint16_t slot = static_cast<std::uint16_t>(_element_bytes.size());
    if (_free.empty()) {
      _element_bytes.push_back(element_bytes);
    } else {
      slot = *_free.begin();
      _free.erase(_free.begin());
    }
    _element_bytes[slot] = std::max(_element_bytes[slot], element_bytes);
    return slot;
  }
  void give_back(std::uint16_t slot) { _free.insert(slot); }
  std::uint16_t count() const { return static_cast<std::uint16_t>(_element_bytes.size()); }
  /// Of all of them together.
  std::uint64_t element_bytes() const {
    return std::accumulate(_element_bytes.begin(), _element_bytes.end(), std::uint64_t{0});
  }

 private:
  std::set<std::uint16_t> _free;
  std::vector<std::uint32_t> _element_bytes;  ///< by slot: the largest that lives there
};

}  // namespace

std::vector<std::ptrdiff_t> last_reads(const Sweep& sweep, Places& places) {
  std::vector<std::ptrdiff_t> last(places.size(), -1);
  for (std::size_t i = 0; i < sweep.launches.size(); ++i) {
    for (ValueId in : sweep.launches[i].in) last[places.position(in)] = static_cast<std::ptrdiff_t>(i);
  }
  return last;
}

std::uint32_t tile_elements(const TileBytes& bytes) {
  const std::uint64_t fitting = std::min(kTileCacheBytes / std::max<std::uint64_t>(bytes.live, 1),
                                         kFetchedAtOnce / std::max<std::uint64_t>(bytes.fetched, 1));
  std::uint32_t smallest = kSmallestTile;
  if (bytes.table_row == 0 && bytes.live > kWideElement) smallest = kSmallestWideTile;
  if (bytes.table_row > 0 && bytes.table_row <= kNarrowTable) smallest = kSmallestTileOfTables;
  return std::bit_floor(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fitting, smallest, kLargestTile)));
}

std::uint32_t tile_elements(const Sweep& sweep, const TileBytes& bytes) {
  const std::uint32_t fitting = tile_elements(bytes);
  if (sweep.matrix == kNone<MatrixId>) return fitting;
  return only_pulls(sweep) ? kMatrixTile : std::min(fitting, kMatrixTile);
}

std::uint64_t table_row_bytes(const Sweep& sweep, const Plan& plan) {
  std::uint64_t widest = 0;
  const auto bytes_of = [&](ValueId value) -> std::uint64_t { return plan.values[index_of(value)].type.bytes; };
  for (const Launch& launch : sweep.launches) {
    for (std::size_t k = 0; k < launch.wholes; ++k) widest = std::max(widest, bytes_of(launch.in[k]));
    if (is_cross(launch, plan.values))  // which goes along the narrower of both
      widest = std::max(widest, std::min(bytes_of(launch.in.front()), bytes_of(launch.in.back())));
  }
  return widest > 0 && sweep.launches.size() == 1 ? kWidestTable : widest;
}

std::uint64_t fetched_bytes(const Sweep& sweep, std::uint64_t read, const PlacementStats& stats) {
  const std::uint64_t elements =
      stats.spaces.at(index_of(sweep.space)).masters / std::max<std::uint64_t>(stats.workers, 1);
  const std::size_t kernels = sweep.launches.size();
  return kernels > 1 && elements * read > kCachedBytes ? (read + kernels - 1) / kernels : 0;
}

void assign_tiles(const Plan& plan, const PlacementStats& stats, Sweep& sweep, Places places) {
  const std::vector<std::ptrdiff_t> last = last_reads(sweep, places);
  const auto type_of = [&](ValueId value) -> const Type& { return plan.values[index_of(value)].type; };
  const auto bytes_of = [&](ValueId value) { return type_of(value).read_bytes(); };
  SlotAllocator slots;
  for (std::size_t i = 0; i < sweep.launches.size(); ++i) {
    const Launch& launch = sweep.launches[i];
    const auto here = static_cast<std::ptrdiff_t>(i);
    // A kernel has read an element of its operands when it writes that of its result, of one type at one place.
    std::set<ValueId> ending;
    for (ValueId in : launch.in) {
      if (places.at(in).kind == Place::Kind::temporary && last[places.position(in)] == here) ending.insert(in);
    }
    const bool in_place = launch.op == Op::element || launch.op == Op::with_wholes;
    for (auto in = ending.begin(); in_place && in != ending.end();) {
      const bool fits = type_of(*in) == type_of(launch.out[0]);
      if (fits) slots.give_back(places.at(*in).slot);
      in = fits ? ending.erase(in) : std::next(in);
    }
    for (ValueId made : launch.out) {
      if (is_any_reduction(launch.op) || launch.push) break;
      Place& out = places.at(made);
      const bool read_here = out.replaces != kNone<ValueId> && places.find(out.replaces) != nullptr;
      out.late_copy = read_here && last[places.position(out.replaces)] > here;
      if (out.kind == Place::Kind::temporary || out.late_copy) {
        out.slot = slots.take(bytes_of(out.value));
        sweep.slot_element_bytes = std::max(sweep.slot_element_bytes, bytes_of(out.value));
      }
    }
    for (ValueId in : ending) slots.give_back(places.at(in).slot);
  }
  sweep.slots = slots.count();
  sweep.slots_element_bytes = slots.element_bytes();
  const std::vector<bool> whole = touched_as_wholes(sweep, places);
  TileBytes bytes{sweep.slots_element_bytes, 0, table_row_bytes(sweep, plan)};
  std::uint64_t read = 0;
  std::size_t k = 0;
  for (const Place& place : places) {
    const bool in_tile = place.kind == Place::Kind::temporary;
    const bool in_place = place.replaces != kNone<ValueId> && places.find(place.replaces) != nullptr;
    if (!in_tile && !in_place && !whole[k]) bytes.live += bytes_of(place.value);
    if (place.kind == Place::Kind::input && !whole[k]) read += bytes_of(place.value);
    ++k;
  }
  bytes.fetched = fetched_bytes(sweep, read, stats);
  sweep.places = places.take();
  sweep.tile_elements = tile_elements(sweep, bytes);
}

}  // namespace kasen::optimizer
