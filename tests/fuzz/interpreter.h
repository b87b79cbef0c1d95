/// @file
/// Runs random programs one element after the other, on plain std::vector: what Kasen's results are compared with.
#pragma once

#include <vector>

#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {

using Expected = ResultOf<Value>;

/// What the interpreter can be told to get wrong, for tests of the tests.
struct Defect {
  int operation = -1;  ///< whose results it changes
};

/// Thrown where a step reads the reduction of no elements by a function without identity.
struct NoValue {};

class Interpreter {
 public:
  explicit Interpreter(const Program& program, Defect defect = {}) : _program(program), _defect(defect) {}

  /// What the program reads. @throws OutOfBounds, and then culprit() is the statement.
  std::vector<Expected> run();
  const Statement* culprit() const { return _now; }

 private:
  using Elements = std::vector<Value>;  ///< of a vector; of a Shared the one
  using Cell = std::vector<Elements>;   ///< of an array several
  /// What an error in a run does to a value: what was computed before stays, what is pending is lost. A run that
  /// computes what is failing ends in an error.
  enum class Standing : std::uint8_t { gone, pending, failing, either, computed, lost };

  Cell& cell(Place place) { return _cells[static_cast<std::size_t>(place.variable)]; }
  Elements& at(Place place) { return cell(place)[place.element < 0 ? 0 : static_cast<std::size_t>(place.element)]; }
  Standing& standing(Place place) {
    return _standings[static_cast<std::size_t>(place.variable)]
                     [place.element < 0 ? 0 : static_cast<std::size_t>(place.element)];
  }
  /// @throws OutOfBounds if an attempt has lost it.
  const Elements& named(Place place);
  /// To be computed with. @throws NoValue too
  const Elements& value(Place place);
  /// As get() has it. @throws Failed
  const Elements& got(Place place);
  const Variable& about(Place place) const { return _program.variables[static_cast<std::size_t>(place.variable)]; }
  std::size_t length(int space) const {
    return static_cast<std::size_t>(_program.spaces[static_cast<std::size_t>(space)].length);
  }
  Value literal(Type type, double value) const;
  /// What a product's function gets at a non-zero: the element of its input, and its entry.
  std::vector<Value> operands_at(const NonZero& entry, const Value& element, Entries type) const;
  Value plain(const Parameter& parameter, const Operand& operand) const;
  bool holds(Place test, bool native);

  void block(const Block& block);
  void statements(const Block& block);
  void forget(const Block& block);
  void statement(const Statement& s);
  void execute(const Statement& s);
  void store(const Statement& s, Elements elements);
  void loop(const Statement& s);
  void attempt(const Statement& s);
  void leave(const Statement& left);
  void probe(Place place);
  void read(Place place);
  void running(Place place);
  bool any_fails() const;
  Standing carried(Place from);
  void change_standings(Standing (*change)(Standing));
  void control(const Statement& s);
  void recorded(const Statement& s);
  void source(const Statement& s);
  void batch(const Statement& s);
  std::int64_t batch_number(const Operand& given, std::int64_t count);
  /// Those of the matrix, or of its batch, that the statement is about.
  std::vector<NonZero> entries_of(const Statement& s);
  Elements operation(const Statement& s);
  Elements elements(const Statement& s, const Operation& operation);
  Value operand(const Statement& s, const Operation& called, std::size_t k, std::size_t i);
  Elements reduced(const Statement& s, const Operation& operation);
  Elements folded(const Statement& s, const Operation& called);
  Elements product(const Statement& s, const Operation& operation);
  Elements of_ends(const Statement& s, const Operation& operation);
  Elements keyed(const Statement& s, const Operation& operation);
  Elements taken(const Statement& s, const Operation& operation);

  const Program& _program;
  Defect _defect;
  std::vector<Cell> _cells;
  std::vector<std::vector<Standing>> _standings;
  bool _attempting = false;
  bool _failing_unseen = false;  ///< what no handle names may still run, and fail
  int _recorded = 0;             ///< recorded blocks around
  std::vector<int> _counters;
  std::vector<Expected> _results;
  const Statement* _now = nullptr;
  std::size_t _work = 0, _most_work = 0;
};

}  // namespace kasen::tests::fuzz
