/// @file
/// Numbers of the serial interpreter: a value with bounds that tell whether any other order of the same operations
/// must give the same bits.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace kasen::tests::fuzz {

/// A program leaves the numbers that all orders of operations agree on: the generator changes it.
struct OutOfBounds : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `size` bounds the value and all partial results it can be made of, but for those that are the identity of min or
/// max: infinite or of an integer type the last number, with which there is no arithmetic. A `grain` of g >= 0 says
/// that it is a multiple of 2^-g, as are they; -1: rounded, and then `size` is what errors are relative to.
template <class T>
struct Number {
  static constexpr bool kReal = std::is_floating_point_v<T>;
  /// Far enough below the type's own limit for one more operation.
  static constexpr double kMost = kReal            ? (sizeof(T) == 8 ? 0x1p52 : 0x1p23)
                                  : sizeof(T) == 8 ? 0x1p58
                                  : sizeof(T) == 4 ? 0x1p27
                                  : sizeof(T) == 2 ? 0x1p13
                                                   : 0x1p6;
  static constexpr double kMostRounded = 1e12;

  T value{};
  double size = 0;
  int grain = 0;

  Number() = default;
  template <class U>
  requires std::is_arithmetic_v<U> Number(U plain)  // NOLINT: a literal is a number
      : value(static_cast<T>(plain)), size(is_last(value) ? 0 : std::abs(double(plain))) {
    if constexpr (kReal) {
      if (!std::isinf(value)) {
        while (grain < 60 && std::ldexp(value, grain) != std::floor(std::ldexp(value, grain))) ++grain;
      }
    }
  }
  Number(T v, double s, int g) : value(v), size(s), grain(g) {}

  static bool is_last(T v) {
    if constexpr (kReal) return std::isinf(v);
    return v == std::numeric_limits<T>::max() || (v == std::numeric_limits<T>::lowest() && v != T{});
  }
  /// Arithmetic is with numbers within bounds.
  static void check_operand(const Number& a) {
    if (!kReal && std::abs(static_cast<double>(a.value)) > kMost) throw OutOfBounds("too large");
  }
  /// The result of an operation, if it is within bounds.
  static Number checked(T v, double s, int g) {
    check_bounds(s, g);
    if (kReal && std::isnan(static_cast<double>(v))) throw OutOfBounds("not a number");
    return {v, s, g};
  }
  static void check_bounds(double s, int g) {
    const bool fits = g < 0 ? s <= kMostRounded : std::ldexp(s, g) <= kMost;
    if (!fits) throw OutOfBounds("too large");
  }
  static int coarser(int a, int b) { return a < 0 || b < 0 ? -1 : a > b ? a : b; }
  static int product(int a, int b) { return a < 0 || b < 0 ? -1 : a + b; }

  friend Number operator+(const Number& a, const Number& b) {
    check_operand(a), check_operand(b);
    check_bounds(a.size + b.size, coarser(a.grain, b.grain));
    return checked(static_cast<T>(a.value + b.value), a.size + b.size, coarser(a.grain, b.grain));
  }
  friend Number operator-(const Number& a, const Number& b) { return a + -b; }
  friend Number operator-(const Number& a) {
    check_operand(a);
    check_bounds(a.size, a.grain);
    return {static_cast<T>(-a.value), a.size, a.grain};
  }
  friend Number operator*(const Number& a, const Number& b) {
    // Laws hold in real arithmetic: the parts of a sum may be 0 where the sum is not.
    if (std::isinf(static_cast<double>(a.value)) || std::isinf(static_cast<double>(b.value))) {
      throw OutOfBounds("a product with infinity");
    }
    check_operand(a), check_operand(b);
    check_bounds(a.size * b.size, product(a.grain, b.grain));
    return checked(static_cast<T>(a.value * b.value), a.size * b.size, product(a.grain, b.grain));
  }
  /// Of reals exact only by powers of two.
  friend Number operator/(const Number& a, const Number& b) {
    if (b.value == T{}) throw OutOfBounds("division by zero");
    if constexpr (kReal) {
      int power = 0;
      const bool exact = std::abs(std::frexp(b.value, &power)) == 0.5;
      const double least = std::abs(b.value);
      if (a.grain < 0 || b.grain < 0) {
        if (least < 0.125) throw OutOfBounds("division by a small number");
        return checked(a.value / b.value, a.size / least + a.size * b.size / (least * least), -1);
      }
      if (!exact) throw OutOfBounds("a quotient that is rounded");
      const int grain = a.grain + (power > 1 ? power - 1 : 0);
      return checked(a.value / b.value, a.size / least, grain);
    } else {
      check_operand(a);
      check_bounds(a.size, 0);
      return checked(static_cast<T>(a.value / b.value), a.size, 0);
    }
  }
  friend Number operator%(const Number& a, const Number& b) requires(!kReal) {
    return {static_cast<T>(a.value % b.value), b.size, 0};
  }
  friend Number operator|(const Number& a, const Number& b) requires(!kReal) {
    return {static_cast<T>(a.value | b.value), bits(a, b), 0};
  }
  friend Number operator&(const Number& a, const Number& b) requires(!kReal) {
    return {static_cast<T>(a.value & b.value), bits(a, b), 0};
  }
  friend Number operator^(const Number& a, const Number& b) requires(!kReal) {
    return {static_cast<T>(a.value ^ b.value), bits(a, b), 0};
  }
  friend bool operator<(const Number& a, const Number& b) { return a.value < b.value; }
  friend bool operator>(const Number& a, const Number& b) { return a.value > b.value; }
  friend bool operator==(const Number& a, const Number& b) { return a.value == b.value; }

  /// Bits of two numbers up to 2^k - 1 make one of them, or -2^k.
  static double bits(const Number& a, const Number& b) {
    const double size = a.size > b.size ? a.size : b.size;
    return std::exp2(std::ceil(std::log2(size + 1))) - 1;
  }
  /// One of two, which both may be what partial results come from.
  static Number one_of(const Number& chosen, const Number& a, const Number& b) {
    return {chosen.value, a.size > b.size ? a.size : b.size, coarser(a.grain, b.grain)};
  }
};

using Int = Number<std::int32_t>;
using Long = Number<std::int64_t>;
using Real = Number<double>;
using Real32 = Number<float>;

template <class T>
Number<T> least(const Number<T>& a, const Number<T>& b) {
  return Number<T>::one_of(b < a ? b : a, a, b);
}
template <class T>
Number<T> largest(const Number<T>& a, const Number<T>& b) {
  return Number<T>::one_of(a < b ? b : a, a, b);
}
template <class T>
Number<T> choose(bool first, const Number<T>& a, const Number<T>& b) {
  return Number<T>::one_of(first ? a : b, a, b);
}
template <class T>
Number<T> absolute(const Number<T>& a) {
  return a.value < T{} ? -a : a;
}
/// f(x) for a function whose slope is at most one, rounded.
inline Real smooth(double result, const Real& x) { return Real::checked(result, std::abs(result) + x.size, -1); }

}  // namespace kasen::tests::fuzz
