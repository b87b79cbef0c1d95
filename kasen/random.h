/// @file
/// Random numbers of other distributions than primitives.h has: functions of seed, step and global index, the same for
/// any number of workers and each time. All are local and lazy. Where a function needs numbers of its own, as one that
/// writes rows, it calls random_unit, random_unit_normal, random_unit_exponential or random_below with a seed and a
/// counter (kasen/base/random.h).
#pragma once

#include <concepts>
#include <cstdint>

#include "kasen/base/random.h"
#include "kasen/detail/record_random.h"
#include "kasen/primitives.h"

namespace kasen {

/// Of the normal distribution of mean 0 and variance 1. In a loop it takes a `step`, an integer or a Shared one, with
/// other numbers at each; without, the step is 0. Cost: a map of indices, 20 to 50 ns an element.
/// @code
/// Vector<double> noise = map(KASEN_FN((auto x), 3 + 0.5 * x), random_normal(space, 42));
/// while_([&] { return k < 10; }, [&] {
///   v = zip_with(plus, v, random_normal(space, 42, k));
///   ++k;
/// });
/// @endcode
Vector<double> random_normal(Space space, std::uint64_t seed, Where where = Where::current());
template <class Step>
requires detail::kIsStep<Step> Vector<double> random_normal(Space space, std::uint64_t seed, const Step& step,
                                                            Where where = Where::current()) {
  return detail::drawn(detail::DrawNormal(), space, seed, step, where);
}
template <int..., class... A>
requires(!detail::kAreSeeds<A...>) detail::Refused random_normal(const A&...) {
  static_assert(detail::kNever<A...>,
                "[random_normal] it takes a space, a seed, and in a loop a step, all whole numbers: "
                "random_normal(A.rows(), 1, k), of mean 0 and variance 1, which map shifts and scales");
  return {};
}

/// Of the exponential distribution of mean 1; else as random_normal.
/// @code
/// Vector<double> waits = map(divides, random_exponential(space, 42), 2.5);  // of rate 2.5
/// @endcode
Vector<double> random_exponential(Space space, std::uint64_t seed, Where where = Where::current());
template <class Step>
requires detail::kIsStep<Step> Vector<double> random_exponential(Space space, std::uint64_t seed, const Step& step,
                                                                 Where where = Where::current()) {
  return detail::drawn(detail::DrawExponential(), space, seed, step, where);
}
template <int..., class... A>
requires(!detail::kAreSeeds<A...>) detail::Refused random_exponential(const A&...) {
  static_assert(detail::kNever<A...>,
                "[random_exponential] it takes a space, a seed, and in a loop a step, all whole numbers: "
                "random_exponential(A.rows(), 1, k), of mean 1, which map scales");
  return {};
}

/// Integers from 0 to `bound` less one, each as likely; else as random_normal. Keys, for example.
/// @throws ProgramError for a bound of 0 or of more than 2^63
/// @code
/// Vector<GlobalIndex> dice = random_integers(space, 6, 42);
/// Vector<std::int64_t> batch = random_integers(space, 100, 42, k);
/// @endcode
Vector<GlobalIndex> random_integers(Space space, std::uint64_t bound, std::uint64_t seed,
                                    Where where = Where::current());
template <class Step>
requires detail::kIsStep<Step> Vector<GlobalIndex> random_integers(Space space, std::uint64_t bound, std::uint64_t seed,
                                                                   const Step& step, Where where = Where::current()) {
  detail::require_bound(bound, where);
  return detail::drawn(detail::DrawBelow(), space, seed, step, where, bound);
}
template <int..., class... A>
requires(!detail::kAreBoundAndSeeds<A...>) detail::Refused random_integers(const A&...) {
  static_assert(detail::kNever<A...>,
                "[random_integers] it takes a space, the number of integers from 0 on, a seed, and in a loop a step, "
                "all whole numbers: random_integers(A.rows(), 6, 1, k)");
  return {};
}

}  // namespace kasen
