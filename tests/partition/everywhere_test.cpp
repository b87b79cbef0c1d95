/// @file
/// Spaces that keys lead into: every worker holds all elements, beside matrices that come before and after.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "kasen/base/error.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

/// Local indices by key are those of the elements, each of which is here once.
void expect_all_here(const Placement& placement, SpaceId id) {
  const IndexSpace& space = placement.space(id);
  EXPECT_TRUE(placement.is_everywhere(id));
  ASSERT_EQ(space.local_size(), space.length());
  std::vector<LocalIndex> number(space.numbers().begin(), space.numbers().end());
  if (number.empty()) {
    number.resize(space.length());
    std::iota(number.begin(), number.end(), LocalIndex{0});
  }
  for (std::uint64_t key = 0; key < space.length(); ++key)
    EXPECT_EQ(space.global()[number[key]], static_cast<GlobalIndex>(key));
  const PlacementStats::Roles& roles = placement.stats().of(id, {kEverywhere});
  const auto workers = static_cast<std::uint64_t>(placement.stats().workers);
  EXPECT_EQ(roles.replicas, (workers - 1) * space.length());
  if (space.length() >= workers) {
    EXPECT_EQ(roles.pairs.count(), workers * (workers - 1));
  }
  std::uint64_t held = space.masters();
  if (workers > 1) {
    for (const Interval& run : space.replicas({kEverywhere})) held += run.count;
  }
  EXPECT_EQ(held, space.length());
}

TEST(Everywhere, OfSpacesOfAnyLength) {
  const comm::Communicator communicator;
  for (const std::uint64_t length : {0u, 1u, 3u, 50u}) {
    Placement placement(communicator, Options());
    const SpaceId id = placement.space(length);
    EXPECT_FALSE(placement.is_everywhere(id));
    placement.hold_everywhere(id);
    placement.hold_everywhere(id);  // which changes nothing
    expect_all_here(placement, id);
    EXPECT_TRUE(placement.stats().of(id, {kEverywhere}).contiguous);
  }
}

TEST(Everywhere, BesideMatrices) {
  const comm::Communicator communicator;
  const tests::Edges edges = tests::uniform_edges(60, 60, 90, 3);
  for (const bool first : {true, false}) {
    for (const Cut& cut : all_cuts()) {
      SCOPED_TRACE(cut.name);
      Placement placement(communicator, options_of(cut));
      const SpaceId id = placement.space(60);
      if (first) placement.hold_everywhere(id);
      const MatrixId a = placement.add_matrix(id, id, entries_read(edges, communicator, true));
      placement.hold_everywhere(id);
      const MatrixId b = placement.add_matrix(id, id, entries_read(edges, communicator, false));
      expect_all_here(placement, id);
      EXPECT_EQ(placement.space(id).roles().size(), 5u);
      for (const MatrixId matrix : {a, b})
        EXPECT_EQ(placement.matrix(matrix).by_row().pointer.size(), placement.space(id).local_size() + 1);
      for (const MatrixId matrix : {a, b}) {
        const RoleSet rows{{matrix, Role::Side::row}}, both{{matrix, Role::Side::row}, kEverywhere};
        EXPECT_EQ(placement.stats().of(id, both).replicas, placement.stats().of(id, {kEverywhere}).replicas);
        EXPECT_LE(placement.stats().of(id, rows).replicas, placement.stats().of(id, both).replicas);
      }
    }
  }
}

TEST(Everywhere, TooManyForOneWorkerAreRefused) {
  const comm::Communicator communicator;
  Placement placement(communicator, Options(), 100);
  EXPECT_THROW(placement.hold_everywhere(placement.space(101)), InputError);
}

}  // namespace
}  // namespace kasen::partition
