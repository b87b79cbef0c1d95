/// @file
/// Matrix kernels of mxv and mxvt over compressed matrices. Pulling, out[j] = op over the entries e of output j of
/// f_z(in[index[e]], value[e]); pushing, out[index[e]] = op(out[index[e]], f_z(in[i], value[e])), e of input i.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/blocked_kernel.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"
#include "kasen/runtime/stencil_kernel.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

/// Computes one tile of `Count` MxVs that share the walk over the matrix. Rows of four entries and more are summed into
/// four partial results; the order of operations is the same for every Count, so joining MxVs does not change a bit.
template <class Out, class In, class Element, class Fz, class Op, std::uint32_t Count>
class MatrixFunction {
  using Context = MatrixContext<Out, Fz, Op>;
  using Term = MatrixTerm<Out, In, Element, Fz>;
  using Each = std::make_index_sequence<Count>;

 public:
  static void run(const void* context, const MatrixTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    if (tile.prefetches()) {
      walk<Prefetched::elements>(c, tile, Each{});
    } else if (tile.far) {
      walk<Prefetched::entries>(c, tile, Each{});
    } else {
      walk<Prefetched::nothing>(c, tile, Each{});
    }
  }

  /// Pushes one vector; `out` holds what results are added to.
  static void push(const void* context, const MatrixTile& tile) {
    static_assert(Count == 1);
    const auto& c = *static_cast<const Context*>(context);
    if (tile.prefetches()) {
      spread<true>(c, tile);
    } else {
      spread<false>(c, tile);
    }
  }

 private:
  template <bool Prefetch>
  static void spread(const Context& context, const MatrixTile& tile) {
    Local<Op> op = context.op;
    const Term term{context.f_z, static_cast<const typename Term::Value*>(tile.matrix.value)};
    const std::uint64_t* const begins = tile.matrix.pointer + tile.first;
    const auto ends = access(tile.ends(), tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const auto in = access(static_cast<const In*>(tile.in[0]), counter(tile.read, 0));
    const auto so_far = access(static_cast<const Out*>(tile.out[0]), tile.accumulated);
    const auto out = access(static_cast<Out*>(tile.out[0]), counter(tile.written, 0));
    const std::uint32_t n = tile.n;
    for (std::uint32_t j = 0; j < n; ++j) {
      std::uint64_t entry = begins[j];
      const std::uint64_t end = ends[j];
      const In x = in[j];
      if (tile.far) prefetch_entries<Element>(tile.matrix.index, tile.matrix.value, entry, end);
      for (; entry < end; ++entry) {
        if constexpr (Prefetch) {
          const std::uint32_t ahead = tile.matrix.index[entry + kPrefetchDistance];
          __builtin_prefetch(static_cast<const Out*>(tile.out[0]) + ahead, 1);
        }
        const std::uint32_t i = index[entry];
        out[i] = op(so_far[i], term.of(x, entry));
      }
    }
  }

  template <Prefetched prefetched, std::size_t... K>
  static void walk(const Context& context, const MatrixTile& tile, std::index_sequence<K...>) {
    Local<Op> op = context.op;
    const Term term{context.f_z, static_cast<const typename Term::Value*>(tile.matrix.value)};
    const auto pointer = access(tile.matrix.pointer + tile.first + 1, tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const Access<const In> in[] = {access(static_cast<const In*>(tile.in[K]), counter(tile.read, K))...};
    const Access<Out> out[] = {access(static_cast<Out*>(tile.out[K]), counter(tile.written, K))...};
    const auto prefetch = [&](std::uint64_t entry) __attribute__((always_inline)) {
      if constexpr (prefetched == Prefetched::elements) {
        const std::uint32_t ahead = tile.matrix.index[entry + kPrefetchDistance];
        (__builtin_prefetch(static_cast<const In*>(tile.in[K]) + ahead), ...);
      }
    };

    std::uint64_t entry = tile.matrix.pointer[tile.first];
    const auto prefetch_ahead = [&]() __attribute__((always_inline)) {
      if constexpr (prefetched != Prefetched::nothing)
        prefetch_entries<Element>(tile.matrix.index, tile.matrix.value, entry);
    };
    const std::uint32_t n = tile.n;
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint64_t end = pointer[j];
      Out result[] = {(static_cast<void>(K), context.identity)...};
      if (end - entry >= 4) {
        const auto first_four = [&](const Access<const In>& vector, const std::uint32_t(&i)[4]) {
          return Partials<Out>{term(vector, i[0], entry), term(vector, i[1], entry + 1), term(vector, i[2], entry + 2),
                               term(vector, i[3], entry + 3)};
        };
        const auto next_four = [&](Partials<Out>& to, const Access<const In>& vector, const std::uint32_t(&i)[4]) {
          to.a = op(to.a, term(vector, i[0], entry));
          to.b = op(to.b, term(vector, i[1], entry + 1));
          to.c = op(to.c, term(vector, i[2], entry + 2));
          to.d = op(to.d, term(vector, i[3], entry + 3));
        };
        const auto prefetch_four = [&]() __attribute__((always_inline)) {
          prefetch_ahead();
          for (std::uint64_t k = 0; k < 4; ++k) prefetch(entry + k);
        };
        prefetch_four();
        const std::uint32_t first[4] = {index[entry], index[entry + 1], index[entry + 2], index[entry + 3]};
        Partials<Out> partials[] = {first_four(in[K], first)...};
        for (entry += 4; entry + 4 <= end; entry += 4) {
          prefetch_four();
          const std::uint32_t i[4] = {index[entry], index[entry + 1], index[entry + 2], index[entry + 3]};
          (next_four(partials[K], in[K], i), ...);
        }
        ((result[K] = op(op(partials[K].a, partials[K].b), op(partials[K].c, partials[K].d))), ...);
      } else {
        prefetch_ahead();
      }
      for (; entry < end; ++entry) {
        prefetch(entry);
        const std::uint32_t i = index[entry];
        ((result[K] = op(result[K], term(in[K], i, entry))), ...);
      }
      ((out[K][j] = result[K]), ...);
    }
  }
};

}  // namespace detail

