#include "optimizer/rewrite/merge_branches.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

bool can_merge(const Statement& statement) { return statement.op == Op::if_ && !has_effect(statement); }

bool reads_any(const Statement& statement, const std::set<ValueId>& values) {
  bool any = false;
  for_each_read(statement, [&](ValueId value) { any = any || values.contains(value); });
  return any;
}

/// The later branch goes to the end of the earlier one, side by side.
void append(Statement& earlier, Statement later) {
  for (std::size_t side = 0; side < earlier.regions.size(); ++side) {
    Block &to = earlier.regions[side], &from = later.regions[side];
    Substitution results;
    for (std::size_t k = 0; k < earlier.out.size(); ++k) results[earlier.out[k]] = to.yields[k];
    substitute_reads(from, results);
    std::move(from.statements.begin(), from.statements.end(), std::back_inserter(to.statements));
    to.yields.insert(to.yields.end(), from.yields.begin(), from.yields.end());
  }
  earlier.out.insert(earlier.out.end(), later.out.begin(), later.out.end());
  earlier.total = earlier.total && later.total;
}

/// Joins the branches at two positions, if the later one waits for nothing that waits for the earlier one, and effects
/// stay in their order.
bool merge(std::vector<Statement>& statements, std::size_t first, std::size_t second) {
  std::set<ValueId> made_of_first(statements[first].out.begin(), statements[first].out.end()), made_after;
  std::vector<std::size_t> before, after;
  for (std::size_t i = first + 1; i < second; ++i) {
    const std::vector<ValueId>& out = statements[i].out;
    const bool waits = reads_any(statements[i], made_of_first);
    (waits ? after : before).push_back(i);
    if (!waits) continue;
    made_of_first.insert(out.begin(), out.end());
    made_after.insert(out.begin(), out.end());
  }
  if (reads_any(statements[second], made_after)) return false;
  const auto any_effect = [&](const std::vector<std::size_t>& some) {
    return std::any_of(some.begin(), some.end(), [&](std::size_t i) { return has_effect(statements[i]); });
  };
  if (any_effect(before) && any_effect(after)) return false;
  append(statements[first], std::move(statements[second]));
  std::vector<Statement> ordered;
  for (std::size_t i : before) ordered.push_back(std::move(statements[i]));
  ordered.push_back(std::move(statements[first]));
  for (std::size_t i : after) ordered.push_back(std::move(statements[i]));
  statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(second));
  std::move(ordered.begin(), ordered.end(), statements.begin() + static_cast<std::ptrdiff_t>(first));
  return true;
}

/// @return whether a later branch was joined to the statement.
bool merge_with_later(std::vector<Statement>& statements, std::size_t i) {
  if (!can_merge(statements[i])) return false;
  for (std::size_t j = i + 1; j < statements.size(); ++j) {
    const bool alike = can_merge(statements[j]) && statements[j].shared[0] == statements[i].shared[0];
    if (alike && merge(statements, i, j)) return true;
  }
  return false;
}

}  // namespace

void merge_branches(Program& program) {
  // The enclosing before the nested: joined sides may hold branches with one test.
  for_each_block(program.top, [](Block& block) {
    for (std::size_t i = 0; i < block.statements.size();) {
      if (!merge_with_later(block.statements, i)) ++i;
    }
  });
}

}  // namespace kasen::optimizer
