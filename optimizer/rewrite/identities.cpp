#include "optimizer/rewrite/identities.h"

#include <limits>
#include <type_traits>

namespace kasen::optimizer {

Scalar identity_of(ReducerKind kind, ScalarType type) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    using Limits = std::numeric_limits<T>;
    constexpr T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr T least = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
    switch (kind) {
      case ReducerKind::minimum:
        return Scalar::of(most);
      case ReducerKind::maximum:
        return Scalar::of(least);
      case ReducerKind::logical_and:
        return Scalar::of(static_cast<T>(1));
      case ReducerKind::bit_and:
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return Scalar::of(static_cast<T>(~T{}));
        return Scalar::of(static_cast<T>(1));
      default:
        return Scalar::of(T{});
    }
  });
}

}  // namespace kasen::optimizer
