#include "optimizer/grow_sweeps.h"

#include <algorithm>
#include <map>
#include <set>

#include "kasen/base/error.h"
#include "optimizer/program_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::size_t kMostLaunches = 128;  // beyond, tile buffers and operand lists no longer fit anything

bool is_matrix_op(Op op) { return op == Op::mxv || op == Op::mxvt; }
bool is_element_op(Op op) { return op == Op::element || op == Op::reduce || op == Op::source; }
bool is_transition(Op op) { return op == Op::gather || op == Op::scatter || op == Op::all_reduce; }

class Grower {
 public:
  Grower(const StatedProgram& stated, const FusionOptions& options, Plan& plan)
      : _stated(stated), _options(options), _plan(plan) {}

  bool run() {
    find_stored_sources();
    _plan.blocks = 1;
    grow(_stated.program.top, 0, _plan.steps);
    return !_stuck;
  }

 private:
  const Value& value_of(ValueId value) const { return _stated.program.values[index_of(value)]; }
  const State& state(ValueId value) const { return _stated.states[index_of(value)]; }

  /// A source is stored if anything but element work reads it: an MxV, a transition, a loop or branch, the user.
  void find_stored_sources() {
    const auto must_store = [&](ValueId value) { _stored.insert(value); };
    for_each_block(_stated.program.top, [&](const Block& block) {
      for (const Statement& statement : block.statements) {
        if (statement.op == Op::source) _source[statement.out[0]] = &statement;
        if (!_options.fuse || !is_element_op(statement.op)) {
          for (ValueId value : statement.in) must_store(value);
        }
      }
      for (ValueId value : block.yields) must_store(value);
    });
    for (const Result& result : _stated.results) must_store(result.held);
  }
  bool made_where_read(ValueId value) const { return _source.contains(value) && !_stored.contains(value); }

  void grow(const Block& block, std::uint32_t block_id, std::vector<Step>& steps) {
    const Ddag ddag = make_ddag(block);
    std::vector<bool> done(block.statements.size(), false);
    for (std::size_t i = 0; i < done.size(); ++i) {
      const Statement& statement = block.statements[i];
      if (statement.op == Op::source && made_where_read(statement.out[0])) done[i] = true;
    }
    const auto ready = [&](std::size_t i) {
      return !done[i] &&
             std::all_of(ddag.before[i].begin(), ddag.before[i].end(), [&](std::size_t j) { return done[j]; });
    };
    const auto first_ready = [&](auto accepts) {
      for (std::size_t i = 0; i < done.size(); ++i) {
        if (accepts(block.statements[i].op) && ready(i)) return i;
      }
      return done.size();
    };
    const auto is_computation = [](Op op) { return is_matrix_op(op) || is_element_op(op) || op == Op::apply; };
    const auto is_control = [](Op op) { return op == Op::while_ || op == Op::if_; };
    while (!_stuck && std::find(done.begin(), done.end(), false) != done.end()) {
      Step step;
      step.block = block_id;
      if (const std::size_t i = first_ready(is_computation); i < done.size()) {
        compute(block, ddag, done, i, step);
      } else if (first_ready(is_transition) < done.size()) {
        step.what = exchange(block, done, ready);
      } else if (const std::size_t c = first_ready(is_control); c < done.size()) {
        step.what = control(block.statements[c]);
        done[c] = true;
      } else {
        _stuck = true;
        return;
      }
      steps.push_back(std::move(step));
    }
  }

  void compute(const Block& block, const Ddag& ddag, std::vector<bool>& done, std::size_t seed, Step& step) {
    const Statement& first = block.statements[seed];
    if (first.op == Op::apply) {
      step.what = Scalar{first.kernel, first.shared, first.out[0], first.label};
      done[seed] = true;
      return;
    }
    std::vector<std::size_t> members =
        is_matrix_op(first.op) ? matrix_members(block, ddag, done, seed) : element_members(block, ddag, done, seed);
    Sweep sweep;
    sweep.space = space_of(first);
    sweep.matrix = is_matrix_op(first.op) ? first.matrix : kNone<MatrixId>;
    if (is_matrix_op(first.op)) {
      add_batches(block, members, sweep);
    } else {
      std::set<ValueId> made;
      for (std::size_t i : members) {
        const Statement& statement = block.statements[i];
        for (ValueId value : statement.in) {
          if (made_where_read(value) && made.insert(value).second) sweep.launches.push_back(launch(*_source.at(value)));
        }
        sweep.launches.push_back(launch(statement));
      }
      widen_sources(sweep);
    }
    step.what = std::move(sweep);
  }

  SpaceId space_of(const Statement& statement) const {
    return value_of(statement.op == Op::reduce ? statement.in[0] : statement.out[0]).space;
  }

  std::vector<std::size_t> matrix_members(const Block& block, const Ddag& ddag, std::vector<bool>& done,
                                          std::size_t seed) {
    std::vector<std::size_t> members{seed};
    const Statement& first = block.statements[seed];
    for (std::size_t i = seed + 1; _options.fuse && _options.join_mxv && i < block.statements.size(); ++i) {
      const Statement& statement = block.statements[i];
      const bool fits = statement.op == first.op && statement.matrix == first.matrix && !done[i];
      const auto& before = ddag.before[i];
      if (fits && std::all_of(before.begin(), before.end(), [&](std::size_t j) { return done[j]; }))
        members.push_back(i);
    }
    for (std::size_t i : members) done[i] = true;
    return members;
  }

