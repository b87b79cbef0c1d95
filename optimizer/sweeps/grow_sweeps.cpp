#include "optimizer/sweeps/grow_sweeps.h"

#include <algorithm>
#include <map>

#include "kasen/base/program_tools.h"
#include "optimizer/sweeps/sweep_maker.h"
#include "optimizer/sweeps/waiting_work.h"

namespace kasen::optimizer {
namespace {

bool is_computation(Op op) { return is_matrix_op(op) || is_element_op(op) || op == Op::apply; }

class Grower {
 public:
  Grower(const StatedProgram& stated, const FusionOptions& options, const Grouping* grouping, Plan& plan)
      : _stated(stated),
        _grouping(grouping),
        _fuses_freely(options.fuse && grouping == nullptr),
        _maker(stated, options, grouping),
        _plan(plan) {}

  bool run() {
    _plan.blocks = 1;
    grow(_stated.program.top, 0, _plan.steps);
    return !_stuck;
  }

 private:
  const State& state(ValueId value) const { return _stated.states[index_of(value)]; }

  void grow(const Block& block, std::uint32_t block_id, std::vector<Step>& steps) {
    const Ddag ddag = _maker.ddag_of(block);
    Pending pending(ddag, _maker.left_to_readers(block));
    const std::vector<std::vector<std::size_t>> members = members_by_statement(block);
    // A sweep that is given as a whole waits for whatever its statements wait for outside of it.
    const auto whole_ready = [&](std::size_t i) {
      return members[i].empty() || std::all_of(members[i].begin(), members[i].end(), [&](std::size_t member) {
               return std::all_of(ddag.before[member].begin(), ddag.before[member].end(),
                                  [&](std::size_t j) { return pending.done(j) || members[j] == members[i]; });
             });
    };
    const BitSet nothing(block.statements.size());
    const auto first_ready = [&](auto accepts, const BitSet& waiting) {
      return pending.ready().find_first(
          [&](std::size_t i) { return accepts(block.statements[i].op) && !waiting.contains(i) && whole_ready(i); });
    };
    const auto is_control = [](Op op) { return op == Op::while_ || op == Op::if_; };
    while (!_stuck && !pending.empty()) {
      Step step;
      step.block = block_id;
      const BitSet waiting = waiting_of(block, pending);
      if (const std::size_t i = first_ready(is_computation, waiting); i != BitSet::kNowhere) {
        compute(block, pending, i, waiting, step);
      } else if (first_ready(is_transition, nothing) != BitSet::kNowhere) {
        step.what = exchange(block, pending);
      } else if (const std::size_t late = first_ready(is_computation, nothing); late != BitSet::kNowhere) {
        compute(block, pending, late, nothing, step);
      } else if (const std::size_t c = first_ready(is_control, nothing); c != BitSet::kNowhere) {
        step.what = control(block.statements[c]);
        pending.finish(c);
      } else {
        _stuck = true;
        return;
      }
      steps.push_back(std::move(step));
    }
  }

  /// What had better wait, of what is ready and becomes so in its sweep; nothing where a grouping decides.
  BitSet waiting_of(const Block& block, const Pending& pending) const {
    return _fuses_freely ? waiting_work(_stated, block, pending, _maker) : BitSet(block.statements.size());
  }

  /// By statement: the statements of its sweep, where the grouping says so.
  std::vector<std::vector<std::size_t>> members_by_statement(const Block& block) const {
    std::vector<std::vector<std::size_t>> members(block.statements.size());
    if (_grouping == nullptr) return members;
    std::map<std::uint32_t, std::vector<std::size_t>> by_sweep;
    const auto sweep_of = [&](std::size_t i) {
      const Statement& statement = block.statements[i];
      const bool computes = is_matrix_op(statement.op) || is_element_op(statement.op);
      return computes ? _grouping->sweep_of(statement.out[0]) : Grouping::kNoSweep;
    };
    for (std::size_t i = 0; i < members.size(); ++i) by_sweep[sweep_of(i)].push_back(i);
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (sweep_of(i) != Grouping::kNoSweep) members[i] = by_sweep[sweep_of(i)];
    }
    return members;
  }

  void compute(const Block& block, Pending& pending, std::size_t seed, const BitSet& waiting, Step& step) {
    const Statement& first = block.statements[seed];
    if (first.op == Op::apply) {
      step.what = ScalarWork{first.kernel, first.shared, first.out[0], first.label, first.where};
      pending.finish(seed);
      return;
    }
    step.what = _maker.grow(block, pending, seed, waiting);
  }

  Exchange exchange(const Block& block, Pending& pending) {
    Exchange exchange;
    std::vector<std::size_t> taken;
    pending.ready().for_each([&](std::size_t i) {
      const Statement& statement = block.statements[i];
      if (!is_transition(statement.op)) return;
      taken.push_back(i);
      const ValueId from = statement.in[0], to = statement.out[0];
      switch (statement.op) {
        case Op::gather:
          exchange.gathers.push_back({from, to, state(from).roles, statement.reducer});
          break;
        case Op::scatter:
          exchange.scatters.push_back({from, to, state(to).roles, kNone<ReducerId>});
          break;
        default:
          exchange.reductions.push_back({from, to, {}, statement.reducer});
      }
    });
    for (std::size_t i : taken) pending.finish(i);
    return exchange;
  }

  std::variant<Sweep, Exchange, ScalarWork, Loop, Branch> control(const Statement& statement) {
    if (statement.op == Op::while_) {
      const Block& body = statement.regions[0];
      Loop loop;
      loop.arguments = body.arguments;
      loop.initial = statement.in;
      loop.yields = body.yields;
      loop.results = statement.out;
      loop.test = body.test;
      loop.where = statement.where;
      loop.body_block = _plan.blocks++;
      grow(body, loop.body_block, loop.body);
      return loop;
    }
    Branch branch;
    branch.test = statement.shared[0];
    branch.where = statement.where;
    branch.then_yields = statement.regions[0].yields;
    branch.otherwise_yields = statement.regions[1].yields;
    branch.results = statement.out;
    branch.then_block = _plan.blocks++;
    grow(statement.regions[0], branch.then_block, branch.then);
    branch.otherwise_block = _plan.blocks++;
    grow(statement.regions[1], branch.otherwise_block, branch.otherwise);
    return branch;
  }

  const StatedProgram& _stated;
  const Grouping* _grouping;
  const bool _fuses_freely;  ///< no grouping says what shares a sweep
  const SweepMaker _maker;
  Plan& _plan;
  bool _stuck = false;
};

}  // namespace

bool grow_sweeps(const StatedProgram& stated, const FusionOptions& options, Plan& plan, const Grouping* grouping) {
  return Grower(stated, options, grouping, plan).run();
}

}  // namespace kasen::optimizer
