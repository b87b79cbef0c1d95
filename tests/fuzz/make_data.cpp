// Index spaces, matrices, and the values that programs begin with.
#include <algorithm>

#include "tests/fuzz/graphs.h"
#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

void ProgramMaker::spaces() {
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

std::optional<int> ProgramMaker::empty_space() const {
  const auto found = std::find_if(_program.spaces.begin(), _program.spaces.end(),
                                  [](const SpaceOf& space) { return space.length == 0; });
  if (found == _program.spaces.end()) return std::nullopt;
  return static_cast<int>(found - _program.spaces.begin());
}

void ProgramMaker::matrices() {
  const bool many = _draw.chance(20);
  const int count = many ? _draw.between(4, 12) : _draw.between(1, 3);
  const bool early = _draw.chance(50);
  const int favoured = any_space();  // many matrices are mostly over one space, which then has many roles
  for (int k = 0; k < count; ++k) {
    MatrixOf matrix;
    matrix.type = static_cast<Entries>(_draw.below(3));
    matrix.rows = many && _draw.chance(60) ? favoured : any_space();
    matrix.columns = _draw.chance(50) ? matrix.rows : any_space();
    const int height = length(matrix.rows), width = length(matrix.columns);
    const bool full = height * width > 0 && height * width <= 600 && _draw.chance(20);
    if (matrix.rows == matrix.columns && height > 3 && _draw.chance(25)) {
      add_graph(matrix, height);
    } else if (full) {
      add_all_elements(matrix, height, width);
    } else if (_draw.chance(15)) {
      add_band(matrix, height, width);
    } else {
      add_some_elements(matrix, height, width);
    }
    if (_draw.chance(30)) mirror(matrix);
    if (_draw.chance(20)) put_in_batches(matrix);
    (k == 0 || early || _draw.chance(30) ? _made : _late).push_back(k);
    _program.matrices.push_back(std::move(matrix));
  }
}

/// Entries of batches at random, and some that are in none.
void ProgramMaker::put_in_batches(MatrixOf& matrix) {
  if (length(matrix.rows) == 0 || _program.spaces[static_cast<std::size_t>(matrix.rows)].separate) return;
  matrix.batches = _draw.between(1, 5);
  if (length(matrix.columns) > 0) matrix.more = _draw.below(std::min(3, length(matrix.rows)));
  for (NonZero& entry : matrix.entries) entry.batch = _draw.below(matrix.batches);
}

/// Of a matrix in batches.
Operand ProgramMaker::batch_of(const MatrixOf& all) {
  if (all.batches == 0) return Operand::number(0);
  const auto numbers = shareds(Type::int64);
  return !numbers.empty() && _draw.chance(70) ? Operand::of(_draw.late_of(numbers))
                                              : Operand::number(_draw.below(all.batches));
}

void ProgramMaker::add_graph(MatrixOf& matrix, int vertices) {
  for (const auto& [from, to] : draw_graph(_draw, vertices)) matrix.entries.push_back({from, to, _draw.between(-2, 5)});
}

/// Makes a matrix over one space symmetric, or but for one entry.
void ProgramMaker::mirror(MatrixOf& matrix) {
  if (matrix.rows != matrix.columns || matrix.entries.empty()) return;
  const std::size_t given = matrix.entries.size();
  for (std::size_t k = 0; k < given; ++k) {
    const NonZero entry = matrix.entries[k];
    if (entry.row != entry.column) matrix.entries.push_back({entry.column, entry.row, entry.value});
  }
  if (_draw.chance(20)) ++matrix.entries.back().value;
  if (_draw.chance(10)) matrix.entries.pop_back();
}

void ProgramMaker::search_spaces() {
  static const std::vector<int> lengths{12, 20, 33, 40, 50, 64, 70, 90, 130, 200, 300};
  const int length = _draw.chance(2) ? 5000 : _draw.of(lengths);
  _program.spaces.push_back({length, _draw.chance(20)});
  if (_draw.chance(20)) _program.spaces[0].owners = 1 + static_cast<std::uint64_t>(_draw.below(1000));
  if (_draw.chance(30)) _program.spaces.push_back({7, false});
}

void ProgramMaker::search_matrices() {
  const int count = _draw.between(1, 3), vertices = length(0);
  for (int k = 0; k < count; ++k) {
    MatrixOf matrix;
    matrix.type = _draw.chance(65) ? Entries::pattern : Entries::int32;
    if (k == 0 || _draw.chance(80)) {
      add_graph(matrix, vertices);
    } else {
      add_some_elements(matrix, vertices, vertices);
    }
    if (_draw.chance(40)) mirror(matrix);
    (k == 0 || _draw.chance(85) ? _made : _late).push_back(k);
    _program.matrices.push_back(std::move(matrix));
  }
}

void ProgramMaker::add_all_elements(MatrixOf& matrix, int height, int width) {
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) matrix.entries.push_back({row, column, _draw.between(-6, 6)});
  }
  for (auto left = static_cast<int>(matrix.entries.size()); left > 1; --left)
    std::swap(matrix.entries[static_cast<std::size_t>(left - 1)],
              matrix.entries[static_cast<std::size_t>(_draw.below(left))]);
}

