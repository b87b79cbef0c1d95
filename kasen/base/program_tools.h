/// @file
/// Small tools over programs that several passes share: fresh values, cloning with substitution, uses.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "kasen/base/program.h"

namespace kasen {

/// Old value to new; values without an entry stay as they are.
using Substitution = std::map<ValueId, ValueId>;

inline ValueId substituted(const Substitution& substitution, ValueId value) {
  const auto found = substitution.find(value);
  return found == substitution.end() ? value : found->second;
}

/// A new value of the same kind, space and type.
ValueId fresh_like(Program& program, ValueId value);

/// Replaces what the statements read, nested regions included; what they define stays.
void substitute_reads(std::vector<Statement>& statements, const Substitution& substitution);
void substitute_reads(Block& block, const Substitution& substitution);

/// Copies of the statements with fresh values for all they define; `substitution` maps what they read and, on return,
/// what they defined as well.
std::vector<Statement> clone(Program& program, const std::vector<Statement>& statements, Substitution& substitution);

/// Calls `use` for every value the statement reads from outside of itself (operands, tests, initial values, and what
/// its regions read of enclosing blocks), possibly more than once.
void for_each_read(const Statement& statement, const std::function<void(ValueId)>& use);

/// Calls `visit` for every block, the enclosing before the nested.
void for_each_block(Block& block, const std::function<void(Block&)>& visit);
void for_each_block(const Block& block, const std::function<void(const Block&)>& visit);

/// Primitives over vectors (sources, element operations, reductions, products) in a block and all within.
std::uint64_t count_operations(const Block& block);

/// One block as statements see each other: predecessors within the block, by always-dependence (a value is read) and
/// by order (a gather consumes its operand, so the operand's other readers come first). What lies beyond an open
/// condition (a region's contents) is may-dependent and therefore reached only through its while_ or if_ statement.
struct Ddag {
  std::vector<std::vector<std::size_t>> before;  ///< by statement: indices of statements it waits for
};
Ddag make_ddag(const Block& block);

}  // namespace kasen
