// Loops in which values spread along the entries of a matrix, as optimizers know them: x = R(x, products of x), and
// frontiers, which are R's identity almost everywhere.
#include <string>

#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {
namespace {

/// The operation of that text on two vectors of the type, which is its result's.
std::optional<int> on_two_vectors(const std::string& text, Type type) {
  const auto& all = operations();
  for (int k = 0; k < static_cast<int>(all.size()); ++k) {
    const Operation& operation = all[static_cast<std::size_t>(k)];
    if (operation.kind != Operation::Kind::element || operation.text != text || operation.parameters.size() != 2)
      continue;
    const auto is_vector = [&](const Parameter& p) { return p.kind == Parameter::Kind::vector && p.type == type; };
    if (operation.out == type && is_vector(operation.parameters[0]) && is_vector(operation.parameters[1])) return k;
  }
  return std::nullopt;
}

}  // namespace

void ProgramMaker::spreading(Block& block) {
  for (int tries = 0; tries < 60; ++tries) {
    const auto found = product_of(_draw.of(_words.products), _draw.of(_made));
    if (!found) continue;
    const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(found->matrix)];
    const Type type = about(found->operands[0].place).type;
    const auto join = on_two_vectors(reducer_of(*found), type);
    if (matrix.rows != matrix.columns || result_of(*found).type != type || !join) continue;
    const Place x = declare_copy(block, found->operands[0].place);
    std::vector<int> choices;  // one side of which is the identity of some reducer
    for (const int operation : _words.elements) {
      const Operation& called = operations()[static_cast<std::size_t>(operation)];
      const bool chooses = called.text.starts_with("KASEN_FN((auto x, auto y), kasen::select(");
      if (chooses && called.out == type) choices.push_back(operation);
    }
    const bool frontier = !choices.empty() && _draw.chance(50);
    loop(block, _draw.chance(10), [&](bool native) {
      Block body;
      const std::size_t visible = _visible.size();
      const auto make = [&](Statement s, std::vector<Place> operands) {
        s.operands.clear();
        for (const Place place : operands) s.operands.push_back(Operand::of(place));
        s.declares = true;
        s.target = _latest = {add({true, type, about(x).space}), -1};
        body.push_back(s);
        return s.target;
      };
      const auto two = [&](int operation, Place a, Place b) {
        Statement s;
        s.operation = operation;
        return _draw.chance(50) ? make(s, {a, b}) : make(s, {b, a});
      };
      Place from = _latest = x;
      if (_draw.chance(30)) map_latest(body), from = _latest;
      Place spread = make(*found, {from});
      if (_draw.chance(20)) declare_copy(body, spread);
      if (_draw.chance(40)) {
        Statement back = *found;
        back.transposed = !back.transposed;
        spread = two(*join, spread, make(back, {from}));
      }
      if (_draw.chance(20)) spread = two(*join, spread, _draw.of(vectors(type, about(x).space)));
      if (_draw.chance(20)) read_in_loop(body, spread);
      const Place next =
          frontier ? two(_draw.of(choices), spread, _draw.of(vectors(type, about(x).space))) : two(*join, x, spread);
      if (_draw.chance(40)) {
        const Block more = nested(!native, _draw.between(1, 2));
        body.insert(body.end(), more.begin(), more.end());
      }
      assign(body, x, next);
      _visible.resize(visible);
      return body;
    });
    block.back().likely = !block.back().native && _draw.chance(80);
    _latest = x;
    if (_draw.chance(40) && _recorded == 0) read(block, x);
    return;
  }
}

/// Something beside the loop's own statements takes the vector.
void ProgramMaker::read_in_loop(Block& block, Place place) {
  const auto fitting = vectors(about(place).type, about(place).space);
  Statement s;
  s.kind = StatementKind::copy;
  s.operands = {Operand::of(place)};
  s.target = _draw.of(fitting);
  if (_program.variables[static_cast<std::size_t>(s.target.variable)].reserved || s.target == place) return;
  block.push_back(s);
}

}  // namespace kasen::tests::fuzz
