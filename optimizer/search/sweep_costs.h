/// @file
/// The memo table of sweep costs of the exact search, and the cost vectors of statements, of which its bounds are made.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/search/fusion_space.h"

namespace kasen::optimizer {

/// The cost that a statement has for certain, in whichever sweep it runs.
struct CostVector {
  Ticks compute = 0, launches = 0;
  /// For a product, the access to its vector, were that alone in the caches; in mixed sweeps pulled or pushed,
  /// whichever is less.
  Ticks random = 0;
  Ticks matrix = 0;  ///< for a product that may be mixed, reading the matrix, which products of one sweep do together
  Ticks write = 0;   ///< writing its result, if that is stored
  bool stored = false;  ///< for certain, as something outside its component reads it, or a matrix product makes it
  struct Read {
    ValueId value;
    std::size_t maker;  ///< the statement of the component that makes it, or kElsewhere
    Ticks ticks;
  };
  std::vector<Read> reads;  ///< stored vectors; an element sweep reads them unless it makes them itself
  struct Remade {
    ValueId value;
    Ticks compute, launches;
  };
  std::vector<Remade> remade;  ///< what its sweep makes for it because nobody stores it
};
inline constexpr std::size_t kElsewhere = ~std::size_t{0};

/// Costs of sweeps in one program in states. They do not depend on what the other sweeps are: what a sweep reads and
/// writes follows from who else reads. Costs that depend on buffers, which are never negative, are left out: pushdowns
/// that cannot stay in their input's buffer copy replicas, outputs in place of inputs may need tile buffers.
class SweepCosts {
 public:
  SweepCosts(const StatedProgram& stated, const FusionSpace& space, const SweepMaker& maker, Storage storage,
             const PlacementStats& stats, const Profile& profile);

  /// An entry of the memo table, which maps a component and statements to costs.
  struct Entry {
    Ticks ticks = 0;
    Ticks least = 0;  ///< a bound for it and for every sweep that holds its statements and more; for matrix sweeps only
    bool possible = true;  ///< whether one sweep can hold just these
  };
  const Entry& sweep(std::size_t component, const BitSet& statements);
  const CostVector& vector(std::size_t block, std::size_t statement) const { return _vectors[block][statement]; }
  /// What every sweep costs, whatever it does.
  Ticks entering() const { return ticks_of_entering(_stats.workers, _profile); }
  /// What traffic and computing of one sweep add to the larger of them.
  Ticks unhidden(Ticks traffic, Ticks compute) const { return ticks_of_unhidden(traffic, compute, _profile); }

 private:
  Sweep make(std::size_t block, const BitSet& statements) const;
  bool holds(const Sweep& sweep, std::size_t block, const BitSet& statements) const;
  Entry compute(std::size_t component, const BitSet& statements) const;
  void find_readers();
  void find_vectors();
  CostVector vector_of(const FusionComponent& component, std::size_t statement) const;
  CostVector product_to_mix(const FusionComponent& component, std::size_t statement, const Sweep& alone) const;
  std::vector<SweepTime> times(const Step& step) const;
  std::vector<SweepTime> times_alone(Step& step) const;
  std::uint64_t bytes(ValueId value) const { return _context.values[index_of(value)].type.read_bytes(); }
  Ticks launches_of(const Launch& launch, SpaceId space) const;
  bool read_outside(const BitSet& statements, ValueId value) const;

  const StatedProgram& _stated;
  const FusionSpace& _space;
  const SweepMaker& _maker;
  const Storage _storage;
  const PlacementStats& _stats;
  const Profile& _profile;
  Plan _context;  ///< no steps: values and states, for the formulas
  struct Readers {
    std::vector<std::size_t> statements;  ///< of its own block, through what its readers make again too
    bool others = false;                  ///< transitions, nested blocks, back edges, the user
  };
  std::vector<Readers> _readers;  ///< by ValueId
  std::vector<std::vector<CostVector>> _vectors;
  std::map<std::pair<std::size_t, BitSet>, Entry> _memo;  ///< by component and statements
};

}  // namespace kasen::optimizer
