/// @file
/// Prefix sums, and what other functions than a sum make of the elements up to each.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/between_plans.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/operands.h"
#include "kasen/detail/record_sums.h"
#include "kasen/make_vector.h"
#include "kasen/output.h"
#include "kasen/runtime/running.h"
#include "kasen/workers.h"

namespace kasen {

namespace detail {

/// What is certainly not associative, and what the compiler does not see into.
template <class F>
inline constexpr bool kIsNoScan = kIsOneOf<F, Minus, Divides, Count>;
template <class R, class... A>
inline constexpr bool kIsNoScan<R (*)(A...)> = true;
template <class R, class... A>
inline constexpr bool kIsNoScan<std::function<R(A...)>> = true;
template <class Op, class T>
concept ScansElements = !std::is_same_v<T, bool> && std::is_default_constructible_v<T> &&
                        !kIsNoScan<typename Bare<Op>::type> && requires(const Op& op, const T& a) {
  { op(a, a) } -> std::convertible_to<T>;
};
/// Whether x is a value of type T and stays the same.
template <class T, class U>
bool is_exactly(const U& x) {
  if constexpr (std::is_floating_point_v<U> && std::is_integral_v<T>) {
    const double bound = std::ldexp(1.0, std::numeric_limits<T>::digits);
    return x == std::floor(x) && x < bound && x >= (std::is_signed_v<T> ? -bound : 0.0);
  } else if constexpr (std::is_integral_v<U> && std::is_integral_v<T>) {
    const T converted = static_cast<T>(x);
    return static_cast<U>(converted) == x && (converted < T{}) == (x < U{});
  }
  return true;
}
template <class... A>
inline constexpr bool kAreScanned = false;
template <class Op, class T>
inline constexpr bool kAreScanned<Op, Vector<T>> = ScansElements<Op, T>;
template <class... A>
inline constexpr bool kAreScannedFrom = false;
template <class Op, class U, class T>
inline constexpr bool kAreScannedFrom<Op, U, Vector<T>> = ScansElements<Op, T>&& std::is_convertible_v<U, T>;

/// What op makes of elements, of none at first.
template <class T>
struct Until {
  T value;
  bool any;

