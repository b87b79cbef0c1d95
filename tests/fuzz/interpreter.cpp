#include "tests/fuzz/interpreter.h"

#include <algorithm>
#include <utility>

namespace kasen::tests::fuzz {
namespace {

/// Values computed, until a program is too long for a test.
constexpr std::size_t kMostWork = 60000;

Value changed(const Value& value) {
  Value other = value;
  std::visit(
      [](auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          v = !v;
        } else if constexpr (std::is_same_v<T, PairOfNumbers>) {
          v.x.value += 1;
        } else if constexpr (std::is_same_v<T, Color>) {
          v.r ^= 1;
        } else if constexpr (std::is_same_v<T, WideOfNumbers>) {
          v.x[7].value += 1;
        } else {
          v.value += 1;
        }
      },
      other);
  return other;
}

/// A reduction of no elements, without identity, was read.
struct NoValue {};

}  // namespace

std::vector<Expected> Interpreter::run() {
  _cells.assign(_program.variables.size(), {});
  _standings.assign(_program.variables.size(), {});
  _recorded = 0;
  _counters.assign(static_cast<std::size_t>(_program.counters), 0);
  _results.clear();
  _work = 0;
  try {
    block(_program.body);
  } catch (const NoValue&) {
    throw OutOfBounds("nothing of nothing");
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
  for (const Statement& s : block) {
    _now = &s;
    if (++_work > kMostWork) throw OutOfBounds("too long");
    statement(s);
  }
}

bool Interpreter::holds(Place test) {
  const Elements& flag = value(test);
  if (flag.empty()) throw NoValue();
  return std::get<bool>(flag[0]);
}

const Interpreter::Elements& Interpreter::value(Place place) {
  if (standing(place) == Standing::lost) throw OutOfBounds("lost");
  return at(place);
}

void Interpreter::store(const Statement& s, Elements elements) {
  const bool is_known = s.kind == Statement::Kind::value && _recorded == 0;
  Standing standing_now = is_known ? Standing::computed : Standing::pending;
  if (s.kind == Statement::Kind::copy && _recorded == 0) standing_now = standing(s.operands[0].place);
  if (s.declares) {
    cell(s.target).assign(1, {});
    _standings[static_cast<std::size_t>(s.target.variable)].assign(1, standing_now);
  }
  at(s.target) = std::move(elements);
  standing(s.target) = standing_now;
}

/// Reading runs what is pending, for certain only if this is.
void Interpreter::running(Place place) {
  const bool ran = standing(place) == Standing::pending;
  for (auto& variable : _standings) {
    for (Standing& other : variable) {
      if (other == Standing::lost) continue;
      if (ran) {
        other = Standing::computed;
      } else if (other == Standing::pending) {
        other = Standing::either;
      }
    }
  }
  standing(place) = Standing::computed;
}

void Interpreter::read(Place place) {
  const Elements elements = value(place);
  if (!about(place).vector && elements.empty()) throw NoValue();
  running(place);
  _results.push_back({about(place).vector, elements, false});
}

void Interpreter::attempt(const Statement& s) {
  bool left = false;
  try {
    block(s.body);
  } catch (const NoValue&) {
    left = true;
    for (auto& variable : _standings) {
      for (Standing& other : variable) {
        if (other != Standing::computed) other = Standing::lost;
      }
    }
  }
  _results.push_back({false, {left}});
}

void Interpreter::statement(const Statement& s) {
  using Kind = Statement::Kind;
  switch (s.kind) {
    case Kind::constant:
    case Kind::iota:
    case Kind::random:
      return source(s);
    case Kind::value:
      return store(s, {literal(about(s.target).type, s.operands[0].literal)});
    case Kind::operation:
      return store(s, operation(s));
    case Kind::copy:
      return store(s, Elements(value(s.operands[0].place)));
    case Kind::array: {
      Cell array;
      auto& standings = _standings[static_cast<std::size_t>(s.target.variable)];
      standings.clear();
      for (const Operand& operand : s.operands) {
        array.push_back(value(operand.place));
        standings.push_back(_recorded > 0 ? Standing::pending : standing(operand.place));
      }
      cell(s.target) = std::move(array);
      return;
    }
    case Kind::swap: {
      const Place one = s.target, other = s.operands[0].place;
      value(one), value(other);
      if (one.variable == other.variable && one.element == other.element) return;
      std::swap(at(one), at(other));
      std::swap(standing(one), standing(other));
      return;
    }
    case Kind::rotate: {
      for (int k = 0; k < static_cast<int>(cell(s.target).size()); ++k) value({s.target.variable, k});
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
    case Kind::probe: {
      const Place place = s.operands[0].place;
      const bool lost = standing(place) != Standing::computed;
      _results.push_back({about(place).vector, at(place), lost});
      if (!lost) read(place), _results.pop_back();
      return;
    }
    case Kind::read:
      return read(s.operands[0].place);
  }
}

void Interpreter::control(const Statement& s) {
  if (s.kind == Statement::Kind::loop) return loop(s);
  const bool first = holds(s.test);
  if (s.native) running(s.test);
  block(first ? s.body : s.otherwise);
}

/// What a recorded loop or branch may store to is a result of it, whatever it did this time; left in the middle, it has
/// none.
void Interpreter::recorded(const Statement& recorded) {
  bool left = true;
  ++_recorded;
  try {
    control(recorded);
    left = false;
  } catch (const NoValue&) {
  }
  if (--_recorded > 0) {
    if (left) throw NoValue();
    return;
  }
  const auto mark = [&](const Block& block) {
    for_each_statement(block, [&](const Statement& s, int) {
      std::vector<int> variables{s.target.variable};
      if (s.kind == Statement::Kind::swap) variables.push_back(s.operands[0].place.variable);
      for (const int variable : variables) {
        if (variable < 0) continue;
        for (Standing& standing : _standings[static_cast<std::size_t>(variable)]) {
          if (standing == Standing::lost) throw OutOfBounds("lost");
          standing = Standing::pending;
        }
        if (left) std::fill(cell({variable, -1}).begin(), cell({variable, -1}).end(), Elements());
      }
    });
  };
  mark(recorded.condition), mark(recorded.body), mark(recorded.otherwise);
  if (left) throw NoValue();
}

void Interpreter::loop(const Statement& s) {
  for (;;) {
    block(s.condition);
    const bool holds_now = holds(s.test);
    if (s.native) running(s.test);
    if (!holds_now) break;
    block(s.body);
  }
  if (!s.likely) return;
  // The start of an iteration that does not come may run: it must be within bounds too.
  const auto cells = _cells;
  const auto standings = _standings;
  block(s.body);
  block(s.condition);
  _cells = cells;
  _standings = standings;
}

void Interpreter::source(const Statement& s) {
  Elements made;
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
      if (!s.operands.empty())
        seed = number(seed, static_cast<std::uint64_t>(std::get<Long>(at(s.operands[0].place)[0]).value));
      const std::uint64_t x = number(seed, i);
      made.emplace_back(Real(std::ldexp(static_cast<double>(x >> 11), -53), 1, _program.exact ? 53 : -1));
    }
  }
  _work += made.size();
  store(s, std::move(made));
}

