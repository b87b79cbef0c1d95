#include "tests/fuzz/machine.h"

#include <algorithm>

#include "kasen/base/error.h"
#include "kasen/partition_by.h"
#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {
namespace {

/// Calls f with a value of the C++ type.
template <class F>
void with_type(Type type, const F& f) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((type == static_cast<Type>(K) ? f(std::variant_alternative_t<K, Plain>{}) : void()), ...);
  }
  (std::make_index_sequence<kTypes>());
}

template <class T>
T literal(double value) {
  if constexpr (std::is_same_v<T, Pair>) {
    return Pair{value, static_cast<std::int32_t>(value)};
  } else if constexpr (std::is_same_v<T, Color>) {
    const auto part = static_cast<std::uint8_t>(value);
    return Color{part, part, part};
  } else if constexpr (std::is_same_v<T, Wide>) {
    return wide_of(value);
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
Result read(const Vector<T>& v) {
  Result result{true, {}};
  for (const auto& value : v.get()) result.values.emplace_back(static_cast<T>(value));
  return result;
}

}  // namespace

Machine::Machine(const Program& program)
    : _program(program),
      _matrices(program.matrices.size()),
      _variables(program.variables.size()),
      _counters(static_cast<std::size_t>(program.counters)) {
  for (const SpaceOf& space : program.spaces) {
    const auto length = static_cast<std::uint64_t>(space.length);
    _spaces.push_back(space.separate ? separate_space(length, "apart") : Space(length));
    if (space.owners == 0) continue;
    partition_by(_spaces.back(), [seed = space.owners](GlobalIndex i, int parts) { return owner_of(seed, i, parts); });
  }
  const std::vector<char> late = late_matrices(program);
  for (std::size_t k = 0; k < late.size(); ++k) {
    if (!late[k]) make_matrix(static_cast<int>(k));
  }
  for (const BatchesOf& all : program.batches) make_batches(all);
}

void Machine::make_batches(const BatchesOf& all) {
  const auto size = static_cast<std::uint64_t>(_program.spaces[static_cast<std::size_t>(all.space)].length);
  const std::uint64_t length = size * static_cast<std::uint64_t>(all.count) + static_cast<std::uint64_t>(all.more);
  if (all.width > 0) {
    const auto width = static_cast<std::uint64_t>(all.width);
    if (all.type == Type::real) _batches.emplace_back(kasen::batches(rows_of_batches<double>(length, width), size));
    if (all.type == Type::int32)
      _batches.emplace_back(kasen::batches(rows_of_batches<std::int32_t>(length, width), size));
    return;
  }
  const auto add = [&]<class T>(T) { _batches.emplace_back(kasen::batches(numbers_of_batches<T>(length), size)); };
  if (all.type == Type::real) add(double{});
  if (all.type == Type::int64) add(std::int64_t{});
  if (all.type == Type::int32) add(std::int32_t{});
  if (all.type == Type::uint16) add(std::uint16_t{});
}

void Machine::make_matrix(int number) {
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(number)];
  const auto add = [&]<class E>(E) {
    std::vector<Entry<E>> mine;  // of this worker: every so manieth
    const auto workers = static_cast<std::size_t>(Session::current().workers());
    for (auto k = static_cast<std::size_t>(Session::current().rank()); k < matrix.entries.size(); k += workers) {
      const NonZero& at = matrix.entries[k];
      Entry<E> entry{};
      entry.row = matrix.batches > 0 ? at.row * matrix.batches + at.batch : at.row, entry.column = at.column;
      if constexpr (std::is_same_v<E, double>) entry.value = at.value / 4.0;
      if constexpr (std::is_same_v<E, std::int32_t>) entry.value = at.value;
      mine.push_back(entry);
    }
    for (int k = 0; Session::current().rank() == 0 && k < matrix.more; ++k) {  // in rows that no batch has
      Entry<E> entry{};
      entry.row = height_of(matrix, _program) - 1 - k;
      mine.push_back(entry);
    }
    const Space rows = matrix.batches > 0 ? Space(height_of(matrix, _program)) : space(matrix.rows);
    const Matrix<E> made =
        kasen::make_matrix<E>(rows, space(matrix.columns), std::span<const Entry<E>>(mine), EqualEntries::meant);
    std::optional<AnyMatrix>& kept = _matrices[static_cast<std::size_t>(number)];
    if (matrix.batches > 0) {
      kept.emplace(kasen::batches(made, space(matrix.rows).length()));
    } else {
      kept.emplace(made);
    }
  };
  if (matrix.type == Entries::pattern) add(Pattern{});
  if (matrix.type == Entries::real) add(double{});
  if (matrix.type == Entries::int32) add(std::int32_t{});
}

std::vector<Result> Machine::run() {
  block(_program.body);
  return std::move(_results);
}

void Machine::block(const Block& block) {
  const Scope scope{*this, block};
  statements(block);
}

void Machine::statements(const Block& block) {
  for (const Statement& s : block) statement(s);
}

