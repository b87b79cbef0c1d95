/// @file
/// Clearing of the padding between the members of a struct.
#pragma once

namespace kasen {

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
