#include "kasen/primitives.h"

namespace kasen {

template Vector<double> constant(Space, double, Where);

Vector<GlobalIndex> iota(Space space, Where where) {
  return detail::source<GlobalIndex>(
      "iota", space, [](GlobalIndex i) { return i; }, true, where);
}

Vector<double> random(Space space, std::uint64_t seed, Where where) {
  return detail::source<double>(
      "random", space, [seed](GlobalIndex i) { return random_unit(seed, static_cast<std::uint64_t>(i)); }, true, where,
      seed);
}

}  // namespace kasen
