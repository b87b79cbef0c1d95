/// @file
/// Matrix kernels of MxVs of both ends: out[j] = op over the non-zeros e of output j of
/// f_z(in[index[e]]..., value[e], at[j]...), of vectors `in` over the inputs and `at` over the outputs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/block_runs.h"
#include "kasen/runtime/bound_vectors.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

/// `Ins` and `Ats` are tuples of operands.
template <class Out, class Fz, class Op, class Ins, class Ats>
struct EndsContext {
  Fz f_z;
  Op op;
  Out identity;
  Ins in;
  Ats at;
};

template <class Out, class Inputs, class Element, class Outputs, class Fz, class Op>
class EndsFunction {
  using Context = EndsContext<Out, Fz, Op, Inputs, Outputs>;
  using Value = std::conditional_t<std::is_void_v<Element>, std::byte, Element>;
  using Ins = BoundVectors<Inputs>;
  using Ats = BoundVectors<Outputs>;
  static constexpr std::size_t kFirstAt = std::tuple_size_v<Inputs>;

 public:
  static void pull(const void* context, const MatrixTile& tile) {
    tile.prefetches() ? walk<true>(context, tile) : walk<false>(context, tile);
  }

  /// `out` holds what results are added to.
  static void push(const void* context, const MatrixTile& tile) {
    tile.prefetches() ? add<true>(context, tile) : add<false>(context, tile);
  }

  /// The same order of runs and entries as of other MxVs in blocks, where terms are settled, too.
  static void blocked(const void* context, const MatrixBlock& block) {
    const auto& c = *static_cast<const Context*>(context);
    const Term term(c, block.value);
    Local<Op> op = c.op;
    const Ins in(c.in, block.in, block.read, 0);
    const Ats at(c.at, block.in, block.read, kFirstAt);
    const auto input = access(block.input, block.entries);
    const auto output = access(block.output, block.lists);
    const auto length = access(block.length, block.lists);
    const auto so_far = access(static_cast<const Out*>(block.out[0]), counter(block.accumulated, 0));
    const auto out = access(static_cast<Out*>(block.out[0]), counter(block.written, 0));
    for_each_run(block, length, [&](std::uint64_t run, std::uint64_t first, std::uint64_t end, std::uint64_t step) {
      const std::uint32_t j = output[run];
      const auto here = at[j];
      const auto settled_at = [&](std::uint64_t e) { return settled<Out>(term(in[input[e]], e, here)); };
      const Out sum = folded(op, first, end, step, settled_at);
      out[j] = op(so_far[j], sum);
    });
  }

  static void dense_mxv(const void* context, const DenseTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    kCountAccesses ? count<true>(c, tile) : spread(c, tile);
  }

  static void dense_mxvt(const void* context, const DenseTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    kCountAccesses ? count<false>(c, tile) : fold(c, tile);
  }

 private:
  /// f_z at one non-zero.
  class Term {
   public:
    Term(const Context& context, const void* values) : _f_z(context.f_z), _value(values) {}
    Out operator()(const typename Ins::Elements& in, std::uint64_t entry, const typename Ats::Elements& at) const {
      return of(in, _value[entry], at);
    }
    Out of(const typename Ins::Elements& in, [[maybe_unused]] const Value& value,
           const typename Ats::Elements& at) const {
      return at_non_zero<Element>(_f_z, in, value, at);
    }

   private:
    Local<Fz> _f_z;
    EntryValues<Element> _value;
  };

  /// op over term(e) for e of first, first + step, ..., of one at least; of four and more as four partial results, so
  /// that additions need not wait for each other.
  template <class TermAt>
  static Out folded(const Op& op, std::uint64_t first, std::uint64_t end, std::uint64_t step, const TermAt& term) {
    std::uint64_t e = first;
    if (first + 3 * step < end) {
      Partials<Out> p{term(e), term(e + step), term(e + 2 * step), term(e + 3 * step)};
      for (e += 4 * step; e + 3 * step < end; e += 4 * step) {
        p.a = op(p.a, term(e));
        p.b = op(p.b, term(e + step));
        p.c = op(p.c, term(e + 2 * step));
        p.d = op(p.d, term(e + 3 * step));
      }
      Out sum = op(op(p.a, p.b), op(p.c, p.d));
      for (; e < end; e += step) sum = op(sum, term(e));
      return sum;
    }
    Out sum = term(e);
    for (e += step; e < end; e += step) sum = op(sum, term(e));
    return sum;
  }

