#include "optimizer/states/least_costs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/states/one_pass.h"

namespace kasen::optimizer {
namespace {

using Kind = State::Kind;

/// Kernels whose result is complete only after the sweep, or that no sweep runs: who waits for them is in a later one.
bool ends_sweeps(const Statement& statement) {
  return statement.op != Op::element && statement.op != Op::source && !reads_wholes(statement.op);
}

/// By statement: those that it waits for through one that ends sweeps, and the latter.
std::vector<BitSet> in_earlier_sweeps(const Block& block, const Ddag& ddag) {
  const std::size_t n = block.statements.size();
  std::vector<BitSet> before(n, BitSet(n)), earlier(n, BitSet(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::size_t j : ddag.before[i]) {
      before[i] |= before[j];
      before[i].insert(j);
      earlier[i] |= earlier[j];
      if (!ends_sweeps(block.statements[j])) continue;
      earlier[i] |= before[j];
      earlier[i].insert(j);
    }
  }
  return earlier;
}

/// The most of them of which each has the one before in an earlier sweep.
std::vector<std::size_t> in_turn(const std::vector<std::size_t>& statements, const std::vector<BitSet>& earlier) {
  constexpr std::size_t kFirst = ~std::size_t{0};
  std::vector<std::size_t> length, previous;
  std::size_t last = kFirst;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    length.push_back(1);
    previous.push_back(kFirst);
    for (std::size_t j = 0; j < k; ++j) {
      if (length[j] < length[k] || !earlier[statements[k]].contains(statements[j])) continue;
      length[k] = length[j] + 1;
      previous[k] = j;
    }
    if (last == kFirst || length[k] > length[last]) last = k;
  }
  std::vector<std::size_t> chain;
  for (; last != kFirst; last = previous[last]) chain.push_back(statements[last]);
  return chain;
}

void take_longer(std::uint64_t& length, std::uint64_t other) { length = std::max(length, other); }

}  // namespace

LeastCosts::LeastCosts(const Program& program, const ValueFacts& facts, const PlacementStats& stats)
    : _program(program), _facts(facts), _stats(stats), _moved(stats.spaces.size()) {
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) _any_loops |= statement.op == Op::while_;
  });
  for (const int loops : facts.loops) _weight.push_back(weight_in(loops));
  const std::uint64_t pairs = std::uint64_t{stats.workers} * (stats.workers - 1);
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      if (!is_reduction(statement.op)) continue;
      _bytes_reduced += _weight[index_of(statement.out[0])] * pairs * value_of(statement.out[0]).type.bytes;
    }
  });
}

std::uint64_t LeastCosts::weight_in(int loops) const {
  if (_any_loops && loops == 0) return 0;
  return weight_at(loops);
}

const LeastCosts::Moved& LeastCosts::moved(SpaceId space, RoleSetId roles, const FoundStates& found) {
  std::vector<std::optional<Moved>>& by_roles = _moved[index_of(space)];
  if (by_roles.size() <= index_of(roles)) by_roles.resize(index_of(roles) + 1);
  std::optional<Moved>& known = by_roles[index_of(roles)];
  if (!known) {
    const PlacementStats::Roles& moved = _stats.of(space, found.roles(roles));
    known = Moved{moved.replicas, moved.pairs.count()};
  }
  return *known;
}

std::uint64_t LeastCosts::bytes_sent(const FoundStates& found) {
  std::uint64_t sum = _bytes_reduced;
  for (std::size_t v = 0; v < found.states.size(); ++v) {
    if (_weight[v] == 0) continue;
    const Value& value = _program.values[v];
    const std::uint64_t each = _weight[v] * value.type.bytes;
    if (found.gathered[v] != 0) sum += each * moved(value.space, found.states[v].roles, found).replicas;
    if (found.scattered[v] != kNoRoles) sum += each * moved(value.space, found.scattered[v], found).replicas;
  }
  return sum;
}

bool LeastCosts::exceed(const PlanCost& known, const FoundStates& found) {
  const PlanCost::Part& part = deciding(known);
  const auto beyond = [](std::uint64_t least, std::uint64_t most) { return least <=> most; };
  auto order = beyond(bytes_sent(found), part.bytes_sent);
  if (order == 0) order = beyond(messages(found), part.messages);
  if (order == 0) order = beyond(bytes_streamed(found), part.stream_bytes);
  return order > 0;
}

// ---- what all states have in common ----

