#include "optimizer/sweeps/choose_walks.h"

#include <algorithm>
#include <optional>

#include "kasen/base/cached_bytes.h"
#include "optimizer/cost/accesses.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint64_t kCompressedTileBytes = std::uint64_t{64} << 10, kDenseTileBytes = std::uint64_t{256} << 10;
// Of rows that are no longer, a dense matrix from memory is walked in tiles that are soon over: what hardware has
// fetched beyond a tile while it was pulled is there when the next one is. Each kernel of a tile has so many bytes of
// it to work on, beside which calling it costs little. Many kernels compute so long that memory is no matter.
constexpr std::uint64_t kShortRowBytes = std::uint64_t{1} << 10, kTileBytesOfAKernel = std::uint64_t{2} << 10;
constexpr std::size_t kFewKernels = 4;

Walk unblocked_walk(const Sweep& sweep, const PlacementStats& stats) {
  if (sweep.matrix == kNone<MatrixId>) return Walk::elements;
  if (!stats.matrices.at(index_of(sweep.matrix)).dense) return Walk::compressed;
  return only_pulls(sweep) ? Walk::rectangles : Walk::dense;
}

/// Whether the sweep holds nothing but MxVs that pull, over a matrix whose blocks are counted.
bool may_be_blocked(const Sweep& sweep, const PlacementStats& stats) {
  if (sweep.matrix == kNone<MatrixId> || !only_pulls(sweep)) return false;
  return stats.matrices.at(index_of(sweep.matrix)).blocks(walked_side(sweep.launches.front())).counted;
}

/// Whether all its MxVs pull through a matrix that has stencils, and can go by them.
/// @param numbers whether they have to be of numbers, which are computed in vectors
bool may_walk_stencils(const Sweep& sweep, const std::vector<Value>& values, const PlacementStats& stats,
                       bool numbers) {
  if (sweep.matrix == kNone<MatrixId>) return false;
  if (!stats.matrices.at(index_of(sweep.matrix)).stencils(walked_side(sweep)).found) return false;
  return std::all_of(sweep.launches.begin(), sweep.launches.end(), [&](const Launch& launch) {
    if (!is_matrix_op(launch.op)) return true;
    const bool pulls_all = !launch.push && launch.active == kNone<ValueId>;
    const bool fits = !numbers || are_numbers(launch, values);
    return pulls_all && fits && may_go_by_stencils(launch, values);
  });
}

std::uint64_t tile_matrix_bytes(const Sweep& sweep, const PlacementStats& stats) {
  if (sweep.walk == Walk::elements || sweep.walk == Walk::blocked || sweep.walk == Walk::stencils) return 0;
  if (sweep.walk == Walk::compressed) return kCompressedTileBytes;
  const PlacementStats::Matrix& matrix = stats.matrices.at(index_of(sweep.matrix));
  const std::uint64_t row = stats.spaces.at(index_of(matrix.columns)).masters * matrix.value_bytes;
  const bool from_memory = share(matrix.nonzeros, stats.workers) * matrix.value_bytes > kCachedBytes;
  const bool soon_over = row <= kShortRowBytes && from_memory && sweep.launches.size() <= kFewKernels;
  return sweep.walk == Walk::dense && soon_over ? kTileBytesOfAKernel * sweep.launches.size() : kDenseTileBytes;
}

}  // namespace

void take_all_if_dense(Sweep& sweep, const PlacementStats& stats) {
  if (sweep.matrix == kNone<MatrixId> || !stats.matrices.at(index_of(sweep.matrix)).dense) return;
  for (Launch& launch : sweep.launches) launch.active = kNone<ValueId>;
}

std::vector<Walk> walks_of(const Sweep& sweep, const std::vector<Value>& values, const PlacementStats& stats,
                           Storage storage) {
  const bool any = storage == Storage::automatic;
  const bool blocked = (any || storage == Storage::blocked) && may_be_blocked(sweep, stats);
  const bool stencils = (any || storage == Storage::stencils) && may_walk_stencils(sweep, values, stats, any);
  std::vector<Walk> walks;
  if (any || !(blocked || stencils)) walks.push_back(unblocked_walk(sweep, stats));
  if (blocked) walks.push_back(Walk::blocked);
  if (stencils) walks.push_back(Walk::stencils);
  return walks;
}

void set_walk(Sweep& sweep, Walk walk) {
  sweep.walk = walk;
  if (walk != Walk::blocked) return;
  for (Launch& launch : sweep.launches) launch.filled_roles = launch.roles;
}

void choose_walks(Plan& plan, const PlacementStats& stats, Storage storage, const Profile& profile) {
  for_each_step(plan.steps, [&](Step& step) {
    auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep == nullptr) return;
    take_all_if_dense(*sweep, stats);
    std::vector<Walk> walks{unblocked_walk(*sweep, stats)};
    if (!connects(*sweep)) walks = walks_of(*sweep, plan.values, stats, storage);
    Walk fastest = walks.front();
    std::optional<Ticks> least;
    for (std::size_t k = 0; k < walks.size() && walks.size() > 1; ++k) {
      Step walked = step;
      set_walk(std::get<Sweep>(walked.what), walks[k]);
      walked.stream = counts_of(plan, walked, stats, Column::stream);
      const Ticks time = time_of_sweep(plan, walked, stats, profile).all();
      if (least && *least <= time) continue;
      least = time;
      fastest = walks[k];
    }
    set_walk(*sweep, fastest);
    sweep->tile_matrix_bytes = tile_matrix_bytes(*sweep, stats);
  });
}

}  // namespace kasen::optimizer
