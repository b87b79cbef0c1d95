/// @file
/// What the functions of random.h do: record functions of the index, the step and the seed.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kasen/base/random.h"
#include "kasen/detail/call_checks.h"
#include "kasen/primitives.h"

namespace kasen::detail {

/// The distributions draw from different streams of a seed, so that their numbers are independent.
enum class Stream : std::uint64_t { normal = 1, exponential = 2, integers = 3 };

template <Stream stream, class Step>
std::uint64_t seed_of(std::uint64_t seed, const Step& step) {
  return random_bits(random_bits(seed, static_cast<std::uint64_t>(stream)), static_cast<std::uint64_t>(step));
}

struct DrawNormal {
  static constexpr const char* name = "random_normal";
  template <class Step>
  double operator()(GlobalIndex index, const Step& step, std::uint64_t seed) const {
    return random_unit_normal(seed_of<Stream::normal>(seed, step), static_cast<std::uint64_t>(index));
  }
};
struct DrawExponential {
  static constexpr const char* name = "random_exponential";
  template <class Step>
  double operator()(GlobalIndex index, const Step& step, std::uint64_t seed) const {
    return random_unit_exponential(seed_of<Stream::exponential>(seed, step), static_cast<std::uint64_t>(index));
  }
};
struct DrawBelow {
  static constexpr const char* name = "random_integers";
  template <class Step>
  GlobalIndex operator()(GlobalIndex index, const Step& step, std::uint64_t seed, std::uint64_t bound) const {
    return static_cast<GlobalIndex>(
        random_below(bound, seed_of<Stream::integers>(seed, step), static_cast<std::uint64_t>(index)));
  }
};
template <>
inline constexpr bool kIsTotal<DrawNormal> = true;
template <>
inline constexpr bool kIsTotal<DrawExponential> = true;
template <>
inline constexpr bool kIsTotal<DrawBelow> = true;

template <class Draw, class Step, class... Bound>
auto drawn(Draw draw, Space space, std::uint64_t seed, const Step& step, Where where, const Bound&... bound) {
  return element(Draw::name, where, draw, iota(space, where), step, seed, bound...);
}

void require_bound(std::uint64_t bound, Where where);

template <class... A>
inline constexpr bool kAreBoundAndSeeds = false;
template <class S, class Bound, class... Seeds>
inline constexpr bool kAreBoundAndSeeds<S, Bound, Seeds...> = std::is_integral_v<Bound>&& kAreSeeds<S, Seeds...>;

}  // namespace kasen::detail
