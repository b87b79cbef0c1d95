#include "kasen/runtime/binned_product.h"

#include <algorithm>

#include "kasen/base/binned_sum.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/block_runs.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/row_kernel.h"

namespace kasen::runtime {
namespace {

/// Vectors of one end are read, once each.
void count_reads([[maybe_unused]] AccessCount* const* counters, [[maybe_unused]] std::size_t first,
                 [[maybe_unused]] std::size_t vectors) {
  if constexpr (kCountAccesses) {
    for (std::size_t k = first; k < first + vectors; ++k) {
      if (AccessCount* const count = counter(counters, k); count != nullptr) ++*count;
    }
  }
}

/// What a term makes at the non-zeros of a tile, added to rows of sums.
template <class T, KnownTerm known>
class Terms {
 public:
  Terms(const NonZeroTerm<T>& term, const void* const* in, const void* value, AccessCount* const* read)
      : _term(term), _in(in), _value(value), _read(read), _made(term.width) {}

  /// To the sums at `to` that of the non-zero e of an input and an output.
  void add(BinnedSum* to, std::uint64_t input, std::uint64_t e, std::uint64_t output) {
    if constexpr (known == KnownTerm::none) {
      T* const made = _made.numbers();
      _term.make(_term.context.get(), {_in, _value, input, e, output}, made);
      for (std::uint64_t k = 0; k < _term.width; ++k) to[k].add(static_cast<double>(made[k]));
    } else {
      for (std::uint64_t k = 0; k < _term.width; ++k) to[k].add(static_cast<double>(known_number(input, e, k)));
    }
  }

  /// A sum with the numbers, one each, of the non-zeros first, first + step, ... below end of an output. The first one
  /// says what window there is to be.
  template <class InputOf>
  BinnedSum added(BinnedSum sum, std::uint64_t first, std::uint64_t end, std::uint64_t step, std::uint64_t output,
                  const InputOf& input_of) {
    if (first >= end) return sum;
    sum.add(one(input_of(first), first, output));
    if (first + step >= end) return sum;
    BinnedAdder adder(sum);
    for (std::uint64_t e = first + step; e < end; e += step) adder.add(one(input_of(e), e, output));
    return adder.sum();
  }

  bool of_one_number() const { return _term.width == 1; }
  std::uint64_t width() const { return _term.width; }
  void read_input() const { count_reads(_read, 0, _term.inputs); }
  void read_output() const { count_reads(_read, _term.inputs, _term.outputs); }
  /// Values are of functions that are called.
  [[gnu::always_inline]] void prefetch_entries(const std::uint32_t* index, std::uint64_t first,
                                               std::uint64_t end) const {
    using Element = std::conditional_t<known == KnownTerm::element_times_entry, T, void>;
    runtime::prefetch_entries<Element>(index, _value, first, end);
  }
  /// Functions that are called touch their operands themselves.
  [[gnu::always_inline]] void prefetch([[maybe_unused]] std::uint64_t input) const {
    if constexpr (known != KnownTerm::none) detail::prefetch_lines(numbers(input), _term.width * sizeof(T));
  }

 private:
  const T* numbers(std::uint64_t input) const { return static_cast<const T*>(_in[0]) + input * _term.width; }
  T known_number(std::uint64_t input, [[maybe_unused]] std::uint64_t e, std::uint64_t k) const {
    const T number = numbers(input)[k];
    if constexpr (known == KnownTerm::element_times_entry) return number * static_cast<const T*>(_value)[e];
    return number;
  }
  double one(std::uint64_t input, std::uint64_t e, [[maybe_unused]] std::uint64_t output) {
    if constexpr (known == KnownTerm::none) {
      T made;
      _term.make(_term.context.get(), {_in, _value, input, e, output}, &made);
      return static_cast<double>(made);
    } else {
      return static_cast<double>(known_number(input, e, 0));
    }
  }

  const NonZeroTerm<T>& _term;
  const void* const* const _in;
  const void* const _value;
  AccessCount* const* const _read;
  detail::MadeRow<T> _made;
};

/// The walks: of compressed matrices, of blocks, and of dense matrices. Results are rows of sums.
template <class T, KnownTerm known>
class BinnedProduct {
  using Out = detail::RowAccess<BinnedSum>;

 public:
  static void pull(const void* context, const MatrixTile& tile) {
    tile.prefetches() ? walk<true>(context, tile) : walk<false>(context, tile);
  }