/// Rows alike, but for those at the edges and a few without entries: what is stored as stencils.
void ProgramMaker::add_band(MatrixOf& matrix, int height, int width) {
  std::vector<std::pair<int, int>> stencil;  // offsets and values
  for (int entries = _draw.between(1, 7); entries > 0; --entries)
    stencil.emplace_back(_draw.between(-9, 9), _draw.between(-6, 6));
  for (int row = 0; row < height; ++row) {
    if (_draw.chance(3)) continue;
    for (const auto& [offset, value] : stencil) {
      if (row + offset >= 0 && row + offset < width) matrix.entries.push_back({row, row + offset, value});
    }
  }
}

void ProgramMaker::add_some_elements(MatrixOf& matrix, int height, int width) {
  int entries = height * width == 0 || _draw.chance(8) ? 0 : _draw.between(1, 3 * std::min(height, 60) + 3);
  const bool skewed = _draw.chance(50);
  for (; entries > 0; --entries) {
    int column = _draw.below(width);
    if (skewed) column = std::min(column, _draw.below(width));
    if (skewed && _draw.chance(30)) column = 0;
    matrix.entries.push_back({_draw.below(height), column, _draw.between(-6, 6)});
  }
}

double ProgramMaker::number(Type type, bool divisor) {
  static const std::vector<double> divisors{2, 4, 0.5, -2};
  if (type == Type::real && divisor) return _draw.of(divisors);
  if (divisor) return _draw.between(2, 5);
  if (type == Type::real) return _draw.between(-8, 8) * (_kind.exact ? 0.25 : 0.137);
  if (type == Type::flag) return _draw.below(2);
  if (type == Type::real32) return _draw.between(-8, 8) * 0.5;
  const bool negative = type == Type::int32 || type == Type::int64 || type == Type::pair || type == Type::int8;
  return _draw.between(negative ? -5 : 0, 5);
}

std::vector<Type> ProgramMaker::other_types(int count) {
  std::vector<Type> types;
  for (; count > 0; --count) {
    if (_draw.chance(60)) types.push_back(static_cast<Type>(_draw.between(static_cast<int>(Type::int8), kTypes - 1)));
  }
  return types;
}

void ProgramMaker::inputs(Block& block, int space) {
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

void ProgramMaker::source(Block& block, int space) {
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

Place ProgramMaker::value(Block& block, Type type) {
  Statement s;
  s.kind = StatementKind::value;
  s.operands = {Operand::number(number(type, false))};
  s.declares = true;
  s.target = {add({false, type}), -1};
  block.push_back(s);
  return s.target;
}

}  // namespace kasen::tests::fuzz
