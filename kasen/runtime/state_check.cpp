#include "kasen/runtime/state_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/runtime/run_context.h"

namespace kasen::runtime {
namespace {

using optimizer::Launch;
using optimizer::Move;
using optimizer::Place;
using Kind = Contents::Kind;

std::string step_name(const Launch& launch) {
  return fmt::format("{} at {}:{}", launch.label, launch.where.file, launch.where.line);
}

struct Wrong {
  std::string what;
};

[[noreturn]] void refuse(const std::string& step, const std::string& what) {
  throw Wrong{fmt::format("checked run: {}: {}", step, what)};
}

const char* word(Kind kind) {
  switch (kind) {
    case Kind::whole:
      return "values";
    case Kind::partial:
      return "partial results";
    default:
      return "nothing that was written";
  }
}

}  // namespace

// ---- what is where ----

std::string StateCheck::name(ValueId value) const {
  return fmt::format("value {} ({})", index_of(value), _context.plan.values[index_of(value)].name);
}

SpaceId StateCheck::space_of(ValueId value) const { return _context.plan.values[index_of(value)].space; }

Ranges StateCheck::replicas(SpaceId space, const RoleSet& roles) const {
  if (roles.empty()) return {};
  const auto intervals = _context.placement.space(space).replicas(roles);
  return {intervals.begin(), intervals.end()};
}

bool StateCheck::without_replicas(SpaceId space, const RoleSet& roles) const {
  return _context.placement.stats().of(space, roles).replicas == 0;
}

Ranges StateCheck::range(SpaceId space, const RoleSet& roles) const {
  return united({{0, _context.placement.space(space).masters()}}, replicas(space, roles));
}

Contents& StateCheck::contents(ValueId value) const { return _context.storage.buffer(value).contents(); }

const Contents& StateCheck::seen(ValueId value) const {
  const auto made = _made.find(value);
  return made == _made.end() ? contents(value) : made->second;
}

void StateCheck::require(const std::string& step, ValueId value, const Contents& contents, const Ranges& ranges) const {
  constexpr LocalIndex none = std::numeric_limits<LocalIndex>::max();
  const LocalIndex missing = first_missing(contents.valid, ranges, none);
  if (missing == none) return;
  const bool master = missing < _context.placement.space(space_of(value)).masters();
  refuse(step,
         fmt::format("{} is not valid at local index {}, a {}", name(value), missing, master ? "master" : "replica"));
}

void StateCheck::require_state(const std::string& step, ValueId value, const Contents& contents,
                               const State& state) const {
  const bool partial = state.kind == State::Kind::pre_reduced && !without_replicas(space_of(value), state.roles);
  if (contents.kind != (partial ? Kind::partial : Kind::whole) || (partial && contents.reducer != state.reducer)) {
    refuse(step, fmt::format("{} holds {} where its state asks for {}", name(value), word(contents.kind),
                             word(partial ? Kind::partial : Kind::whole)));
  }
  require(step, value, contents, range(space_of(value), state.roles));
}

/// Partial results may be gathered in place, which all who hold the buffer would see.
void StateCheck::require_single_holders(const std::string& step) const {
  const ValueStore& storage = _context.storage;
  std::map<const Buffer*, ValueId> holder;
  std::vector<ValueId> partials;
  for (std::size_t v = 0; v < _context.plan.values.size(); ++v) {
    const auto value = static_cast<ValueId>(v);
    if (!storage.stored(value) || contents(value).kind != Kind::partial) continue;
    const auto [first, alone] = holder.try_emplace(&storage.buffer(value), value);
    if (!alone) refuse(step, fmt::format("{} and {} hold the same partial results", name(first->second), name(value)));
    partials.push_back(value);
  }
  const auto& live_in = _context.plan.live_in;
  for (const ValueId value : partials) {
    const bool given = std::any_of(live_in.begin(), live_in.end(), [&](const LiveIn& in) { return in.value == value; });
    if (storage.holders(value) > (given ? 2 : 1)) {
      refuse(step, fmt::format("the partial results of {} are held outside of the plan too", name(value)));
    }
  }
}

// ---- a run ----

template <class Check>
void StateCheck::run(const Check& check) {
  if (!_wrong.empty()) return;
  try {
    check();
  } catch (const Wrong& wrong) {
    _wrong = wrong.what;
  }
}

void StateCheck::open() {
  run([&] { check_live_ins(); });
}

void StateCheck::check_live_ins() const {
  for (const LiveIn& in : _context.plan.live_in) {
    if (_context.plan.values[index_of(in.value)].kind == Value::Kind::shared || !_context.storage.stored(in.value)) {
      continue;
    }
    Contents& has = contents(in.value);
    if (has.kind == Kind::unknown) has = contents_of(in.value, in.state);
    require_state("the start of a run", in.value, has, in.state);
  }
}

Contents StateCheck::contents_of(ValueId value, const State& state) const {
  const bool partial = state.kind == State::Kind::pre_reduced && !without_replicas(space_of(value), state.roles);
  return {partial ? Kind::partial : Kind::whole, state.reducer, range(space_of(value), state.roles)};
}

void StateCheck::restored(const std::vector<ValueId>& values) {
  for (const ValueId value : values) {
    if (_context.storage.stored(value)) contents(value) = contents_of(value, _context.plan.states[index_of(value)]);
  }
}

void StateCheck::before(const optimizer::Step& step) {
  run([&] {
    if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) before(*sweep);
    if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what)) before(*exchange);
  });
}

