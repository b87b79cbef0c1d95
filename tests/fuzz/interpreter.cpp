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
        } else {
          v.value += 1;
        }
      },
      other);
  return other;
}

}  // namespace

std::vector<Expected> Interpreter::run() {
  _cells.assign(_program.variables.size(), {});
  _counters.assign(static_cast<std::size_t>(_program.counters), 0);
  _results.clear();
  _work = 0;
  block(_program.body);
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

void Interpreter::store(const Statement& s, Elements elements) {
  if (s.declares) cell(s.target).assign(1, {});
  at(s.target) = std::move(elements);
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
      return store(s, Elements(at(s.operands[0].place)));
    case Kind::array: {
      Cell array;
      for (const Operand& operand : s.operands) array.push_back(at(operand.place));
      cell(s.target) = std::move(array);
      return;
    }
    case Kind::swap: {
      Elements first = at(s.target);
      at(s.target) = at(s.operands[0].place);
      at(s.operands[0].place) = std::move(first);
      return;
    }
    case Kind::rotate: {
      Cell array = cell(s.target);
      for (std::size_t k = 0; k < array.size(); ++k) cell(s.target)[k] = array[(k + 1) % array.size()];
      return;
    }
    case Kind::loop:
      return loop(s);
    case Kind::counted:
      for (int k = 0; k < s.times; ++k) {
        _counters[static_cast<std::size_t>(s.counter)] = k;
        block(s.body);
      }
      return;
    case Kind::branch:
      return block(holds(s.test) ? s.body : s.otherwise);
    case Kind::read: {
      const Place place = s.operands[0].place;
      _results.push_back({about(place).vector, at(place)});
      return;
    }
  }
}

void Interpreter::loop(const Statement& s) {
  for (;;) {
    block(s.condition);
    if (!holds(s.test)) break;
    block(s.body);
  }
  if (!s.likely) return;
  // The start of an iteration that does not come may run: it must be within bounds too.
  const auto cells = _cells;
  block(s.body);
  block(s.condition);
  _cells = cells;
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
  if (called.kind == Operation::Kind::element) count = at(s.operands[0].place).size();
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
  const Elements& in = at(s.operands[0].place);
  _work += in.size();
  if (!called.identity && in.empty()) throw OutOfBounds("nothing of nothing");
  std::optional<Value> sum = called.identity;
  for (const Value& value : in) sum = sum ? called.fold(*sum, value) : value;
  return {*sum};
}

Interpreter::Elements Interpreter::product(const Statement& s, const Operation& called) {
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  const Elements& in = at(s.operands[0].place);
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
