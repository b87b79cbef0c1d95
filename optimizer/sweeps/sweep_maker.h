/// @file
/// Class SweepMaker: makes one sweep of statements that may share it, with launches in their order and their ranges.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "kasen/base/program_tools.h"
#include "optimizer/plan/plan.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/sweeps/grouping.h"
#include "optimizer/sweeps/pending.h"

namespace kasen::optimizer {

/// Of a sweep: beyond, tile buffers and operand lists no longer fit anything.
inline constexpr std::size_t kMostStatements = 128;
/// MxVs that run as one launch, which has kernels for so many, for 2 and for 1.
inline constexpr std::size_t kMostInGroup = 4;

class SweepMaker {
 public:
  /// All arguments have to outlive the maker. @param grouping if null, a sweep takes whatever is ready and fits.
  SweepMaker(const StatedProgram& stated, const FusionOptions& options, const Grouping* grouping);

  /// Whether a value is not stored, but made again in every sweep that reads it: sources and what Grouping says.
  bool made_where_read(ValueId value) const { return _definition[index_of(value)] != nullptr; }

  /// The dependences in a block of statements; a reader of what is made where it is read waits for what that reads. A
  /// loop or branch waits for those before it, so that all plans of a program have them in one order: a run can be gone
  /// on with by another plan.
  Ddag ddag_of(const Block& block) const;
  /// The statements for which nothing is left to do, as their readers make their results.
  BitSet left_to_readers(const Block& block) const;

  /// Whether two statements can be in one sweep as far as their kinds go.
  bool alike(const Statement& a, const Statement& b) const;
  /// The space of the sweep in which the statement's kernel runs.
  SpaceId space_of(const Statement& statement) const;
  SpaceId space_read(const Statement& statement) const;  ///< of the first vector it reads

  /// Whether the reader of something that `maker` makes needs all of it, so that no sweep can hold both.
  static bool waits_for_all(const Statement& reader, const Statement& maker);

  /// Makes a sweep of the statement at `seed` and of all pending that are ready by then, fit and are not `waiting`, and
  /// finishes them.
  /// Where the grouping puts MxVs among other work, or both directions of a matrix together, or the options say that a
  /// matrix is walked in one pass, MxVs whose outputs are in the walked space pull and come first, those whose inputs
  /// are in it push and come last; what lies between reads what was pulled as its state allows.
  Sweep grow(const Block& block, Pending& pending, std::size_t seed, const BitSet& waiting) const;

 private:
  const State& state(ValueId value) const { return _stated.states[index_of(value)]; }
  void find_made_where_read();
  /// What a sweep walks that holds MxVs beside other work or of both directions, as the grouping or
  /// FusionOptions::one_pass says.
  struct Mix {
    const Statement* product = nullptr;  ///< one of the MxVs
    Op pull{};                           ///< the direction that pulls; the other one pushes
    SpaceId space{};
    bool has(const Statement& statement) const {
      return is_matrix_op(statement.op) && are_of_one_matrix(statement, *product);
    }
    bool pulls(const Statement& statement) const { return has(statement) && statement.op == pull; }
    bool pushes(const Statement& statement) const { return has(statement) && statement.op != pull; }
  };
  std::optional<Mix> mix_of(const Block& block, const Pending& pending, std::size_t seed) const;
  void grow_mixed(const Block& block, Pending& pending, const Mix& mix, std::size_t seed, const BitSet& waiting,
                  Sweep& sweep) const;
  std::optional<Sweep> grow_in_one_pass(const Block& block, Pending& pending, std::size_t seed,
                                        const BitSet& waiting) const;
  bool admits(const Block& block, std::size_t seed, std::size_t i) const;
  void grow_pushes(const Block& block, Pending& pending, std::size_t seed, Sweep& sweep) const;
  std::vector<std::size_t> matrix_members(const Block& block, Pending& pending, std::size_t seed) const;
  std::vector<std::size_t> element_members(const Block& block, Pending& pending, std::size_t seed, SpaceId space,
                                           const std::vector<std::size_t>& pulls, const BitSet& waiting) const;
  void add_with_inputs(const Statement& statement, std::set<ValueId>& made, Sweep& sweep) const;
  Launch launch(const Statement& statement) const;
  void fit_ranges(Sweep& sweep) const;
  void add_groups(const Block& block, const std::vector<std::size_t>& members, Sweep& sweep) const;

  const StatedProgram& _stated;
  const FusionOptions& _options;
  const Grouping* _grouping;
  std::vector<const Statement*> _definition;  ///< by ValueId: of what is made where it is read, else null
};

}  // namespace kasen::optimizer
