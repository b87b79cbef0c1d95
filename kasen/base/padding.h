/// @file
/// Clearing of the padding between the members of a struct.
#pragma once

#include <type_traits>

namespace kasen {

/// Whether there may be bytes in a T that are of no member. Structs with floating-point members count as if they had
/// some, as their bytes do not tell.
template <class T>
inline constexpr bool kMayHavePadding =
    std::is_class_v<T>&& std::is_trivially_copyable_v<T> && !std::has_unique_object_representations_v<T>;

/// Sets the padding of `value` to zero, so that values with equal members are equal in all bytes, as they must be on
/// all workers. With compilers that cannot do it, the program has to.
template <class T>
void clear_padding([[maybe_unused]] T& value) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&value);
#endif
#endif
}

}  // namespace kasen
