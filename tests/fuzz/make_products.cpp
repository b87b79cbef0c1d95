// Products, and what may run on their results while these wait pre-reduced.
#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

std::optional<Statement> ProgramMaker::product_of(int operation, int matrix_number) {
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
  s.batch = batch_of(matrix);
  return s;
}

Variable ProgramMaker::result_of(const Statement& s) const {
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  return {true, operations()[static_cast<std::size_t>(s.operation)].out, s.transposed ? matrix.rows : matrix.columns};
}

std::string ProgramMaker::reducer_of(const Statement& s) {
  const std::string& text = operations()[static_cast<std::size_t>(s.operation)].text;
  return text.substr(text.rfind(", ") + 2);
}

void ProgramMaker::product(Block& block) {
  for (int tries = 0; tries < 30; ++tries) {
    auto s = product_of(_draw.of(_words.products), _draw.of(_made));
    if (!s) continue;
    set_target(*s, result_of(*s));
    block.push_back(*s);
    const Place made = _latest;
    twin(block);
    _latest = made;
    if (_draw.chance(30)) go_back(block);
    _latest = made;
    if (_draw.chance(25)) keep(block);
    _latest = made;
    if (_draw.chance(65)) use_partial_results(block, reducer_of(*s));
    return;
  }
}

/// The last product once more, in the other direction, where its matrix is over one space.
void ProgramMaker::go_back(Block& block) {
  Statement s = block.back();
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  if (matrix.rows != matrix.columns || s.operands[0].place.variable == s.target.variable) return;
  s.transposed = !s.transposed;
  s.declares = true;
  s.target = {add(result_of(s)), -1};
  block.push_back(s);
}

bool ProgramMaker::new_product(Block& block) {
  for (int tries = 0; tries < 30; ++tries) {
    auto s = product_of(_draw.of(_words.products), _draw.of(_made));
    if (!s) continue;
    _reducer = reducer_of(*s);
    s->declares = true;
    s->target = _latest = {add(result_of(*s)), -1};
    block.push_back(*s);
    return true;
  }
  return false;
}

bool ProgramMaker::waiting_product(Block& block) {
  if (!new_product(block)) return false;
  const Place waiting = _latest;
  read(block, call(block, _words.count_up, {Operand::of(_draw.of(shareds(Type::int32))), Operand::number(1)}));
  _latest = waiting;
  return true;
}

void ProgramMaker::use_partial_results(Block& block, const std::string& reducer) {
  for (int length = _draw.between(1, 3); length > 0; --length) {
    if (_draw.chance(70)) lawful_element(block, _draw.chance(40));
  }
  if (_draw.chance(40)) reduce_by(block, reducer);
}

void ProgramMaker::reduce_by(Block& block, const std::string& reducer) {
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

/// A vector for an argument at which there are no partial results; often one that all workers can make.
Place ProgramMaker::beside(Block& block, Type type, int space) {
  if (!_draw.chance(30)) return _draw.of(vectors(type, space));
  const Place latest = _latest;
  Statement s;
  s.kind = StatementKind::constant;
  s.space = space;
  s.operands = {Operand::number(number(type, false))};
  s.declares = true;
  s.target = {add({true, type, space}), -1};
  block.push_back(s);
  _latest = latest;
  return s.target;
}

void ProgramMaker::lawful_element(Block& block, bool in_place) {
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
      (*chosen)[k].place = static_cast<int>(k) == at ? _latest : beside(block, parameter.type, space);
    }
    s.operands = *chosen;
    if (in_place) {
      s.target = _latest;
    } else {
      set_target(s, {true, called.out, space});
    }
    block.push_back(s);
    return;
  }
}

}  // namespace kasen::tests::fuzz
