/// @file
/// The sweeps a program in states could have, from which `--fusion exact` chooses. After the memo table and the
/// partitions, here components, of Boehm et al. (docs/papers.md, sections 3 and 4.1); a template is a kind of sweep.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "kasen/base/bit_set.h"
#include "optimizer/sweeps/grow_sweeps.h"
#include "optimizer/sweeps/sweep_maker.h"

namespace kasen::optimizer {

/// Kinds of sweeps. elements: element work over one space. matrix: products of one matrix in one direction, of which
/// none waits for another. mixed: any of these, and both together: products of one matrix that pull, element work over
/// the space of what they make, and products in the other direction that push, if any pull (Boehm et al.: "Row").
enum class Template : std::uint8_t { elements, matrix, mixed };

/// A component: statements of a block that could share sweeps, directly or through others. No sweep holds statements of
/// two components, so each is decided on its own, save for the order in which sweeps wait for each other.
struct FusionComponent {
  std::size_t block = 0;  ///< in FusionSpace::blocks
  Template kind{};
  std::vector<std::size_t> statements;  ///< of the block; one that is read comes before those that read it
};

struct FusionBlock {
  const Block* block = nullptr;
  int depth = 0;  ///< how many loops are around it
  Ddag ddag;
  BitSet left;                        ///< statements whose readers make their results
  std::vector<BitSet> before, after;  ///< by statement: all it waits for, all that waits for it
};

struct FusionSpace {
  std::vector<FusionBlock> blocks;
  std::vector<FusionComponent> components;

  /// Whether the statement can join the sweep: every way from a member to it, or back, stays in the sweep. For mixed
  /// sweeps this is necessary, not sufficient; SweepCosts says of the whole sweep whether it can be run.
  bool can_join(const FusionComponent& component, const BitSet& sweep, std::size_t statement) const;

 private:
  bool mixes(const FusionBlock& block, const BitSet& sweep, std::size_t statement) const;

  const SweepMaker* _maker = nullptr;
  friend FusionSpace make_fusion_space(const StatedProgram&, const SweepMaker&, bool);
};

/// @param maker for the same program. Both have to outlive the result.
/// @param mixed whether components of that kind are made where there is anything to mix; the space without is a part.
FusionSpace make_fusion_space(const StatedProgram& stated, const SweepMaker& maker, bool mixed = false);

/// The materialisation points: results of element statements that several statements of their own block read, not all
/// of which can be in one sweep. Each is either stored or made again in every sweep that reads it. In program order.
std::vector<ValueId> materialisation_points(const StatedProgram& stated);

}  // namespace kasen::optimizer
