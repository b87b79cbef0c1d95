#include "kasen/runtime/row_sum.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/matrix_product.h"
#include "kasen/runtime/row_matrix_kernel.h"

namespace kasen::runtime {
namespace {

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Multiple {
  template <class T, class E>
  T operator()(T a, E b) const {
    return a * b;
  }
};
struct Itself {
  template <class T, class... E>
  T operator()(T a, E...) const {
    return a;
  }
};

template <class T, class Element, class F>
using Term = detail::EachNumber<T, Element, F, Add>;
template <class T, class Element, class F>
using Context = detail::RowMatrixContext<T, Term<T, Element, F>, std::tuple<RowsOperand<T>>, std::tuple<>>;

/// Rows of up to so many numbers are summed in registers.
constexpr std::size_t kWidest = 16;

/// Pulls rows of Width numbers, a result's in registers.
template <class T, class Element, class F, std::size_t Width>
class NarrowRows {
 public:
  static void pull(const void* context, const MatrixTile& tile) {
    tile.prefetches() ? walk<true>(context, tile) : walk<false>(context, tile);
  }

 private:
  template <bool Prefetch>
  static void walk(const void* context, const MatrixTile& tile) {
    const auto& c = *static_cast<const Context<T, Element, F>*>(context);
    const auto* const value = static_cast<const Element*>(tile.matrix.value);
    const std::uint64_t* const pointer = tile.matrix.pointer + tile.first + 1;
    const std::uint32_t* const index = tile.matrix.index;
    const T* const in = static_cast<const T*>(tile.in[0]);
    T* to = static_cast<T*>(tile.out[0]);
    std::uint64_t entry = tile.matrix.pointer[tile.first];
    for (std::uint32_t j = 0; j < tile.n; ++j, to += Width) {
      T sum[Width] = {};
      const std::uint64_t end = pointer[j];
      if (tile.far) prefetch_entries<Element>(index, value, entry, end);
      for (; entry < end; ++entry) {
        if constexpr (Prefetch)
          detail::prefetch_lines(in + std::uint64_t{index[entry + kWidePrefetchDistance]} * Width, Width * sizeof(T));
        const T* const from = in + std::uint64_t{index[entry]} * Width;
        if constexpr (std::is_void_v<Element>) {
          for (std::size_t k = 0; k < Width; ++k) sum[k] += from[k];
        } else {
          const Element by = value[entry];
          for (std::size_t k = 0; k < Width; ++k) sum[k] += c.term.f_z(from[k], by);
        }
      }
      for (std::size_t k = 0; k < Width; ++k) to[k] = sum[k];
    }
  }
};

using Pull = void (*)(const void* context, const MatrixTile&);

template <class T, class Element, class F>
Pull narrow_rows(std::uint64_t width) {
  constexpr auto pulls = []<std::size_t... W>(std::index_sequence<W...>) {
    return std::array<Pull, kWidest>{&NarrowRows<T, Element, F, W + 1>::pull...};
  }
  (std::make_index_sequence<kWidest>{});
  return pulls[width - 1];
}

/// A product of two dense matrices.
template <Op direction, class T, class F>
void dense_product(const void* context, const DenseTile& tile) {
  const std::uint64_t width = static_cast<const Context<T, T, F>*>(context)->width;
  const MatrixView<T> x{static_cast<const T*>(tile.value), tile.rows, tile.columns, tile.stride};
  const auto* const in = static_cast<const T*>(tile.in[0]);
  auto* const out = static_cast<T*>(tile.out[0]);
  if constexpr (direction == Op::mxvt) {
    multiply_rows(x, in, width, out, tile.adds);
  } else {
    if (!tile.adds) std::fill_n(out, tile.columns * width, T{0});
    add_cross(x, in, width, out);
  }
}

template <Op direction, class T, class Element, class F>
MatrixKernel kernel(std::uint64_t width, F f) {
  MatrixKernel kernel = rows_by_number_kernel<direction, T, T, Element>(width, f, Add(), T{});
  if constexpr (!kCountAccesses) {
    if (width <= kWidest) kernel.pull[0] = narrow_rows<T, Element, F>(width);
    if constexpr (!std::is_void_v<Element> && std::is_same_v<F, Multiple>)
      kernel.dense = &dense_product<direction, T, F>;
  }
  return kernel;
}

}  // namespace

template <Op direction, SummedNumber T, class Element>
MatrixKernel rows_sum_kernel(std::uint64_t width, bool multiplies) {
  if constexpr (!std::is_void_v<Element>) {
    if (multiplies) return kernel<direction, T, Element>(width, Multiple());
  }
  return kernel<direction, T, Element>(width, Itself());
}

KASEN_ROWS_SUM(, float);
KASEN_ROWS_SUM(, double);

}  // namespace kasen::runtime
