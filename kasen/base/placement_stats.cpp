#include "kasen/base/placement_stats.h"

#include <algorithm>
#include <string>

#include "kasen/base/error.h"

namespace kasen {

const PlacementStats::Roles& PlacementStats::of(SpaceId space, const RoleSet& roles) const {
  static const Roles none{};
  if (roles.empty()) return none;
  const std::vector<Roles>& listed = spaces.at(index_of(space)).roles;
  const auto entry = std::find_if(listed.begin(), listed.end(), [&](const Roles& e) { return e.roles == roles; });
  if (entry == listed.end()) {
    throw InternalError("space " + std::to_string(index_of(space)) + " has no statistics of a set of " +
                        std::to_string(roles.size()) + " roles");
  }
  return *entry;
}

std::uint64_t PlacementStats::range(SpaceId space, const RoleSet& roles) const {
  return spaces.at(index_of(space)).masters + of(space, roles).replicas;
}

const RoleSet& PlacementStats::all_roles(SpaceId space) const {
  static const RoleSet none;
  const RoleSet* all = &none;
  for (const Roles& entry : spaces.at(index_of(space)).roles) {
    if (entry.roles.size() > all->size()) all = &entry.roles;
  }
  return *all;
}

}  // namespace kasen
