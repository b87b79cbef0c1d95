/// @file
/// Prefix sums, and what other functions than a sum make of the elements up to each.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/operands.h"
#include "kasen/make_vector.h"
#include "kasen/output.h"
#include "kasen/workers.h"

namespace kasen {

namespace detail {

template <class Op, class T>
concept ScansElements = !std::is_same_v<T, bool> && requires(Op & op, const T& a) {
  { op(a, a) } -> std::convertible_to<T>;
};
template <class... A>
inline constexpr bool kAreScanned = false;
template <class Op, class T>
inline constexpr bool kAreScanned<Op, Vector<T>> = ScansElements<Op, T>;
template <class... A>
inline constexpr bool kAreScannedFrom = false;
template <class Op, class U, class T>
inline constexpr bool kAreScannedFrom<Op, U, Vector<T>> = ScansElements<Op, T>&& std::is_convertible_v<U, T>;

template <class T>
T element(std::span<const std::byte> block, std::size_t k) {
  T value;
  std::memcpy(static_cast<void*>(&value), &block[k * sizeof value], sizeof value);
  return value;
}

/// Collective. Each worker goes through its block from left to right: `begin` gets for each worker before it that has
/// elements what `op` makes of those, in order, and returns a function of one element after the other.
template <class Op, class T, class Begin>
Vector<T> scan(const char* call, Op& op, const Vector<T>& v, SourceLocation where, const Begin& begin) {
  recording::SlotId result;
  with_block(v, recording::source_line(where), call, [&](std::span<const std::byte> block) {
    const std::size_t count = block.size() / sizeof(T);
    std::vector<T> total;  // or none
    workers::agree([&] {
      if (count == 0 || workers::rank() == workers::size() - 1) return;  // the last one's is for nobody
      total.push_back(element<T>(block, 0));
      for (std::size_t k = 1; k < count; ++k) total[0] = static_cast<T>(op(total[0], element<T>(block, k)));
    });
    std::vector<T> before = workers::all_gather(std::span<const T>(total));
    before.resize(static_cast<std::size_t>(workers::exclusive_sum(total.size())));
    result = fill_vector(call, space_of(v, where), recording::type_of<T>(), where, [&](std::span<std::byte> into) {
      auto next = begin(std::span<const T>(before));
      for (std::size_t k = 0; k < count; ++k) {
        const T value = next(element<T>(block, k));
        std::memcpy(&into[k * sizeof value], &value, sizeof value);
      }
    });
  });
  return recording::Result<T>{result};
}

}  // namespace detail

/// result[i] = op(...op(op(v[0], v[1]), v[2])..., v[i]): with plus the sums up to each element, with max the largest
/// until then. A vector over the space of `v`, in whose order elements are taken, whatever their assignment. `op` is
/// associative and stateless, and need not be commutative; elements are numbers or structs. On one worker it is applied
/// from left to right; on several, each worker's block is, so that sums of floating-point numbers have the same bits
/// for one number of workers. Collective: it runs what is pending, as get() does, and is no part of a plan; not in a
/// recorded block. Cost: `op` twice for each element; elements cross the network at most once forth and once back, and
/// not at all if the space is in blocks; one element of each worker to every other.
/// @code
/// Vector<double> paid_until = inclusive_scan(plus, v);
/// Vector<double> highest_until = inclusive_scan(kasen::max, v);
/// @endcode
template <class Op, class T>
requires detail::ScansElements<Op, T> Vector<T> inclusive_scan(Op op, const Vector<T>& v,
                                                               SourceLocation where = SourceLocation::current()) {
  return detail::scan("inclusive_scan", op, v, where, [&](std::span<const T> before) {
    auto next = [any = false, last = T{}, &op](const T& value) mutable {
      last = any ? static_cast<T>(op(last, value)) : value;
      any = true;
      return last;
    };
    for (const T& total : before) next(total);
    return next;
  });
}
template <int..., class... A>
requires(!detail::kAreScanned<A...>) detail::Refused inclusive_scan(const A&...) {
  static_assert(detail::kNever<A...>,
                "[inclusive_scan] it takes a function of two elements and a vector of numbers or structs: "
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
  return detail::scan("exclusive_scan", op, v, where, [&](std::span<const T> before) {
    T last = static_cast<T>(init);
    for (const T& total : before) last = static_cast<T>(op(last, total));
    return [last, &op](const T& value) mutable { return std::exchange(last, static_cast<T>(op(last, value))); };
  });
}
template <int..., class... A>
requires(!detail::kAreScannedFrom<A...>) detail::Refused exclusive_scan(const A&...) {
  static_assert(detail::kNever<A...>,
                "[exclusive_scan] it takes a function of two elements, what to begin with, and a vector of numbers or "
                "structs: exclusive_scan(plus, 0, n)");
  return {};
}

}  // namespace kasen
