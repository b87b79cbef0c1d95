/// @file
/// Operators that Vectors do not have, and streams that handles cannot be written to: refused with what to write
/// instead.
#pragma once

#include <iosfwd>
#include <type_traits>

#include "kasen/arrays.h"
#include "kasen/detail/handles.h"

namespace kasen {

namespace detail {
template <class A, class B>
using VectorAmong = std::conditional_t<kIsVector<A>, A, B>;
}  // namespace detail

#define KASEN_REFUSED_OPERATOR(symbol, instead)                                                     \
  template <class A, class B>                                                                       \
  requires(detail::kIsVector<A> || detail::kIsVector<B>) detail::VectorAmong<A, B>                  \
  operator symbol(const A&, const B&) {                                                             \
    static_assert(detail::kNever<A, B>, "[Vector] it has no operator " #symbol ": write " instead); \
    return detail::VectorAmong<A, B>();                                                             \
  }
KASEN_REFUSED_OPERATOR(+, "zip_with(plus, v, w), or map(plus, v, 1.0)")
KASEN_REFUSED_OPERATOR(-, "zip_with(minus, v, w), or map(minus, v, 1.0)")
KASEN_REFUSED_OPERATOR(*, "zip_with(times, v, w), map(times, v, 2.0), or multiply(A, v) of a matrix")
KASEN_REFUSED_OPERATOR(/, "zip_with(divides, v, w), or map(divides, v, 2.0)")
KASEN_REFUSED_OPERATOR(+=, "v = zip_with(plus, v, w)")
KASEN_REFUSED_OPERATOR(-=, "v = zip_with(minus, v, w)")
KASEN_REFUSED_OPERATOR(*=, "v = zip_with(times, v, w)")
KASEN_REFUSED_OPERATOR(/=, "v = zip_with(divides, v, w)")
KASEN_REFUSED_OPERATOR(%, "zip_with(KASEN_FN((auto x, auto y), x % y), v, w)")
KASEN_REFUSED_OPERATOR(<, "zip_with(KASEN_FN((auto x, auto y), x < y), v, w)")
KASEN_REFUSED_OPERATOR(>, "zip_with(KASEN_FN((auto x, auto y), x > y), v, w)")
KASEN_REFUSED_OPERATOR(<=, "zip_with(KASEN_FN((auto x, auto y), x <= y), v, w)")
KASEN_REFUSED_OPERATOR(>=, "zip_with(KASEN_FN((auto x, auto y), x >= y), v, w)")
KASEN_REFUSED_OPERATOR(!=, "zip_with(KASEN_FN((auto x, auto y), x != y), v, w)")
KASEN_REFUSED_OPERATOR(&&, "zip_with(logical_and, v, w)")
KASEN_REFUSED_OPERATOR(||, "zip_with(logical_or, v, w)")
KASEN_REFUSED_OPERATOR(==, "zip_with(KASEN_FN((auto x, auto y), x == y), v, w)")
#undef KASEN_REFUSED_OPERATOR

template <class T>
Vector<T> operator-(const Vector<T>& v) {
  static_assert(detail::kNever<T>, "[Vector] it has no operator -: write map(KASEN_FN((auto x), -x), v)");
  return v;
}
template <class T>
Vector<T> operator!(const Vector<T>& v) {
  static_assert(detail::kNever<T>, "[Vector] it has no operator !: write map(KASEN_FN((auto x), !x), v)");
  return v;
}
template <class T>
std::ostream& operator<<(std::ostream& out, const Vector<T>&) {
  static_assert(detail::kNever<T>, "[Vector] it is distributed: write(v, path) writes it, v.get() has its elements");
  return out;
}
template <class T>
std::ostream& operator<<(std::ostream& out, const Shared<T>&) {
  static_assert(detail::kNever<T>, "[Shared] its value is not known while a program is recorded: print s.get()");
  return out;
}

}  // namespace kasen
