/// @file
/// Kernels: users' functions compiled into loops over tiles, which calls of primitives leave in the recorder's table.
/// Types of elements are erased here, once per tile; inside a tile the function is inlined.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "kasen/base/combine.h"
#include "kasen/base/ids.h"
#include "kasen/base/matrix_format.h"
#include "kasen/base/program.h"

namespace kasen::runtime {

/// A counter of accesses for counting iterators (access.h); one per operand, null for operands in tile buffers.
using AccessCount = std::uint64_t;

/// Elements [first, first + n) of the local numbering, bound for one call of an element or reduction kernel.
struct Tile {
  const void* const* in = nullptr;      ///< vectors, in the order of the call, at the tile's first element
  void* out = nullptr;                  ///< element kernels
  const void* const* shared = nullptr;  ///< Shared operands, in the order of the call
  const GlobalIndex* global = nullptr;  ///< global indices at the tile's first element; null: first_global + k
  GlobalIndex first_global = 0;
  std::uint32_t n = 0;
  AccessCount* const* read = nullptr;  ///< counting iterators: one per `in`, then one for `global`
  AccessCount* written = nullptr;
};

/// A local matrix compressed along the side that is walked: entries [pointer[j], pointer[j + 1]) belong to element j.
struct Compressed {
  const std::uint64_t* pointer = nullptr;
  const std::uint32_t* index = nullptr;  ///< local index on the other side
  const void* value = nullptr;           ///< null for Pattern
};

/// The tile [first, first + n) of the walked side of a matrix: outputs of up to four MxVs of one family that pull, or
/// inputs of one that pushes. Of an MxV of both ends, vectors of inputs and then those of outputs.
struct MatrixTile {
  Compressed matrix;
  const void* const* in = nullptr;  ///< whole vectors; those of the walked side at `first`
  void* const* out = nullptr;       ///< at `first`; for a push, whole vectors
  LocalIndex first = 0;
  std::uint32_t n = 0;
  /// Of a push along some of the entries: by element, where those of it end that begin at its pointer. Null: all.
  const std::uint64_t* entry_end = nullptr;
  /// Tiles that end at or before this entry may prefetch `kPrefetchDistance` entries ahead; 0: not worth it.
  std::uint64_t prefetch_end = 0;
  bool far = false;                ///< entries come from behind the near caches, so that they are prefetched
  AccessCount* entries = nullptr;  ///< counting iterators: matrix entries, pointers, then one per `in` and per `out`
  AccessCount* pointers = nullptr;
  AccessCount* const* read = nullptr;
  AccessCount* const* written = nullptr;
  AccessCount* accumulated = nullptr;  ///< what a push reads of its output

