// Errors that are caught.
#include <algorithm>

#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

void ProgramMaker::attempt(Block& block) {
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

void ProgramMaker::read_nothing(Block& block, Place none, Type type) {
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

std::vector<Place> ProgramMaker::stored_in(const Block& block) const {
  std::vector<Place> found;
  const auto add = [&](Place place) {
    if (visible(place) && std::find(found.begin(), found.end(), place) == found.end()) found.push_back(place);
  };
  for_each_statement(block, [&](const Statement& s, int) {
    if (s.target.variable < 0) return;
    if (s.kind == StatementKind::swap) add(s.operands[0].place);
    if (s.kind != StatementKind::rotate) return add(s.target);
    for (int k = 0; k < about(s.target).elements; ++k) add({s.target.variable, k});
  });
  return found;
}

void ProgramMaker::store_again(Block& block, Place place) {
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

}  // namespace kasen::tests::fuzz