void LeastCosts::prepare() {
  if (std::exchange(_prepared, true)) return;
  _forms.resize(_program.values.size());
  std::vector<ValueId> given;
  for (const LiveIn& live : _program.live_in) given.push_back(live.value);
  visit(_program.top, 0, std::move(given));
  std::vector<Op> makers(_program.values.size(), Op::while_);  // by ValueId: source, element, or anything else
  std::vector<char> stored(_program.values.size());            // by ValueId
  for (const LiveOut& live : _program.live_out) stored[index_of(live.value)] = 1;
  for_each_block(_program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      for (const ValueId value : statement.out) makers[index_of(value)] = statement.op;
      if (is_element_op(statement.op)) continue;
      for (const ValueId value : statement.in) stored[index_of(value)] = 1;
    }
    for (const ValueId value : block.yields) stored[index_of(value)] = 1;
  });
  _both_ways = rows_both_ways(_program, _stats);
  _in_one_pass.resize(_stats.spaces.size());
  for (std::size_t k = 0; k < _both_ways.size(); ++k) {
    if (_both_ways[k]) _in_one_pass[index_of(_stats.matrices[k].rows)] = true;
  }
  Plan context;  // no steps: values and states, for the formulas
  context.values = _program.values;
  context.states.resize(context.values.size());
  for (const BlockAt& at : _blocks) {
    const Ddag ddag = make_ddag(*at.block);
    add_products(at, ddag, context);
    add_element_work(at, ddag, makers, stored);
  }
  for (Result& result : _results) result.stored = stored[index_of(result.statement->out[0])] != 0;
}

void LeastCosts::visit(const Block& block, int loops, std::vector<ValueId> given) {
  if (weight_in(loops) > 0) _blocks.push_back({&block, weight_in(loops), std::move(given)});
  for (const Statement& statement : block.statements) {
    for (const Block& region : statement.regions)
      visit(region, loops + (statement.op == Op::while_ ? 1 : 0), region.arguments);
  }
}

/// Products of one matrix in one direction of which one waits for another are walks of their own; of others one is
/// counted, as they may share a walk. Those in both directions of one that is stored by rows alone may be one pass.
void LeastCosts::add_products(const BlockAt& at, const Ddag& ddag, const Plan& context) {
  const std::vector<Statement>& statements = at.block->statements;
  std::map<std::tuple<MatrixId, Op>, std::vector<std::uint64_t>> longest;  // by statement
  for (const Statement& statement : statements) {
    if (is_matrix_op(statement.op)) longest[{statement.matrix, statement.op}].resize(statements.size());
  }
  for (auto& [alike, chains] : longest) {
    if (_both_ways[index_of(std::get<MatrixId>(alike))]) continue;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      for (const std::size_t j : ddag.before[i]) take_longer(chains[i], chains[j]);
      if (is_matrix_op(statements[i].op) && std::tuple{statements[i].matrix, statements[i].op} == alike)
        chains[i] += bytes_of_product(statements[i], context);
    }
    _bytes_of_products += at.weight * *std::max_element(chains.begin(), chains.end());
  }
}

/// In a sweep of its own, however that walks the matrix.
std::uint64_t LeastCosts::bytes_of_product(const Statement& product, const Plan& context) const {
  const PlacementStats::Matrix& matrix = _stats.matrices.at(index_of(product.matrix));
  const ValueId out = product.out[0];
  Sweep sweep;
  sweep.space = value_of(out).space;
  sweep.matrix = product.matrix;
  Launch& launch = sweep.launches.emplace_back();
  static_cast<Operation&>(launch) = product;
  if (is_of_active(product)) {
    launch.in.resize(1);
    if (!matrix.dense) launch.active = product.in[1];
  }
  launch.roles = _facts.partials[index_of(out)];
  if (only_pushes(product)) {
    sweep.space = value_of(product.in[0]).space;
    push_instead(launch, product.matrix);
  }
  sweep.places = {{.value = out, .kind = Place::Kind::output}};
  sweep.walk = Walk::compressed;
  connect_if_it_may(sweep);
  Step step;
  step.what = std::move(sweep);
  const auto bytes = [&] {
    const Counts counts = counts_of(context, step, _stats, Column::stream);
    return counts.bytes_read + counts.bytes_written;
  };
  std::uint64_t least = bytes();
  if (matrix.blocks(output_side(product.op)).counted) {
    std::get<Sweep>(step.what).walk = Walk::blocked;
    least = std::min(least, bytes());
  }
  if (matrix.stencils(output_side(product.op)).found && !only_pushes(product)) {
    std::get<Sweep>(step.what).walk = Walk::stencils;
    least = std::min(least, bytes());
  }
  return least;
}

void LeastCosts::add_element_work(const BlockAt& at, const Ddag& ddag, const std::vector<Op>& makers,
                                  std::vector<char>& stored) {
  const std::vector<Statement>& statements = at.block->statements;
  const std::vector<BitSet> earlier = in_earlier_sweeps(*at.block, ddag);
  std::map<ValueId, std::vector<std::size_t>> readers;
  std::map<ValueId, std::size_t> made_here;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Statement& statement = statements[i];
    if (statement.op == Op::element) {
      made_here[statement.out[0]] = i;
      if (!in_one_pass(statement.out[0])) _results.push_back({&statement, at.weight, false});
    }
    if (statement.op != Op::element && !is_reduction(statement.op)) continue;
    for (const ValueId value : statement.in) {
      std::vector<std::size_t>& by = readers[value];
      if (by.empty() || by.back() != i) by.push_back(i);
    }
  }
  for (auto& [value, by] : readers) {
    const auto maker = made_here.find(value);
    if (maker != made_here.end()) {
      std::erase_if(by, [&, made = maker->second](std::size_t i) { return !earlier[i].contains(made); });
    }
    // What a source makes may be made again wherever it is read.
    if (by.empty() || makers[index_of(value)] == Op::source || in_one_pass(value)) continue;
    if (makers[index_of(value)] == Op::element) stored[index_of(value)] = 1;
    Readers& apart = _readers.emplace_back();
    apart.value = value;
    apart.weight = at.weight;
    for (const std::size_t i : in_turn(by, earlier)) apart.in_turn.push_back(&statements[i]);
  }
}

