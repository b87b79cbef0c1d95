/// @file
/// Values as bytes.
#pragma once

namespace kasen {

/// Zeroes what lies between the members of a value, where the compiler can: then equal values are equal bytes.
template <class T>
void clear_padding([[maybe_unused]] T& value) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&value);
#endif
#endif
}

}  // namespace kasen
