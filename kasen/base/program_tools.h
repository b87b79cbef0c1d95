/// @file
/// Tools over programs that several passes share: fresh values, cloning with substitution, reads, dependences.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "kasen/base/program.h"

namespace kasen {

/// Replacements of values, old to new; values without an entry stay as they are.
using Substitution = std::map<ValueId, ValueId>;

inline ValueId substituted(const Substitution& substitution, ValueId value) {
  const auto found = substitution.find(value);
  return found == substitution.end() ? value : found->second;
}

/// A new value of the same kind, space and type.
ValueId fresh_like(Program& program, ValueId value);

/// Replaces the values that the statements read, nested blocks included; those they define stay.
void substitute_reads(std::vector<Statement>& statements, const Substitution& substitution);
void substitute_reads(Block& block, const Substitution& substitution);

/// Copies of the statements with fresh values for all they define; `substitution` maps what they read and, on return,
/// what they defined as well.
std::vector<Statement> clone(Program& program, const std::vector<Statement>& statements, Substitution& substitution);

/// Calls `use` for every value that the statement reads from outside of itself (operands, tests, initial values, and
/// those that its blocks read of enclosing ones), possibly more than once.
void for_each_read(const Statement& statement, const std::function<void(ValueId)>& use);

/// The positions of the sets in groups, so that those with a value in common are in one group.
std::vector<std::vector<std::size_t>> groups_by_value(std::vector<std::set<ValueId>> sets);

/// Whether the statement, or one nested in it, is run for what it does.
bool has_effect(const Statement& statement);

/// Whether products of the block have been given a second vector, of active elements (pass `semi-naive`).
bool has_active_products(const Block& block);

/// Calls `visit` for every block of statements, the enclosing before the nested.
void for_each_block(Block& block, const std::function<void(Block&)>& visit);
void for_each_block(const Block& block, const std::function<void(const Block&)>& visit);

/// The number of primitives over vectors (sources, element work, reductions, products) in a block and all within.
std::uint64_t count_operations(const Block& block);

/// The dependences within one block of statements: by values that are read (the paper's always-dependence) and by order
/// (a gather consumes its operand, so the operand's other readers come first). Statements of nested blocks (may-
/// dependent, as they stand beyond an open condition) are reached only through their while_ or if_ statement.
struct Ddag {
  std::vector<std::vector<std::size_t>> before;  ///< by statement: positions of the statements it waits for
};
Ddag make_ddag(const Block& block);

}  // namespace kasen
