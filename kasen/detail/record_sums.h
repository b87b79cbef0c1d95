/// @file
/// What is recorded with --reproducible (docs/reproducible.md): how each reduction is to have the same bits in any
/// order, and sums as rows of BinnedSums, whose values are taken behind them.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include "kasen/arrays.h"
#include "kasen/base/binned_sum.h"
#include "kasen/function.h"
#include "kasen/recording/element_type.h"
#include "kasen/recording/handle.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/binned_kernel.h"
#include "kasen/runtime/binned_product.h"

namespace kasen::detail {

/// What makes a reduction have the same bits in any order.
enum class Reproduced : std::uint8_t {
  as_it_is,       ///< it has them
  in_bins,        ///< sums of numbers, as BinnedSums
  of_equal_bits,  ///< min and max of numbers, of which none is -0 and all that are NaN are the same
  never,          ///< it is refused
};

/// Consists of integers, which no function rounds.
template <class T>
inline constexpr bool kIsOfIntegers =
    std::is_integral_v<T> || std::is_enum_v<T> || std::is_integral_v<typename NumbersOf<T>::type>;
template <class T, std::size_t N>
inline constexpr bool kIsOfIntegers<std::array<T, N>> = kIsOfIntegers<T>;

/// How elements of type T are reduced by Op.
template <class Op, class T>
inline constexpr Reproduced kReproduced = [] {
  using F = typename Bare<Op>::type;
  if (kIsOfIntegers<T> || kIsInAnyOrder<Op>) return Reproduced::as_it_is;
  if (std::is_same_v<F, Plus> && std::is_floating_point_v<typename NumbersOf<T>::type>) return Reproduced::in_bins;
  if (kIsOneOf<F, Min, Max> && std::is_floating_point_v<T>) return Reproduced::of_equal_bits;
  return Reproduced::never;
}();

/// F, compiled in one place and called from all others.
template <class F>
struct CompiledOnce {
  F f;
  template <class... A>
  KASEN_COMPILED_ONCE auto operator()(const A&... a) const {
    return f(a...);
  }
};
/// Whether what Fz makes of elements and entries of these types may be rounded in one walk of a matrix in another way
/// than in the next: it may be more than one operation, which a compiler contracts in one and not in the other.
template <class Fz, class... T>
inline constexpr bool kIsRounded =
    !kIsOneOf<typename Bare<Fz>::type, First, Count, Plus, Minus, Times, Divides, Min, Max> ||
    !((std::is_arithmetic_v<T> || std::is_same_v<T, Pattern>)&&...);
/// x, or the value that stands for all that are equal to it or NaN.
template <std::floating_point T>
constexpr T of_equal_bits(T x) {
  return x == 0 ? T{0} : x == x ? x : std::numeric_limits<T>::quiet_NaN();
}
/// F, whose results are numbers of equal bits, or the rows that it writes are of such.
template <class F>
struct OfEqualBits {
  F f;
  template <class... A>
  auto operator()(const A&... a) const {
    if constexpr (std::is_void_v<std::invoke_result_t<const F&, const A&...>>) {
      f(a...);
      for (auto& number : std::get<sizeof...(A) - 1>(std::tie(a...))) number = of_equal_bits(number);
    } else {
      return of_equal_bits(f(a...));
    }
  }
};
template <class F>
OfEqualBits(F) -> OfEqualBits<F>;
template <class F>
inline constexpr bool kIsOfEqualBits = false;
template <class F>
inline constexpr bool kIsOfEqualBits<OfEqualBits<F>> = true;

/// Whether the session's results are to be reproducible. @throws ProgramError without a session
inline bool is_reproducible(SourceLine line) { return recording::recorder(line).reproducible(); }

/// Throws the ProgramError of a reduction that cannot be reproducible.
[[noreturn]] void refuse_order(SourceLine line, std::string_view call, std::string_view function);
/// @throws ProgramError if there are more elements than a BinnedSum takes
void require_few(SourceLine line, std::string_view call, SpaceId space);

/// Whether a reduction is to be recorded in another way than it is written: kReproduced. @throws ProgramError if it is
/// to be reproducible and cannot be
template <class Op, class T>
bool is_reproduced(SourceLine line, std::string_view call, const Op& op) {
  if constexpr (kReproduced<Op, T> == Reproduced::as_it_is) {
    return false;
  } else {
    if (!is_reproducible(line)) return false;
    if constexpr (kReproduced<Op, T> == Reproduced::never) {
      refuse_order(line, call, name_of(op));
    } else if constexpr (kReproduced<Op, T> == Reproduced::in_bins) {
      using Number = typename NumbersOf<T>::type;
      const T zero = *identity_of<Op, T>(op);
      Number number;
      for (std::size_t k = 0; k < sizeof(T); k += sizeof(Number)) {
        std::memcpy(&number, reinterpret_cast<const std::byte*>(&zero) + k, sizeof(Number));
        if (number != 0)
          recording::refuse(line, call, "with --reproducible, plus starts from zero: map its identity in");
      }
    }
    return true;
  }
}

/// What kernel_of makes of f_z, whose results Op, which does not sum, reduces: with --reproducible, of a function that
/// makes the same bits in all walks of a matrix, and such that Op has the same in any order.
/// @tparam T elements and entries that f_z is called with
template <class Op, class Out, class... T, class Fz, class KernelOf>
auto reproduced_kernel(SourceLine line, Fz f_z, const KernelOf& kernel_of) {
  const auto once = [&] {
    if constexpr (kIsRounded<Fz, T...>) {
      return CompiledOnce<Fz>{std::move(f_z)};
    } else {
      return std::move(f_z);
    }
  };
  if constexpr (kReproduced<Op, Out> == Reproduced::of_equal_bits) {
    if (is_reproducible(line)) return kernel_of(OfEqualBits{once()});
  } else if constexpr (kIsRounded<Fz, T...>) {
    if (is_reproducible(line)) return kernel_of(once());
  }
  return kernel_of(std::move(f_z));
}

/// Numbers of an element.
template <class T>
inline constexpr std::uint64_t kNumbers = sizeof(T) / sizeof(typename NumbersOf<T>::type);
template <>
inline constexpr std::uint64_t kNumbers<void> = 0;

/// What walks know of Fz, whose results are of type Out, of elements of type T and entries of type E.
template <class Fz, class Out, class T, class E>
inline constexpr runtime::KnownTerm kKnownTerm = [] {
  if (!std::is_same_v<T, Out> || !std::is_floating_point_v<T>) return runtime::KnownTerm::none;
  if (std::is_same_v<Fz, First>) return runtime::KnownTerm::element;
  const bool multiplies = std::is_same_v<Fz, Times> && std::is_same_v<E, T>;
  return multiplies ? runtime::KnownTerm::element_times_entry : runtime::KnownTerm::none;
}();

/// The handle of BinnedSums until their values are recorded.
struct Sums : recording::Handle {
  explicit Sums(recording::SlotId slot) : Handle(slot) {}
};

/// Makes a call one that gives rows of so many BinnedSums; its kernel is still to be given.
/// @param additions how many an application makes
void sum_in_bins(recording::Call& call, std::uint64_t width, std::uint64_t additions);
inline void sum_in_bins(recording::Call& call, std::uint64_t width) { sum_in_bins(call, width, width); }
/// Records a call that does, and behind it that of their values: numbers of type T, as elements of type `out`.
template <class T>
recording::SlotId record_sums(recording::Call call, Type out);
extern template recording::SlotId record_sums<float>(recording::Call call, Type out);
extern template recording::SlotId record_sums<double>(recording::Call call, Type out);

}  // namespace kasen::detail
