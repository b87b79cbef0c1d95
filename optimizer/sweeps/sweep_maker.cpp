#include "optimizer/sweeps/sweep_maker.h"

#include <algorithm>
#include <optional>

namespace kasen::optimizer {

SweepMaker::SweepMaker(const StatedProgram& stated, const FusionOptions& options, const Grouping* grouping)
    : _stated(stated), _options(options), _grouping(grouping), _definition(stated.program.values.size()) {
  find_made_where_read();
}

/// A source is stored if anything but element work reads it: an MxV, keys that lead into it, a transition, a loop or
/// branch, the user.
void SweepMaker::find_made_where_read() {
  std::vector<ValueId> stored;
  const auto store = [&](const std::vector<ValueId>& values) {
    stored.insert(stored.end(), values.begin(), values.end());
  };
  for_each_block(_stated.program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      const bool recomputed =
          _grouping != nullptr && !statement.out.empty() && _grouping->recomputed.contains(statement.out[0]);
      if (statement.op == Op::source || recomputed) _definition[index_of(statement.out[0])] = &statement;
      for (std::size_t k = 0; k < statement.in.size(); ++k) {
        if (!_options.fuse || !is_element_op(statement.op) || reads_whole(statement, k))
          stored.push_back(statement.in[k]);
      }
    }
    store(block.yields);
  });
  for (const Result& result : _stated.results) stored.push_back(result.held);
  for (ValueId value : stored) _definition[index_of(value)] = nullptr;
}

Ddag SweepMaker::ddag_of(const Block& block) const {
  Ddag ddag = make_ddag(block);
  const BitSet left = left_to_readers(block);
  for (auto& before : ddag.before) {
    if (std::none_of(before.begin(), before.end(), [&](std::size_t j) { return left.contains(j); })) continue;
    std::vector<std::size_t> through;
    for (std::size_t j : before) {
      if (left.contains(j)) {
        through.insert(through.end(), ddag.before[j].begin(), ddag.before[j].end());
      } else {
        through.push_back(j);
      }
    }
    std::sort(through.begin(), through.end());
    through.erase(std::unique(through.begin(), through.end()), through.end());
    before = std::move(through);
  }
  // Loops and branches stay in their order, and so do effects, which may be in them.
  std::optional<std::size_t> last_block, last_effect;
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    const Statement& statement = block.statements[i];
    std::vector<std::size_t>& before = ddag.before[i];
    const auto follow = [&](std::optional<std::size_t>& last) {
      const auto at = last ? std::lower_bound(before.begin(), before.end(), *last) : before.end();
      if (last && (at == before.end() || *at != *last)) before.insert(at, *last);
      last = i;
    };
    if (statement.op == Op::while_ || statement.op == Op::if_) follow(last_block);
    if (has_effect(statement)) follow(last_effect);
  }
  return ddag;
}

BitSet SweepMaker::left_to_readers(const Block& block) const {
  BitSet left(block.statements.size());
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    const Statement& statement = block.statements[i];
    if (!statement.out.empty() && made_where_read(statement.out[0])) left.insert(i);
  }
  return left;
}

bool SweepMaker::alike(const Statement& a, const Statement& b) const {
  if (is_matrix_op(a.op)) {
    const bool whole = !is_of_active(a) && !is_of_active(b);  // one of active elements goes its own way
    return whole && _options.join_mxv && a.op == b.op && are_of_one_matrix(a, b);
  }
  return is_element_op(a.op) && is_element_op(b.op) && space_of(a) == space_of(b);
}

SpaceId SweepMaker::space_of(const Statement& statement) const {
  const ValueId walked = is_any_reduction(statement.op) ? statement.in[0] : statement.out[0];
  return _stated.program.values[index_of(walked)].space;
}

bool SweepMaker::waits_for_all(const Statement& reader, const Statement& maker) {
  if (is_any_reduction(maker.op)) return true;
  for (std::size_t k = 0; k < reader.in.size(); ++k) {
    if (reads_whole(reader, k) && reader.in[k] == maker.out[0]) return true;
  }
  return false;
}

