// Calls of functions, and handles that change places.
#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

std::optional<std::vector<Operand>> ProgramMaker::operands(const Operation& called, int& space) {
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

void ProgramMaker::element(Block& block) {
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
    s.temporaries = _draw.chance(15);
    set_target(s, {true, called.out, space});
    block.push_back(s);
    twin(block);
    return;
  }
}

void ProgramMaker::twin(Block& block) {
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

void ProgramMaker::keep(Block& block) {
  const auto all = places([](const Variable& v) { return v.vector; });
  const Place from = visible(_latest) && _draw.chance(70) ? _latest : _draw.late_of(all);
  declare_copy(block, from);
}

Place ProgramMaker::declare_copy(Block& block, Place from) {
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

void ProgramMaker::assign(Block& block, Place to, Place from) {
  Statement s;
  s.kind = StatementKind::copy;
  s.operands = {Operand::of(from)};
  s.target = to;
  block.push_back(s);
}

void ProgramMaker::reduce(Block& block) {
  for (int tries = 0; tries < 30; ++tries) {
    Statement s;
    s.operation = _draw.of(_draw.chance(30) ? _words.folds : _words.reduces);
    const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
    int space = -1;
    const auto chosen = operands(called, space);
    if (!chosen || (!called.identity && length(space) == 0)) continue;
    s.operands = *chosen;
    s.temporaries = _draw.chance(15);
    set_target(s, {false, called.out});
    block.push_back(s);
    twin(block);
    return;
  }
}

Place ProgramMaker::call(Block& block, int operation, std::vector<Operand> operands) {
  Statement s;
  s.operation = operation;
  s.operands = std::move(operands);
  s.declares = true;
  s.target = {add({false, operations()[static_cast<std::size_t>(operation)].out}), -1};
  block.push_back(s);
  return s.target;
}

void ProgramMaker::apply(Block& block) {
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

void ProgramMaker::copy(Block& block) {
  const Place from = _draw.late_of(assignable());
  Statement s;
  s.kind = StatementKind::copy;
  s.operands = {Operand::of(from)};
  set_target(s, {about(from).vector, about(from).type, about(from).space});
  block.push_back(s);
}

void ProgramMaker::swap(Block& block) {
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

void ProgramMaker::array(Block& block) {
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

}  // namespace kasen::tests::fuzz
