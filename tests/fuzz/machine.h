/// @file
/// Runs random programs through Kasen: one call of the public interface for each statement.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kasen/kasen.h"
#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

using Result = ResultOf<Plain>;

class Machine {
 public:
  explicit Machine(const Program& program);

  /// Collective. What the program reads. @throws kasen::Error
  std::vector<Result> run();
  /// Runs caught an error, and with it steps of a plan that were not counted.
  bool caught() const { return _caught; }
  /// Called before a matrix is added to vectors that exist.
  void before_late_matrix(std::function<void()> call) { _before_late_matrix = std::move(call); }

  // ---- for the operations: operands and results by type ----

  template <class T>
  Vector<T>& vector(Place place) {
    Variant& variable = at(place);
    if (place.element < 0) return std::get<Vector<T>>(variable);
    return std::get<std::vector<Vector<T>>>(variable)[static_cast<std::size_t>(place.element)];
  }
  template <class T>
  Shared<T>& shared(Place place) {
    return std::get<Shared<T>>(at(place));
  }
  template <class T>
  T plain(const Operand& operand) const {
    if (operand.kind == Operand::Kind::counter) {
      return static_cast<T>(_counters[static_cast<std::size_t>(operand.counter)]);
    }
    return static_cast<T>(operand.literal);
  }
  Space space(int number) const { return _spaces[static_cast<std::size_t>(number)]; }
  /// The matrix, or the batch of it, that the statement is about.
  template <class E>
  Matrix<E> matrix(const Statement& s) {
    const AnyMatrix& any = *_matrices[static_cast<std::size_t>(s.matrix)];
    if (const auto* const all = std::get_if<Batches<Matrix<E>>>(&any)) {
      return s.batch.kind == Operand::Kind::place
                 ? kasen::batch(*all, number_within(shared<std::int64_t>(s.batch.place), all->count()))
                 : kasen::batch(*all, static_cast<int>(s.batch.literal));
    }
    return std::get<Matrix<E>>(any);
  }
  template <class Handle>
  void store(const Statement& s, const Handle& result) {
    if (s.declares) {
      at(s.target).template emplace<Handle>(result);
    } else if constexpr (std::is_same_v<Handle, Vector<typename Handle::Element>>) {
      vector<typename Handle::Element>(s.target) = result;
    } else {
      std::get<Handle>(at(s.target)) = result;
    }
  }

 private:
  template <class... T>
  using Handles = std::variant<std::monostate, Vector<T>..., Shared<T>..., std::vector<Vector<T>>...>;
  template <class Values>
  struct HandlesOf;
  template <class... T>
  struct HandlesOf<std::variant<T...>> {
    using type = Handles<T...>;
  };
  using Variant = HandlesOf<Plain>::type;
  using AnyMatrix = std::variant<Matrix<Pattern>, Matrix<double>, Matrix<std::int32_t>, Batches<Matrix<Pattern>>,
                                 Batches<Matrix<double>>, Batches<Matrix<std::int32_t>>>;
  using BatchesOfAny =
      std::variant<Batches<Vector<double>>, Batches<Vector<std::int64_t>>, Batches<Vector<std::int32_t>>,
                   Batches<Vector<std::uint16_t>>, Batches<Rows<double>>, Batches<Rows<std::int32_t>>>;

  /// At its end, an error's too, what the block has made ends.
  struct Scope {
    Machine& machine;
    const Block& block;
    ~Scope() { machine.forget(block); }
  };

  Variant& at(Place place) { return _variables[static_cast<std::size_t>(place.variable)]; }
  const Variable& about(Place place) const { return _program.variables[static_cast<std::size_t>(place.variable)]; }
  void statements(const Block& block);
  void forget(const Block& block);
  void block(const Block& block);
  Shared<bool> condition(const Statement& loop);
  void statement(const Statement& s);
  void loop(const Statement& s);
  void branch(const Statement& s);
  void attempt(const Statement& s);
  void probe(const Statement& s);
  Result read(Place place);
  void make_matrix(int number);
  void make_batches(const BatchesOf& all);

  const Program& _program;
  std::vector<Space> _spaces;
  std::vector<std::optional<AnyMatrix>> _matrices;
  std::vector<BatchesOfAny> _batches;
  std::vector<Variant> _variables;
  std::vector<int> _counters;
  std::vector<Result> _results;
  bool _caught = false;
  std::function<void()> _before_late_matrix;
};

}  // namespace kasen::tests::fuzz
