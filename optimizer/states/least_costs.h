/// @file
/// Class LeastCosts: what plans of a program in states cost at least, told from the states alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kasen/base/bit_set.h"
#include "kasen/base/program_tools.h"
#include "optimizer/cost/plan_cost.h"
#include "optimizer/states/find_states.h"

namespace kasen::optimizer {

/// Candidates that cannot be cheaper than a plan that is known need no plan of their own. Bounds are of what comes
/// first in the cost of a plan (PlanCost), in the part that decides: that of loops, or the rest if there are none. They
/// hold for sweeps that are grown, not for those of a search.
class LeastCosts {
 public:
  /// @param program, facts, stats have to outlive this.
  LeastCosts(const Program& program, const ValueFacts& facts, const PlacementStats& stats);

  /// All that is sent of vectors and Shareds: what products of active elements agree on is the same in all plans.
  std::uint64_t bytes_sent(const FoundStates& found);
  /// Of the longest chains of transitions that wait for each other.
  std::uint64_t messages(const FoundStates& found);
  /// Of products, and of vectors that element work has to store, or to read in further sweeps, whatever else it does.
  std::uint64_t bytes_streamed(const FoundStates& found);

  /// Whether every plan of these states costs more than `known`.
  bool exceed(const PlanCost& known, const FoundStates& found);
  bool any_loops() const { return _any_loops; }
  const PlanCost::Part& deciding(const PlanCost& cost) const { return _any_loops ? cost.loops : cost.rest; }

 private:
  struct BlockAt {
    const Block* block = nullptr;
    std::uint64_t weight = 0;
    std::vector<ValueId> given;  ///< what its transitions may move that none of its statements makes
  };
  /// Element work of one block that reads a vector: each waits for a product, a reduction or the like that waits for
  /// the one before, so that no two share a sweep, nor does any with what makes the vector in its block.
  struct Readers {
    ValueId value;
    std::uint64_t weight = 0;
    std::vector<const Statement*> in_turn;
  };
  /// Element work, whose result is stored if it is moved, or in any case.
  struct Result {
    const Statement* statement = nullptr;
    std::uint64_t weight = 0;
    bool stored = false;
  };
  struct Moved {
    std::uint64_t replicas = 0, messages = 0;
  };
  /// Of the longest chains up to where a value is there.
  struct Chain {
    std::uint64_t messages = 0, reductions = 0;
  };
  struct Forms {
    Chain made, gathered, scattered;
  };

  void visit(const Block& block, int loops, std::vector<ValueId> given);
  void prepare();
  void add_products(const BlockAt& at, const Ddag& ddag, const Plan& context);
  void add_element_work(const BlockAt& at, const Ddag& ddag, const std::vector<Op>& makers, std::vector<char>& stored);
  std::uint64_t bytes_of_product(const Statement& product, const Plan& context) const;
  std::uint64_t weight_in(int loops) const;
  const Moved& moved(SpaceId space, RoleSetId roles, const FoundStates& found);
  std::uint64_t bytes_touched(const Statement& by, ValueId value, const FoundStates& found);
  Chain there(ValueId value, State::Kind kind, const FoundStates& found) const;
  void arrive(ValueId value, const Chain& made, const FoundStates& found, Chain& longest);
  const Value& value_of(ValueId value) const { return _program.values[index_of(value)]; }
  bool in_one_pass(ValueId value) const { return _in_one_pass[index_of(value_of(value).space)]; }

  const Program& _program;
  const ValueFacts& _facts;
  const PlacementStats& _stats;
  bool _any_loops = false;
  std::uint64_t _bytes_reduced = 0;
  std::vector<std::uint64_t> _weight;                     ///< by ValueId
  std::vector<std::vector<std::optional<Moved>>> _moved;  ///< by space and roles, once asked for

  bool _prepared = false;
  std::vector<BlockAt> _blocks;    ///< those that count
  std::vector<bool> _both_ways;    ///< by matrix: as rows_both_ways() says, whose products may be one pass
  std::vector<bool> _in_one_pass;  ///< by space: of rows of such a matrix, of which vectors then may live in tiles
  std::uint64_t _bytes_of_products = 0;
  std::vector<Readers> _readers;
  std::vector<Result> _results;
  std::vector<Forms> _forms;  ///< by ValueId, of the block in which chains are followed
};

}  // namespace kasen::optimizer