// ---- what follows from states ----

/// Where a reader finds the value.
LeastCosts::Chain LeastCosts::there(ValueId value, Kind kind, const FoundStates& found) const {
  const Forms& forms = _forms[index_of(value)];
  if (value_of(value).kind == Value::Kind::shared) return forms.gathered;
  if (kind == Kind::pre_reduced) return forms.made;
  const bool scattered = kind == Kind::consistent && found.scattered[index_of(value)] != kNoRoles;
  return scattered ? forms.scattered : forms.gathered;
}

/// Moves the value as its states ask for.
void LeastCosts::arrive(ValueId value, const Chain& made, const FoundStates& found, Chain& longest) {
  const std::size_t v = index_of(value);
  Forms& forms = _forms[v];
  forms.made = forms.gathered = made;
  const SpaceId space = value_of(value).space;
  if (value_of(value).kind == Value::Kind::shared) {
    if (found.states[v].kind == Kind::pre_reduced) ++forms.gathered.reductions;
  } else if (found.gathered[v] != 0) {
    forms.gathered.messages += moved(space, found.states[v].roles, found).messages;
  }
  forms.scattered = forms.gathered;
  if (found.scattered[v] != kNoRoles) forms.scattered.messages += moved(space, found.scattered[v], found).messages;
  take_longer(longest.messages, forms.scattered.messages);
  take_longer(longest.reductions, forms.scattered.reductions);
}

std::uint64_t LeastCosts::messages(const FoundStates& found) {
  prepare();
  const std::uint64_t pairs = std::uint64_t{_stats.workers} * (_stats.workers - 1);
  std::uint64_t sum = 0;
  for (const BlockAt& at : _blocks) {
    Chain longest;
    for (const ValueId value : at.given) arrive(value, {}, found, longest);
    for (const Statement& statement : at.block->statements) {
      Chain made;
      const auto wait = [&](ValueId value, Kind kind) {
        const Chain chain = there(value, kind, found);
        take_longer(made.messages, chain.messages);
        take_longer(made.reductions, chain.reductions);
      };
      for (const ValueId value : statement.shared) wait(value, Kind::consistent);
      for (std::size_t k = 0; k < statement.in.size(); ++k) {
        const Kind kind = statement.op == Op::while_
                              ? found.states[index_of(statement.regions[0].arguments[k])].kind
                              : read_kind(statement, found.choice[index_of(statement.out[0])], k);
        wait(statement.in[k], kind);
      }
      for (const ValueId value : statement.out) arrive(value, made, found, longest);
    }
    for (const ValueId value : at.given) _forms[index_of(value)] = {};
    for (const Statement& statement : at.block->statements) {
      for (const ValueId value : statement.out) _forms[index_of(value)] = {};
    }
    sum += at.weight * (longest.messages + longest.reductions * pairs);
  }
  return sum;
}

/// Bytes of the elements of the value on which the statement runs.
std::uint64_t LeastCosts::bytes_touched(const Statement& by, ValueId value, const FoundStates& found) {
  const ValueId out = by.out[0];
  const Rule& row = rule(found.choice[index_of(out)].rule);
  const Value& touched = value_of(value);
  std::uint64_t elements = _stats.spaces.at(index_of(touched.space)).masters;
  // Of what becomes two statements, the second one runs on masters.
  if (row.reach == Reach::everywhere && row.law != Law::Kind::affine) {
    const RoleSetId roles = found.states[index_of(is_reduction(by.op) ? by.in[0] : out)].roles;
    if (roles != kNoRoles) elements += moved(touched.space, roles, found).replicas;
  }
  return touched.type.read_bytes() * elements;
}

std::uint64_t LeastCosts::bytes_streamed(const FoundStates& found) {
  prepare();
  std::uint64_t sum = _bytes_of_products;
  for (const Result& result : _results) {
    const ValueId out = result.statement->out[0];
    const bool moved = found.gathered[index_of(out)] != 0 || found.scattered[index_of(out)] != kNoRoles;
    if (result.stored || moved) sum += result.weight * bytes_touched(*result.statement, out, found);
  }
  for (const Readers& readers : _readers) {
    for (const Statement* reader : readers.in_turn)
      sum += readers.weight * bytes_touched(*reader, readers.value, found);
  }
  return sum;
}

}  // namespace kasen::optimizer
