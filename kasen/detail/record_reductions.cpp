#include "kasen/detail/record_reductions.h"

namespace kasen::detail {

template Shared<double> reduction(const char*, Where, Plus, const Vector<double>&);
template Shared<double> reduction(const char*, Where, Max, const Vector<double>&);
template Shared<double> reduction(const char*, Where, Min, const Vector<double>&);
template Shared<GlobalIndex> reduction(const char*, Where, Plus, const Vector<GlobalIndex>&);

}  // namespace kasen::detail
