// Keyed reductions and takes, with the keys that they follow.
#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

/// New keys over a space: of indices, which all workers can make, or of a vector there is.
Place ProgramMaker::make_keys(Block& block, int space, int keys) {
  const Place latest = _latest;
  Place from;
  const auto fitting = vectors(Type::int64, space);
  if (fitting.empty() || _draw.chance(40)) {
    Statement indices;
    indices.kind = StatementKind::iota;
    indices.space = space;
    indices.declares = true;
    indices.target = from = {add({true, Type::int64, space}), -1};
    block.push_back(indices);
  } else {
    from = _draw.late_of(fitting);
  }
  Statement s;
  s.operation = _draw.of(_words.keys);
  s.operands = {Operand::of(from), Operand::number(length(keys))};
  s.declares = true;
  s.target = {add({true, operations()[static_cast<std::size_t>(s.operation)].out, space}), -1};
  block.push_back(s);
  _latest = latest;
  return s.target;
}

/// In some cases of partial results, by the function that reduces these.
void ProgramMaker::reduce_by_key(Block& block) {
  const bool partial = _draw.chance(40) && new_product(block);
  const int space = partial ? about(_latest).space : any_space(), keys = any_space();
  const Place latest = _latest;
  const Place key = make_keys(block, space, keys);
  for (int tries = 0; tries < 30; ++tries) {
    Statement s;
    s.operation = _draw.of(_words.keyed);
    const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
    const Type type = called.parameters[1].type;
    if (called.parameters[0].type != about(key).type) continue;
    if (partial && tries < 20 && (type != about(latest).type || called.text != _reducer)) continue;
    const auto fitting = vectors(type, space);
    if (fitting.empty()) continue;
    const bool fits = partial && type == about(latest).type;
    s.operands = {Operand::of(key), Operand::of(fits ? latest : _draw.late_of(fitting))};
    s.space = keys;
    s.temporaries = called.instead.empty() && _draw.chance(15);
    set_target(s, {true, called.out, keys});
    block.push_back(s);
    if (_draw.chance(40)) use_partial_results(block, called.text);
    return;
  }
}

void ProgramMaker::take(Block& block) {
  for (int tries = 0; tries < 30; ++tries) {
    Statement s;
    s.operation = _draw.of(_words.taken);
    const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
    const auto fitting = vectors(called.out);
    if (fitting.empty()) continue;
    const bool latest = visible(_latest) && about(_latest).type == called.out && _draw.chance(60);
    const Place from = latest ? _latest : _draw.late_of(fitting);
    const int space = any_space();
    const Place key = make_keys(block, space, about(from).space);
    if (about(key).type != called.parameters[1].type) continue;
    s.operands = {Operand::of(from), Operand::of(key), Operand::number(number(called.out, false))};
    s.temporaries = called.instead.empty() && _draw.chance(15);
    set_target(s, {true, called.out, space});
    block.push_back(s);
    return;
  }
}

}  // namespace kasen::tests::fuzz
