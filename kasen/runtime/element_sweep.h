/// @file
/// Runs the sweeps of a plan that work element by element: tile by tile, all kernels on one tile before the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/law_check.h"
#include "kasen/runtime/run_context.h"
#include "kasen/runtime/segments.h"
#include "optimizer/plan.h"

namespace kasen::runtime {

/// One sweep of one run: what does not change between entries is worked out once.
class ElementSweep {
 public:
  ElementSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context);
  void run();

 private:
  /// Where a kernel finds a vector: base + stride * first, stride 0 in a tile buffer.
  struct Operand {
    std::uint32_t place;
    bool in_tile;
    bool streams;  ///< read from memory here first: worth a prefetch
    std::uint32_t element_bytes;
    std::byte* base = nullptr;
    std::uint64_t stride = 0;
    std::byte* at(LocalIndex first) const { return base + stride * first; }
  };
  struct Action {
    enum class Kind : std::uint8_t { element, fold, copy };
    Kind kind = Kind::element;
    const Kernel* kernel = nullptr;
    std::uint32_t launch = 0;
    std::uint32_t first_in = 0, end_in = 0, out = 0;  ///< into Program::in and ::out
    bool reads_global = false;
    Tile tile;
    void* lanes = nullptr;
  };
  struct LateCopy {
    std::uint32_t place;
    std::uint32_t element_bytes;
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
  };
  /// What runs on each tile of the segments with one set of active launches.
  struct Program {
    std::vector<std::uint32_t> launches, copies;  ///< as of the segments that run it
    std::vector<Action> actions;
    std::vector<Operand> in, out;
    std::vector<const void*> pointer;  ///< parallel to in, at the current tile
    std::vector<AccessCount*> read;    ///< one per in, one more for each action's table of global indices
    std::vector<LateCopy> late_copies;
    bool reads_table = false;
    bool prefetches = false;  ///< vectors are too long to stay in a cache between sweeps
    // Of one element:
    std::uint64_t elements_read = 0, bytes_read = 0, elements_written = 0, bytes_written = 0;
  };
  struct Stretch {
    LocalIndex first, count;
    std::size_t program;
  };
  static constexpr std::uint32_t kNoPlace = 0xffffffffu;

  std::uint32_t place_of(ValueId value) const;
  Program make_program(const Segment& segment);
  void bind(Program& program);
  /// Elements [first, first + n); `ahead` more follow in the next tile.
  void run_tile(Program& program, bool masters, LocalIndex first, std::uint32_t n, std::uint32_t ahead);

  const optimizer::Sweep& _sweep;
  std::span<const ValueId> _dies;
  RunContext& _context;
  const partition::IndexSpace& _space;
  std::uint64_t _tile_bytes;
  std::vector<Stretch> _stretches;
  std::vector<Program> _programs;
  std::vector<std::vector<const void*>> _shared;  ///< by launch
  std::vector<std::vector<CacheLine>> _lanes;     ///< by launch
  std::span<const GlobalIndex> _global;           ///< where a launch needs it
  LawCheck _law_check;
};

}  // namespace kasen::runtime
