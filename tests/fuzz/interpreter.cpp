#include "tests/fuzz/interpreter.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kasen::tests::fuzz {
namespace {

/// Values computed, and for each element of a space, until a program is too long for a test.
constexpr std::size_t kMostWork = 60000, kMostWorkEach = 200;

/// Statements in the blocks of another.
template <class Visit>
void for_each_inner(const Statement& statement, const Visit& visit) {
  for (const Block* block : {&statement.condition, &statement.body, &statement.otherwise}) {
    for_each_statement(*block, [&](const Statement& s, int) { visit(s); });
  }
}

/// A loop whose condition reads nothing that the loop stores to is refused.
bool test_changes(const Statement& loop) {
  std::set<int> changing;
  for_each_inner(loop, [&](const Statement& s) {
    if (s.declares || s.target.variable < 0) return;
    changing.insert(s.target.variable);
    if (s.kind == Statement::Kind::swap) changing.insert(s.operands[0].place.variable);
  });
  for (const Statement& s : loop.condition) {
    const bool reads = std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::place && changing.contains(operand.place.variable);
    });
    if (reads) changing.insert(s.target.variable);
  }
  return changing.contains(loop.test.variable);
}

/// A get() ends in an error.
struct Failed {};

}  // namespace

std::vector<Expected> Interpreter::run() {
  _cells.assign(_program.variables.size(), {});
  _standings.assign(_program.variables.size(), {});
  _failing_unseen = _attempting = false;
  _recorded = 0;
  _counters.assign(static_cast<std::size_t>(_program.counters), 0);
  _results.clear();
  _work = 0;
  _most_work = kMostWork;
  for (const SpaceOf& space : _program.spaces) _most_work += kMostWorkEach * static_cast<std::size_t>(space.length);
  try {
    block(_program.body);
  } catch (const Failed&) {
    throw OutOfBounds("an error that is not caught");
  }
  return std::move(_results);
}

Value Interpreter::literal(Type type, double value) const {
  const Real real(value, std::abs(value), _program.exact ? Real(value).grain : -1);
  switch (type) {
    case Type::int32:
      return Int(value);
    case Type::int64:
      return Long(value);
    case Type::real:
      return real;
    case Type::flag:
      return value != 0;
    case Type::pair:
      return PairOfNumbers{real, Int(value)};
    case Type::int8:
      return Number<std::int8_t>(value);
    case Type::uint16:
      return Number<std::uint16_t>(value);
    case Type::uint32:
      return Number<std::uint32_t>(value);
    case Type::uint64:
      return Number<std::uint64_t>(value);
    case Type::real32: {
      const auto narrow = static_cast<float>(value);
      return Real32(narrow, std::abs(narrow), _program.exact ? Real32(narrow).grain : -1);
    }
    case Type::color: {
      const auto part = static_cast<std::uint8_t>(value);
      return Color{part, part, part};
    }
    case Type::wide:
      return WideOfNumbers{{real, -real, 2 * real, 0, real, real, 4 * real, real}};
  }
  throw OutOfBounds("no type");
}

Value Interpreter::plain(const Parameter& parameter, const Operand& operand) const {
  const bool counted = operand.kind == Operand::Kind::counter;
  return literal(parameter.type, counted ? _counters[static_cast<std::size_t>(operand.counter)] : operand.literal);
}

void Interpreter::block(const Block& block) {
  statements(block);
  forget(block);
}

void Interpreter::statements(const Block& block) {
  for (const Statement& s : block) {
    _now = &s;
    if (++_work > _most_work) throw OutOfBounds("too long");
    statement(s);
  }
}

void Interpreter::forget(const Block& block) {
  for (const Statement& s : block) {
    if (!s.declares) continue;
    for (Standing& standing : _standings[static_cast<std::size_t>(s.target.variable)]) {
      if (standing == Standing::failing) _failing_unseen = true;
      standing = Standing::gone;
    }
  }
}

