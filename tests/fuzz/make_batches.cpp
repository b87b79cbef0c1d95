// Batches of vectors, of which statements take one by a number that they know, or by a Shared.
#include "tests/fuzz/program_maker.h"

namespace kasen::tests::fuzz {

void ProgramMaker::batches() {
  static const std::vector<Type> types{Type::real, Type::real, Type::int64, Type::int32, Type::uint16};
  for (int count = _draw.below(3); count > 0; --count) {
    BatchesOf all;
    all.space = any_space();
    if (length(all.space) == 0 || _program.spaces[static_cast<std::size_t>(all.space)].separate) continue;
    all.type = _draw.of(types);
    all.count = _draw.between(1, 6);
    all.more = _draw.chance(50) ? _draw.below(length(all.space)) : 0;
    if ((all.type == Type::real || all.type == Type::int32) && _draw.chance(40)) all.width = _draw.between(1, 5);
    _program.batches.push_back(all);
  }
}

void ProgramMaker::batch(Block& block) {
  Statement s;
  s.kind = StatementKind::batch;
  s.batches = _draw.below(static_cast<int>(_program.batches.size()));
  const BatchesOf& all = _program.batches[static_cast<std::size_t>(s.batches)];
  const auto numbers = shareds(Type::int64);
  s.operands = {!numbers.empty() && _draw.chance(70) ? Operand::of(_draw.late_of(numbers))
                                                     : Operand::number(_draw.below(all.count))};
  set_target(s, {true, all.type, all.space});
  block.push_back(s);
}

}  // namespace kasen::tests::fuzz
