/// @file
/// A few numbers as one element: Row<T, K>, with operators of its members, for K problems at a time.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "kasen/function.h"
#include "kasen/functors.h"

namespace kasen {

template <class T, std::size_t K>
struct Row;

namespace detail {

/// A number that a Row<T, K> is multiplied by, and so on: of whole numbers a whole one. It is converted to T.
template <class S, class T>
concept ScalarOf = std::is_arithmetic_v<S> &&(std::is_floating_point_v<T> || std::is_integral_v<S>);

template <class>
inline constexpr bool kIsRow = false;
template <class T, std::size_t K>
inline constexpr bool kIsRow<Row<T, K>> = true;

/// f of the members at each place. Of few members it is unrolled, so that the members of an element fill vectors.
template <class T, std::size_t K, class F>
constexpr Row<T, K> each_member(const F& f) {
  Row<T, K> result;
#pragma GCC unroll 16
  for (std::size_t k = 0; k < K; ++k) result.member[k] = f(k);
  return result;
}

}  // namespace detail

/// K numbers that are one element of a Vector, or a Shared: Row<double, 8> r{1, 2, 3}, the rest 0. Operators act member
/// by member, with numbers on all members. `plus` of Rows starts from zeros, and `elementwise(min)` from the largest
/// number, so that reduce and products work: multiply(A, v) with a Vector<Row<double, 8>> is eight products in one
/// pass over A.
/// @code
/// auto rows = map([](double x) { return Row<double, 3>{x, x * x, 1}; }, v);
/// Row<double, 3> sums = reduce(plus, multiply(M, rows)).get();
/// @endcode
template <class T, std::size_t K>
struct Row {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, "a Row is of numbers");
  static_assert(K > 0, "a Row has members");
  using Member = T;

  std::array<T, K> member = {};

  /// The same number everywhere.
  static constexpr Row filled(T number) {
    return detail::each_member<T, K>([&](std::size_t) { return number; });
  }

  static constexpr std::size_t size() { return K; }
  constexpr T& operator[](std::size_t k) { return member[k]; }
  constexpr const T& operator[](std::size_t k) const { return member[k]; }
  constexpr T* begin() { return member.data(); }
  constexpr T* end() { return member.data() + K; }
  constexpr const T* begin() const { return member.data(); }
  constexpr const T* end() const { return member.data() + K; }

  friend constexpr bool operator==(const Row& a, const Row& b) { return a.member == b.member; }
  friend constexpr Row operator-(const Row& a) {
    return detail::each_member<T, K>([&](std::size_t k) { return static_cast<T>(-a.member[k]); });
  }

#define KASEN_ROW_OPERATOR(symbol)                                                                                   \
  friend constexpr Row operator symbol(const Row& a, const Row& b) {                                                 \
    return detail::each_member<T, K>([&](std::size_t k) { return static_cast<T>(a.member[k] symbol b.member[k]); }); \
  }                                                                                                                  \
  template <detail::ScalarOf<T> S>                                                                                   \
  friend constexpr Row operator symbol(const Row& a, S b) {                                                          \
    const T by = static_cast<T>(b);                                                                                  \
    return detail::each_member<T, K>([&](std::size_t k) { return static_cast<T>(a.member[k] symbol by); });          \
  }                                                                                                                  \
  template <detail::ScalarOf<T> S>                                                                                   \
  friend constexpr Row operator symbol(S a, const Row& b) {                                                          \
    const T from = static_cast<T>(a);                                                                                \
    return detail::each_member<T, K>([&](std::size_t k) { return static_cast<T>(from symbol b.member[k]); });        \
  }                                                                                                                  \
  constexpr Row& operator symbol##=(const Row& b) { return *this = *this symbol b; }                                 \
  template <detail::ScalarOf<T> S>                                                                                   \
  constexpr Row& operator symbol##=(S b) {                                                                           \
    return *this = *this symbol b;                                                                                   \
  }
  KASEN_ROW_OPERATOR(+)
  KASEN_ROW_OPERATOR(-)
  KASEN_ROW_OPERATOR(*)
  KASEN_ROW_OPERATOR(/)
#undef KASEN_ROW_OPERATOR
};

/// The sum of the members' products.
template <class T, std::size_t K>
constexpr T dot(const Row<T, K>& a, const Row<T, K>& b) {
  T sum{};
  for (std::size_t k = 0; k < K; ++k) sum = static_cast<T>(sum + a.member[k] * b.member[k]);
  return sum;
}

template <class T, std::size_t K>
struct NumbersOf<Row<T, K>> {
  using type = T;
};

/// A functor of numbers on Rows; made by elementwise(f).
template <class F>
struct Elementwise {
  static_assert(std::is_empty_v<F>, "functions of Rows capture nothing");
  using OfMembers = F;
  static constexpr auto kText = [] {
    constexpr std::string_view before = "elementwise(";
    constexpr std::string_view of = F::name;
    std::array<char, before.size() + of.size() + 2> all{};
    std::size_t at = 0;
    for (const char c : before) all[at++] = c;
    for (const char c : of) all[at++] = c;
    all[at] = ')';
    return all;
  }();
  static constexpr const char* name = kText.data();
  template <class R>
  requires detail::kIsRow<R> && requires { F::template identity<typename R::Member>(); }
  static constexpr R identity() { return R::filled(F::template identity<typename R::Member>()); }

  template <class T, std::size_t K>
  requires std::is_invocable_v<F, const T&, const T&>
  constexpr Row<T, K> operator()(const Row<T, K>& a, const Row<T, K>& b) const {
    return detail::each_member<T, K>([&](std::size_t k) { return static_cast<T>(F()(a.member[k], b.member[k])); });
  }
};
/// `elementwise(min)`: a built-in functor member by member; it reduces Rows if the functor reduces numbers.
/// @code
/// auto rows = map([](double x) { return Row<double, 2>{x, -x}; }, v);
/// Shared<Row<double, 2>> least = reduce(elementwise(kasen::min), rows);
/// @endcode
template <class F>
requires detail::kIsBuiltIn<F>
constexpr Elementwise<F> elementwise(F) { return {}; }
template <int..., class F>
requires(!detail::kIsBuiltIn<F>) F elementwise(F f) {
  static_assert(detail::kNever<F>,
                "[elementwise] it is of built-in functors, such as kasen::min; a function of Rows is "
                "[](const auto& a, const auto& b) { return a + b; }");
  return f;
}

namespace detail {
template <class F>
inline constexpr bool kIsTotalOnNumbers<Elementwise<F>> = kIsTotalOnNumbers<F>;
template <class T, std::size_t K>
inline constexpr bool kActsAsNumber<Row<T, K>> = kActsAsNumber<T>;
template <class T, std::size_t K>
inline constexpr bool kMayTrap<Row<T, K>> = kMayTrap<T>;
}  // namespace detail

template <class T, std::size_t K>
struct recording::HeldBytes<Row<T, K>> {
  static bool append(std::string& to, const Row<T, K>& row) {
    for (const T& number : row) {
      if (!HeldBytes<T>::append(to, number)) return false;
    }
    return true;
  }
};

}  // namespace kasen