bool Interpreter::holds(Place test, bool native) {
  const Elements& flag = native ? got(test) : value(test);
  if (flag.empty()) throw NoValue();
  return std::get<bool>(flag[0]);
}

const Interpreter::Elements& Interpreter::named(Place place) {
  if (standing(place) == Standing::lost) throw OutOfBounds("lost");
  return at(place);
}

const Interpreter::Elements& Interpreter::value(Place place) {
  if (standing(place) == Standing::failing) throw NoValue();
  return named(place);
}

const Interpreter::Elements& Interpreter::got(Place place) {
  const Elements& elements = named(place);
  running(place);
  if (!about(place).vector && elements.empty()) throw Failed();
  return elements;
}

void Interpreter::store(const Statement& s, Elements elements) {
  if (s.declares) {
    cell(s.target).assign(1, {});
    _standings[static_cast<std::size_t>(s.target.variable)].assign(1, Standing::gone);
  }
  Standing now = Standing::pending;
  if (s.kind == Statement::Kind::value && _recorded == 0) now = Standing::computed;
  if (s.kind == Statement::Kind::copy) now = carried(s.operands[0].place);
  if (standing(s.target) == Standing::failing) _failing_unseen = true;
  if (standing(s.target) == Standing::lost && _recorded > 0) throw OutOfBounds("lost");
  at(s.target) = std::move(elements);
  standing(s.target) = now;
}

void Interpreter::change_standings(Standing (*change)(Standing)) {
  for (auto& variable : _standings) {
    std::transform(variable.begin(), variable.end(), variable.begin(), change);
  }
}

bool Interpreter::any_fails() const {
  return std::any_of(_standings.begin(), _standings.end(), [](const auto& variable) {
    return std::find(variable.begin(), variable.end(), Standing::failing) != variable.end();
  });
}

/// Reading runs all that is pending: for certain if this is, never if it is a Shared that is computed, and else
/// perhaps.
void Interpreter::running(Place place) {
  if (standing(place) == Standing::computed && !about(place).vector) return;
  const bool runs = standing(place) == Standing::pending || standing(place) == Standing::failing;
  const bool fails = any_fails();
  if ((_failing_unseen && !fails) || (fails && !runs)) throw OutOfBounds("may be an error");
  if (fails) {
    _failing_unseen = false;
    change_standings([](Standing now) {
      return now == Standing::pending || now == Standing::failing || now == Standing::either ? Standing::lost : now;
    });
    throw Failed();
  }
  if (runs) {
    change_standings(
        [](Standing now) { return now == Standing::pending || now == Standing::either ? Standing::computed : now; });
  } else {
    change_standings([](Standing now) { return now == Standing::pending ? Standing::either : now; });
  }
  standing(place) = Standing::computed;
}

void Interpreter::read(Place place) { _results.push_back({about(place).vector, got(place), false}); }

/// What has been lost may have been computed before: then it has its value still.
void Interpreter::probe(Place place) {
  if (standing(place) == Standing::lost) {
    change_standings([](Standing now) { return now == Standing::pending ? Standing::either : now; });
    _results.push_back({about(place).vector, at(place), true});
    return;
  }
  try {
    read(place);
  } catch (const Failed&) {
    _results.push_back({about(place).vector, {}, true});
  }
}

/// By an error: what was made in it is no more.
void Interpreter::leave(const Statement& left) {
  for_each_inner(left, [&](const Statement& s) {
    if (!s.declares) return;
    auto& standings = _standings[static_cast<std::size_t>(s.target.variable)];
    std::fill(standings.begin(), standings.end(), Standing::gone);
  });
}

void Interpreter::attempt(const Statement& s) {
  bool left = false;
  _attempting = true;
  try {
    block(s.body);
  } catch (const Failed&) {
    left = true;
    leave(s);
  }
  _attempting = false;
  _results.push_back({false, {left}});
}

