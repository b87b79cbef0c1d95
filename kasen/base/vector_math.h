/// @file
/// Whether math functions of elements (kasen/math.h) have vector variants, and whether these agree.
#pragma once

#include <cstddef>  // says which C library there is

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GLIBC_PREREQ(2, 35)
/// GCC calls variants of kasen_exp and the others in loops: those of vector_math.cpp.
#define KASEN_VECTOR_MATH 1
#endif
#endif

namespace kasen {

/// From here on all variants of a function, the scalar one among them, have the bits of the one for two numbers: half
/// as fast in wide vectors, and independent of an element's position. Or, as at first, each its own. Local.
void set_agreeing_math(bool agrees);

}  // namespace kasen