void Machine::forget(const Block& block) {
  for (auto s = block.rbegin(); s != block.rend(); ++s) {
    if (s->declares) at(s->target) = std::monostate();
  }
}

void Machine::statement(const Statement& s) {
  using Kind = Statement::Kind;
  switch (s.kind) {
    case Kind::constant:
      return with_type(about(s.target).type, [&]<class T>(T) {
        store(s, kasen::constant(_spaces[static_cast<std::size_t>(s.space)], literal<T>(s.operands[0].literal)));
      });
    case Kind::iota:
      return store(s, kasen::iota(_spaces[static_cast<std::size_t>(s.space)]));
    case Kind::random:
      if (!s.operands.empty())
        return store(s, kasen::random(_spaces[static_cast<std::size_t>(s.space)], s.seed,
                                      shared<std::int64_t>(s.operands[0].place)));
      return store(s, kasen::random(_spaces[static_cast<std::size_t>(s.space)], s.seed));
    case Kind::batch:
      return std::visit(
          [&]<class V>(const Batches<V>& all) {
            const Operand& number = s.operands[0];
            const V made = number.kind == Operand::Kind::place
                               ? kasen::batch(all, number_within(shared<std::int64_t>(number.place), all.count()))
                               : kasen::batch(all, static_cast<int>(number.literal));
            if constexpr (kasen::detail::kIsRows<V>) {
              store(s, ends_of_rows(made));
            } else {
              store(s, made);
            }
          },
          _batches[static_cast<std::size_t>(s.batches)]);
    case Kind::value:
      return with_type(about(s.target).type,
                       [&]<class T>(T) { store(s, Shared<T>(literal<T>(s.operands[0].literal))); });
    case Kind::operation:
      return operations()[static_cast<std::size_t>(s.operation)].record(*this, s);
    case Kind::copy:
      return with_type(about(s.target).type, [&]<class T>(T) {
        about(s.target).vector ? store(s, vector<T>(s.operands[0].place)) : store(s, shared<T>(s.operands[0].place));
      });
    case Kind::array:
      return with_type(about(s.target).type, [&]<class T>(T) {
        auto& array = at(s.target).template emplace<std::vector<Vector<T>>>();
        for (const Operand& operand : s.operands) array.push_back(vector<T>(operand.place));
      });
    case Kind::swap:
      return with_type(about(s.target).type, [&]<class T>(T) {
        if (about(s.target).vector) {
          std::swap(vector<T>(s.target), vector<T>(s.operands[0].place));
        } else {
          std::swap(shared<T>(s.target), shared<T>(s.operands[0].place));
        }
      });
    case Kind::rotate:
      return with_type(about(s.target).type, [&]<class T>(T) {
        auto& array = std::get<std::vector<Vector<T>>>(at(s.target));
        std::rotate(array.begin(), array.begin() + 1, array.end());
      });
    case Kind::loop:
      return loop(s);
    case Kind::counted:
      for (int k = 0; k < s.times; ++k) {
        _counters[static_cast<std::size_t>(s.counter)] = k;
        block(s.body);
      }
      return;
    case Kind::branch:
      return branch(s);
    case Kind::matrix:
      if (_before_late_matrix) _before_late_matrix();
      return make_matrix(s.matrix);
    case Kind::attempt:
      return attempt(s);
    case Kind::probe:
      return probe(s);
    case Kind::read:
      _results.push_back(read(s.operands[0].place));
      return;
  }
}

Result Machine::read(Place place) {
  Result result;
  with_type(about(place).type, [&]<class T>(T) {
    result = about(place).vector ? fuzz::read(vector<T>(place)) : Result{false, {shared<T>(place).get()}};
  });
  return result;
}

void Machine::attempt(const Statement& s) {
  bool left = false;
  try {
    block(s.body);
  } catch (const Error&) {
    left = _caught = true;
  }
  _results.push_back({false, {left}});
}

void Machine::probe(const Statement& s) {
  try {
    _results.push_back(read(s.operands[0].place));
  } catch (const Error&) {
    _results.push_back({about(s.operands[0].place).vector, {}, true});
  }
}

Shared<bool> Machine::condition(const Statement& s) {
  const Scope scope{*this, s.condition};
  statements(s.condition);
  return shared<bool>(s.test);
}

void Machine::loop(const Statement& s) {
  if (s.native) {
    while (condition(s).get()) block(s.body);
  } else if (s.likely) {
    while_(likely([&] { return condition(s); }), [&] { block(s.body); });
  } else {
    while_([&] { return condition(s); }, [&] { block(s.body); });
  }
}

void Machine::branch(const Statement& s) {
  if (s.native) {
    block(shared<bool>(s.test).get() ? s.body : s.otherwise);
  } else if (s.otherwise.empty()) {
    if_(shared<bool>(s.test), [&] { block(s.body); });
  } else {
    if_(
        shared<bool>(s.test), [&] { block(s.body); }, [&] { block(s.otherwise); });
  }
}

}  // namespace kasen::tests::fuzz