void StateCheck::before(const optimizer::Sweep& sweep) {
  _made.clear();
  for (const Launch& launch : sweep.launches) {
    require_single_holders(step_name(launch));
    read(sweep, launch);
    if (is_reduction(launch.op)) continue;
    for (const ValueId out : launch.out) {
      const auto place =
          std::find_if(sweep.places.begin(), sweep.places.end(), [&](const Place& p) { return p.value == out; });
      if (place == sweep.places.end()) refuse(step_name(launch), name(out) + " has no place");
      Contents made = is_matrix_op(launch.op)          ? product_output(sweep, launch, out)
                      : launch.op == Op::reduce_by_key ? keyed_output(launch, out)
                                                       : element_output(launch, *place);
      if (place->kind == Place::Kind::output) {
        require_state(step_name(launch), out, made, _context.plan.states[index_of(out)]);
      }
      _made[out] = std::move(made);
    }
  }
}

void StateCheck::read(const optimizer::Sweep& sweep, const Launch& launch) const {
  const bool product = is_matrix_op(launch.op);
  std::vector<ValueId> vectors = launch.in;
  if (launch.active != kNone<ValueId>) vectors.push_back(launch.active);
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    const ValueId in = vectors[k];
    const bool taken = reads_whole(launch, k);
    const Contents& has = taken ? contents(in) : seen(in);
    const RoleSet roles = product ? RoleSet{Role{sweep.matrix, side_of(launch, k)}}
                          : taken ? RoleSet{kEverywhere}
                                  : launch.roles;
    require(step_name(launch), in, has, range(space_of(in), roles));
    if (has.kind == Kind::whole || (!product && !taken && has.kind == Kind::partial)) continue;
    refuse(step_name(launch), fmt::format("reads {}, which holds {}", name(in), word(has.kind)));
  }
  require_use_of_partials(launch);
}

/// At most one vector holds partial results: those of a reduction by their own reducer, each read once, or those whose
/// place the output takes.
void StateCheck::require_use_of_partials(const Launch& launch) const {
  const auto partial = [&](ValueId in) { return seen(in).kind == Kind::partial; };
  const auto first = std::find_if(launch.in.begin(), launch.in.end(), partial);
  if (first == launch.in.end()) return;
  const Contents& has = seen(*first);
  const bool of_keys = launch.op == Op::reduce_by_key && *first != launch.in[1];
  const bool reduced = is_any_reduction(launch.op) && !of_keys && has.reducer == launch.reducer;
  const bool kept =
      launch.op == Op::element && _context.plan.states[index_of(launch.out[0])].kind == State::Kind::pre_reduced;
  if (std::count_if(launch.in.begin(), launch.in.end(), partial) > 1 || !(reduced || kept)) {
    refuse(step_name(launch), fmt::format("reads the partial results of {} as values", name(*first)));
  }
  if (reduced) require(step_name(launch), *first, {{}, {}, range(space_of(*first), launch.roles)}, has.valid);
}

