// Products of both ends of non-zeros, and reductions of entries.
#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

/// A call with a vector of each end, mostly of what was stored last.
std::optional<Statement> ProgramMaker::call_of_ends(int operation, int matrix_number) {
  Statement s;
  s.operation = operation;
  const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
  s.matrix = matrix_number;
  const MatrixOf& matrix = _program.matrices[static_cast<std::size_t>(s.matrix)];
  if (matrix.type != called.entries) return std::nullopt;
  s.transposed = called.kind == Operation::Kind::ends && _draw.chance(50);
  for (std::size_t k = 0; k < 2; ++k) {
    const Type type = called.parameters[k].type;
    const int space = (k == 0) != s.transposed ? matrix.rows : matrix.columns;
    const auto fitting = vectors(type, space);
    if (fitting.empty()) return std::nullopt;
    const bool latest =
        visible(_latest) && about(_latest).type == type && about(_latest).space == space && _draw.chance(60);
    s.operands.push_back(Operand::of(latest ? _latest : _draw.late_of(fitting)));
  }
  s.batch = batch_of(matrix);
  return s;
}

void ProgramMaker::of_ends(Block& block) {
  for (int tries = 0; tries < 30; ++tries) {
    auto s = call_of_ends(_draw.of(_words.ends), _draw.of(_made));
    if (!s) continue;
    set_target(*s, result_of(*s));
    block.push_back(*s);
    if (_draw.chance(65)) use_partial_results(block, reducer_of(*s));
    return;
  }
}

void ProgramMaker::reduce_entries(Block& block) {
  for (int tries = 0; tries < 30; ++tries) {
    auto s = call_of_ends(_draw.of(_words.entries), _draw.of(_made));
    if (!s) continue;
    set_target(*s, {false, operations()[static_cast<std::size_t>(s->operation)].out});
    block.push_back(*s);
    return;
  }
}

}  // namespace kasen::tests::fuzz
