#include "tests/fuzz/generator.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "tests/fuzz/bounds.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {
namespace {

constexpr int kDeepest = 3;  // blocks within blocks

using Place = fuzz::Place;

/// Operations by how they are called.
struct Vocabulary {
  std::vector<int> elements, products, reduces, applies;
  std::vector<int> lawful;      ///< elements that obey laws
  std::map<int, int> twin;      ///< of a function: the one of the same name in another source file
  std::vector<int> of_nothing;  ///< reductions without identity
  int count_up = -1, below = -1, both = -1;

  explicit Vocabulary(Kind kind) {
    const auto& all = operations();
    for (int k = 0; k < static_cast<int>(all.size()); ++k) {
      const Operation& operation = all[static_cast<std::size_t>(k)];
      if (operation.kind == Operation::Kind::infix && operation.out != Type::real) {
        if (operation.text == "+") count_up = k;
        if (operation.text == "<" && operation.parameters[0].type == Type::int32) below = k;
        if (operation.text == "&&") both = k;
      }
      if (operation.suits == Suits::exact && !kind.exact) continue;
      if (operation.suits == Suits::rounded && kind.exact) continue;
      if (operation.suits == Suits::defect && !kind.defects) continue;
      std::vector<int>& list = operation.kind == Operation::Kind::element   ? elements
                               : operation.kind == Operation::Kind::product ? products
                               : operation.kind == Operation::Kind::reduce  ? reduces
                                                                            : applies;
      const bool common = operation.out == Type::real || operation.parameters[0].type == Type::real;
      const int weight = operation.suits == Suits::defect ? 40 : operation.twin ? 1 : common ? 3 : 2;
      if (operation.kind == Operation::Kind::reduce && !operation.identity) of_nothing.push_back(k);
      if (operation.twin) {
        const auto other = std::find_if(all.begin(), all.end(), [&](const Operation& o) {
          return o.kind == operation.kind && o.text != operation.text && unnamed(o.text) == unnamed(operation.text);
        });
        twin[k] = static_cast<int>(other - all.begin());
      }
      list.insert(list.end(), weight, k);
      const bool built_in = operation.text.starts_with("kasen::") && operation.text.find('(') == std::string::npos;
      if (operation.kind == Operation::Kind::element &&
          (built_in || operation.text.find("kasen::laws(") != std::string::npos)) {
        lawful.insert(lawful.end(), weight, k);
      }
    }
  }

 private:
  /// Without the names of source files.
  static std::string unnamed(std::string text) {
    for (const std::string file : {"first::", "second::"}) {
      for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file)) {
        const bool functor = at >= 2 && text.compare(at - 2, 2, "::") == 0;  // kasen::first is none of them
        if (functor) break;
        text.erase(at, file.size());
      }
    }
    return text;
  }
};

class Generator {
 public:
  Generator(Draw draw, Kind kind, const Vocabulary& vocabulary) : _draw(draw), _kind(kind), _words(vocabulary) {
    _program.exact = kind.exact;
  }

  Program make() {
    spaces();
    matrices();
    Block& body = _program.body;
    for (int k = 0; k < static_cast<int>(_program.spaces.size()); ++k) inputs(body, k);
    for (const Type type : {Type::real, Type::real, Type::int64, Type::int32, Type::flag, Type::pair}) {
      value(body, type);
    }
    for (const Type type : other_types(2)) value(body, type);
    statements(body, _draw.between(6, 18));
    if (_draw.chance(25)) {
      results(body);
      statements(body, _draw.between(2, 6));
    }
    while (!_late.empty()) late_matrix(body);
    results(body);
    return std::move(_program);
  }

 private:
  using StatementKind = Statement::Kind;

  // ---- data ----

  void spaces() {
    static const std::vector<int> lengths{0, 1, 2, 3, 4, 5, 7, 9, 12, 17, 25, 33, 40};
    const int count = _draw.between(2, 3);
    while (static_cast<int>(_program.spaces.size()) < count) {
      const int length = _draw.chance(3) ? 700 : _draw.of(lengths);
      const bool taken = std::any_of(_program.spaces.begin(), _program.spaces.end(),
                                     [&](const SpaceOf& space) { return space.length == length; });
      if (!taken) _program.spaces.push_back({length, _draw.chance(20)});
    }
    if (_draw.chance(40)) _program.spaces.push_back({_program.spaces[0].length, true});
    if (_kind.errors && _draw.chance(20) && !empty_space()) _program.spaces.push_back({0, false});
    for (SpaceOf& space : _program.spaces) {
      if (_draw.chance(12)) space.owners = 1 + static_cast<std::uint64_t>(_draw.below(1000));
    }
  }
  std::optional<int> empty_space() const {
    const auto found = std::find_if(_program.spaces.begin(), _program.spaces.end(),
                                    [](const SpaceOf& space) { return space.length == 0; });
    if (found == _program.spaces.end()) return std::nullopt;
    return static_cast<int>(found - _program.spaces.begin());
  }