/// What a copy has.
Interpreter::Standing Interpreter::carried(Place from) {
  return _recorded == 0 || standing(from) == Standing::failing ? standing(from) : Standing::pending;
}

/// What reads a value that fails, or that is none, fails; of a block its control does.
void Interpreter::statement(const Statement& s) {
  if (s.kind == Statement::Kind::loop || s.kind == Statement::Kind::branch) return execute(s);
  try {
    execute(s);
  } catch (const NoValue&) {
    store(s, {});
    standing(s.target) = Standing::failing;
  }
}

void Interpreter::execute(const Statement& s) {
  using Kind = Statement::Kind;
  switch (s.kind) {
    case Kind::constant:
    case Kind::iota:
    case Kind::random:
      return source(s);
    case Kind::batch:
      return batch(s);
    case Kind::value:
      return store(s, {literal(about(s.target).type, s.operands[0].literal)});
    case Kind::operation:
      return store(s, operation(s));
    case Kind::copy:
      return store(s, Elements(named(s.operands[0].place)));
    case Kind::array: {
      Cell array;
      std::vector<Standing> standings;
      for (const Operand& operand : s.operands) {
        array.push_back(named(operand.place));
        standings.push_back(carried(operand.place));
      }
      cell(s.target) = std::move(array);
      _standings[static_cast<std::size_t>(s.target.variable)] = std::move(standings);
      return;
    }
    case Kind::swap: {
      const Place one = s.target, other = s.operands[0].place;
      named(one), named(other);
      if (one == other) return;
      std::swap(at(one), at(other));
      std::swap(standing(one), standing(other));
      return;
    }
    case Kind::rotate: {
      for (int k = 0; k < static_cast<int>(cell(s.target).size()); ++k) named({s.target.variable, k});
      auto& standings = _standings[static_cast<std::size_t>(s.target.variable)];
      std::rotate(cell(s.target).begin(), cell(s.target).begin() + 1, cell(s.target).end());
      std::rotate(standings.begin(), standings.begin() + 1, standings.end());
      return;
    }
    case Kind::loop:
    case Kind::branch:
      return s.native ? control(s) : recorded(s);
    case Kind::counted:
      for (int k = 0; k < s.times; ++k) {
        _counters[static_cast<std::size_t>(s.counter)] = k;
        block(s.body);
      }
      return;
    case Kind::matrix:
      return;
    case Kind::attempt:
      return attempt(s);
    case Kind::probe:
      return probe(s.operands[0].place);
    case Kind::read:
      return read(s.operands[0].place);
  }
}

void Interpreter::control(const Statement& s) {
  if (s.kind == Statement::Kind::loop) return loop(s);
  block(holds(s.test, s.native) ? s.body : s.otherwise);
}

/// What a recorded loop or branch may store to is a result of it, whatever it did this time; left in the middle, it
/// fails, unless the loop changes nothing in it: then it is what it was before.
void Interpreter::recorded(const Statement& recorded) {
  bool left = false;
  if (recorded.kind == Statement::Kind::loop && !test_changes(recorded)) throw OutOfBounds("refused");
  const auto before = _attempting && _recorded == 0 ? _cells : std::vector<Cell>();
  ++_recorded;
  try {
    control(recorded);
  } catch (const NoValue&) {
    left = true;
    _failing_unseen = true;
    leave(recorded);
  }
  if (--_recorded > 0) {
    if (left) throw NoValue();
    return;
  }
  const auto mark = [&](Place place) {
    if (_standings[static_cast<std::size_t>(place.variable)].empty()) return;  // not reached
    if (standing(place) == Standing::gone) return;
    if (standing(place) == Standing::lost) throw OutOfBounds("lost");
    if (left || standing(place) != Standing::failing) standing(place) = left ? Standing::failing : Standing::pending;
    if (left && _attempting)
      at(place) =
          before[static_cast<std::size_t>(place.variable)][static_cast<std::size_t>(std::max(place.element, 0))];
  };
  for_each_inner(recorded, [&](const Statement& s) {
    if (s.target.variable < 0) return;
    if (s.kind == Statement::Kind::rotate) {
      for (int k = 0; k < static_cast<int>(cell(s.target).size()); ++k) mark({s.target.variable, k});
      return;
    }
    const Place other = s.kind == Statement::Kind::swap ? s.operands[0].place : s.target;
    if (s.kind == Statement::Kind::swap && s.target == other) {  // a result of a branch, though not of a loop
      if (_standings[static_cast<std::size_t>(s.target.variable)].empty()) return;
      Standing& now = standing(s.target);
      if (now == Standing::computed) now = Standing::either;
      return;
    }
    mark(s.target), mark(other);
  });
}

