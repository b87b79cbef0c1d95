#include "kasen/base/vector_math.h"

#include <cmath>
#include <cstddef>
#include <cstring>

#ifdef KASEN_VECTOR_MATH
// Those of libmvec, by their names: b for SSE, c for AVX, d for AVX2, e for AVX-512. Vectors are given in registers
// that a function has to be compiled for.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace kasen {
namespace {

[[maybe_unused]] bool all_agree = false;

}  // namespace

void set_agreeing_math([[maybe_unused]] bool agrees) { all_agree = agrees; }

#ifdef KASEN_VECTOR_MATH
namespace {

template <class T, int bytes>
struct Vector {
  typedef T type __attribute__((vector_size(bytes)));
};
template <class T, int bytes>
using VectorOf = typename Vector<T, bytes>::type;

/// f of vectors of 16 bytes, for each of them that wider ones hold. By bytes, as types do not say how they are given.
template <class T, int bytes, auto f, class... V>
[[gnu::always_inline]] inline void by_narrow(void* result, const V*... wide) {
  using Narrow = VectorOf<T, 16>;
  for (int at = 0; at < bytes; at += 16) {
    const auto part = [at](const void* vector) {
      Narrow narrow;
      std::memcpy(&narrow, static_cast<const char*>(vector) + at, 16);
      return narrow;
    };
    const Narrow made = f(part(wide)...);
    std::memcpy(static_cast<char*>(result) + at, &made, 16);
  }
}

/// The same number everywhere. (A sum with zeros would turn -0 into 0.)
template <class T>
VectorOf<T, 16> both(T x) {
  VectorOf<T, 16> all;
  for (std::size_t k = 0; k < 16 / sizeof(T); ++k) all[k] = x;
  return all;
}

}  // namespace

// A function of the name `kasen_exp`, with its variants: of libmvec's, or all of the narrowest one's bits.
#define KASEN_WIDE(T, bytes, narrow, wide, isa, name, parameters, arguments, addresses)             \
  extern "C" VectorOf<T, bytes> _ZGV##wide##_##name parameters;                                     \
  extern "C" __attribute__((target(isa))) VectorOf<T, bytes> _ZGV##wide##_kasen_##name parameters { \
    if (!all_agree) return _ZGV##wide##_##name arguments;                                           \
    VectorOf<T, bytes> result;                                                                      \
    by_narrow<T, bytes, &_ZGV##narrow##_##name> addresses;                                          \
    return result;                                                                                  \
  }
#define KASEN_WIDE_UNARY(T, bytes, narrow, wide, isa, name) \
  KASEN_WIDE(T, bytes, narrow, wide, isa, name, (VectorOf<T, bytes> x), (x), (&result, &x))
#define KASEN_WIDE_BINARY(T, bytes, narrow, wide, isa, name) \
  KASEN_WIDE(T, bytes, narrow, wide, isa, name, (VectorOf<T, bytes> x, VectorOf<T, bytes> y), (x, y), (&result, &x, &y))

#define KASEN_UNARY(T, narrow, avx, avx2, avx512, name, std_name)                                                \
  extern "C" VectorOf<T, 16> _ZGV##narrow##_##name(VectorOf<T, 16> x);                                           \
  extern "C" VectorOf<T, 16> _ZGV##narrow##_kasen_##name(VectorOf<T, 16> x) { return _ZGV##narrow##_##name(x); } \
  KASEN_WIDE_UNARY(T, 32, narrow, avx, "avx", name)                                                              \
  KASEN_WIDE_UNARY(T, 32, narrow, avx2, "avx2", name)                                                            \
  KASEN_WIDE_UNARY(T, 64, narrow, avx512, "avx512f", name)                                                       \
  extern "C" T kasen_##name(T x) noexcept {                                                                      \
    return all_agree ? _ZGV##narrow##_##name(both<T>(x))[0] : std::std_name(x);                                  \
  }
#define KASEN_BINARY(T, narrow, avx, avx2, avx512, name, std_name)                               \
  extern "C" VectorOf<T, 16> _ZGV##narrow##_##name(VectorOf<T, 16> x, VectorOf<T, 16> y);        \
  extern "C" VectorOf<T, 16> _ZGV##narrow##_kasen_##name(VectorOf<T, 16> x, VectorOf<T, 16> y) { \
    return _ZGV##narrow##_##name(x, y);                                                          \
  }                                                                                              \
  KASEN_WIDE_BINARY(T, 32, narrow, avx, "avx", name)                                             \
  KASEN_WIDE_BINARY(T, 32, narrow, avx2, "avx2", name)                                           \
  KASEN_WIDE_BINARY(T, 64, narrow, avx512, "avx512f", name)                                      \
  extern "C" T kasen_##name(T x, T y) noexcept {                                                 \
    return all_agree ? _ZGV##narrow##_##name(both<T>(x), both<T>(y))[0] : std::std_name(x, y);   \
  }

#define KASEN_UNARY_OF_BOTH(name)                         \
  KASEN_UNARY(double, bN2v, cN4v, dN4v, eN8v, name, name) \
  KASEN_UNARY(float, bN4v, cN8v, dN8v, eN16v, name##f, name)
KASEN_UNARY_OF_BOTH(exp)
KASEN_UNARY_OF_BOTH(expm1)
KASEN_UNARY_OF_BOTH(log)
KASEN_UNARY_OF_BOTH(log1p)
KASEN_UNARY_OF_BOTH(sin)
KASEN_UNARY_OF_BOTH(cos)
KASEN_UNARY_OF_BOTH(tan)
KASEN_UNARY_OF_BOTH(asin)
KASEN_UNARY_OF_BOTH(acos)
KASEN_UNARY_OF_BOTH(atan)
KASEN_UNARY_OF_BOTH(tanh)
KASEN_UNARY_OF_BOTH(erf)
KASEN_UNARY_OF_BOTH(erfc)
KASEN_BINARY(double, bN2vv, cN4vv, dN4vv, eN8vv, pow, pow)
KASEN_BINARY(float, bN4vv, cN8vv, dN8vv, eN16vv, powf, pow)
#endif

}  // namespace kasen
