#include "optimizer/states/one_pass.h"

#include "kasen/base/program_tools.h"
#include "optimizer/cost/sweep_timer.h"

namespace kasen::optimizer {
namespace {

/// A matrix that is dense or in batches.
bool cuts_by_rows(Partition partition) {
  return partition == Partition::automatic || partition == Partition::block || partition == Partition::range ||
         partition == Partition::row || partition == Partition::file;
}

}  // namespace

std::vector<bool> rows_both_ways(const Program& program, const PlacementStats& stats) {
  std::vector<bool> pulled(stats.matrices.size()), both(stats.matrices.size());
  for (const Op op : {Op::mxvt, Op::mxv}) {
    for_each_block(program.top, [&](const Block& block) {
      for (const Statement& statement : block.statements) {
        if (statement.op != op) continue;
        const std::size_t matrix = index_of(statement.matrix);
        if (op == Op::mxvt) {
          pulled[matrix] = true;
        } else {
          both[matrix] = pulled[matrix] && (stats.matrices[matrix].dense || stats.matrices[matrix].in_batches());
        }
      }
    });
  }
  return both;
}

std::vector<bool> matrices_in_one_pass(const Program& program, const PlacementStats& stats, const Options& options,
                                       const Profile& profile) {
  std::vector<bool> found = rows_both_ways(program, stats);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!found[k]) continue;
    const MatrixId matrix{static_cast<std::uint32_t>(k)};
    const bool whole = stats.of(stats.matrices[k].rows, {Role{matrix, Role::Side::row}}).replicas == 0 &&
                       (stats.workers > 1 || cuts_by_rows(options.partition));
    found[k] = whole && (stats.matrices[k].in_batches() || keeps_row(matrix, stats, profile));
  }
  return found;
}

}  // namespace kasen::optimizer
