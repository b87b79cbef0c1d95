/// @file
/// What calls are given beside functions: vectors, Shareds and plain values.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/expression.h"
#include "kasen/base/rows_view.h"
#include "kasen/base/scalar.h"
#include "kasen/base/source_location.h"
#include "kasen/recording/function_key.h"
#include "kasen/recording/recorder.h"
#include "kasen/rows.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/row_kernel.h"
#include "kasen/symbolic.h"

namespace kasen {

using Where = SourceLocation;  ///< of a call, by default arguments of the primitives

/// What a call holds beside its function: plain values.
template <class T>
struct recording::HeldBytes<runtime::PlainOperand<T>> {
  static bool append(std::string& to, const runtime::PlainOperand<T>& operand) {
    return HeldBytes<T>::append(to, operand.value);
  }
};

namespace detail {

/// The number of elements of a variable's value.
std::uint64_t length_of(recording::SlotId slot, SourceLine where);

/// How a function gets an operand: what of it, as what input of an expression, and by what kernels know it.
template <class A>
struct Operand {
  using Element = A;
  static constexpr Operator kKind = Operator::plain;
  static auto tag(const A& value, SourceLine) { return runtime::PlainOperand<A>{value}; }
};
template <class T>
struct Operand<Vector<T>> {
  using Element = T;
  static constexpr Operator kKind = Operator::element;
  static auto tag(const Vector<T>&, SourceLine) { return runtime::VectorOperand<T>{}; }
};
template <class T>
struct Operand<Shared<T>> {
  using Element = T;
  static constexpr Operator kKind = Operator::shared;
  static auto tag(const Shared<T>&, SourceLine) { return runtime::SharedOperand<T>{}; }
};

/// Where a call reads a variable.
template <class T>
std::uint64_t width_of(const Rows<T>& rows, SourceLine where) {
  return recording::recorder(where).type_of(rows.slot(), where).bytes / sizeof(T);
}

template <class T>
struct Operand<Rows<T>> {
  using Element = std::span<const T>;
  static constexpr Operator kKind = Operator::element;
  static auto tag(const Rows<T>& rows, SourceLine where) { return runtime::RowsOperand<T>{width_of(rows, where)}; }
};
template <class T>
struct Operand<Whole<Vector<T>>> {
  using Element = std::span<const T>;
  static constexpr Operator kKind = Operator::plain;
  static auto tag(const Whole<Vector<T>>& whole, SourceLine where) {
    return runtime::WholeOperand<T>{length_of(whole.of.slot(), where)};
  }
};
template <class T>
struct Operand<Whole<Rows<T>>> {
  using Element = RowsView<T>;
  static constexpr Operator kKind = Operator::plain;
  static auto tag(const Whole<Rows<T>>& whole, SourceLine where) {
    return runtime::WholeRowsOperand<T>{length_of(whole.of.slot(), where), width_of(whole.of, where)};
  }
};
/// The row to be written.
template <class T>
struct Operand<Width<T>> {
  using Element = std::span<T>;
  static constexpr Operator kKind = Operator::plain;
};

/// The slots of some operands, in order.
template <std::size_t N>
struct Slots {
  std::array<recording::SlotId, N> slot;
  std::size_t count = 0;
  std::span<const recording::SlotId> view() const { return {slot.data(), count}; }
  template <class A>
  void add_vector(const A& operand) {
    if constexpr (kIsVector<A>) slot[count++] = operand.slot();
  }
  template <class A>
  void add_whole(const A& operand) {
    if constexpr (kIsWhole<A>) slot[count++] = operand.of.slot();
  }
  template <class A>
  void add_shared(const A& operand) {
    if constexpr (kIsShared<A>) slot[count++] = operand.slot();
  }
};

/// The type of the elements of a Vector, or of a reference to one.
template <class V>
using ElementOf = typename std::remove_cvref_t<V>::Element;

/// Of an operand that is a temporary, or was moved into the call that has read it: so reduce(plus, map(f, v)).get()
/// stores nothing for the vector of which the expression still has a handle.
template <class A>
void forget_moved(A&& operand) {
  // For an lvalue A is a reference, for a constant it is const: neither is a Vector here.
  if constexpr (kIsVector<A>) recording::recorder().forget(operand.slot());
}

/// An element of a tuple of operands as its call takes it: what std::forward_as_tuple has of a temporary is a temporary
/// again.
template <class A, class Held>
decltype(auto) in_tuple(Held& held) {
  if constexpr (std::is_rvalue_reference_v<A>) {
    return static_cast<A>(held);
  } else {
    return (held);
  }
}

/// The plain operands that are numbers, in order.
template <class A>
void add_plain([[maybe_unused]] std::vector<Scalar>& values, [[maybe_unused]] const A& operand) {
  if constexpr (Operand<A>::kKind == Operator::plain && HasSymbol<A>) values.push_back(Scalar::of(operand));
}

}  // namespace detail

}  // namespace kasen