  void matrices() {
    const bool many = _draw.chance(15);
    const int count = many ? _draw.between(4, 12) : _draw.between(1, 3);
    const bool early = _draw.chance(50);
    for (int k = 0; k < count; ++k) {
      MatrixOf matrix;
      matrix.type = static_cast<Entries>(_draw.below(3));
      matrix.rows = any_space();
      matrix.columns = _draw.chance(50) ? matrix.rows : any_space();
      const int height = length(matrix.rows), width = length(matrix.columns);
      const bool full = height * width > 0 && height * width <= 600 && _draw.chance(20);
      if (full) {
        add_all_elements(matrix, height, width);
      } else {
        add_some_elements(matrix, height, width);
      }
      (k == 0 || early || _draw.chance(30) ? _made : _late).push_back(k);
      _program.matrices.push_back(std::move(matrix));
    }
  }

  /// In no order: such a matrix is stored dense.
  void add_all_elements(MatrixOf& matrix, int height, int width) {
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) matrix.entries.push_back({row, column, _draw.between(-6, 6)});
    }
    for (auto left = static_cast<int>(matrix.entries.size()); left > 1; --left)
      std::swap(matrix.entries[static_cast<std::size_t>(left - 1)],
                matrix.entries[static_cast<std::size_t>(_draw.below(left))]);
  }

  void add_some_elements(MatrixOf& matrix, int height, int width) {
    int entries = height * width == 0 || _draw.chance(8) ? 0 : _draw.between(1, 3 * std::min(height, 60) + 3);
    const bool skewed = _draw.chance(50);
    for (; entries > 0; --entries) {
      int column = _draw.below(width);
      if (skewed) column = std::min(column, _draw.below(width));
      if (skewed && _draw.chance(30)) column = 0;
      matrix.entries.push_back({_draw.below(height), column, _draw.between(-6, 6)});
    }
  }

  int any_space() { return _draw.below(static_cast<int>(_program.spaces.size())); }
  int length(int space) const { return _program.spaces[static_cast<std::size_t>(space)].length; }

  // ---- variables ----

  const Variable& about(Place place) const { return _program.variables[static_cast<std::size_t>(place.variable)]; }

  int add(Variable variable) {
    _program.variables.push_back(variable);
    const int number = static_cast<int>(_program.variables.size()) - 1;
    _visible.push_back(number);
    return number;
  }
  /// What is visible, elements of arrays included, and fits.
  template <class Fits>
  std::vector<Place> places(const Fits& fits) const {
    std::vector<Place> found;
    for (int number : _visible) {
      const Variable& variable = _program.variables[static_cast<std::size_t>(number)];
      if (!fits(variable)) continue;
      if (variable.elements == 0) found.push_back({number, -1});
      for (int k = 0; k < variable.elements; ++k) found.push_back({number, k});
    }
    return found;
  }
  std::vector<Place> vectors(Type type, int space = -1) const {
    return places([&](const Variable& v) { return v.vector && v.type == type && (space < 0 || v.space == space); });
  }
  std::vector<Place> shareds(Type type) const {
    return places([&](const Variable& v) { return !v.vector && v.type == type; });
  }

  /// Stores to a variable there is, or to a new one. Vectors of no element type change their space.
  void set_target(Statement& s, Variable like) {
    const auto fitting = places([&](const Variable& v) {
      return v.vector == like.vector && v.type == like.type && v.space == like.space && !v.reserved;
    });
    s.declares = fitting.empty() || _draw.chance(_depth > 0 ? 35 : 50);
    s.target = s.declares ? Place{add(like), -1} : _draw.of(fitting);
    if (like.vector) _latest = s.target;
  }

  double number(Type type, bool divisor) {
    static const std::vector<double> divisors{2, 4, 0.5, -2};
    if (type == Type::real && divisor) return _draw.of(divisors);
    if (divisor) return _draw.between(2, 5);
    if (type == Type::real) return _draw.between(-8, 8) * (_kind.exact ? 0.25 : 0.137);
    if (type == Type::flag) return _draw.below(2);
    if (type == Type::real32) return _draw.between(-8, 8) * 0.5;
    const bool negative = type == Type::int32 || type == Type::int64 || type == Type::pair || type == Type::int8;
    return _draw.between(negative ? -5 : 0, 5);
  }

  /// Of those that not all programs have.
  std::vector<Type> other_types(int count) {
    std::vector<Type> types;
    for (; count > 0; --count) {
      if (_draw.chance(60)) types.push_back(static_cast<Type>(_draw.between(static_cast<int>(Type::int8), kTypes - 1)));
    }
    return types;
  }

  // ---- statements ----

  void inputs(Block& block, int space) {
    Statement index;
    index.kind = StatementKind::iota;
    index.space = space;
    index.declares = true;
    index.target = {add({true, Type::int64, space}), -1};
    block.push_back(index);
    if (_draw.chance(70)) source(block, space);
    std::vector<Type> types{Type::real, Type::int32, Type::flag};
    for (const Type type : other_types(2)) types.push_back(type);
    for (const Type type : types) {
      if (type == Type::wide || !_draw.chance(type == Type::int32 || type == Type::flag ? 45 : 80)) continue;
      for (int tries = 0; tries < 200; ++tries) {
        const int operation = _draw.of(_words.elements);
        const Operation& called = operations()[static_cast<std::size_t>(operation)];
        if (called.out != type || called.parameters.size() != 1 || called.parameters[0].type != Type::int64) continue;
        Statement s;
        s.operation = operation;
        s.operands = {Operand::of(index.target)};
        s.declares = true;
        s.target = {add({true, type, space}), -1};
        block.push_back(s);
        break;
      }
    }
  }

  void source(Block& block, int space) {
    Statement s;
    s.space = space;
    s.kind = _draw.chance(70) ? StatementKind::constant : StatementKind::random;
    Type type = Type::real;
    if (s.kind == StatementKind::constant) {
      type = static_cast<Type>(_draw.chance(75) ? _draw.below(5) : _draw.below(kTypes));
      s.operands = {Operand::number(number(type, false))};
    } else {
      s.seed = static_cast<std::uint64_t>(_draw.below(1000));
      const auto steps = shareds(Type::int64);
      if (!steps.empty() && _draw.chance(40)) s.operands = {Operand::of(_draw.late_of(steps))};
    }
    set_target(s, {true, type, space});
    block.push_back(s);
  }

  Place value(Block& block, Type type) {
    Statement s;
    s.kind = StatementKind::value;
    s.operands = {Operand::number(number(type, false))};
    s.declares = true;
    s.target = {add({false, type}), -1};
    block.push_back(s);
    return s.target;
  }

  void statements(Block& block, int count) {
    for (int k = 0; k < count; ++k) {
      const int kind = _draw.below(100);
      if (kind < 39) {
        element(block);
      } else if (kind < 56) {
        product(block);
      } else if (kind < 62) {
        reduce(block);
      } else if (kind < 68) {
        apply(block);
      } else if (kind < 71) {
        copy(block);
      } else if (kind < 74) {
        keep(block);
      } else if (kind < 78) {
        swap(block);
      } else if (kind < 80) {
        array(block);
      } else if (kind < 82) {
        source(block, any_space());
      } else if (kind < 87) {
        if (_depth < kDeepest) loop(block);
      } else if (kind < 89) {
        if (_depth < kDeepest) renaming_loop(block);
      } else if (kind < 92) {
        if (_depth < kDeepest) branch(block);
      } else if (kind < 96) {
        if (_depth == 0 && !_late.empty()) late_matrix(block);
      } else if (kind < 98) {
        if (_recorded == 0) read(block, _draw.late_of(places([](const Variable&) { return true; })));
      } else if (_depth == 0 && _kind.errors) {
        attempt(block);
      }
    }
  }

  bool visible(Place place) const {
    return std::find(_visible.begin(), _visible.end(), place.variable) != _visible.end();
  }

  /// The operands of a call, if there are variables that fit. The vector stored last is one of them where it can be,
  /// mostly: what is computed should be used.
  std::optional<std::vector<Operand>> operands(const Operation& called, int& space) {
    std::vector<Operand> chosen;
    for (std::size_t k = 0; k < called.parameters.size(); ++k) {
      const auto [kind, type] = called.parameters[k];
      if (kind == Parameter::Kind::plain) {
        const bool divisor = called.divides && k + 1 == called.parameters.size();
        chosen.push_back(Operand::number(number(type, divisor)));
        if (!divisor && type != Type::flag && !_counters.empty() && _draw.chance(50)) {
          chosen.back() = {Operand::Kind::counter, {}, 0, _draw.of(_counters)};
        }
        continue;
      }
      const auto fitting = kind == Parameter::Kind::vector ? vectors(type, space) : shareds(type);
      if (fitting.empty()) return std::nullopt;
      Place place = _draw.late_of(fitting);
      const bool vector = kind == Parameter::Kind::vector;
      if (vector && _draw.chance(60) && visible(_latest) && about(_latest).type == type &&
          (space < 0 || about(_latest).space == space)) {
        place = _latest;
      }
      if (vector) space = about(place).space;
      chosen.push_back(Operand::of(place));
    }
    return chosen;
  }

  void element(Block& block) {
    for (int tries = 0; tries < 30; ++tries) {
      Statement s;
      s.operation = _draw.of(_words.elements);
      const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
      // Half of them are of the type of what was stored last.
      if (tries < 10 && _draw.chance(50) && visible(_latest) && called.parameters[0].type != about(_latest).type) {
        continue;
      }
      int space = -1;
      const auto chosen = operands(called, space);
      if (!chosen) continue;
      s.operands = *chosen;
      set_target(s, {true, called.out, space});
      block.push_back(s);
      twin(block);
      return;
    }
  }

  /// The function of the same name in another source file, called with the same.
  void twin(Block& block) {
    const auto found = _words.twin.find(block.back().operation);
    if (found == _words.twin.end() || !_draw.chance(60)) return;
    Statement s = block.back();
    s.operation = found->second;
    if (about(s.operands[0].place).vector && _program.variables[static_cast<std::size_t>(s.target.variable)].vector &&
        s.operands[0].place.variable == s.target.variable) {
      return;  // it has been stored over
    }
    s.declares = true;
    s.target = {add(about(s.target)), -1};
    _program.variables.back().elements = 0;
    block.push_back(s);
  }

  /// Space of its result; none if no vectors fit.
  std::optional<Statement> product_of(int operation, int matrix_number) {
    Statement s;
    s.operation = operation;
    const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
    s.matrix = matrix_number;
    const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
    if (matrix.type != called.entries) return std::nullopt;
    s.transposed = _draw.chance(50);
    int space = s.transposed ? matrix.columns : matrix.rows;
    const auto chosen = operands(called, space);
    if (!chosen) return std::nullopt;
    s.operands = *chosen;
    return s;
  }
  Variable result_of(const Statement& s) const {
    const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
    return {true, operations()[static_cast<std::size_t>(s.operation)].out, s.transposed ? matrix.rows : matrix.columns};
  }
  static std::string reducer_of(const Statement& s) {
    const std::string& text = operations()[static_cast<std::size_t>(s.operation)].text;
    return text.substr(text.rfind(", ") + 2);
  }

  void product(Block& block) {
    for (int tries = 0; tries < 30; ++tries) {
      auto s = product_of(_draw.of(_words.products), _draw.of(_made));
      if (!s) continue;
      set_target(*s, result_of(*s));
      block.push_back(*s);
      const Place made = _latest;
      twin(block);
      _latest = made;
      if (_draw.chance(25)) keep(block);
      _latest = made;
      if (_draw.chance(65)) use_partial_results(block, reducer_of(*s));
      return;
    }
  }

  /// Another handle of a vector, to be read later, whatever happens to the first.
  void keep(Block& block) {
    const auto all = places([](const Variable& v) { return v.vector; });
    const Place from = visible(_latest) && _draw.chance(70) ? _latest : _draw.late_of(all);
    declare_copy(block, from);
  }
  Place declare_copy(Block& block, Place from) {
    Statement s;
    s.kind = StatementKind::copy;
    s.operands = {Operand::of(from)};
    s.declares = true;
    Variable like = about(from);
    like.elements = 0, like.reserved = false;
    s.target = {add(like), -1};
    block.push_back(s);
    return s.target;
  }
  static void assign(Block& block, Place to, Place from) {
    Statement s;
    s.kind = StatementKind::copy;
    s.operands = {Operand::of(from)};
    s.target = to;
    block.push_back(s);
  }

  void late_matrix(Block& block) {
    Statement s;
    s.kind = StatementKind::matrix;
    s.matrix = _late.back();
    _made.push_back(s.matrix);
    _late.pop_back();
    block.push_back(s);
  }

  /// What may run on the vector stored last while it is spread over workers as partial results: functions with laws,
  /// and a reduction by the function that reduces these.
  void use_partial_results(Block& block, const std::string& reducer) {
    for (int length = _draw.between(1, 3); length > 0; --length) {
      if (_draw.chance(70)) lawful_element(block);
    }
    if (_draw.chance(40)) reduce_by(block, reducer);
  }

  void reduce_by(Block& block, const std::string& reducer) {
    for (const int operation : _words.reduces) {
      const Operation& called = operations()[static_cast<std::size_t>(operation)];
      if (called.text != reducer || called.parameters[0].type != about(_latest).type) continue;
      Statement s;
      s.operation = operation;
      s.operands = {Operand::of(_latest)};
      set_target(s, {false, called.out});
      block.push_back(s);
      return;
    }
  }

  void lawful_element(Block& block) {
    for (int tries = 0; tries < 30; ++tries) {
      Statement s;
      s.operation = _draw.of(_words.lawful);
      const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
      if (called.out != about(_latest).type) continue;
      const int at =
          called.parameters.size() > 1 && called.parameters[1].kind == Parameter::Kind::vector && _draw.chance(30) ? 1
                                                                                                                   : 0;
      if (called.parameters[static_cast<std::size_t>(at)].type != about(_latest).type) continue;
      int space = about(_latest).space;
      auto chosen = operands(called, space);
      if (!chosen) continue;
      for (std::size_t k = 0; k < chosen->size(); ++k) {  // partial results at one argument, whole ones at the others
        const Parameter& parameter = called.parameters[k];
        if (parameter.kind != Parameter::Kind::vector) continue;
        (*chosen)[k].place = static_cast<int>(k) == at ? _latest : _draw.of(vectors(parameter.type, space));
      }
      s.operands = *chosen;
      set_target(s, {true, called.out, space});
      block.push_back(s);
      return;
    }
  }

  void reduce(Block& block) {
    for (int tries = 0; tries < 30; ++tries) {
      Statement s;
      s.operation = _draw.of(_words.reduces);
      const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
      int space = -1;
      const auto chosen = operands(called, space);
      if (!chosen || (!called.identity && length(space) == 0)) continue;
      s.operands = *chosen;
      set_target(s, {false, called.out});
      block.push_back(s);
      twin(block);
      return;
    }
  }

  Place call(Block& block, int operation, std::vector<Operand> operands) {
    Statement s;
    s.operation = operation;
    s.operands = std::move(operands);
    s.declares = true;
    s.target = {add({false, operations()[static_cast<std::size_t>(operation)].out}), -1};
    block.push_back(s);
    return s.target;
  }

  void apply(Block& block) {
    for (int tries = 0; tries < 30; ++tries) {
      Statement s;
      s.operation = _draw.of(_words.applies);
      int space = -1;
      const auto chosen = operands(operations()[static_cast<std::size_t>(s.operation)], space);
      if (!chosen) continue;
      s.operands = *chosen;
      set_target(s, {false, operations()[static_cast<std::size_t>(s.operation)].out});
      block.push_back(s);
      return;
    }
  }

  std::vector<Place> assignable() const {
    return places([](const Variable& v) { return !v.reserved; });
  }

  void copy(Block& block) {
    const Place from = _draw.late_of(assignable());
    Statement s;
    s.kind = StatementKind::copy;
    s.operands = {Operand::of(from)};
    set_target(s, {about(from).vector, about(from).type, about(from).space});
    block.push_back(s);
  }

  void swap(Block& block) {
    const auto arrays = places([](const Variable& v) { return v.elements > 0; });
    Statement s;
    if (!arrays.empty() && _draw.chance(40)) {
      s.kind = StatementKind::rotate;
      s.target = {_draw.of(arrays).variable, -1};
      block.push_back(s);
      return;
    }
    s.kind = StatementKind::swap;
    s.target = _draw.late_of(assignable());
    const Variable like = about(s.target);
    const auto others = places([&](const Variable& v) {
      return !v.reserved && v.vector == like.vector && v.type == like.type && v.space == like.space;
    });
    s.operands = {Operand::of(_draw.of(others))};
    block.push_back(s);
  }

  void array(Block& block) {
    const auto all = places([](const Variable& v) { return v.vector; });
    const Place first = _draw.late_of(all);
    const auto fitting = vectors(about(first).type, about(first).space);
    Statement s;
    s.kind = StatementKind::array;
    const int elements = _draw.between(2, 3);
    for (int k = 0; k < elements; ++k) s.operands.push_back(Operand::of(_draw.of(fitting)));
    s.declares = true;
    s.target = {add({true, about(first).type, about(first).space, elements}), -1};
    block.push_back(s);
  }

  void read(Block& block, Place place) {
    Statement s;
    s.kind = StatementKind::read;
    s.operands = {Operand::of(place)};
    block.push_back(s);
  }

  /// A block of its own.
  Block nested(bool recorded, int count) {
    const std::size_t visible = _visible.size();
    ++_depth;
    _recorded += recorded ? 1 : 0;
    Block block;
    statements(block, count);
    _recorded -= recorded ? 1 : 0;
    --_depth;
    _visible.resize(visible);
    return block;
  }

  void loop(Block& block) {
    const int style = _recorded > 0 ? 2 : _draw.below(8);
    if (style == 0) return counted(block);
    loop(block, style < 3, [&](bool native) { return nested(!native, _draw.between(1, 5)); });
  }

  /// @param make_body makes it, in a loop that is native or not.
  void loop(Block& block, bool native, const std::function<Block(bool)>& make_body) {
    const Place counter = value(block, Type::int32);
    block.back().operands[0].literal = 0;
    _program.variables[static_cast<std::size_t>(counter.variable)].reserved = true;
    Statement s;
    s.kind = StatementKind::loop;
    s.native = native && _recorded == 0;
    s.likely = !s.native && _draw.chance(60);
    const std::size_t visible = _visible.size();
    _recorded += s.native ? 0 : 1;
    s.test = call(s.condition, _words.below, {Operand::of(counter), Operand::number(_draw.below(4))});
    if (_draw.chance(25)) {
      reduce(s.condition);
      if (!s.condition.back().declares) s.condition.pop_back();
    }
    if (_draw.chance(30)) {
      s.test = call(s.condition, _words.both, {Operand::of(s.test), Operand::of(_draw.late_of(shareds(Type::flag)))});
    }
    _recorded -= s.native ? 0 : 1;
    _visible.resize(visible);
    s.body = make_body(s.native);
    Statement step;
    step.operation = _words.count_up;
    step.operands = {Operand::of(counter), Operand::number(1)};
    step.target = counter;
    step.essential = true;
    s.body.insert(_draw.chance(30) ? s.body.begin() : s.body.end(), step);
    block.push_back(std::move(s));
  }

  /// Two or three vectors, often products just made, change names in a loop; old and new names are read after it.
  void renaming_loop(Block& block) {
    std::vector<Place> names = alike(block, _draw.between(2, 3));
    if (names.size() < 2) return;
    std::vector<Place> handles;
    for (const Place name : names) handles.push_back(declare_copy(block, name));
    if (_recorded == 0 && _draw.chance(20)) read(block, _draw.of(names));
    const int style = _draw.below(3);
    Place array;
    if (style == 2) {
      Statement s;
      s.kind = StatementKind::array;
      for (const Place handle : handles) s.operands.push_back(Operand::of(handle));
      s.declares = true;
      Variable like = about(handles[0]);
      like.elements = static_cast<int>(handles.size());
      array = {add(like), -1};
      s.target = array;
      block.push_back(s);
    }
    loop(block, _draw.chance(20), [&](bool native) {
      Block body;
      if (style == 0) {
        const std::size_t visible = _visible.size();
        const Place kept = declare_copy(body, handles[0]);
        for (std::size_t k = 1; k < handles.size(); ++k) assign(body, handles[k - 1], handles[k]);
        assign(body, handles.back(), kept);
        _visible.resize(visible);
      }
      for (std::size_t k = 1; k < handles.size() && style == 1; ++k) {
        Statement s;
        s.kind = StatementKind::swap;
        s.target = handles[k - 1];
        s.operands = {Operand::of(handles[k])};
        body.push_back(s);
      }
      if (style == 2) {
        Statement s;
        s.kind = StatementKind::rotate;
        s.target = array;
        body.push_back(s);
      }
      if (_draw.chance(40)) {
        const Block more = nested(!native, _draw.between(1, 2));
        body.insert(_draw.chance(50) ? body.begin() : body.end(), more.begin(), more.end());
      }
      return body;
    });
    if (_recorded > 0) return;
    _latest = handles[0];
    if (_draw.chance(50)) {
      reduce_by(block, _reducer);
      if (block.back().kind == StatementKind::operation && _draw.chance(70)) read(block, block.back().target);
    }
    names.insert(names.end(), handles.begin(), handles.end());
    for (int k = 0; style == 2 && k < static_cast<int>(handles.size()); ++k) names.push_back({array.variable, k});
    for (int reads = _draw.between(2, static_cast<int>(names.size()) + 1); reads > 0; --reads) {
      read(block, _draw.of(names));
    }
  }

  /// Vectors of one type and space, different or not; in the half of all cases results of one kind of product.
  std::vector<Place> alike(Block& block, int count) {
    std::vector<Place> found;
    for (int tries = 0; tries < 30 && found.empty() && _draw.chance(90); ++tries) {
      auto s = product_of(_draw.of(_words.products), _draw.of(_made));
      if (!s) continue;
      _reducer = reducer_of(*s);
      while (static_cast<int>(found.size()) < count) {
        s->declares = true;
        s->target = {add(result_of(*s)), -1};
        found.push_back(s->target);
        block.push_back(*s);
        const Variable from = about(s->operands[0].place);
        s->operands[0].place = _draw.of(vectors(from.type, from.space));
      }
    }
    if (!found.empty()) return found;
    const auto all = places([](const Variable& v) { return v.vector; });
    const Variable like = about(_draw.late_of(all));
    const auto fitting = vectors(like.type, like.space);
    for (; count > 0; --count) found.push_back(_draw.of(fitting));
    return found;
  }

  // ---- errors that are caught ----

  /// A run that reads a Shared without value ends in an error, at once or in the middle of a loop. What was computed
  /// before is there still; what the attempt stored to is stored to again.
  void attempt(Block& block) {
    const auto nothing = empty_space();
    if (!nothing) return;
    read(block, call(block, _words.count_up, {Operand::of(_draw.of(shareds(Type::int32))), Operand::number(1)}));
    const std::size_t visible = _visible.size();
    Statement s;
    s.kind = StatementKind::attempt;
    ++_depth;
    statements(s.body, _draw.below(3));
    const int operation = _draw.of(_words.of_nothing);
    const Type type = operations()[static_cast<std::size_t>(operation)].out;
    Statement empty;
    empty.kind = StatementKind::constant;
    empty.space = *nothing;
    empty.operands = {Operand::number(1)};
    empty.declares = true;
    empty.target = {add({true, type, *nothing}), -1};
    s.body.push_back(empty);
    const Place none = call(s.body, operation, {Operand::of(empty.target)});
    read_nothing(s.body, none, type);
    --_depth;
    _visible.resize(visible);
    const auto lost = stored_in(s.body);
    block.push_back(std::move(s));
    for (const Place place : lost) store_again(block, place);
  }

  void read_nothing(Block& block, Place none, Type type) {
    const auto numbers = vectors(type);
    const int style = numbers.empty() ? 0 : _draw.below(5);
    if (style == 0) return read(block, none);
    const Place place = _draw.late_of(numbers);  // what steps before the error have changed in part
    const auto by_shared = [&](Block& to, Place shared) {
      for (const int operation : _words.elements) {
        const Operation& called = operations()[static_cast<std::size_t>(operation)];
        if (called.out != type || called.parameters.size() != 2 || called.text != "kasen::plus" ||
            called.parameters[1].kind != Parameter::Kind::shared) {
          continue;
        }
        Statement s;
        s.operation = operation;
        s.operands = {Operand::of(place), Operand::of(shared)};
        s.target = place;
        return to.push_back(s);
      }
    };
    if (style == 1) {
      by_shared(block, none);
    } else if (type == Type::int32 && style == 2) {
      Statement s;
      s.kind = StatementKind::branch;
      s.test = call(block, _words.below, {Operand::of(none), Operand::number(3)});
      ++_recorded;
      s.body = nested(true, _draw.between(1, 3));
      by_shared(s.body, _draw.of(shareds(type)));
      --_recorded;
      block.push_back(std::move(s));
    } else if (type == Type::int32 && style == 3) {
      const Place test = call(block, _words.below, {Operand::of(none), Operand::number(3)});
      loop(block, false, [&](bool) {
        Block body = nested(true, _draw.between(1, 3));
        by_shared(body, _draw.of(shareds(type)));
        return body;
      });
      Statement& s = block.back();
      s.likely = false;
      const std::size_t visible = _visible.size();
      s.test = call(s.condition, _words.both, {Operand::of(s.test), Operand::of(test)});
      _visible.resize(visible);
    } else {
      const Place carried = value(block, type);
      _program.variables[static_cast<std::size_t>(carried.variable)].reserved = true;
      loop(block, _draw.chance(20), [&](bool native) {
        Block body = nested(!native, _draw.between(1, 3));
        by_shared(body, carried);
        const Block more = nested(!native, _draw.below(3));
        body.insert(body.end(), more.begin(), more.end());
        assign(body, carried, none);
        return body;
      });
      block.back().likely = false;
      block.back().condition[0].operands[1].literal = 3;
    }
    read(block, place);
  }

  /// Variables from outside of the block that something in it stores to, with the elements of arrays.
  std::vector<Place> stored_in(const Block& block) const {
    std::vector<Place> found;
    const auto add = [&](Place place) {
      const auto same = [&](Place other) { return other.variable == place.variable && other.element == place.element; };
      if (visible(place) && std::none_of(found.begin(), found.end(), same)) found.push_back(place);
    };
    for_each_statement(block, [&](const Statement& s, int) {
      if (s.target.variable < 0) return;
      if (s.kind == StatementKind::swap) add(s.operands[0].place);
      if (s.kind != StatementKind::rotate) return add(s.target);
      for (int k = 0; k < about(s.target).elements; ++k) add({s.target.variable, k});
    });
    return found;
  }

  void store_again(Block& block, Place place) {
    if (_draw.chance(50)) {
      Statement s;
      s.kind = StatementKind::probe;
      s.operands = {Operand::of(place)};
      block.push_back(s);
    }
    Statement s;
    const Variable& like = about(place);
    s.kind = like.vector ? StatementKind::constant : StatementKind::value;
    s.space = like.space;
    s.operands = {Operand::number(number(like.type, false))};
    s.target = place;
    block.push_back(s);
  }

  void counted(Block& block) {
    Statement s;
    s.kind = StatementKind::counted;
    s.times = _draw.below(4);
    s.counter = _program.counters++;
    _counters.push_back(s.counter);
    s.body = nested(false, _draw.between(1, 5));
    _counters.pop_back();
    block.push_back(std::move(s));
  }

  void branch(Block& block) {
    const auto tests = shareds(Type::flag);
    Statement s;
    s.kind = StatementKind::branch;
    s.native = _recorded == 0 && _draw.chance(25);
    s.test = _draw.late_of(tests);
    s.body = nested(!s.native, _draw.between(1, 4));
    s.otherwise = nested(!s.native, _draw.below(4));
    block.push_back(std::move(s));
  }

  /// Some or all of what is alive, one of it twice.
  void results(Block& block) {
    auto all = places([](const Variable&) { return true; });
    const int count = _draw.chance(50) ? static_cast<int>(all.size()) : _draw.between(3, 8);
    for (int k = 0; k < count; ++k) {
      const auto chosen = all.begin() + _draw.below(static_cast<int>(all.size()));
      read(block, k == 0 && visible(_latest) ? _latest : *chosen);
      all.erase(chosen);
      if (all.empty()) break;
    }
    for (int reads = _draw.chance(30) ? _draw.between(2, std::min(count, 8)) : 1; reads > 0; --reads) {
      const Statement again = block[block.size() - 1 - static_cast<std::size_t>(_draw.below(std::min(count, 8)))];
      block.push_back(again);
    }
  }

  Draw _draw;
  Kind _kind;
  const Vocabulary& _words;
  Program _program;
  std::vector<int> _visible;      ///< variables
  std::vector<int> _made, _late;  ///< matrices
  Place _latest;                  ///< the vector stored last
  std::string _reducer;           ///< of the vectors that alike() has made
  std::vector<int> _counters;     ///< of the native loops around
  int _depth = 0;
  int _recorded = 0;  ///< recorded blocks around
};

}  // namespace

Program generate(std::uint64_t seed, Kind kind) {
  const Vocabulary vocabulary(kind);
  const Draw draw = Draw(seed).split(kind.exact ? 1 : 2);
  for (std::uint64_t attempt = 0;; ++attempt) {
    Program program = Generator(draw.split(attempt), kind, vocabulary).make();
    program.seed = seed;
    if (keep_within_bounds(program)) return program;
  }
}

}  // namespace kasen::tests::fuzz