SpaceId SweepMaker::space_read(const Statement& statement) const {
  return _stated.program.values[index_of(statement.in[0])].space;
}

Sweep SweepMaker::grow(const Block& block, Pending& pending, std::size_t seed, const BitSet& waiting) const {
  const Statement& first = block.statements[seed];
  Sweep sweep;
  if (const auto mix = mix_of(block, pending, seed)) {
    grow_mixed(block, pending, *mix, seed, BitSet(block.statements.size()), sweep);  // the grouping decides what waits
    if (!sweep.launches.empty()) return sweep;
  }
  if (auto one_pass = grow_in_one_pass(block, pending, seed, waiting)) return std::move(*one_pass);
  sweep.space = space_of(first);
  if (only_pushes(first)) {
    grow_pushes(block, pending, seed, sweep);
    return sweep;
  }
  if (is_matrix_op(first.op)) {
    sweep.matrix = first.matrix;
    add_groups(block, matrix_members(block, pending, seed), sweep);
    return sweep;
  }
  std::set<ValueId> made;
  for (std::size_t i : element_members(block, pending, seed, sweep.space, {}, waiting)) {
    add_with_inputs(block.statements[i], made, sweep);
  }
  fit_ranges(sweep);
  return sweep;
}

/// Whether the grouping lets the statement share a sweep with the one at `seed`.
bool SweepMaker::admits(const Block& block, std::size_t seed, std::size_t i) const {
  return _grouping == nullptr ||
         _grouping->sweep_of(block.statements[i].out[0]) == _grouping->sweep_of(block.statements[seed].out[0]);
}

std::vector<std::size_t> SweepMaker::matrix_members(const Block& block, Pending& pending, std::size_t seed) const {
  std::vector<std::size_t> members{seed};
  if (_options.fuse && _options.join_mxv) {
    pending.ready().for_each([&](std::size_t i) {
      if (i > seed && alike(block.statements[seed], block.statements[i]) && admits(block, seed, i))
        members.push_back(i);
    });
  }
  for (std::size_t i : members) pending.finish(i);
  return members;
}

/// The members in the order of execution: always the ready statement that reads what was made last, while it is in the
/// nearest cache; ties by program order. `pulls` are in the sweep already.
std::vector<std::size_t> SweepMaker::element_members(const Block& block, Pending& pending, std::size_t seed,
                                                     SpaceId space, const std::vector<std::size_t>& pulls,
                                                     const BitSet& waiting) const {
  const std::size_t n = block.statements.size();
  std::vector<std::size_t> members;
  BitSet afterwards(n);                       // what waits for something of the sweep to be complete
  std::vector<std::uint32_t> latest_read(n);  // by statement: when the last of what it reads was made, in launches
  const auto made = [&](std::size_t i, std::size_t when) {
    const ValueId out = block.statements[i].out[0];
    pending.for_each_after(i, [&](std::size_t reader) {
      const std::vector<ValueId>& in = block.statements[reader].in;
      if (waits_for_all(block.statements[reader], block.statements[i])) afterwards.insert(reader);
      if (std::find(in.begin(), in.end(), out) != in.end()) latest_read[reader] = static_cast<std::uint32_t>(when);
    });
  };
  for (std::size_t i : pulls) made(i, 1);
  const auto best = [&] {
    std::size_t found = n;
    pending.ready().for_each([&](std::size_t i) {
      const Statement& statement = block.statements[i];
      if (!is_element_op(statement.op) || space_of(statement) != space || !admits(block, seed, i)) return;
      // What is made in the sweep can be read in it element by element, save for reductions.
      if (afterwards.contains(i) || waiting.contains(i)) return;
      if (found == n || latest_read[i] > latest_read[found]) found = i;
    });
    return found;
  };
  const bool starts = is_element_op(block.statements[seed].op);
  for (std::size_t next = starts ? seed : best(); next < n && members.size() < kMostStatements; next = best()) {
    members.push_back(next);
    pending.finish(next);
    made(next, pulls.size() + members.size());
    if (!_options.fuse) break;
  }
  return members;
}

