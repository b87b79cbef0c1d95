#include "optimizer/rewrite/rotate_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

using Definitions = std::map<ValueId, std::size_t>;

/// The statements of the body that `value` is computed by, if all of them may be rotated.
std::optional<std::set<std::size_t>> slice_of(const Block& body, const Definitions& definition, ValueId value) {
  std::set<std::size_t> slice;
  std::vector<ValueId> open{value};
  while (!open.empty()) {
    const auto found = definition.find(open.back());
    open.pop_back();
    if (found == definition.end() || !slice.insert(found->second).second) continue;
    const Statement& statement = body.statements[found->second];
    const bool movable = statement.op == Op::element || statement.op == Op::source || statement.op == Op::apply;
    if (!movable || !statement.total) return std::nullopt;
    open.insert(open.end(), statement.in.begin(), statement.in.end());
    open.insert(open.end(), statement.shared.begin(), statement.shared.end());
  }
  return slice;
}

void rotate(Program& program, Statement& loop, std::vector<Statement>& before) {
  Block& body = loop.regions[0];
  Definitions definition;
  for (std::size_t i = 0; i < body.statements.size(); ++i) {
    for (ValueId value : body.statements[i].out) definition[value] = i;
  }
  std::set<std::size_t> head;
  std::vector<ValueId> fed;  // what the matrix operations read of the head
  for (const Statement& statement : body.statements) {
    if (statement.op != Op::mxv && statement.op != Op::mxvt) continue;
    for (const ValueId value : statement.in) {
      if (!definition.contains(value) || std::find(fed.begin(), fed.end(), value) != fed.end()) continue;
      if (const auto slice = slice_of(body, definition, value)) {
        head.insert(slice->begin(), slice->end());
        fed.push_back(value);
      }
    }
  }
  if (fed.empty()) return;

  std::vector<Statement> moved;
  for (std::size_t i : head) moved.push_back(body.statements[i]);
  Substitution entry, back;
  for (std::size_t k = 0; k < body.arguments.size(); ++k) {
    entry[body.arguments[k]] = loop.in[k];
    back[body.arguments[k]] = body.yields[k];
  }
  for (Statement& statement : clone(program, moved, entry)) before.push_back(std::move(statement));
  for (Statement& statement : clone(program, moved, back)) body.statements.push_back(std::move(statement));
  // What is fed becomes an argument under its old name; the rest of the head stays for other readers or dies.
  std::erase_if(body.statements, [&](const Statement& statement) {
    return statement.out.size() == 1 && std::find(fed.begin(), fed.end(), statement.out[0]) != fed.end();
  });
  for (ValueId value : fed) {
    loop.in.push_back(substituted(entry, value));
    loop.out.push_back(fresh_like(program, value));
    body.arguments.push_back(value);
    body.yields.push_back(substituted(back, value));
  }
}

void rotate_block(Program& program, Block& block) {
  std::vector<Statement> statements;
  for (Statement& statement : block.statements) {
    for (Block& region : statement.regions) rotate_block(program, region);
    std::vector<Statement> before;
    if (statement.op == Op::while_ && statement.likely) rotate(program, statement, before);
    for (Statement& prologue : before) statements.push_back(std::move(prologue));
    statements.push_back(std::move(statement));
  }
  block.statements = std::move(statements);
}

}  // namespace

void rotate_loops(Program& program) { rotate_block(program, program.top); }

}  // namespace kasen::optimizer
