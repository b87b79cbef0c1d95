#include "kasen/base/placement_stats.h"

#include <bit>

namespace kasen {

const PlacementStats::Roles& PlacementStats::of(SpaceId space, const RoleSet& roles) const {
  static const Roles none{};
  if (roles.empty()) return none;
  const Roles* all = &none;
  for (const Roles& entry : spaces.at(index_of(space)).roles) {
    if (entry.roles == roles) return entry;
    if (entry.roles.size() > all->roles.size()) all = &entry;
  }
  return *all;
}

std::uint64_t count_pairs(const std::vector<std::uint64_t>& pairs) {
  std::uint64_t count = 0;
  for (std::uint64_t word : pairs) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

}  // namespace kasen