  /// `out` holds what results are added to.
  static void push(const void* context, const MatrixTile& tile) {
    Terms<T, known> terms(term_of(context), tile.in, tile.matrix.value, tile.read);
    const std::uint64_t* const begins = tile.matrix.pointer + tile.first;
    const auto ends = access(tile.ends(), tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const Out so_far{static_cast<BinnedSum*>(tile.out[0]), terms.width(), tile.accumulated};
    const Out out{static_cast<BinnedSum*>(tile.out[0]), terms.width(), counter(tile.written, 0)};
    for (std::uint32_t i = 0; i < tile.n; ++i) {
      terms.read_input();
      const std::uint64_t end = ends[i];
      for (std::uint64_t entry = begins[i]; entry < end; ++entry) {
        const std::uint32_t j = index[entry];
        terms.read_output();
        so_far[j];  // is read
        terms.add(out[j].data(), i, entry, j);
      }
    }
  }

  /// The order of runs and entries is that of other MxVs in blocks.
  static void blocked(const void* context, const MatrixBlock& block) {
    Terms<T, known> terms(term_of(context), block.in, block.value, block.read);
    const auto input = access(block.input, block.entries);
    const auto output = access(block.output, block.lists);
    const auto length = access(block.length, block.lists);
    const Out so_far{static_cast<BinnedSum*>(block.out[0]), terms.width(), counter(block.accumulated, 0)};
    const Out out{static_cast<BinnedSum*>(block.out[0]), terms.width(), counter(block.written, 0)};
    const auto input_of = [&](std::uint64_t e) {
      terms.read_input();
      return input[e];
    };
    for_each_run(block, length, [&](std::uint64_t run, std::uint64_t first, std::uint64_t end, std::uint64_t step) {
      const std::uint32_t j = output[run];
      terms.read_output();
      so_far[j];  // is read
      BinnedSum* const sums = out[j].data();
      if (terms.of_one_number()) {
        *sums = terms.added(*sums, first, end, step, j, input_of);
      } else {
        for (std::uint64_t e = first; e < end; e += step) terms.add(sums, input_of(e), e, j);
      }
    });
  }

  static void dense_mxv(const void* context, const DenseTile& tile) { rectangle<true>(context, tile); }
  static void dense_mxvt(const void* context, const DenseTile& tile) { rectangle<false>(context, tile); }

 private:
  static const NonZeroTerm<T>& term_of(const void* context) { return *static_cast<const NonZeroTerm<T>*>(context); }

  template <bool Prefetch>
  static void walk(const void* context, const MatrixTile& tile) {
    Terms<T, known> terms(term_of(context), tile.in, tile.matrix.value, tile.read);
    const auto pointer = access(tile.matrix.pointer + tile.first + 1, tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const Out out{static_cast<BinnedSum*>(tile.out[0]), terms.width(), counter(tile.written, 0)};
    const auto input_of = [&](std::uint64_t e) {
      if constexpr (Prefetch) terms.prefetch(tile.matrix.index[e + kWidePrefetchDistance]);
      terms.read_input();
      return index[e];
    };
    std::uint64_t entry = tile.matrix.pointer[tile.first];
    for (std::uint32_t j = 0; j < tile.n; ++j) {
      const std::uint64_t end = pointer[j];
      if (tile.far) terms.prefetch_entries(tile.matrix.index, entry, end);
      terms.read_output();
      const std::span<BinnedSum> sums = out[j];
      if (terms.of_one_number()) {
        sums[0] = terms.added(BinnedSum(), entry, end, 1, j, input_of);
        entry = end;
      } else {
        std::fill(sums.begin(), sums.end(), BinnedSum());
        for (; entry < end; ++entry) terms.add(sums.data(), input_of(entry), entry, j);
      }
    }
  }

  /// As in RowMatrixFunction: rows of the matrix one by one, as they are stored; where accesses are counted, outputs
  /// one by one, unless it adds to them.
  template <bool Mxv>
  static void rectangle(const void* context, const DenseTile& tile) {
    Terms<T, known> terms(term_of(context), tile.in, tile.value, tile.read);
    const Out so_far{static_cast<BinnedSum*>(tile.out[0]), terms.width(), tile.accumulated};
    const Out out{static_cast<BinnedSum*>(tile.out[0]), terms.width(), counter(tile.written, 0)};
    const std::uint64_t inputs = Mxv ? tile.rows : tile.columns, outputs = Mxv ? tile.columns : tile.rows;
    const auto add = [&](std::span<BinnedSum> to, std::uint64_t i, std::uint64_t j) {
      if (kCountAccesses && tile.entries != nullptr) ++*tile.entries;
      terms.add(to.data(), i, Mxv ? i * tile.stride + j : j * tile.stride + i, j);
    };
    const auto begin = [&](std::span<BinnedSum> sums) {
      if (!tile.adds) std::fill(sums.begin(), sums.end(), BinnedSum());
    };
    if (kCountAccesses ? !tile.adds : !Mxv) {
      for (std::uint64_t j = 0; j < outputs; ++j) {
        terms.read_output();
        const std::span<BinnedSum> sums = out[j];
        begin(sums);
        for (std::uint64_t i = 0; i < inputs; ++i) {
          terms.read_input();
          add(sums, i, j);
        }
      }
      return;
    }
    for (std::uint64_t j = 0; j < outputs && !tile.adds; ++j) begin(out[j]);
    for (std::uint64_t i = 0; i < inputs; ++i) {
      terms.read_input();
      for (std::uint64_t j = 0; j < outputs; ++j) {
        terms.read_output();
        so_far[j];  // is read
        add(out[j], i, j);
      }
    }
  }
};

template <class T, KnownTerm known>
MatrixKernel kernel_of(Op direction, bool has_entries, NonZeroTerm<T> term) {
  using Product = BinnedProduct<T, known>;
  MatrixKernel kernel;
  kernel.context = context_of(std::move(term));
  kernel.pull[0] = &Product::pull;
  kernel.push = &Product::push;
  kernel.blocked[0] = &Product::blocked;
  if (has_entries) kernel.dense = direction == Op::mxv ? &Product::dense_mxv : &Product::dense_mxvt;
  return kernel;
}

}  // namespace

template <std::floating_point T>
MatrixKernel binned_product_kernel(Op direction, bool has_entries, NonZeroTerm<T> term) {
  switch (term.known) {
    case KnownTerm::none:
      break;
    case KnownTerm::element:
      return kernel_of<T, KnownTerm::element>(direction, has_entries, std::move(term));
    case KnownTerm::element_times_entry:
      return kernel_of<T, KnownTerm::element_times_entry>(direction, has_entries, std::move(term));
  }
  return kernel_of<T, KnownTerm::none>(direction, has_entries, std::move(term));
}
template MatrixKernel binned_product_kernel(Op direction, bool has_entries, NonZeroTerm<float> term);
template MatrixKernel binned_product_kernel(Op direction, bool has_entries, NonZeroTerm<double> term);

}  // namespace kasen::runtime