  /// In the order of execution: always the ready statement that reads what was made last, while it is in the nearest
  /// cache; ties by program order.
  std::vector<std::size_t> element_members(const Block& block, const Ddag& ddag, std::vector<bool>& done,
                                           std::size_t seed) {
    std::vector<std::size_t> members;
    std::vector<bool> in_sweep(block.statements.size(), false);
    std::map<ValueId, std::size_t> made_at;
    const SpaceId space = space_of(block.statements[seed]);
    for (std::size_t next = seed; next < block.statements.size() && members.size() < kMostLaunches;) {
      members.push_back(next);
      in_sweep[next] = done[next] = true;
      made_at[block.statements[next].out[0]] = members.size();
      if (!_options.fuse) break;
      std::size_t best = block.statements.size(), best_time = 0;
      for (std::size_t i = 0; i < block.statements.size(); ++i) {
        const Statement& statement = block.statements[i];
        if (done[i] || !is_element_op(statement.op) || space_of(statement) != space) continue;
        if (!can_join(block, ddag.before[i], done, in_sweep)) continue;
        std::size_t time = 1;
        for (ValueId value : statement.in) {
          if (const auto found = made_at.find(value); found != made_at.end()) time = std::max(time, found->second + 1);
        }
        if (time > best_time) {
          best = i;
          best_time = time;
        }
      }
      next = best;
    }
    return members;
  }

  /// What is made in the sweep can be read in it, save for reductions, whose result comes after the sweep.
  bool can_join(const Block& block, const std::vector<std::size_t>& before, const std::vector<bool>& done,
                const std::vector<bool>& in_sweep) const {
    return std::all_of(before.begin(), before.end(), [&](std::size_t j) {
      return done[j] && !(in_sweep[j] && block.statements[j].op == Op::reduce);
    });
  }

  Launch launch(const Statement& statement) const {
    Launch launch;
    launch.op = statement.op;
    launch.kernel = statement.kernel;
    launch.reducer = statement.reducer;
    launch.in = statement.in;
    launch.shared = statement.shared;
    launch.out = statement.out;
    launch.label = statement.label;
    launch.where = statement.where;
    launch.reads_global = statement.reads_global;
    const ValueId out = statement.out[0];
    switch (statement.op) {
      case Op::reduce:
      case Op::element: {
        const Choice& choice = _stated.choice[index_of(out)];
        const Rule& row = rule(choice.rule);
        launch.rule = choice.rule;
        if (row.reach == Reach::everywhere) {
          launch.roles = statement.op == Op::reduce ? state(statement.in[0]).roles : state(out).roles;
        } else if (row.out == State::Kind::pre_reduced && statement.op == Op::element) {
          launch.copied_roles = state(out).roles;  // until the buffer of its input is known to be its own
          launch.copied_input = choice.argument;
        }
        break;
      }
      case Op::mxv:
      case Op::mxvt:
        launch.rule = statement.op == Op::mxv ? 6 : 7;
        launch.roles = state(out).roles;
        break;
      default:
        launch.roles = state(out).roles;
    }
    return launch;
  }

  /// A source made where it is read covers what its readers in this sweep run on.
  void widen_sources(Sweep& sweep) const {
    for (Launch& source : sweep.launches) {
      if (source.op != Op::source || !made_where_read(source.out[0])) continue;
      source.roles.clear();
      for (const Launch& reader : sweep.launches) {
        if (std::find(reader.in.begin(), reader.in.end(), source.out[0]) != reader.in.end()) {
          insert_roles(source.roles, reader.roles);
        }
      }
    }
  }

  /// MxVs of one family run 4, 2 or 1 at a time.
  void add_batches(const Block& block, const std::vector<std::size_t>& members, Sweep& sweep) const {
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
        const std::size_t batch = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        Launch batched = launch(block.statements[members[alike[begin]]]);
        for (std::size_t k = begin; k < begin + batch; ++k) {
          added[alike[k]] = true;
          if (k == begin) continue;
          const Statement& other = block.statements[members[alike[k]]];
          batched.in.push_back(other.in[0]);
          batched.out.push_back(other.out[0]);
        }
        begin += batch;
        sweep.launches.push_back(std::move(batched));
      }
    }
  }

  template <class Ready>
  Exchange exchange(const Block& block, std::vector<bool>& done, const Ready& ready) {
    Exchange exchange;
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < done.size(); ++i) {
      const Statement& statement = block.statements[i];
      if (!is_transition(statement.op) || !ready(i)) continue;
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
    }
    for (std::size_t i : taken) done[i] = true;
    return exchange;
  }

  std::variant<Sweep, Exchange, Scalar, Loop, Branch> control(const Statement& statement) {
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
  const FusionOptions& _options;
  Plan& _plan;
  bool _stuck = false;
  std::map<ValueId, const Statement*> _source;
  std::set<ValueId> _stored;
};

}  // namespace

bool grow_sweeps(const StatedProgram& stated, const FusionOptions& options, Plan& plan) {
  return Grower(stated, options, plan).run();
}

}  // namespace kasen::optimizer
