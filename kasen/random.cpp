#include "kasen/random.h"

#include <string>

namespace kasen {

void detail::require_bound(std::uint64_t bound, Where where) {
  if (bound == 0 || bound > std::uint64_t{1} << 63)
    recording::refuse(recording::source_line(where), "random_integers",
                      std::to_string(bound) + " is no number of integers from 0 on: 1 to 2^63 are");
}

Vector<double> random_normal(Space space, std::uint64_t seed, Where where) {
  return detail::drawn(detail::DrawNormal(), space, seed, 0, where);
}

Vector<double> random_exponential(Space space, std::uint64_t seed, Where where) {
  return detail::drawn(detail::DrawExponential(), space, seed, 0, where);
}

Vector<GlobalIndex> random_integers(Space space, std::uint64_t bound, std::uint64_t seed, Where where) {
  detail::require_bound(bound, where);
  return detail::drawn(detail::DrawBelow(), space, seed, 0, where, bound);
}

}  // namespace kasen
