/// @file
/// What lies between the members of a struct.
#pragma once

namespace kasen {

/// Makes values with equal members equal in all bytes, as they are to be on every worker. Compilers that cannot leave
/// it to the program to make them so.
template <class T>
void clear_padding([[maybe_unused]] T& value) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&value);
#endif
#endif
}

}  // namespace kasen
