/// @file
/// Lanes for solving several problems at once: elements of a few numbers, one of each problem. Formulas are written for
/// one number and lifted, so that one problem, whose elements are plain numbers, and several are one program.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "kasen/kasen.h"

namespace apps {

/// A U for each of K problems.
template <class U, std::size_t K>
struct Lanes {
  std::array<U, K> lane;
  friend constexpr Lanes operator+(Lanes a, const Lanes& b) {
    for (std::size_t k = 0; k < K; ++k) a.lane[k] = a.lane[k] + b.lane[k];
    return a;
  }
};

}  // namespace apps

template <class U, std::size_t K>
struct kasen::NumbersOf<apps::Lanes<U, K>> {
  using type = U;
};

namespace apps {

/// The lanes of the problems that programs solve at a time if they have several.
using Several = Lanes<double, 4>;

namespace detail {
template <class T>
struct LanesOf {
  static constexpr std::size_t count = 1;
  template <class U>
  using Each = U;
};
template <class T, std::size_t K>
struct LanesOf<Lanes<T, K>> {
  static constexpr std::size_t count = K;
  template <class U>
  using Each = Lanes<U, K>;
};

template <class U>
constexpr const U& lane(const U& all, std::size_t) {
  return all;
}
template <class U, std::size_t K>
constexpr const U& lane(const Lanes<U, K>& some, std::size_t k) {
  return some.lane[k];
}
}  // namespace detail

/// T is double, or Lanes of double.
template <class T>
inline constexpr std::size_t kLanes = detail::LanesOf<T>::count;
/// A U for each problem whose elements are a T.
template <class T, class U>
using EachOf = typename detail::LanesOf<T>::template Each<U>;

/// The same number for every problem.
template <class T>
constexpr T spread(double x) {
  if constexpr (kLanes<T> == 1) {
    return x;
  } else {
    T all;
    all.lane.fill(x);
    return all;
  }
}

/// Lifts f of numbers to a function of T's; operands that are no Lanes are the same for all problems. For one problem
/// it is f itself, with all that is known of it. f must not divide integers.
template <class T, class F>
constexpr auto each(F f) {
  if constexpr (kLanes<T> == 1) {
    return f;
  } else {
    return kasen::laws(
        [f](const auto&... operands) {
          using Out = std::decay_t<decltype(f(detail::lane(operands, 0)...))>;
          EachOf<T, Out> result;
          for (std::size_t k = 0; k < kLanes<T>; ++k) result.lane[k] = f(detail::lane(operands, k)...);
          return result;
        },
        kasen::defined_everywhere);
  }
}

/// The sum for each problem.
template <class T>
kasen::Shared<T> sum(const kasen::Vector<T>& v) {
  if constexpr (kLanes<T> == 1) {
    return kasen::reduce(kasen::plus, v);
  } else {
    return kasen::reduce(kasen::with_identity(kasen::plus, spread<T>(0)), v);
  }
}

/// The largest of all problems' numbers.
template <class T>
kasen::Shared<double> largest(const kasen::Shared<T>& x) {
  if constexpr (kLanes<T> == 1) {
    return x;
  } else {
    return kasen::apply([](const T& all) { return *std::max_element(all.lane.begin(), all.lane.end()); }, x);
  }
}

}  // namespace apps
