/// @file
/// Owners by a function, as a program gives them.
#include "kasen/partition_by.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/kasen.h"
#include "kasen/session/engine.h"

namespace kasen::tests {
namespace {

Options quiet() {
  Options options;
  options.quiet = true;
  return options;
}

std::vector<Entry<double>> ring(GlobalIndex length, const Session& session) {
  std::vector<Entry<double>> entries;
  for (GlobalIndex i = session.rank(); i < length; i += session.workers())
    entries.push_back({i, (i + 1) % length, static_cast<double>(i)});
  return entries;
}

TEST(PartitionBy, AppliesToTheSpacesOfMatrices) {
  Session session(quiet());
  partition_by([](GlobalIndex index, int parts) { return static_cast<int>(index / 3 % parts); });
  const Space space(20);
  const auto A = make_matrix<double>(space, space, std::span<const Entry<double>>(ring(20, session)));
  const auto& placed = session.engine().placement().space(space.id());
  for (GlobalIndex i = 0; i < 20; ++i) EXPECT_EQ(placed.owner(i), i / 3 % session.workers());
  const Vector<double> ones = constant(space, 1.0);
  std::vector<double> expected(20);
  for (int i = 0; i < 20; ++i) expected[static_cast<std::size_t>((i + 1) % 20)] = i;
  EXPECT_EQ(mxv(times, plus, A, ones).get(), expected);

  partition_by(nullptr);
  const Space other(21);
  const auto B = make_matrix<double>(other, other, std::span<const Entry<double>>(ring(21, session)));
  EXPECT_EQ(reduce(plus, mxv(times, plus, B, constant(other, 1.0))).get(), 210);
}

TEST(PartitionBy, AppliesToOneSpace) {
  Session session(quiet());
  const Space space(20);
  partition_by(space, [](GlobalIndex, int parts) { return parts - 1; });
  EXPECT_EQ(session.engine().placement().space(space.id()).masters(),
            session.rank() + 1 == session.workers() ? 20u : 0u);
  EXPECT_EQ(reduce(plus, map(times, iota(space), 2)).get(), 380);
  // The masters are in no block, so that indices come from a table: known to the formulas without a matrix.
  EXPECT_EQ(session.counts().predicted.elements_read, session.counts().measured.elements_read);
  if (session.workers() > 1) {
    EXPECT_EQ(session.counts().measured.bytes_read, 20 * sizeof(GlobalIndex));
  }
  const unsigned line = __LINE__ + 2;
  try {
    partition_by(space, [](GlobalIndex, int) { return 0; });
    FAIL();
  } catch (const ProgramError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(std::string(__FILE__) + ":" + std::to_string(line)))
        << error.what();
    EXPECT_NE(std::string(error.what()).find("has owners already"), std::string::npos);
  }
}

/// A file says whose elements are; so does the function.
TEST(PartitionBy, RefusesAFileBesideIt) {
  Options options = quiet();
  options.partition = Partition::file;
  options.partition_file = "owners.txt";  // is not read
  Session session(options);
  partition_by([](GlobalIndex, int) { return 0; });
  const Space space(20);
  const std::vector<Entry<double>> entries = ring(20, session);
  const unsigned line = __LINE__ + 2;
  try {
    make_matrix<double>(space, space, std::span<const Entry<double>>(entries));
    FAIL();
  } catch (const ProgramError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with(std::string(__FILE__) + ":" + std::to_string(line))) << text;
    EXPECT_NE(text.find("--partition owners.txt"), std::string::npos) << text;
  }
}

TEST(PartitionBy, IsKnownToSecondsWhereItIsUneven) {
  Session session(quiet());
  const Space space = separate_space(20, "on one worker"), even = separate_space(20 * session.workers(), "in blocks");
  partition_by(space, [](GlobalIndex, int) { return 0; });
  EXPECT_EQ(constant(even, 1.0).get().size(), 20u * session.workers());
  const auto& spaces = session.engine().placement().stats().spaces;
  EXPECT_EQ(spaces.at(index_of(space.id())).imbalance, session.workers());
  EXPECT_EQ(spaces.at(index_of(even.id())).imbalance, 1);
}

TEST(PartitionBy, RefusesWhatIsNoWorker) {
  Session session(quiet());
  const Space space(20);
  const unsigned line = __LINE__ + 3;
  const auto refused = [&](const OwnerFunction& owner) {
    try {
      partition_by(space, owner);
      return std::string();
    } catch (const ProgramError& error) {
      return std::string(error.what());
    }
  };
  const std::string here = std::string(__FILE__) + ":" + std::to_string(line) + ": [partition_by] ";
  const std::string workers = std::to_string(session.workers()), last = std::to_string(session.workers() - 1);
  EXPECT_EQ(refused([](GlobalIndex index, int parts) { return index == 13 ? parts : 0; }),
            here + "the function of partition_by gives element 13 to part " + workers + ", expected a part from 0 to " +
                last);
  EXPECT_EQ(refused({}), here + "the function is empty");
  EXPECT_FALSE(session.engine().placement().space(space.id()).assigned());
}

}  // namespace
}  // namespace kasen::tests
