/// @file
/// Class SweepStep: runs a sweep of a plan that walks tiles, all kernels on one tile before the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kasen/base/raw_vector.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/fill.h"
#include "kasen/runtime/key_tables.h"
#include "kasen/runtime/law_check.h"
#include "kasen/runtime/output_share.h"
#include "kasen/runtime/parts.h"
#include "kasen/runtime/run_context.h"
#include "kasen/runtime/segments.h"
#include "kasen/runtime/whole_values.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// One sweep of one run; what does not change between entries is worked out once. MxVs of one family run as a group,
/// per non-zero; others alternate per tile. Threads share its parts; where some push through a matrix that is not
/// dense, in rounds: first parts, without what pushes, and then the outputs that are pushed to.
class SweepStep {
 public:
  /// Builds the form in which the matrix is walked if this sweep is the first to need it.
  /// @param position of the step, in RunContext::activity
  SweepStep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context, std::size_t position);
  void run();

 private:
  /// The place of a vector: base + stride * first; stride is 0 in a tile buffer and for a vector as a whole.
  struct Operand {
    enum class Where : std::uint8_t { buffer, tile, whole, whole_in_order };
    std::uint32_t place;
    Where where;
    bool from_memory;  ///< read from memory here first: worth a prefetch
    std::uint32_t element_bytes;
    std::byte* base = nullptr;
    std::uint64_t stride = 0;
    std::byte* at(LocalIndex first) const { return base + stride * first; }
  };
  struct Action {
    enum class Kind : std::uint8_t { element, fold, copy, matrix, keys };
    Kind kind = Kind::element;
    const void* context = nullptr;  ///< of its kernel
    std::uint32_t launch = 0;
    std::uint32_t first_in = 0, first_out = 0;  ///< into TileWork::in and ::out
    bool reads_global = false;
    Tile tile;
    MatrixTile matrix;
    StencilTile stencils;
    DenseTile dense;
    KeyTile by_key;
    bool push = false;
    void* lanes = nullptr;
    // One of its kernel's functions, by `kind` and walk:
    void (*run_element)(const void* context, const Tile&) = nullptr;
    void (*run_fold)(const void* context, void* lanes, const Tile&) = nullptr;
    void (*run_matrix)(const void* context, const MatrixTile&) = nullptr;
    void (*run_stencils)(const void* context, const StencilTile&) = nullptr;
    void (*run_dense)(const void* context, const DenseTile&) = nullptr;
    const KeyKernel* keyed = nullptr;
  };
  struct LateCopy {
    std::uint32_t place;
    std::uint32_t element_bytes;
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
  };
  /// Accesses for one element of the walk, or for one entry of the matrix.
  struct Touched {
    std::uint64_t elements_read = 0, bytes_read = 0, elements_written = 0, bytes_written = 0;
    void read(std::uint64_t bytes) {
      elements_read += 1;
      bytes_read += bytes;
    }
    void write(std::uint64_t bytes) {
      elements_written += 1;
      bytes_written += bytes;
    }
    void add_to(Counts& counts, std::uint64_t times) const;
  };
  /// A vector of `in` that is prefetched, by so many lines before each kernel.
  struct Prefetch {
    std::size_t in;
    std::uint64_t lines;
  };
  /// The kernels that run on each tile of the segments with one set of active launches.
  struct TileWork {
    std::vector<std::uint32_t> launches, copies;  ///< those of the segments that run it
    std::vector<Action> actions;
    std::vector<Operand> in, out;
    std::vector<const void*> source;                 ///< parallel to in, at the current tile
    std::vector<void*> target;                       ///< parallel to out, at the current tile
    std::vector<std::size_t> moving_in, moving_out;  ///< of in and out: those that are elsewhere in every tile
    std::vector<Prefetch> prefetched;                ///< where vectors are too long to stay in a cache between sweeps
    std::vector<AccessCount*> read, written;         ///< parallel to in and out
    std::vector<LateCopy> late_copies;
    bool reads_table = false;
    /// Kernels take turns, over vectors that are too long to stay in a cache between sweeps. A kernel alone is followed
    /// by the hardware's prefetcher, and takes 1.1 to 1.3 times as long if it is helped.
    bool prefetches = false;
    std::uint32_t matrix_actions = 0;
    Touched per_element, per_entry;
  };
  static constexpr std::uint32_t kNoPlace = 0xffffffffu, kNoLaunch = 0xffffffffu;

  struct Stretch {
    LocalIndex end;
    std::size_t work;  ///< into Hand::work
  };
  /// A reduction or fold, of which every part that has elements of it makes a partial result.
  struct Reduction {
    std::uint32_t launch;
    std::uint32_t makes = kNoLaunch;       ///< the launch whose results are added up as they are made, or none
    const ReduceKernel* kernel = nullptr;  ///< none of a fold
    const void* context;                   ///< of `folding`, which makes the partial results
    const Folding* folding;
    std::uint32_t bytes;                  ///< of a result
    std::vector<std::uint32_t> position;  ///< by part: among the partial results, or kNoPlace
    std::uint32_t count = 0;
    std::vector<CacheLine> partials, lanes;
  };
  /// A keyed reduction, of which every part that has elements of it fills a table.
  struct KeyedReduction {
    std::uint32_t launch;
    std::vector<std::uint32_t> position = {};  ///< by part: of its table, or kNoPlace
    std::optional<KeyTables> tables = {};
  };
  /// A product that pushes through a dense matrix: every part but the first that runs it has results of its own.
  struct Push {
    std::uint32_t launch;
    std::vector<std::uint32_t> position = {};  ///< by part: among those that run it, or kNoPlace
    std::uint64_t bytes = 0;                   ///< of an element
    std::uint64_t outputs = 0;                 ///< of the matrix
    std::vector<RawVector<CacheLine>> partials = {};
  };
  /// What one thread works with.
  struct alignas(CacheLine) Hand {
    std::vector<TileWork> work;
    std::vector<std::vector<CacheLine>> lanes;  ///< by launch
    Counts measured, witnessed;
    bool is_first = false;  ///< which tries laws, polls exchanges, and counts what all threads push
    // In rounds:
    std::vector<RawVector<CacheLine>> kept;  ///< by position in _kept: of all elements of its parts of a round
    LocalIndex kept_first = 0;               ///< where in `kept` the part that runs now begins
    std::vector<const void*> pushed;         ///< operands of an action
  };
  /// Parts of which each thread runs some, those from shares[thread] to below shares[thread + 1]: all parts, or in
  /// rounds those that all threads then push.
  struct Round {
    std::vector<std::size_t> shares;
  };
  /// An operand of a launch that pushes, which is kept until a round has run its parts: by then other elements are in
  /// the tile, and a vector may have been written over.
  struct Kept {
    std::uint32_t launch, operand, bytes;
  };
  class TileWorkMaker;

  void open_matrix();
  void open_batch();
  std::uint64_t mean_entries() const;
  Reduction reduction_of(std::uint32_t l) const;
  bool runs(std::uint32_t launch, const Part& part) const;
  /// By part: its place among those that run the launch, or kNoPlace. @return how many do
  std::uint32_t place_parts(std::uint32_t launch, std::vector<std::uint32_t>& position) const;
  void make_tables(KeyedReduction& reduction);
  void run_keys(const Hand& hand, const TileWork& work, Action& action, LocalIndex first, std::uint32_t n);
  [[noreturn]] void refuse_key(const Action& action, LocalIndex element, std::uint64_t key) const;
  /// The space that keys lead into.
  const partition::IndexSpace& key_space(const optimizer::Launch& launch) const;
  void begin(KeyedReduction& reduction, TileWork& work, std::size_t part);
  void read_wholes();
  void finish(KeyedReduction& reduction);
  void make_results(Push& push);
  void begin(Push& push, TileWork& work, std::size_t part);
  void finish(Push& push);
  /// The launch that makes what `launch` adds up, if nothing else needs that.
  std::uint32_t maker_of_sum(const optimizer::Launch& launch) const;
  /// The number of entries of the elements [first, end) of the walked side.
  std::uint64_t entries_of(LocalIndex first, LocalIndex end) const;
  /// What runs of stencils that begin in the part have read.
  void count_stencils(Hand& hand, const Part& part) const;
  void run_stencils(Action& action, LocalIndex first, std::uint32_t n) const;
  void run_dense(const TileWork& work, Action& action, LocalIndex first, std::uint32_t n) const;
  void see_product(const Hand& hand, const TileWork& work, const Action& action, std::uint32_t n);
  TileWork make_work(const Segment& segment, Hand& hand);
  void share_parts(std::span<const partition::Interval> stretches);
  std::uint32_t place_of(ValueId value) const;
  void bind(TileWork& work, TileBuffers& tiles);
  void run_share(std::uint32_t thread);
  void run_part(Hand& hand, std::size_t part);
  bool in_rounds() const { return !_output_shares.empty(); }
  void make_rounds();
  void make_kept();
  void run_rounds();
  void keep(Hand& hand, const TileWork& work, const Action& action, const Part& part, LocalIndex first,
            std::uint32_t n);
  /// Pushes what the parts of a round have kept to some outputs. @param share null: to all
  void push(Hand& hand, OutputShare* share, const Round& round);
  /// @param kept_first where in the maker's Hand::kept the part begins
  void push_part(Hand& hand, OutputShare* share, const Action& action, const Hand& maker, const Part& part,
                 LocalIndex kept_first);
  void finish(Reduction& reduction);
  void merge(const Reduction& reduction, std::byte* out);
  void see_fold(const Action& action);
  /// The number of elements in the next tile, if `left` are left in the stretch.
  std::uint32_t tile_size(const TileWork& work, LocalIndex first, LocalIndex left) const;
  /// Runs the tile of elements [first, first + n); `ahead` more follow in the next tile.
  void run_tile(Hand& hand, TileWork& work, const Part& part, LocalIndex first, std::uint32_t n, std::uint32_t ahead);

  const optimizer::Sweep& _sweep;
  RunContext& _context;
  std::size_t _position;
  const partition::IndexSpace& _space;
  std::uint64_t _tile_bytes;
  std::vector<ValueId> _replaceable;  ///< values that die here and are not read at random
  std::vector<Stretch> _stretches;    ///< the first has the masters
  std::vector<Part> _parts;
  std::vector<Hand> _hands;  ///< by thread
  std::vector<Reduction> _reductions;
  std::vector<KeyedReduction> _keyed;
  std::vector<Push> _pushes;   ///< through a dense matrix
  std::vector<Round> _rounds;  ///< at least one
  // In rounds:
  std::vector<OutputShare> _output_shares;  ///< by thread
  std::vector<Kept> _kept;
  WholeValues _wholes;
  std::vector<Fill> _fills;
  std::vector<std::vector<const void*>> _shared;  ///< by launch
  std::span<const GlobalIndex> _global;           ///< where a launch needs it
  LawCheck _law_check;
  Compressed _matrix;
  const std::int64_t* _batch = nullptr;           ///< of a matrix in batches, the number of the one that is walked
  const partition::DenseBlock* _dense = nullptr;  ///< the matrix, if it is dense
  const partition::StencilMatrix* _stencils = nullptr;  ///< the matrix, if it is walked so
  bool _by_row = false;                                 ///< whether rows of the matrix are walked
  std::uint64_t _entry_bytes = 0;                       ///< bytes of an index and a value
  std::uint64_t _prefetch_end = 0;                      ///< as of MatrixTile
  bool _far = false;                                    ///< as of MatrixTile
  std::uint64_t _entries_at_once = 0;  ///< of a tile whose entries several kernels walk, or one for several vectors
};

}  // namespace kasen::runtime