  template <class Op>
  void add(const Op& op, const T& next) {
    value = any ? static_cast<T>(op(value, next)) : next;
    any = true;
  }
};

template <class T>
T element(std::span<const std::byte> block, std::size_t k) {
  T value;
  std::memcpy(static_cast<void*>(&value), &block[k * sizeof value], sizeof value);
  return value;
}

/// Collective. Each worker goes through its block from left to right, from `start` and the sums of the workers before
/// it. A Sum of nothing is Sum{}; `add(sum, x)` adds an element or another Sum, `next(sum, x)` an element, and returns
/// the result's.
/// @param label of the function, for messages about what it throws
template <class Sum, class T, class Add, class Next>
Vector<T> scan(const char* call, const std::string& label, const Vector<T>& v, SourceLocation where, Sum start,
               const Add& add, const Next& next) {
  recording::SlotId result;
  const auto running = [&](const auto& loop) {
    runtime::running = {&label, recording::source_line(where)};
    try {
      loop();
    } catch (...) {
      runtime::throw_with_line();  // ends what is running, too
    }
    runtime::running = {};
  };
  with_block(v, recording::source_line(where), call, [&](std::span<const std::byte> block) {
    const std::size_t count = block.size() / sizeof(T);
    const auto rank = static_cast<std::size_t>(workers::rank());
    Sum sum{};
    workers::agree([&] {
      if (rank + 1 == static_cast<std::size_t>(workers::size())) return;  // the last one's is for nobody
      running([&] {
        for (std::size_t k = 0; k < count; ++k) add(sum, element<T>(block, k));
      });
    });
    const std::vector<Sum> all = workers::all_gather(sum);
    const Type type = recording::type_of<T>();
    result = fill_vector(call, v.space(where), type, where, Origin::computed, [&](std::span<std::byte> into) {
      running([&] {
        Sum until = start;
        for (std::size_t w = 0; w < rank; ++w) add(until, all[w]);
        for (std::size_t k = 0; k < count; ++k) {
          const T value = next(until, element<T>(block, k));
          std::memcpy(&into[k * sizeof value], &value, sizeof value);
        }
      });
    });
  });
  return recording::Result<T>{result};
}

/// As scan, of what `op` makes of elements: with --reproducible numbers are added up in bins, and min and max give
/// equal bits. @param choose gets the result before an element and with it, and returns one
template <class Op, class T, class Choose>
Vector<T> scan_with(const char* call, const Op& op, const Vector<T>& v, SourceLocation where, const Until<T>& start,
                    const Choose& choose) {
  const SourceLine line = recording::source_line(where);
  begin_between_plans(call, hash_of_given<Op>(start.value), where);
  const std::string label = std::string(call) + "(" + std::string(name_of(op)) + ")";
  const bool reproduced = is_reproduced<Op, T>(line, call, op);
  if constexpr (kReproduced<Op, T> == Reproduced::in_bins) {
    if constexpr (std::is_floating_point_v<T>) {
      if (reproduced) {
        require_few(line, call, v.space(where).id());
        BinnedSum from;
        if (start.any) from.add(start.value);
        return scan(
            call, label, v, where, from, [](BinnedSum& sum, const auto& x) { sum.add(x); },
            [&](BinnedSum& sum, const T& x) {
              const T before = static_cast<T>(sum.value());
              sum.add(x);
              return choose(before, static_cast<T>(sum.value()));
            });
      }
    } else if (reproduced) {
      refuse_order(line, call, name_of(op));
    }
  }
  const auto add = [&]<class X>(Until<T>& sum, const X& x) {
    if constexpr (std::is_same_v<X, T>) {
      sum.add(op, x);
    } else if (x.any) {
      sum.add(op, x.value);
    }
  };
  return scan(call, label, v, where, start, add, [&](Until<T>& sum, const T& x) {
    const T before = sum.value;
    sum.add(op, x);
    if constexpr (kReproduced<Op, T> == Reproduced::of_equal_bits) {
      if (reproduced) return choose(of_equal_bits(before), of_equal_bits(sum.value));
    }
    return choose(before, sum.value);
  });
}

}  // namespace detail

/// result[i] = op(...op(op(v[0], v[1]), v[2])..., v[i]): with plus the sums up to each element, with max the largest
/// until then. A vector over the space of `v`, in whose order elements are taken, whatever their assignment. `op` is
/// associative, op(op(a, b), c) being op(a, op(b, c)) up to rounding, and stateless, and need not be commutative;
/// elements are numbers or structs. On one worker it is applied from left to right; on several, each worker's block is,
/// so that sums of floating-point numbers have the same bits for one number of workers, or with --reproducible
/// (docs/reproducible.md) for any. Collective: it runs what is pending, as get() does, and is no part of a plan; not in
/// a recorded block. Cost: `op` twice for each element; elements cross the network at most once forth and once back,
/// and not at all if the space is in blocks; one element of each worker to every other.
/// @code
/// Vector<double> paid_until = inclusive_scan(plus, v);
/// Vector<double> highest_until = inclusive_scan(kasen::max, v);
/// @endcode
template <class Op, class T>
requires detail::ScansElements<Op, T> Vector<T> inclusive_scan(Op op, const Vector<T>& v,
                                                               SourceLocation where = SourceLocation::current()) {
  return detail::scan_with("inclusive_scan", op, v, where, detail::Until<T>{},
                           [](const T&, const T& with) { return with; });
}
template <int..., class... A>
requires(!detail::kAreScanned<A...>) detail::Refused inclusive_scan(const A&...) {
  static_assert(detail::kNever<A...>,
                "[inclusive_scan] it takes an associative function of two elements that gives a third, a lambda or an "
                "object, and a vector of numbers or structs: "
                "inclusive_scan(plus, v); of flags, map(KASEN_FN((auto b), kasen::select(b, 1, 0)), flags)");
  return {};
}

/// The same without the element itself, from `init`: result[0] = init, result[1] = op(init, v[0]), and so on. So with
/// plus, 0 and lengths it gives the places where things of these lengths begin, one behind the other.
/// @code
/// Vector<std::int32_t> begins = exclusive_scan(plus, 0, n);
/// @endcode
template <class Op, class U, class T>
requires detail::ScansElements<Op, T> && std::is_convertible_v<U, T> Vector<T> exclusive_scan(
    Op op, const U& init, const Vector<T>& v, SourceLocation where = SourceLocation::current()) {
  if (!detail::is_exactly<T>(init))
    recording::refuse(recording::source_line(where), "exclusive_scan", "it begins with a value that no element has");
  return detail::scan_with("exclusive_scan", op, v, where, detail::Until<T>{static_cast<T>(init), true},
                           [](const T& before, const T&) { return before; });
}
template <int..., class... A>
requires(!detail::kAreScannedFrom<A...>) detail::Refused exclusive_scan(const A&...) {
  static_assert(
      detail::kNever<A...>,
      "[exclusive_scan] it takes an associative function of two elements that gives a third, what to begin with, "
      "which is an element, and a vector of numbers or structs: exclusive_scan(plus, 0, n)");
  return {};
}

}  // namespace kasen
