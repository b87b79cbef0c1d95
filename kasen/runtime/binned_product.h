/// @file
/// Kernels of reproducible products, which sum what a function makes at non-zeros as BinnedSums. Their walks are
/// compiled once: they know the usual functions, and call others for each non-zero, where a function is compiled once
/// too. Inlined into several loops, a compiler may round its products and sums in each of them in another way.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/runtime/bound_vectors.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/operand.h"

/// A function that is compiled in one place, and called from others.
#if defined(__GNUC__) && !defined(__clang__)
#define KASEN_COMPILED_ONCE [[gnu::noipa]]
#else
#define KASEN_COMPILED_ONCE [[gnu::noinline]]
#endif

namespace kasen::runtime {

/// A non-zero, and the vectors at its ends.
struct NonZero {
  const void* const* in = nullptr;                 ///< vectors of inputs, and behind them those of outputs
  const void* value = nullptr;                     ///< entries; null over a Pattern
  std::uint64_t input = 0, entry = 0, output = 0;  ///< positions there
};

/// Functions that walks know: they have one operation or none, and so one rounding.
enum class KnownTerm : std::uint8_t {
  none,                 ///< another one
  element,              ///< the numbers of the first input
  element_times_entry,  ///< each of them times the entry, a number of their type
};

/// What is summed at non-zeros: `width` numbers of type T.
template <std::floating_point T>
struct NonZeroTerm {
  std::shared_ptr<const void> context;
  void (*make)(const void* context, const NonZero&, T* made) = nullptr;
  std::uint64_t width = 1;
  std::uint32_t inputs = 1, outputs = 0;  ///< how many vectors are read at each end
  KnownTerm known = KnownTerm::none;
};

/// The kernels of a product in one direction, for one MxV each. @param has_entries false over a Pattern
template <std::floating_point T>
MatrixKernel binned_product_kernel(Op direction, bool has_entries, NonZeroTerm<T> term);
extern template MatrixKernel binned_product_kernel(Op direction, bool has_entries, NonZeroTerm<float> term);
extern template MatrixKernel binned_product_kernel(Op direction, bool has_entries, NonZeroTerm<double> term);

namespace detail {

/// A function, and the operands of both ends, which are tuples.
template <class Fz, class Inputs, class Outputs>
struct TermContext {
  Fz f_z;
  Inputs in;
  Outputs at;
  std::uint64_t width;

  /// The function of what belongs to a non-zero, and of what is behind that.
  template <class Element, class... Behind>
  auto called(const NonZero& z, Behind... behind) const {
    const BoundVectors<Inputs> inputs(in, z.in, nullptr, 0);
    const BoundVectors<Outputs> outputs(at, z.in, nullptr, std::tuple_size_v<Inputs>);
    if constexpr (std::is_void_v<Element>) {
      return at_non_zero<void>(f_z, inputs[z.input], std::byte{}, outputs[z.output], behind...);
    } else {
      const Element& value = static_cast<const Element*>(z.value)[z.entry];
      return at_non_zero<Element>(f_z, inputs[z.input], value, outputs[z.output], behind...);
    }
  }
};

/// Makes an element of numbers of type T.
template <class Made, class T, class Element, class Context>
KASEN_COMPILED_ONCE void make_element(const void* context, const NonZero& z, T* made) {
  const Made element = static_cast<const Context*>(context)->template called<Element>(z);
  std::memcpy(made, &element, sizeof element);
}

/// Writes a row.
template <class T, class Element, class Context>
KASEN_COMPILED_ONCE void write_row(const void* context, const NonZero& z, T* made) {
  const auto& c = *static_cast<const Context*>(context);
  c.template called<Element>(z, std::span<T>(made, c.width));
}

template <class T, class X, class Element, class Fz>
KASEN_COMPILED_ONCE T make_number(const Fz& f_z, const X& x, [[maybe_unused]] const void* value) {
  if constexpr (std::is_void_v<Element>) {
    return f_z(x);
  } else {
    return f_z(x, *static_cast<const Element*>(value));
  }
}

/// Makes numbers of those of a row, of type X, one by one.
template <class T, class X, class Element, class Context>
void make_numbers(const void* context, const NonZero& z, T* made) {
  const auto& c = *static_cast<const Context*>(context);
  const auto* const from = static_cast<const X*>(z.in[0]) + z.input * c.width;
  const void* value = nullptr;
  if constexpr (!std::is_void_v<Element>) value = static_cast<const Element*>(z.value) + z.entry;
  for (std::uint64_t k = 0; k < c.width; ++k) made[k] = make_number<T, X, Element>(c.f_z, from[k], value);
}

template <Op direction, class T, class Element, class Context>
MatrixKernel product_of_term(void (*make)(const void*, const NonZero&, T*), Context context, KnownTerm known) {
  NonZeroTerm<T> term;
  term.width = context.width;
  term.inputs = std::tuple_size_v<decltype(context.in)>;
  term.outputs = std::tuple_size_v<decltype(context.at)>;
  term.context = context_of(std::move(context));
  term.make = make;
  term.known = known;
  return binned_product_kernel(direction, !std::is_void_v<Element>, std::move(term));
}

}  // namespace detail

/// The kernels of an MxV that sums what f_z makes at non-zeros, elements `Made` of `width` numbers of type T; `in` and
/// `at` are the operands of both ends. Over a Pattern, Element is void.
template <Op direction, class Made, class T, class Element, class Inputs, class Outputs, class Fz>
MatrixKernel binned_ends_kernel(const Inputs& in, const Outputs& at, std::uint64_t width, Fz f_z,
                                KnownTerm known = KnownTerm::none) {
  using Context = detail::TermContext<Fz, Inputs, Outputs>;
  return detail::product_of_term<direction, T, Element>(&detail::make_element<Made, T, Element, Context>,
                                                        Context{std::move(f_z), in, at, width}, known);
}

/// The same of an f_z that writes rows of `width` numbers.
template <Op direction, class T, class Element, class Inputs, class Outputs, class Fz>
MatrixKernel binned_ends_to_rows_kernel(const Inputs& in, const Outputs& at, std::uint64_t width, Fz f_z) {
  using Context = detail::TermContext<Fz, Inputs, Outputs>;
  return detail::product_of_term<direction, T, Element>(&detail::write_row<T, Element, Context>,
                                                        Context{std::move(f_z), in, at, width}, KnownTerm::none);
}

/// The same of an f_z of each number, of type X, of rows of `width` of them.
template <Op direction, class T, class X, class Element, class Fz>
MatrixKernel binned_rows_kernel(std::uint64_t width, Fz f_z, KnownTerm known) {
  using Context = detail::TermContext<Fz, std::tuple<RowsOperand<X>>, std::tuple<>>;
  return detail::product_of_term<direction, T, Element>(&detail::make_numbers<T, X, Element, Context>,
                                                        Context{std::move(f_z), {RowsOperand<X>{width}}, {}, width},
                                                        known);
}

}  // namespace kasen::runtime
