/// @file
/// Operands with which kernels call functions: elements of vectors, values of Shareds, and plain values of the call.
#pragma once

#include <array>
#include <cstddef>

namespace kasen::runtime {

/// The operands of a kernel, in the order of the function's parameters.
template <class T>
struct VectorOperand {};  ///< one element per element of the tile: the next of Tile::in
template <class T>
struct SharedOperand {};  ///< one value: the next of Tile::shared, or of an apply's
template <class T>
struct PlainOperand {  ///< a value of the call
  T value;
};

/// The types of the elements of some vectors.
template <class... T>
struct ElementTypes {};

namespace detail {

template <class>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<VectorOperand<T>> = true;
template <class>
inline constexpr bool is_shared = false;
template <class T>
inline constexpr bool is_shared<SharedOperand<T>> = true;

template <class>
struct ElementOfOperand;
template <template <class> class Operand, class T>
struct ElementOfOperand<Operand<T>> {
  using type = T;
};
template <class Operand>
using ElementOf = typename ElementOfOperand<Operand>::type;

/// For each operand, the number of operands of its kind before it, which says to what it is bound.
template <class... Operands>
constexpr std::array<std::size_t, sizeof...(Operands) + 1> positions() {
  std::array<std::size_t, sizeof...(Operands) + 1> result{};
  std::size_t k = 0, vectors = 0, shareds = 0;
  ((result[k++] = is_vector<Operands> ? vectors : shareds, vectors += is_vector<Operands>,
    shareds += is_shared<Operands>),
   ...);
  return result;
}

}  // namespace detail

}  // namespace kasen::runtime
