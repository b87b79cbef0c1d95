// Loops and branches.
#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

void ProgramMaker::loop(Block& block) {
  const int style = _recorded > 0 ? 2 : _draw.below(8);
  if (style == 0) return counted(block);
  loop(block, style < 3, [&](bool native) { return nested(!native, _draw.between(1, 5)); });
}

void ProgramMaker::loop(Block& block, bool native, const std::function<Block(bool)>& make_body) {
  const auto condition = [&](Statement& s) {
    if (_draw.chance(25)) {
      reduce(s.condition);
      if (!s.condition.back().declares) s.condition.pop_back();
    }
    if (_draw.chance(30)) {
      s.test = call(s.condition, _words.both, {Operand::of(s.test), Operand::of(_draw.late_of(shareds(Type::flag)))});
    }
  };
  const bool likely = _draw.chance(60);
  loop(block, native, _draw.below(4), condition, make_body);
  block.back().likely = !block.back().native && likely;
}

void ProgramMaker::loop(Block& block, bool native, int rounds, const std::function<void(Statement&)>& condition,
                        const std::function<Block(bool)>& make_body) {
  const Place counter = value(block, Type::int32);
  block.back().operands[0].literal = 0;
  _program.variables[static_cast<std::size_t>(counter.variable)].reserved = true;
  Statement s;
  s.kind = StatementKind::loop;
  s.native = native && _recorded == 0;
  const std::size_t visible = _visible.size();
  _recorded += s.native ? 0 : 1;
  s.test = call(s.condition, _words.below, {Operand::of(counter), Operand::number(rounds)});
  condition(s);
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

void ProgramMaker::renaming_loop(Block& block) {
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

void ProgramMaker::iteration(Block& block) {
  for (int tries = 0; tries < 30; ++tries) {
    const auto there = product_of(_draw.of(_words.products), _draw.of(_made));
    if (!there || result_of(*there).type != about(there->operands[0].place).type) continue;
    const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(there->matrix)];
    const bool back = matrix.rows != matrix.columns || _draw.chance(50);
    const Place round = declare_copy(block, there->operands[0].place);
    const bool read_after = _draw.chance(40);
    loop(block, _draw.chance(20), [&](bool) {
      Block body;
      const std::size_t visible = _visible.size();
      const auto step = [&](Statement s) {
        s.operands[0] = Operand::of(_latest);
        s.declares = true;
        s.target = _latest = {add(result_of(s)), -1};
        body.push_back(s);
      };
      _latest = round;
      if (_draw.chance(70)) map_latest(body);
      step(*there);
      if (_draw.chance(40)) map_latest(body);
      if (back) {
        Statement s = *there;
        s.transposed = !s.transposed;
        step(s);
        if (_draw.chance(40)) map_latest(body);
      }
      assign(body, round, _latest);
      _visible.resize(visible);
      return body;
    });
    block.back().likely = !block.back().native && _draw.chance(80);
    _latest = round;
    if (read_after && _recorded == 0) read(block, round);
    return;
  }
}

/// Of its own type, by a function of one vector.
void ProgramMaker::map_latest(Block& block) {
  for (int tries = 0; tries < 60; ++tries) {
    const int operation = _draw.of(_draw.chance(50) ? _words.lawful : _words.elements);
    const Operation& called = operations()[static_cast<std::size_t>(operation)];
    if (called.out != about(_latest).type || called.parameters[0].type != called.out) continue;
    const auto more = std::find_if(called.parameters.begin() + 1, called.parameters.end(),
                                   [](const Parameter& p) { return p.kind == Parameter::Kind::vector; });
    if (more != called.parameters.end()) continue;
    int space = about(_latest).space;
    auto chosen = operands(called, space);
    if (!chosen) continue;
    (*chosen)[0] = Operand::of(_latest);
    Statement s;
    s.operation = operation;
    s.operands = *chosen;
    s.declares = true;
    s.target = {add({true, called.out, space}), -1};
    _latest = s.target;
    block.push_back(s);
    return;
  }
}

void ProgramMaker::carried_partials(Block& block) {
  if (!new_product(block)) return;
  const Statement made = block.back();
  const Place carried = _latest;
  const std::string reducer = _reducer;
  const auto change = [&](Block& to) {
    const std::size_t visible = _visible.size();
    for (int count = _draw.between(0, 2); count > 0; --count) {
      _latest = carried;
      lawful_element(to, true);
    }
    _visible.resize(visible);
  };
  const bool anew = _draw.chance(60);
  const auto make_again = [&](Block& to, Place from) {
    Statement again = made;
    again.declares = false;
    again.operands[0].place = from;
    to.push_back(again);
  };
  if (_draw.chance(50)) {
    const Place changing = declare_copy(block, made.operands[0].place);
    loop(block, false, [&](bool) {
      Block body;
      if (anew) {
        const std::size_t visible = _visible.size();
        _latest = changing;
        map_latest(body);
        assign(body, changing, _latest);
        _visible.resize(visible);
        make_again(body, changing);
      }
      change(body);
      return body;
    });
  } else {
    Statement s;
    s.kind = StatementKind::branch;
    s.test = _draw.late_of(shareds(Type::flag));
    ++_recorded;
    const Variable from = about(made.operands[0].place);
    for (Block* side : {&s.body, &s.otherwise}) {
      if (anew) make_again(*side, _draw.of(vectors(from.type, from.space)));
      change(*side);
    }
    --_recorded;
    block.push_back(std::move(s));
  }
  _latest = carried;
  if (_draw.chance(80)) reduce_by(block, reducer);
}

std::vector<Place> ProgramMaker::alike(Block& block, int count) {
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

void ProgramMaker::counted(Block& block) {
  Statement s;
  s.kind = StatementKind::counted;
  s.times = _draw.below(4);
  s.counter = _program.counters++;
  _counters.push_back(s.counter);
  s.body = nested(false, _draw.between(1, 5));
  _counters.pop_back();
  block.push_back(std::move(s));
}

void ProgramMaker::branch(Block& block) {
  const Place test = _draw.late_of(shareds(Type::flag));
  branch(block, test, _recorded == 0 && _draw.chance(25));
  if (!_draw.chance(40)) return;
  statements(block, _draw.below(3));
  branch(block, test, false);
}

void ProgramMaker::branch(Block& block, Place test, bool native) {
  Statement s;
  s.kind = StatementKind::branch;
  s.native = native;
  s.test = test;
  s.body = nested(!native, _draw.between(1, 4));
  s.otherwise = nested(!native, _draw.below(4));
  block.push_back(std::move(s));
}

}  // namespace kasen::tests::fuzz
