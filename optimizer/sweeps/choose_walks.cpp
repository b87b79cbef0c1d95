#include "optimizer/sweeps/choose_walks.h"

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

std::uint64_t tile_matrix_bytes(const Sweep& sweep, const PlacementStats& stats) {
  if (sweep.walk == Walk::elements || sweep.walk == Walk::blocked) return 0;
  if (sweep.walk == Walk::compressed) return kCompressedTileBytes;
  const PlacementStats::Matrix& matrix = stats.matrices.at(index_of(sweep.matrix));
  const std::uint64_t row = stats.spaces.at(index_of(matrix.columns)).masters * matrix.value_bytes;
  const bool from_memory = share(matrix.nonzeros, stats.workers) * matrix.value_bytes > kCachedBytes;
  const bool soon_over = row <= kShortRowBytes && from_memory && sweep.launches.size() <= kFewKernels;
  return sweep.walk == Walk::dense && soon_over ? kTileBytesOfAKernel * sweep.launches.size() : kDenseTileBytes;
}

}  // namespace

bool may_be_blocked(const Sweep& sweep, const PlacementStats& stats) {
  if (sweep.matrix == kNone<MatrixId> || !only_pulls(sweep)) return false;
  return stats.matrices.at(index_of(sweep.matrix)).blocks(walked_side(sweep.launches.front())).counted;
}

void take_all_if_dense(Sweep& sweep, const PlacementStats& stats) {
  if (sweep.matrix == kNone<MatrixId> || !stats.matrices.at(index_of(sweep.matrix)).dense) return;
  for (Launch& launch : sweep.launches) launch.active = kNone<ValueId>;
}

void walk_in_blocks(Sweep& sweep) {
  sweep.walk = Walk::blocked;
  for (Launch& launch : sweep.launches) launch.filled_roles = launch.roles;
}

void choose_walks(Plan& plan, const PlacementStats& stats, Storage storage, const Profile& profile) {
  for_each_step(plan.steps, [&](Step& step) {
    auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep == nullptr) return;
    sweep->walk = unblocked_walk(*sweep, stats);
    take_all_if_dense(*sweep, stats);
    const bool is_walked = !connects(*sweep);
    if (is_walked && storage != Storage::compressed && may_be_blocked(*sweep, stats)) {
      const auto time = [&](Step& counted) {
        counted.stream = counts_of(plan, counted, stats, Column::stream);
        return time_of_sweep(plan, counted, stats, profile).all();
      };
      Step blocked = step;
      walk_in_blocks(std::get<Sweep>(blocked.what));
      if (storage == Storage::blocked || time(blocked) < time(step)) *sweep = std::get<Sweep>(std::move(blocked.what));
    }
    sweep->tile_matrix_bytes = tile_matrix_bytes(*sweep, stats);
  });
}

}  // namespace kasen::optimizer
