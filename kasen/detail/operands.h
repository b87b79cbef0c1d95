/// @file
/// What calls are given beside functions: vectors, Shareds and plain values.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/expression.h"
#include "kasen/base/scalar.h"
#include "kasen/recording/function_key.h"
#include "kasen/runtime/operand.h"
#include "kasen/symbolic.h"

namespace kasen {

/// What a call holds beside its function: plain values.
template <class T>
struct recording::HeldBytes<runtime::PlainOperand<T>> {
  static bool append(std::string& to, const runtime::PlainOperand<T>& operand) {
    return HeldBytes<T>::append(to, operand.value);
  }
};

namespace detail {

/// How a function gets an operand: what of it, as what input of an expression, and by what kernels know it.
template <class A>
struct Operand {
  using Element = A;
  static constexpr Operator kKind = Operator::plain;
  static auto tag(const A& value) { return runtime::PlainOperand<A>{value}; }
};
template <class T>
struct Operand<Vector<T>> {
  using Element = T;
  static constexpr Operator kKind = Operator::element;
  static auto tag(const Vector<T>&) { return runtime::VectorOperand<T>{}; }
};
template <class T>
struct Operand<Shared<T>> {
  using Element = T;
  static constexpr Operator kKind = Operator::shared;
  static auto tag(const Shared<T>&) { return runtime::SharedOperand<T>{}; }
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
  void add_shared(const A& operand) {
    if constexpr (kIsShared<A>) slot[count++] = operand.slot();
  }
};

/// The plain operands that are numbers, in order.
template <class A>
void add_plain([[maybe_unused]] std::vector<Scalar>& values, [[maybe_unused]] const A& operand) {
  if constexpr (Operand<A>::kKind == Operator::plain && HasSymbol<A>) values.push_back(Scalar::of(operand));
}

}  // namespace detail

}  // namespace kasen
