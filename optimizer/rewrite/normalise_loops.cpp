#include "optimizer/rewrite/normalise_loops.h"

#include <algorithm>
#include <set>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

/// Values of the condition (its results and the old arguments) that the rest of the loop needs, in a fixed order:
/// the values the arguments have after the condition, the test, then what the body reads beside them.
std::vector<ValueId> carried_values(const Block& body) {
  const auto condition_end = body.statements.begin() + static_cast<std::ptrdiff_t>(body.condition_length);
  std::set<ValueId> defined(body.arguments.begin(), body.arguments.end());
  for (auto statement = body.statements.begin(); statement != condition_end; ++statement) {
    defined.insert(statement->out.begin(), statement->out.end());
  }
  std::vector<ValueId> carried;
  const auto carry = [&](ValueId value) {
    if (std::find(carried.begin(), carried.end(), value) == carried.end()) carried.push_back(value);
  };
  for (ValueId value : body.condition_yields) carry(value);
  carry(body.test);
  const auto carry_if_defined = [&](ValueId value) {
    if (defined.contains(value)) carry(value);
  };
  for (auto statement = condition_end; statement != body.statements.end(); ++statement) {
    for_each_read(*statement, carry_if_defined);
  }
  for (ValueId value : body.yields) carry_if_defined(value);
  return carried;
}

/// Normalises `loop`, a statement of a block; `before` receives what must run before it, `renamed` results that are
/// now one and the same.
void normalise(Program& program, Statement& loop, std::vector<Statement>& before, Substitution& renamed) {
  Block& body = loop.regions[0];
  const auto condition_end = body.statements.begin() + static_cast<std::ptrdiff_t>(body.condition_length);
  const std::vector<Statement> condition(body.statements.begin(), condition_end);
  const std::vector<ValueId> carried = carried_values(body);

  Substitution entry, back;
  for (std::size_t k = 0; k < body.arguments.size(); ++k) {
    entry[body.arguments[k]] = loop.in[k];
    back[body.arguments[k]] = body.yields[k];
  }
  for (Statement& statement : clone(program, condition, entry)) before.push_back(std::move(statement));
  // The carried values keep their names: they turn from results of the condition into arguments of the body. One that
  // comes from outside of the loop gets a name of its own there.
  std::set<ValueId> defined_in_loop(body.arguments.begin(), body.arguments.end());
  for (const Statement& statement : condition) defined_in_loop.insert(statement.out.begin(), statement.out.end());
  body.statements.erase(body.statements.begin(), condition_end);
  for (Statement& statement : clone(program, condition, back)) body.statements.push_back(std::move(statement));

  std::vector<ValueId> results;
  for (ValueId value : carried) {
    ValueId result = kNone<ValueId>;
    for (std::size_t k = 0; k < body.condition_yields.size(); ++k) {
      if (body.condition_yields[k] != value) continue;
      if (result == kNone<ValueId>) {
        result = loop.out[k];
      } else {
        renamed[loop.out[k]] = result;
      }
    }
    results.push_back(result == kNone<ValueId> ? fresh_like(program, value) : result);
  }
  loop.in.clear();
  body.yields.clear();
  for (ValueId value : carried) {
    loop.in.push_back(substituted(entry, value));
    body.yields.push_back(substituted(back, value));
  }
  loop.out = results;
  body.arguments.clear();
  for (ValueId value : carried) {
    body.arguments.push_back(defined_in_loop.contains(value) ? value : fresh_like(program, value));
  }
  body.test =
      body.arguments[static_cast<std::size_t>(std::find(carried.begin(), carried.end(), body.test) - carried.begin())];
  body.condition_yields.clear();
  body.condition_length = 0;
}

void normalise_block(Program& program, Block& block) {
  std::vector<Statement> statements;
  std::size_t condition_length = block.condition_length;
  Substitution renamed;
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    Statement& statement = block.statements[i];
    for (Block& region : statement.regions) normalise_block(program, region);
    std::vector<Statement> before;
    if (statement.op == Op::while_) normalise(program, statement, before, renamed);
    if (i < block.condition_length) condition_length += before.size();
    for (Statement& prologue : before) statements.push_back(std::move(prologue));
    statements.push_back(std::move(statement));
  }
  block.statements = std::move(statements);
  block.condition_length = condition_length;
  if (!renamed.empty()) substitute_reads(block, renamed);
}

}  // namespace

void normalise_loops(Program& program) {
  // Results are renamed within the block of their loop; only the top block's can be live at the end, too.
  Block& top = program.top;
  for (LiveOut& live : program.live_out) top.yields.push_back(live.value);
  normalise_block(program, top);
  for (std::size_t k = 0; k < program.live_out.size(); ++k) program.live_out[k].value = top.yields[k];
  top.yields.clear();
}

}  // namespace kasen::optimizer
