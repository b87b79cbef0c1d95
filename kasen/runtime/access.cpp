#include "kasen/runtime/access.h"

namespace kasen::runtime {

#ifdef KASEN_CHECKED
const char kernels_count = 0;
#else
const char kernels_do_not_count = 0;
#endif

/// In both libraries: a program that links objects of both kinds has it twice, which is an error.
extern const char one_kind_of_kernels;
const char one_kind_of_kernels = 0;

}  // namespace kasen::runtime