void Interpreter::loop(const Statement& s) {
  const auto goes_on = [&] {
    statements(s.condition);
    const bool holds_now = holds(s.test, s.native);
    forget(s.condition);
    return holds_now;
  };
  while (goes_on()) block(s.body);
  if (!s.likely) return;
  // The start of an iteration that does not come may run: it must be within bounds too.
  const auto cells = _cells;
  const auto standings = _standings;
  const bool fails = any_fails() || _failing_unseen;
  bool now_fails = false;
  try {
    block(s.body);
    block(s.condition);
    now_fails = any_fails() || _failing_unseen;
  } catch (const NoValue&) {
    now_fails = true;
  }
  if (now_fails && !fails) throw OutOfBounds("may be an error");
  _cells = cells;
  _standings = standings;
}

void Interpreter::source(const Statement& s) {
  Elements made;
  std::int64_t step = 0;
  if (s.kind == Statement::Kind::random && !s.operands.empty()) {
    const Elements& operand = value(s.operands[0].place);
    if (operand.empty()) throw NoValue();
    step = std::get<Long>(operand[0]).value;
  }
  for (std::size_t i = 0; i < length(s.space); ++i) {
    if (s.kind == Statement::Kind::constant) {
      made.push_back(literal(about(s.target).type, s.operands[0].literal));
    } else if (s.kind == Statement::Kind::iota) {
      made.emplace_back(Long(static_cast<std::int64_t>(i)));
    } else {
      // splitmix64, number i of the stream that starts at seed * gamma; the seed of a step is number `step` of it.
      const auto number = [](std::uint64_t seed, std::uint64_t at) {
        constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15u;
        std::uint64_t x = gamma * seed + at + gamma;
        x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
        x ^= x >> 27, x *= 0x94d049bb133111ebu;
        return x ^ (x >> 31);
      };
      std::uint64_t seed = s.seed;
      if (!s.operands.empty()) seed = number(seed, static_cast<std::uint64_t>(step));
      const std::uint64_t x = number(seed, i);
      made.emplace_back(Real(std::ldexp(static_cast<double>(x >> 11), -53), 1, _program.exact ? 53 : -1));
    }
  }
  _work += made.size();
  store(s, std::move(made));
}

std::int64_t Interpreter::batch_number(const Operand& given, std::int64_t count) {
  if (given.kind != Operand::Kind::place) return static_cast<std::int64_t>(given.literal);
  const Elements& operand = value(given.place);
  if (operand.empty()) throw NoValue();
  return (std::get<Long>(operand[0]).value % count + count) % count;
}

void Interpreter::batch(const Statement& s) {
  const BatchesOf& all = _program.batches[static_cast<std::size_t>(s.batches)];
  const auto size = static_cast<std::int64_t>(length(all.space));
  const std::int64_t count = (size * all.count + all.more) / size;
  const std::int64_t number = batch_number(s.operands[0], count);
  Elements made;
  for (std::int64_t i = number; i < size * count; i += count) {
    const std::int64_t first = number_of_batches(i);
    made.push_back(literal(all.type, static_cast<double>(all.width > 0 ? 2 * first + all.width - 1 : first)));
  }
  _work += made.size();
  store(s, std::move(made));
}

}  // namespace kasen::tests::fuzz