Contents StateCheck::element_output(const Launch& launch, const Place& place) const {
  const SpaceId space = space_of(launch.out[0]);
  Contents made{Kind::whole, kNone<ReducerId>, range(space, launch.roles)};
  for (const ValueId in : launch.in) {
    if (seen(in).kind != Kind::partial) continue;
    made.kind = Kind::partial;
    made.reducer = seen(in).reducer;
  }
  if (!launch.copied_roles.empty()) {
    const ValueId copied = launch.in[launch.copied_input];
    require(step_name(launch), copied, seen(copied), replicas(space, launch.copied_roles));
    made.valid = united(made.valid, replicas(space, launch.copied_roles));
  } else if (place.exclusive) {  // in the buffer of its input, whose replicas stay
    made.valid = united(made.valid, contents(place.replaces).valid);
  }
  return made;
}

/// Partial results are wherever non-zeros are. Where that is on masters only, on all workers, these are the values.
Contents StateCheck::product_output(const optimizer::Sweep& sweep, const Launch& launch, ValueId out) const {
  const SpaceId space = space_of(out);
  const bool added_to = launch.push || sweep.walk == optimizer::Walk::blocked;
  Contents made{Kind::partial, launch.reducer, range(space, added_to ? launch.filled_roles : launch.roles)};
  const RoleSet reached{{sweep.matrix, output_side(launch.op)}};
  const State& state = _context.plan.states[index_of(out)];
  if (without_replicas(space, state.kind == State::Kind::pre_reduced ? state.roles : reached)) {
    made.kind = Kind::whole;
    made.reducer = kNone<ReducerId>;
  } else {
    require(step_name(launch), out, made, range(space, reached));
  }
  return made;
}

/// Every worker has partial results for all keys. Where there is one worker, these are the values.
Contents StateCheck::keyed_output(const Launch& launch, ValueId out) const {
  const SpaceId space = space_of(out);
  const bool alone = without_replicas(space, {kEverywhere});
  Contents made{alone ? Kind::whole : Kind::partial, alone ? kNone<ReducerId> : launch.reducer,
                range(space, launch.filled_roles)};
  if (!alone) require(step_name(launch), out, made, range(space, {kEverywhere}));
  return made;
}

void StateCheck::before(const optimizer::Exchange& exchange) {
  _made.clear();
  const auto step = [&](const char* what, const Move& move) { return fmt::format("{} of {}", what, name(move.from)); };
  for (const Move& move : exchange.gathers) {
    require_single_holders(step("gather", move));
    const Contents& has = contents(move.from);
    require_state(step("gather", move), move.from, has, State::pre_reduced(move.reducer, move.roles));
    if (has.kind == Kind::partial) {  // all of them
      const Ranges gathered = range(space_of(move.from), move.roles);
      require(step("gather", move), move.from, {Kind::partial, move.reducer, gathered}, has.valid);
    }
    _made[move.to] = {Kind::whole, kNone<ReducerId>, range(space_of(move.to), {})};
  }
  for (const Move& move : exchange.scatters) {
    Contents made = contents(move.from);
    require_state(step("scatter", move), move.from, made, State::partitioned());
    made.valid = united(made.valid, replicas(space_of(move.to), move.roles));
    _made[move.to] = std::move(made);
    _scattered.insert(move.to);
  }
}

void StateCheck::after() {
  for (auto& [value, made] : _made) {
    if (!_context.storage.stored(value)) continue;
    Contents& now = contents(value);
    // Values of one buffer may be scattered in one exchange, each for its roles.
    if (_scattered.contains(value) && now.kind == Kind::whole) made.valid = united(std::move(made.valid), now.valid);
    now = std::move(made);
  }
  _made.clear();
  _scattered.clear();
}

void StateCheck::close() {
  run([&] { check_results(); });
  comm::agree(_context.control, [&] {
    if (!_wrong.empty()) throw InternalError(_wrong);
  });
}

void StateCheck::check_results() const {
  require_single_holders("the end of a run");
  for (const optimizer::Result& result : _context.plan.results) {
    if (_context.plan.values[index_of(result.held)].kind == Value::Kind::shared) continue;
    require_state("the end of a run", result.held, contents(result.held), result.state);
  }
}

}  // namespace kasen::runtime
