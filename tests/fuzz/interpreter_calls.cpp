// What the calls of operations make, one element after the other.
#include <algorithm>
#include <iterator>
#include <optional>
#include <variant>

#include "tests/fuzz/interpreter.h"

namespace kasen::tests::fuzz {
namespace {

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

/// Where a key leads; -1: nowhere.
std::int64_t place_of(const Value& key, std::size_t keys) {
  const auto* const narrow = std::get_if<Int>(&key);
  const std::int64_t place = narrow != nullptr ? narrow->value : std::get<Long>(key).value;
  if (place >= static_cast<std::int64_t>(keys)) throw OutOfBounds("a key is too large");
  return std::max<std::int64_t>(place, -1);
}

}  // namespace

Interpreter::Elements Interpreter::operation(const Statement& s) {
  const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
  Elements result = called.kind == Operation::Kind::reduce    ? reduced(s, called)
                    : called.kind == Operation::Kind::fold    ? folded(s, called)
                    : called.kind == Operation::Kind::product ? product(s, called)
                    : called.kind == Operation::Kind::ends    ? of_ends(s, called)
                    : called.kind == Operation::Kind::entries ? of_ends(s, called)
                    : called.kind == Operation::Kind::keyed   ? keyed(s, called)
                    : called.kind == Operation::Kind::taken   ? taken(s, called)
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
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = operand(s, called, k, i);
    result.push_back(called.compute(in));
  }
  return result;
}

/// Operand k of a call at element i.
Value Interpreter::operand(const Statement& s, const Operation& called, std::size_t k, std::size_t i) {
  const Parameter& parameter = called.parameters[k];
  if (parameter.kind == Parameter::Kind::plain) return plain(parameter, s.operands[k]);
  return at(s.operands[k].place)[parameter.kind == Parameter::Kind::vector ? i : 0];
}

Interpreter::Elements Interpreter::reduced(const Statement& s, const Operation& called) {
  const Elements& in = value(s.operands[0].place);
  _work += in.size();
  if (!called.identity && in.empty()) return {};
  std::optional<Value> sum = called.identity;
  for (const Value& value : in) sum = sum ? called.fold(*sum, value) : value;
  return {*sum};
}

Interpreter::Elements Interpreter::folded(const Statement& s, const Operation& called) {
  for (std::size_t k = 0; k < called.parameters.size(); ++k) {
    if (called.parameters[k].kind == Parameter::Kind::plain) continue;
    if (value(s.operands[k].place).empty() && called.parameters[k].kind == Parameter::Kind::shared) throw NoValue();
  }
  const std::size_t count = value(s.operands[0].place).size();
  _work += count;
  Elements in(called.parameters.size() + 1);
  in[0] = *called.identity;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < called.parameters.size(); ++k) in[k + 1] = operand(s, called, k, i);
    in[0] = called.compute(in);
  }
  return {in[0]};
}

Interpreter::Elements Interpreter::keyed(const Statement& s, const Operation& called) {
  const Elements &key = value(s.operands[0].place), &in = value(s.operands[1].place);
  Elements out(length(s.space), *called.identity);
  _work += in.size();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::int64_t at = place_of(key[i], out.size());
    if (at < 0) continue;
    Value& sum = out[static_cast<std::size_t>(at)];
    sum = called.fold(sum, in[i]);
  }
  return out;
}

Interpreter::Elements Interpreter::taken(const Statement& s, const Operation& called) {
  const Elements &from = value(s.operands[0].place), &key = value(s.operands[1].place);
  Elements out;
  for (const Value& each : key) {
    const std::int64_t at = place_of(each, from.size());
    out.push_back(at < 0 ? plain(called.parameters[2], s.operands[2]) : from[static_cast<std::size_t>(at)]);
  }
  return out;
}

std::vector<NonZero> Interpreter::entries_of(const Statement& s) {
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  if (matrix.batches == 0) return matrix.entries;
  const std::int64_t number = batch_number(s.batch, (height_of(matrix, _program) / length(matrix.rows)));
  std::vector<NonZero> some;
  std::copy_if(matrix.entries.begin(), matrix.entries.end(), std::back_inserter(some),
               [&](const NonZero& entry) { return entry.batch == number; });
  return some;
}

std::vector<Value> Interpreter::operands_at(const NonZero& entry, const Value& element, Entries type) const {
  std::vector<Value> operands{element};
  if (type == Entries::real) operands.push_back(literal(Type::real, entry.value / 4.0));
  if (type == Entries::int32) operands.push_back(literal(Type::int32, entry.value));
  return operands;
}

Interpreter::Elements Interpreter::product(const Statement& s, const Operation& called) {
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  const Elements& in = value(s.operands[0].place);
  Elements out(length(s.transposed ? matrix.rows : matrix.columns), *called.identity);
  const std::vector<NonZero> entries = entries_of(s);
  _work += entries.size();
  for (const NonZero& entry : entries) {
    const auto from = static_cast<std::size_t>(s.transposed ? entry.column : entry.row);
    const auto to = static_cast<std::size_t>(s.transposed ? entry.row : entry.column);
    out[to] = called.fold(out[to], called.compute(operands_at(entry, in[from], matrix.type)));
  }
  return out;
}

/// Of one result for all non-zeros where entries are reduced.
Interpreter::Elements Interpreter::of_ends(const Statement& s, const Operation& called) {
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  const Elements &in = value(s.operands[0].place), &at = value(s.operands[1].place);
  const bool reduces = called.kind == Operation::Kind::entries;
  Elements out(reduces ? 1 : length(s.transposed ? matrix.rows : matrix.columns), *called.identity);
  const std::vector<NonZero> entries = entries_of(s);
  _work += entries.size();
  for (const NonZero& entry : entries) {
    const auto from = static_cast<std::size_t>(s.transposed ? entry.column : entry.row);
    const auto to = static_cast<std::size_t>(s.transposed ? entry.row : entry.column);
    std::vector<Value> operands = operands_at(entry, in[from], matrix.type);
    operands.push_back(at[to]);
    Value& result = out[reduces ? 0 : to];
    result = called.fold(result, called.compute(operands));
  }
  return out;
}

}  // namespace kasen::tests::fuzz