  template <bool Prefetch>
  static void walk(const void* context, const MatrixTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    const Term term(c, tile.matrix.value);
    Local<Op> op = c.op;
    const auto pointer = access(tile.matrix.pointer + tile.first + 1, tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const Ins in(c.in, tile.in, tile.read, 0);
    const Ats at(c.at, tile.in, tile.read, kFirstAt);
    const auto out = access(static_cast<Out*>(tile.out[0]), counter(tile.written, 0));
    std::uint64_t entry = tile.matrix.pointer[tile.first];
    for (std::uint32_t j = 0; j < tile.n; ++j) {
      const std::uint64_t end = pointer[j];
      if (tile.far) prefetch_entries<Element>(tile.matrix.index, tile.matrix.value, entry, end);
      const auto here = at[j];
      out[j] = entry == end ? c.identity : folded(op, entry, end, 1, [&](std::uint64_t e) {
        if constexpr (Prefetch) in.prefetch(tile.matrix.index[e + kWidePrefetchDistance]);
        return term(in[index[e]], e, here);
      });
      entry = end;
    }
  }

  template <bool Prefetch>
  static void add(const void* context, const MatrixTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    const Term term(c, tile.matrix.value);
    Local<Op> op = c.op;
    const std::uint64_t* const begins = tile.matrix.pointer + tile.first;
    const auto ends = access(tile.ends(), tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const Ins in(c.in, tile.in, tile.read, 0);
    const Ats at(c.at, tile.in, tile.read, kFirstAt);
    const auto so_far = access(static_cast<const Out*>(tile.out[0]), tile.accumulated);
    const auto out = access(static_cast<Out*>(tile.out[0]), counter(tile.written, 0));
    for (std::uint32_t i = 0; i < tile.n; ++i) {
      std::uint64_t entry = begins[i];
      const std::uint64_t end = ends[i];
      const auto here = in[i];
      for (; entry < end; ++entry) {
        if constexpr (Prefetch) {
          const std::uint32_t ahead = tile.matrix.index[entry + kWidePrefetchDistance];
          at.prefetch(ahead);
          __builtin_prefetch(static_cast<const Out*>(tile.out[0]) + ahead, 1);
        }
        const std::uint32_t j = index[entry];
        out[j] = op(so_far[j], term(here, entry, at[j]));
      }
    }
  }

  // ---- dense ----

  static constexpr std::uint64_t kRowsAtOnce = 4;
  static constexpr std::uint64_t kLanes = std::min<std::uint64_t>(std::max<std::uint64_t>(64 / sizeof(Out), 1), 16);

  /// mxv: several rows at a time, so that results, which stay in the first-level cache, are read and written once for
  /// all of them. The order of operations is that of the rows.
  static void spread(const Context& context, const DenseTile& tile) {
    if constexpr (!std::is_void_v<Element>) {
      const Term term(context, nullptr);
      Local<Op> op = context.op;
      const Ins in(context.in, tile.in, nullptr, 0);
      const Ats at(context.at, tile.in, nullptr, kFirstAt);
      auto* const out = static_cast<Out*>(tile.out[0]);
      const auto* x = static_cast<const Element*>(tile.value);
      if (!tile.adds) std::fill_n(out, tile.columns, context.identity);
      const auto rows = [&](std::uint64_t first, std::uint64_t count) {
        for (std::uint64_t j = 0; j < tile.columns; ++j) {
          const auto here = at[j];
          Out sum = out[j];
          for (std::uint64_t r = 0; r < count; ++r) sum = op(sum, term.of(in[first + r], x[r * tile.stride + j], here));
          out[j] = sum;
        }
        x += count * tile.stride;
      };
      std::uint64_t i = 0;
      for (; i + kRowsAtOnce <= tile.rows; i += kRowsAtOnce) rows(i, kRowsAtOnce);
      for (; i < tile.rows; ++i) rows(i, 1);
    }
  }

  /// mxvt: a row after the other, into several partial results.
  static void fold(const Context& context, const DenseTile& tile) {
    if constexpr (!std::is_void_v<Element>) {
      const Term term(context, nullptr);
      Local<Op> op = context.op;
      const Ins in(context.in, tile.in, nullptr, 0);
      const Ats at(context.at, tile.in, nullptr, kFirstAt);
      auto* const out = static_cast<Out*>(tile.out[0]);
      const auto* x = static_cast<const Element*>(tile.value);
      for (std::uint64_t i = 0; i < tile.rows; ++i, x += tile.stride) {
        const auto here = at[i];
        Out sum = tile.adds ? out[i] : context.identity;
        std::uint64_t j = 0;
        if (std::is_arithmetic_v<Out> && tile.columns >= kLanes) {
          Out lane[kLanes];
          for (std::uint64_t l = 0; l < kLanes; ++l) lane[l] = term.of(in[l], x[l], here);
          for (j = kLanes; j + kLanes <= tile.columns; j += kLanes) {
            for (std::uint64_t l = 0; l < kLanes; ++l) lane[l] = op(lane[l], term.of(in[j + l], x[j + l], here));
          }
          for (std::uint64_t half = kLanes / 2; half > 0; half /= 2) {
            for (std::uint64_t l = 0; l < half; ++l) lane[l] = op(lane[l], lane[l + half]);
          }
          sum = op(sum, lane[0]);
        }
        for (; j < tile.columns; ++j) sum = op(sum, term.of(in[j], x[j], here));
        out[i] = sum;
      }
    }
  }

  /// The plain loop, with every access counted: to outputs that it adds to, each time; to others, one write.
  template <bool Mxv>
  static void count(const Context& context, const DenseTile& tile) {
    if constexpr (!std::is_void_v<Element>) {
      const Term term(context, nullptr);
      Local<Op> op = context.op;
      const auto x = access(static_cast<const Element*>(tile.value), tile.entries);
      const Ins in(context.in, tile.in, tile.read, 0);
      const Ats at(context.at, tile.in, tile.read, kFirstAt);
      const auto so_far = access(static_cast<const Out*>(tile.out[0]), tile.accumulated);
      const auto out = access(static_cast<Out*>(tile.out[0]), counter(tile.written, 0));
      const std::uint64_t inputs = Mxv ? tile.rows : tile.columns, outputs = Mxv ? tile.columns : tile.rows;
      const auto entry = [&](std::uint64_t i, std::uint64_t j) {
        return Mxv ? i * tile.stride + j : j * tile.stride + i;
      };
      if (tile.adds) {
        for (std::uint64_t i = 0; i < inputs; ++i) {
          const auto here = in[i];
          for (std::uint64_t j = 0; j < outputs; ++j) out[j] = op(so_far[j], term.of(here, x[entry(i, j)], at[j]));
        }
        return;
      }
      for (std::uint64_t j = 0; j < outputs; ++j) {
        const auto here = at[j];
        Out sum = context.identity;
        for (std::uint64_t i = 0; i < inputs; ++i) sum = op(sum, term.of(in[i], x[entry(i, j)], here));
        out[j] = sum;
      }
    }
  }
};

template <class Out, class Element, class Function, kasen::Op direction, class... In, class... At>
MatrixKernel with_functions(MatrixKernel kernel, const std::tuple<In...>&, const std::tuple<At...>&) {
  using detail::Stepped;
  kernel.pull[0] =
      unmasked<&Function::pull, Out, Element, typename Stepped<In>::type..., typename Stepped<At>::type...>();
  kernel.push = unmasked<&Function::push, Out, Element, typename Stepped<In>::type..., typename Stepped<At>::type...>();
  kernel.blocked[0] =
      unmasked<&Function::blocked, Out, Element, typename Stepped<In>::type..., typename Stepped<At>::type...>();
  if constexpr (!std::is_void_v<Element>) {
    constexpr auto dense = direction == kasen::Op::mxv ? &Function::dense_mxv : &Function::dense_mxvt;
    kernel.dense = unmasked<dense, Out, Element, typename Stepped<In>::type..., typename Stepped<At>::type...>();
  }
  return kernel;
}

}  // namespace detail

/// The kernels of an MxV of both ends in one direction: compressed, in blocks, and, unless over a Pattern (Element =
/// void), dense; they are for one MxV each. `in` and `at` are the operands of inputs and of outputs, vectors or rows.
/// In blocks and pushing, `out` has to hold the identity at first.
template <kasen::Op direction, class Element, class Inputs, class Outputs, class Out, class Fz, class Op>
MatrixKernel ends_kernel(const Inputs& in, const Outputs& at, Fz f_z, Op op, Out identity) {
  using Context = detail::EndsContext<Out, Fz, Op, Inputs, Outputs>;
  MatrixKernel kernel;
  kernel.context = context_of(Context{std::move(f_z), std::move(op), std::move(identity), in, at});
  using Function = detail::EndsFunction<Out, Inputs, Element, Outputs, Fz, Op>;
  return detail::with_functions<Out, Element, Function, direction>(std::move(kernel), in, at);
}

}  // namespace kasen::runtime