  /// Whether the tile prefetches: none of its entries is too near to the matrix's end.
  bool prefetches() const { return matrix.pointer[first + n] <= prefetch_end; }
  /// Of a push: where the entries of the tile's elements end.
  const std::uint64_t* ends() const { return entry_end == nullptr ? matrix.pointer + first + 1 : entry_end; }
};

/// Number of entries from the one that a matrix kernel works on to the one whose vector element it prefetches; the
/// second in kernels of both ends and of rows, whose elements may take several lines each.
inline constexpr std::uint64_t kPrefetchDistance = 128, kWidePrefetchDistance = 32;

class ElementSet;
class PendingSet;

/// What an MxV of active elements works on when it goes on from what it improves. Its reducer is idempotent, and its
/// input and output are vectors x and y of one type and space: an element is improved where op(x[i], y[i]) is not x[i].
struct Settling {
  Compressed matrix;                  ///< by inputs
  const void* in = nullptr;           ///< x, whole
  void* out = nullptr;                ///< y, whole
  LocalIndex masters = 0;             ///< others are pushed to, and not pushed on
  PendingSet* pending = nullptr;      ///< masters that are to be pushed next, of those whose output has changed
  ElementSet* reached = nullptr;      ///< masters whose output has changed
  ElementSet* settled = nullptr;      ///< masters that were pushed as they are now, or are put off
  ElementSet* put_off = nullptr;      ///< masters that were not pushed as they are: the order has them
  bool puts_off = false;              ///< what waits when settle() ends may be put off
  bool is_first = true;               ///< no other product has reached out before, of what is the same input
  std::uint64_t most_pending = 0;     ///< settle() stops, once it has improved any, where more elements are pending,
  std::uint64_t most_entries = 0;     ///< or it has pushed more entries; while the best go first,
  std::uint64_t most_in_order = 0;    ///< where it has pushed more than these
  std::uint64_t entries_put_off = 0;  ///< of those that reach() was called for
  std::uint64_t elements = 0, entries = 0;  ///< that were looked at, and pushed, after those that it was begun with
  AccessCount* read = nullptr;              ///< counting iterators
  AccessCount* written = nullptr;
};

/// What an MxV of active elements works on when it passes them on to all that is connected with them: sets of elements
/// (connected_elements.h), each with the best of its x. Its reducer is idempotent, and x and y are as of Settling.
struct Spreading {
  const LocalIndex* set = nullptr;  ///< by element
  void* best = nullptr;             ///< by set: of what was collected, or the reducer's identity
  ElementSet* better = nullptr;     ///< sets whose best has changed
  const void* in = nullptr;         ///< x, whole
  void* out = nullptr;              ///< y, whole
  LocalIndex masters = 0;           ///< only these are inserted into the following
  ElementSet* reached = nullptr;    ///< masters whose output has changed
  ElementSet* settled = nullptr;    ///< masters that all that is connected with them knows of
  std::uint64_t elements = 0;       ///< that were told
  AccessCount* read = nullptr;      ///< counting iterators
  AccessCount* written = nullptr;
};

struct MatrixKernel;

/// A product that is settled with another one, whose input it has.
struct OtherSettling {
  const MatrixKernel& kernel;
  Settling& settling;
};

/// One block of a matrix in blocks (partition/blocked_matrix.h), and its part of the vectors of up to four MxVs of one
/// family. `out` holds what the block's entries are to be added to.
struct MatrixBlock {
  const std::uint32_t* runs = nullptr;    ///< how many have so many entries, 1 to 16; [0]: how many are longer
  const std::uint16_t* output = nullptr;  ///< by run
  const std::uint32_t* length = nullptr;  ///< by long run
  const std::uint16_t* input = nullptr;   ///< by entry
  const void* value = nullptr;            ///< by entry; null for Pattern
  const void* const* in = nullptr;        ///< at the block's first input, or output
  void* const* out = nullptr;             ///< at the block's first output
  bool far = false;                       ///< as of MatrixTile
  AccessCount* entries = nullptr;         ///< counting iterators: entries; outputs and lengths of runs
  AccessCount* lists = nullptr;
  AccessCount* const* read = nullptr;         ///< one per `in`
  AccessCount* const* accumulated = nullptr;  ///< one per `out`: read, and written
  AccessCount* const* written = nullptr;
};

/// A local matrix as stencils: runs of outputs, the last one up to the first output of one more, and of each stencil
/// the entries [pointer[s], pointer[s + 1]). Output j has an entry for the input j + offset.
struct Stencils {
  const StencilRun* runs = nullptr;
  const std::uint32_t* pointer = nullptr;
  const std::int64_t* offset = nullptr;
  const void* value = nullptr;  ///< null for Pattern
};

/// The tile [first, first + n) of the outputs of MxVs of one family that pull through a matrix of stencils.
struct StencilTile {
  Stencils matrix;                  ///< from the run on that has `first`
  const void* const* in = nullptr;  ///< whole vectors
  void* const* out = nullptr;       ///< at `first`
  std::uint32_t vectors = 1;
  LocalIndex first = 0;
  std::uint32_t n = 0;
  AccessCount* entries = nullptr;  ///< counting iterators: runs that begin in the tile, and their stencils' entries
  AccessCount* const* read = nullptr;
  AccessCount* const* written = nullptr;
};

/// A rectangle of a dense matrix, which is stored row by row, and its part of the vectors of MxVs of one family.
struct DenseTile {
  const void* value = nullptr;  ///< of the first row and column
  std::uint64_t stride = 0;     ///< from one row to the next, in elements
  std::uint64_t rows = 0, columns = 0;
  std::uint32_t vectors = 1;
  const void* const* in = nullptr;  ///< at the first row (mxv) or column (mxvt); those of outputs as `out`
  void* const* out = nullptr;       ///< at the first column (mxv) or row (mxvt)
  bool adds = false;                ///< whether results are added to `out`; else they replace it
  AccessCount* entries = nullptr;   ///< counting iterators: elements of the matrix, then one per `in` and per `out`
  AccessCount* const* read = nullptr;
  AccessCount* const* written = nullptr;
  AccessCount* accumulated = nullptr;  ///< what is read of outputs that are added to
};

/// Elements [first, first + n) of the local numbering, and what their keys lead to. A key is an integer; negative, it
/// is none.
struct KeyTile {
  const void* key = nullptr;  ///< at the tile's first element
  std::uint64_t keys = 0;     ///< how many there are: all keys are less
  std::uint32_t n = 0;
  const void* in = nullptr;              ///< reduce_by_key: the vector, at the tile's first element
  void* table = nullptr;                 ///< reduce_by_key: partial results by key
  const void* taken = nullptr;           ///< take: the whole vector
  const LocalIndex* number = nullptr;    ///< take: its local indices by key; null: keys themselves
  void* out = nullptr;                   ///< take: at the tile's first element
  AccessCount* keys_read = nullptr;      ///< counting iterators
  AccessCount* elements_read = nullptr;  ///< of `in` or `taken`
  AccessCount* written = nullptr;
};

/// Owns `object`, which `destroy` deletes. Compiled once, although programs have contexts of many types.
std::shared_ptr<const void> owned(const void* object, void (*destroy)(const void*));

/// What a kernel holds, as its `context`.
template <class Context>
std::shared_ptr<const void> context_of(Context context) {
  return owned(::new Context(std::move(context)), [](const void* held) { ::delete static_cast<const Context*>(held); });
}

/// How a reduction folds tiles. `lanes` is raw memory of lanes_bytes, begun once, folded per tile, finished once.
struct Folding {
  std::uint32_t lanes_bytes = 0;
  void (*begin)(const void* context, void* lanes) = nullptr;
  void (*fold)(const void* context, void* lanes, const Tile&) = nullptr;
  bool (*finish)(const void* context, void* lanes, void* out) = nullptr;  ///< false: no element was seen
};

/// A kernel of a source or of element work. `context` of this and the other kernels is the function object with the
/// plain values of its call.
struct ElementKernel {
  std::shared_ptr<const void> context;
  void (*run)(const void* context, const Tile&) = nullptr;
  Folding sum = {};  ///< by +, of what `run` would make, with the same context; null if there is none
  /// Throws an AgreedError for Shareds with which it cannot run, before any of a sweep runs; null if there are none.
  void (*check)(const void* context, const void* const* shared) = nullptr;
};

/// A kernel of a reduction.
struct ReduceKernel : Folding {
  std::shared_ptr<const void> context;
  bool adds = false;  ///< by +: then it may be left to the kernel that makes the elements
};

/// A kernel of a fold: of the steps. Its reducer joins what they make.
struct FoldKernel : Folding {
  std::shared_ptr<const void> context;
};

/// The kernels of an MxV, one for each walk; no `stencils` of both ends, of rows and of sums in bins.
struct MatrixKernel {
  std::shared_ptr<const void> context;
  void (*pull[3])(const void* context, const MatrixTile&) = {};         ///< for 1, 2 and 4 vectors; of both ends, for 1
  void (*push)(const void* context, const MatrixTile&) = nullptr;       ///< for one vector
  void (*blocked[3])(const void* context, const MatrixBlock&) = {};     ///< for as many as `pull`
  void (*stencils)(const void* context, const StencilTile&) = nullptr;  ///< any number; or null
  /// For any number of vectors, pulling or pushing; null over a Pattern.
  void (*dense)(const void* context, const DenseTile&) = nullptr;
  // The following are null where the reducer is no idempotent one of numbers, or f changes their type.
  /// Pushes [first, first + n) of the input, but for those that are put off, as it is not yet their turn by the order;
  /// what that improves is pending. @param order of the settle() to come
  void (*reach)(const void* context, Settling&, void* order, LocalIndex first, std::uint32_t n) = nullptr;
  /// A SettlingOrder (settling_order.h).
  std::shared_ptr<void> (*make_order)(LocalIndex masters) = nullptr;
  /// Where nothing is known of an iteration before. @param in_order whether it is known that much is pushed again
  void (*forget)(void* order, bool in_order) = nullptr;
  /// Pushes what is pending, and what that improves, until there is nothing more or a limit is reached.
  /// @param order by make_order(masters)  @param other a product that is to be settled with this one; null: none
  void (*settle)(const void* context, Settling&, void* order, const OtherSettling* other) = nullptr;
  /// For the settle() of another product with the same input and reducer: adds x[i] and y[i] to a value, and returns
  /// the number of entries of i; and pushes a value along these. @param order of that settle()
  std::uint64_t (*look)(const void* context, Settling&, LocalIndex i, void* value) = nullptr;
  void (*push_on)(const void* context, Settling&, LocalIndex i, const void* value, void* order) = nullptr;
  /// Improve the best of their sets by [first, first + n) of the input; and by it those of the output whose set has
  /// become better, which are masters or none of them. The second may run on several threads, in parts of masters that
  /// begin at multiples of ElementSet::kApart.
  void (*collect)(Spreading&, LocalIndex first, LocalIndex n) = nullptr;
  void (*spread)(Spreading&, LocalIndex first, LocalIndex n) = nullptr;
};

/// A kernel that follows keys: of a take, or of a keyed reduction.
struct KeyKernel {
  std::shared_ptr<const void> context;
  /// Returns the position of the first key of the tile that is too large, having done nothing, or n if there is none.
  std::uint32_t (*run)(const void* context, const KeyTile&) = nullptr;
  /// The key at that position.
  std::uint64_t (*key_at)(const KeyTile&, std::uint32_t position) = nullptr;
};

/// A kernel of work on Shareds.
struct ApplyKernel {
  std::shared_ptr<const void> context;
  void (*run)(const void* context, const void* const* in, void* out) = nullptr;
};

using Kernel = std::variant<ElementKernel, ReduceKernel, FoldKernel, MatrixKernel, KeyKernel, ApplyKernel>;

/// A functor with its element type: how partial results are folded, and where a fold starts.
struct Reducer {
  Type type;
  Combine combine;
  std::vector<std::byte> identity;  ///< empty: none
  std::string name;
  ReducerKind kind = ReducerKind::other;
  std::optional<ScalarType> scalar;  ///< of `type`, if it is one
  bool idempotent = false;           ///< op(x, x) = x: known, derived or declared
  void (*clear_padding)(void* element) = nullptr;
};

/// Whether it has the same bits in any order and grouping (but for the sign of zeros).
inline bool is_exact(const Reducer& reducer) {
  const bool exact_of_integers =
      reducer.kind == ReducerKind::plus || reducer.kind == ReducerKind::times || reducer.kind == ReducerKind::bit_xor;
  return is_idempotent(reducer.kind) || (exact_of_integers && reducer.scalar && !is_floating(*reducer.scalar));
}

}  // namespace kasen::runtime
