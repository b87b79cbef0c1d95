/// @file
/// Sweeps with MxVs among other work: one pass over a matrix for both of its directions.
#include <algorithm>

#include "optimizer/plan/step_tools.h"
#include "optimizer/sweeps/sweep_maker.h"

namespace kasen::optimizer {

/// The direction that pulls follows from who reads whom, else from the space of the element work, or the first MxV.
std::optional<SweepMaker::Mix> SweepMaker::mix_of(const Block& block, const Pending& pending, std::size_t seed) const {
  if (!_options.fuse || _grouping == nullptr) return std::nullopt;
  const Statement& first = block.statements[seed];
  if (_grouping->sweep_of(first.out[0]) == Grouping::kNoSweep) return std::nullopt;
  std::vector<const Statement*> matrix, elements;
  std::set<ValueId> made, read;
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    const Statement& statement = block.statements[i];
    const bool computes = is_matrix_op(statement.op) || is_element_op(statement.op);
    if (pending.done(i) || !computes || !admits(block, seed, i)) continue;
    (is_matrix_op(statement.op) ? matrix : elements).push_back(&statement);
    made.insert(statement.out[0]);
    read.insert(statement.in.begin(), statement.in.end());
  }
  if (matrix.empty()) return std::nullopt;
  Mix mix;
  mix.product = is_matrix_op(first.op) ? &first : matrix.front();
  std::erase_if(matrix, [&](const Statement* statement) { return !mix.has(*statement); });
  const auto opposite = [](Op op) { return op == Op::mxv ? Op::mxvt : Op::mxv; };
  const Statement& any = *matrix.front();
  const SpaceId walked = elements.empty() ? space_of(any) : space_of(*elements.front());
  mix.pull = space_of(any) == walked ? any.op : opposite(any.op);
  for (const Statement* statement : matrix) {
    if (!made.contains(statement->in[0]) && !read.contains(statement->out[0])) continue;
    mix.pull = made.contains(statement->in[0]) ? opposite(statement->op) : statement->op;
    break;
  }
  if (any.of_batch) mix.pull = Op::mxvt;
  mix.space = mix.pulls(any) ? space_of(any) : space_read(any);
  const bool only_pulls =
      elements.empty() && std::all_of(matrix.begin(), matrix.end(), [&](const Statement* m) { return mix.pulls(*m); });
  const bool fits = is_matrix_op(first.op) || space_of(first) == mix.space;
  return only_pulls || !fits ? std::nullopt : std::optional<Mix>(mix);
}

/// Leaves the sweep empty if it would hold nothing but pushes: those had better pull, or, of a batch, are in a sweep of
/// their own.
void SweepMaker::grow_mixed(const Block& block, Pending& pending, const Mix& mix, std::size_t seed,
                            const BitSet& waiting, Sweep& sweep) const {
  const auto joins = [&](std::size_t i, const std::vector<std::size_t>& others) {
    return admits(block, seed, i) && !is_of_active(block.statements[i]) &&
           (_options.join_mxv || others.empty() || i == seed);
  };
  std::vector<std::size_t> pulls;
  pending.ready().for_each([&](std::size_t i) {
    if (mix.pulls(block.statements[i]) && joins(i, pulls)) pulls.push_back(i);
  });
  for (std::size_t i : pulls) pending.finish(i);
  const std::vector<std::size_t> elements = element_members(block, pending, seed, mix.space, pulls, waiting);
  if (pulls.empty() && elements.empty()) return;
  std::vector<std::size_t> pushes;
  pending.ready().for_each([&](std::size_t i) {
    const auto& before = pending.before(i);
    const bool waits = std::any_of(before.begin(), before.end(), [&](std::size_t j) {
      return waits_for_all(block.statements[i], block.statements[j]) &&
             std::find(elements.begin(), elements.end(), j) != elements.end();
    });
    if (mix.pushes(block.statements[i]) && joins(i, pushes) && !waits) pushes.push_back(i);
  });
  sweep.space = mix.space;
  if (!pulls.empty() || !pushes.empty()) sweep.matrix = mix.product->matrix;
  add_groups(block, pulls, sweep);
  std::set<ValueId> made;
  for (std::size_t i : elements) add_with_inputs(block.statements[i], made, sweep);
  fit_ranges(sweep);
  for (std::size_t i : pushes) {
    pending.finish(i);
    sweep.launches.push_back(launch(block.statements[i]));
    push_instead(sweep.launches.back(), mix.product->matrix);
  }
}

/// A sweep of all ready products that make elements of rows, element work on rows, and all products that then are ready
/// and read elements of rows: nothing if there are none of the latter. Of columns no element is made before all rows
/// have been walked. What waits for its readers has them here, if these push something only with it.
std::optional<Sweep> SweepMaker::grow_in_one_pass(const Block& block, Pending& pending, std::size_t seed,
                                                  const BitSet& waiting) const {
  const Statement& first = block.statements[seed];
  if (_grouping != nullptr || !_options.fuse || !is_matrix_op(first.op) || !_options.in_one_pass(first.matrix))
    return std::nullopt;
  Mix mix;
  mix.product = &first;
  mix.pull = Op::mxvt;
  mix.space = first.op == Op::mxvt ? space_of(first) : space_read(first);
  const std::size_t pull = pending.ready().find_first(
      [&](std::size_t i) { return mix.pulls(block.statements[i]) && !is_of_active(block.statements[i]); });
  if (pull == BitSet::kNowhere) return std::nullopt;
  const BitSet nothing(block.statements.size());
  for (const BitSet* left_out : {&waiting, &nothing}) {
    Sweep sweep;
    Pending then = pending;
    grow_mixed(block, then, mix, pull, *left_out, sweep);
    if (!optimizer::pushes(sweep)) continue;
    pending = std::move(then);
    return sweep;
  }
  return std::nullopt;
}

/// Products of a batch of a matrix which never pull, where they are in no sweep with others.
void SweepMaker::grow_pushes(const Block& block, Pending& pending, std::size_t seed, Sweep& sweep) const {
  sweep.space = space_read(block.statements[seed]);
  sweep.matrix = block.statements[seed].matrix;
  for (const std::size_t i : matrix_members(block, pending, seed)) {
    sweep.launches.push_back(launch(block.statements[i]));
    push_instead(sweep.launches.back(), sweep.matrix);
  }
}

}  // namespace kasen::optimizer
