#include "optimizer/laws/derive_laws.h"

#include <algorithm>
#include <set>

#include "kasen/base/program_tools.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::optimizer {
namespace {

/// The reducers of the states of live-ins, and those that statements use.
std::set<ReducerId> occurring_reducers(const Program& program) {
  std::set<ReducerId> reducers;
  for (const LiveIn& live : program.live_in) reducers.insert(live.state.reducer);
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) reducers.insert(statement.reducer);
  });
  reducers.erase(kNone<ReducerId>);
  return reducers;
}

void add(Statement& statement, const Law& law) {
  auto& laws = statement.laws;
  if (std::find(laws.begin(), laws.end(), law) == laws.end()) laws.push_back(law);
}

}  // namespace

void derive_laws(Program& program) {
  const std::set<ReducerId> reducers = occurring_reducers(program);
  const auto derive = [&](Statement& statement) {
    const Type& type = program.values[index_of(statement.out[0])].type;
    const auto whole = statement.in.size() == 1 ? Law::Kind::exchange : Law::Kind::distributive;
    const auto operands = static_cast<std::uint8_t>(statement.in.size());
    for (std::uint8_t k = 0; k < operands; ++k) {
      if (program.values[index_of(statement.in[k])].type != type) continue;
      for (const ReducerId id : reducers) {
        const ReducerInfo& reducer = program.reducers[index_of(id)];
        if (reducer.type != type) continue;
        const Obeyed obeyed = obeyed_over(reducer.kind, *statement.expression, k);
        if (obeyed.distributes) add(statement, {whole, id, k});
        if (obeyed.pushes_down) add(statement, {Law::Kind::pushdown, id, k});
        if (statement.affine && reducer.kind == ReducerKind::plus) add(statement, {Law::Kind::affine, id, k});
      }
    }
  };
  for_each_block(program.top, [&](Block& block) {
    for (Statement& statement : block.statements) {
      if (statement.op == Op::element && statement.expression) derive(statement);
    }
  });
}

}  // namespace kasen::optimizer