Interpreter::Elements Interpreter::operation(const Statement& s) {
  const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
  Elements result = called.kind == Operation::Kind::reduce    ? reduced(s, called)
                    : called.kind == Operation::Kind::product ? product(s, called)
                                                              : elements(s, called);
  if (s.operation == _defect.operation) std::transform(result.begin(), result.end(), result.begin(), changed);
  _work += result.size();
  return result;
}

Interpreter::Elements Interpreter::elements(const Statement& s, const Operation& called) {
  std::size_t count = 1;
  if (called.kind == Operation::Kind::element) count = value(s.operands[0].place).size();
  for (std::size_t k = 0; k < called.parameters.size(); ++k) {
    if (called.parameters[k].kind == Parameter::Kind::plain) continue;
    const Elements& operand = value(s.operands[k].place);
    if (called.parameters[k].kind == Parameter::Kind::vector || !operand.empty()) continue;
    if (called.kind == Operation::Kind::element) throw NoValue();
    return {};  // of nothing comes nothing
  }
  Elements result, in(called.parameters.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < in.size(); ++k) {
      const Parameter& parameter = called.parameters[k];
      in[k] = parameter.kind == Parameter::Kind::vector   ? at(s.operands[k].place)[i]
              : parameter.kind == Parameter::Kind::shared ? at(s.operands[k].place)[0]
                                                          : plain(parameter, s.operands[k]);
    }
    result.push_back(called.compute(in));
  }
  return result;
}

Interpreter::Elements Interpreter::reduced(const Statement& s, const Operation& called) {
  const Elements& in = value(s.operands[0].place);
  _work += in.size();
  if (!called.identity && in.empty()) return {};
  std::optional<Value> sum = called.identity;
  for (const Value& value : in) sum = sum ? called.fold(*sum, value) : value;
  return {*sum};
}

Interpreter::Elements Interpreter::product(const Statement& s, const Operation& called) {
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  const Elements& in = value(s.operands[0].place);
  Elements out(length(s.transposed ? matrix.rows : matrix.columns), *called.identity);
  _work += matrix.entries.size();
  for (const NonZero& entry : matrix.entries) {
    const auto from = static_cast<std::size_t>(s.transposed ? entry.column : entry.row);
    const auto to = static_cast<std::size_t>(s.transposed ? entry.row : entry.column);
    std::vector<Value> operands{in[from]};
    if (matrix.type == Entries::real) operands.push_back(literal(Type::real, entry.value / 4.0));
    if (matrix.type == Entries::int32) operands.push_back(literal(Type::int32, entry.value));
    out[to] = called.fold(out[to], called.compute(operands));
  }
  return out;
}

}  // namespace kasen::tests::fuzz
