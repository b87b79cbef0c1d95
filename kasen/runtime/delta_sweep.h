/// @file
/// Class DeltaSweep: runs the element work of a delta loop, on all elements or on those that may have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/delta_state.h"
#include "kasen/runtime/run_context.h"
#include "kasen/runtime/sweep_step.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// One sweep of one run. Tiles of which many elements are to be visited are visited in order; of others these elements
/// are copied to a tile, so that the same kernels run on them. What they make is compared with what was there before.
class DeltaSweep {
 public:
  /// @param step a sweep with Sweep::delta, in a loop that has a DeltaState
  DeltaSweep(const optimizer::Step& step, RunContext& context, std::size_t position);
  void run();

 private:
  /// A vector: where a tile of it is for the kernels, and its stored elements.
  struct Operand {
    ValueId value;
    std::uint32_t bytes = 0;
    std::vector<CacheLine> copy;      ///< of elements that are visited here and there, or of what is made
    const std::byte* tile = nullptr;  ///< `copy`, or the vector itself
    std::byte* base = nullptr;        ///< null for what lives in a tile only
  };
  /// A launch, its operands by position in _operands.
  struct Work {
    const optimizer::Launch* launch;
    std::vector<std::uint32_t> in;
    std::uint32_t out = 0;
    std::vector<const void*> shared, source;
    // Of a reduction:
    const ReduceKernel* reduce = nullptr;
    std::vector<CacheLine> lanes;
    const std::vector<std::byte>* identity = nullptr;
  };
  /// Elements of a vector that is made, which are visited again where they are not `value`.
  struct Rest {
    std::uint32_t operand;
    Scalar value;
  };
  /// A product and what it starts from, which it has where nothing has reached it: of one that settles the vector that
  /// it improves, so that only improvements reach elements, and else the identity.
  struct Product {
    std::uint32_t operand;
    std::uint32_t improves;  ///< or kNoDelta
    const std::byte* identity;
  };
  struct Output {
    std::uint32_t operand;
    std::uint32_t active_set;  ///< that it fills, or kNoDelta
    bool read;                 ///< whether the sweep reads what it replaces
  };
  /// Elements first + k that are to be visited.
  struct Noted {
    LocalIndex first;
    std::uint64_t reached, kept;
  };
  /// The elements of a tile: those in _index, or from `first` on.
  struct Stretch {
    LocalIndex first;
    std::uint32_t n;
    bool here_and_there;
  };

  std::uint32_t operand_of(ValueId value);
  bool in_place() const;
  void see_received();
  void visit_all();
  void visit_changed();
  void visit_noted();
  void run_here_and_there();
  void run_tile(const Stretch& stretch);
  void bind_inputs(const Stretch& stretch);
  void run_kernel(Work& work, const Stretch& stretch);
  void keep_unlike(const std::byte* element, const Operand& operand, std::uint32_t n);
  void store(const Output& output, const Stretch& stretch);
  void reset_products(const Stretch& stretch);
  void finish(Work& work);
  void count(std::uint64_t visited);

  const optimizer::Sweep& _sweep;
  std::span<const ValueId> _dies;
  RunContext& _context;
  const std::size_t _position;
  DeltaState& _state;
  SweepStep _whole;
  const partition::IndexSpace& _space;
  const std::uint32_t _tile_elements;
  std::vector<Operand> _operands;
  std::vector<std::uint32_t> _inputs;  ///< of _operands
  std::vector<Product> _products;
  std::vector<Work> _works;
  std::vector<Output> _outputs;
  std::vector<Rest> _rests;
  bool _reads_global = false;
  std::vector<GlobalIndex> _global;   ///< of a tile
  std::vector<LocalIndex> _index;     ///< of a tile of elements here and there
  std::uint32_t _here_and_there = 0;  ///< that are in it
  std::vector<Noted> _noted;          ///< words of a tile
  std::vector<char> _reached, _keep;  ///< by position in the tile: by a product now; to be visited again
  std::vector<char> _settled;         ///< the same of DeltaState::settled
  std::uint64_t _kept = 0, _visited = 0, _visited_in_order = 0;
};

}  // namespace kasen::runtime
