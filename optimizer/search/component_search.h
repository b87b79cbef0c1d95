/// @file
/// The search among all ways to put one component's statements into sweeps, which skips what its bounds rule out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "optimizer/search/fusion_space.h"
#include "optimizer/search/sweep_costs.h"

namespace kasen::optimizer {

/// Plans, whole or in part, that were costed or skipped by their bound: what `--search-budget` limits.
struct SearchBudget {
  std::uint64_t limit = 0, costed = 0, skipped = 0;
  bool spent() const { return costed + skipped >= limit; }
};

/// Goes through all ways to put a component's statements into sweeps. The statements are taken in the order of the
/// component: each joins one of the sweeps begun so far, the earliest first, or begins another. So the first complete
/// choice fuses as much as can be, in the last each runs alone; a choice whose bound is not worth it is skipped with
/// all that follows from it.
class ComponentSearch {
 public:
  ComponentSearch(const FusionSpace& space, SweepCosts& costs, std::size_t component, SearchBudget& budget);

  /// A lower bound of all choices.
  Ticks bound() const;

  using Sweeps = std::vector<BitSet>;
  /// Calls `found` for every complete choice with its cost, if `worthwhile` holds for its bound and its cost.
  /// @return false if the budget was spent before the end.
  bool run(const std::function<bool(Ticks)>& worthwhile, const std::function<void(const Sweeps&, Ticks)>& found);

 private:
  /// A sweep so far, with what it costs for certain.
  struct Begun {
    BitSet members;
    std::vector<std::pair<ValueId, Ticks>> reads;
    std::vector<ValueId> remade;
    std::vector<ValueId> accessed;  ///< vectors read at random, by products that may be mixed
    bool products = false;          ///< it reads the matrix, for products that may be mixed
    Ticks memory = 0, compute = 0, random = 0, launches = 0;
    Ticks least = 0;  ///< of matrix sweeps instead
  };
  /// What statements from a position on cost for certain, beyond what sweeps begun before it know.
  struct Tail {
    Ticks memory = 0, compute = 0, random = 0, launches = 0, least = 0;
  };

  void find_tails();
  void next(std::size_t position);
  void add(std::size_t sweep, std::size_t position);
  Ticks bound(std::size_t position) const;
  void complete();
  bool circular() const;

  const FusionSpace& _space;
  SweepCosts& _costs;
  const std::size_t _number;
  const FusionComponent& _component;
  SearchBudget& _budget;
  std::vector<Tail> _tail;  ///< by position
  std::vector<Begun> _sweeps;
  std::vector<bool> _written;          ///< by statement: its result is stored for certain
  std::vector<std::size_t> _sweep_of;  ///< by statement
  const std::function<bool(Ticks)>* _worthwhile = nullptr;
  const std::function<void(const Sweeps&, Ticks)>* _found = nullptr;
};

}  // namespace kasen::optimizer