/// The kernels of out[j] = op over the non-zeros of output j of f_z(in[i], m), or of f_z(in[i]) over a Pattern (Element
/// = void); `identity` where there are none. They pull for 1, 2 and 4 vectors, compressed or in blocks, for any number
/// as stencils, and push for one. In blocks and pushing, `out` has to hold the identity at first.
template <class Out, class In, class Element, class Fz, class Op>
MatrixKernel matrix_kernel(Fz f_z, Op op, Out identity) {
  MatrixKernel kernel;
  kernel.context = context_of(detail::MatrixContext<Out, Fz, Op>{std::move(f_z), std::move(op), std::move(identity)});
  kernel.pull[0] = unmasked<&detail::MatrixFunction<Out, In, Element, Fz, Op, 1>::run, Out, In, Element>();
  kernel.pull[1] = unmasked<&detail::MatrixFunction<Out, In, Element, Fz, Op, 2>::run, Out, In, Element>();
  kernel.pull[2] = unmasked<&detail::MatrixFunction<Out, In, Element, Fz, Op, 4>::run, Out, In, Element>();
  kernel.blocked[0] = unmasked<&detail::BlockedFunction<Out, In, Element, Fz, Op, 1>::run, Out, In, Element>();
  kernel.blocked[1] = unmasked<&detail::BlockedFunction<Out, In, Element, Fz, Op, 2>::run, Out, In, Element>();
  kernel.blocked[2] = unmasked<&detail::BlockedFunction<Out, In, Element, Fz, Op, 4>::run, Out, In, Element>();
  kernel.stencils = unmasked<&detail::StencilFunction<Out, In, Element, Fz, Op>::run, Out, In, Element>();
  kernel.push = unmasked<&detail::MatrixFunction<Out, In, Element, Fz, Op, 1>::push, Out, In, Element>();
  return kernel;
}

}  // namespace kasen::runtime
