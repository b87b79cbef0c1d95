#include "kasen/detail/record_reducers.h"

namespace kasen::detail {

template ReducerId reducer_of<double>(const char*, Where, const Plus&);

}  // namespace kasen::detail