void SweepMaker::add_with_inputs(const Statement& statement, std::set<ValueId>& made, Sweep& sweep) const {
  for (ValueId value : statement.in) {
    if (made_where_read(value) && made.insert(value).second)
      add_with_inputs(*_definition[index_of(value)], made, sweep);
  }
  sweep.launches.push_back(launch(statement));
}

Launch SweepMaker::launch(const Statement& statement) const {
  Launch launch;
  static_cast<Operation&>(launch) = statement;
  const ValueId out = statement.out[0];
  switch (statement.op) {
    case Op::reduce:
    case Op::fold:
    case Op::reduce_by_key:
    case Op::element: {
      const RuleChoice& choice = _stated.choice[index_of(out)];
      const Rule& row = rule(choice.rule);
      launch.rule = choice.rule;
      if (row.reach == Reach::everywhere) {
        launch.roles = is_any_reduction(statement.op) ? state(statement.in.back()).roles : state(out).roles;
      } else if (row.out == State::Kind::pre_reduced && statement.op == Op::element) {
        launch.copied_roles = state(out).roles;  // until the buffer of its input is known to be its own
        launch.copied_input = choice.argument;
      }
      if (statement.op == Op::reduce_by_key) launch.filled_roles = state(out).roles;
      break;
    }
    case Op::take:
    case Op::with_wholes:
      launch.rule = statement.op == Op::take ? kTakeRule : kWholesRule;
      break;
    case Op::mxv:
    case Op::mxvt:
      launch.rule = statement.op == Op::mxv ? kMxvRule : kMxvtRule;
      if (is_of_active(statement)) {
        launch.active = launch.in.back();
        launch.in.pop_back();
      }
      launch.roles = state(out).roles;
      break;
    default:
      launch.roles = state(out).roles;
  }
  return launch;
}

/// What is made where it is read covers what its readers in this sweep run on.
void SweepMaker::fit_ranges(Sweep& sweep) const {
  for (auto made = sweep.launches.rbegin(); made != sweep.launches.rend(); ++made) {
    if (is_reduction(made->op) || !made_where_read(made->out[0])) continue;
    made->roles.clear();
    for (const Launch& reader : sweep.launches) {
      if (std::find(reader.in.begin(), reader.in.end(), made->out[0]) != reader.in.end()) {
        insert_roles(made->roles, reader.roles);
      }
    }
  }
}

/// MxVs of one family run kMostInGroup, 2 or 1 at a time.
void SweepMaker::add_groups(const Block& block, const std::vector<std::size_t>& members, Sweep& sweep) const {
  std::vector<bool> added(members.size(), false);
  for (std::size_t first = 0; first < members.size(); ++first) {
    if (added[first]) continue;
    const Statement& statement = block.statements[members[first]];
    std::vector<std::size_t> alike{first};
    for (std::size_t k = first + 1; k < members.size() && statement.family != 0; ++k) {
      if (!added[k] && block.statements[members[k]].family == statement.family) alike.push_back(k);
    }
    for (std::size_t begin = 0; begin < alike.size();) {
      const std::size_t left = alike.size() - begin;
      const std::size_t group = left >= kMostInGroup ? kMostInGroup : left >= 2 ? 2 : 1;
      Launch grouped = launch(block.statements[members[alike[begin]]]);
      for (std::size_t k = begin; k < begin + group; ++k) {
        added[alike[k]] = true;
        if (k == begin) continue;
        const Statement& other = block.statements[members[alike[k]]];
        grouped.in.push_back(other.in[0]);
        grouped.out.push_back(other.out[0]);
      }
      begin += group;
      sweep.launches.push_back(std::move(grouped));
    }
  }
}

}  // namespace kasen::optimizer
