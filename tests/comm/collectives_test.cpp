/// @file
/// Collectives against what every worker can compute by itself.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "comm/communicator.h"
#include "kasen/base/error.h"
#include "tests/comm/communicators.h"

namespace kasen::comm::tests {
namespace {

struct Particle {
  double mass;
  std::array<float, 3> position;
  std::int16_t kind;
  bool operator==(const Particle&) const = default;
};

Particle particle(int worker, int k) {
  return {worker + 0.25 * k, {1.0f * static_cast<float>(k), 2, 3}, static_cast<std::int16_t>(worker - k)};
}

class Collectives : public testing::TestWithParam<bool> {
 protected:
  const Communicator& communicator = communicator_for(GetParam());
  const int rank = communicator.rank();
  const int size = communicator.size();
};

INSTANTIATE_TEST_SUITE_P(Waiting, Collectives, testing::Bool(), name_of_waiting);

TEST_P(Collectives, one_core_is_oversubscribed) {
  if (GetParam()) {
    EXPECT_EQ(communicator.oversubscribed(), size > 1);
  }
  EXPECT_EQ(communicator.max(communicator.oversubscribed()), communicator.min(communicator.oversubscribed()));
}

TEST_P(Collectives, broadcast_from_every_root) {
  for (Rank root = 0; root < size; ++root) {
    std::vector<Particle> values(5);
    if (rank == root) {
      for (int k = 0; k < 5; ++k) values[static_cast<std::size_t>(k)] = particle(root, k);
    }
    communicator.broadcast(std::span(values), root);
    for (int k = 0; k < 5; ++k) EXPECT_EQ(values[static_cast<std::size_t>(k)], particle(root, k));
  }
}

TEST_P(Collectives, broadcast_strings) {
  for (const std::string& text : {std::string("a message"), std::string(), std::string(100000, 'x')}) {
    std::string copy = rank == size - 1 ? text : "something else";
    communicator.broadcast(copy, size - 1);
    EXPECT_EQ(copy, text);
  }
}

TEST_P(Collectives, all_gather_one_each) {
  const std::vector<Particle> all = communicator.all_gather(particle(rank, 7));
  ASSERT_EQ(all.size(), static_cast<std::size_t>(size));
  for (int w = 0; w < size; ++w) EXPECT_EQ(all[static_cast<std::size_t>(w)], particle(w, 7));
}

TEST_P(Collectives, all_gather_any_number) {
  const auto count_of = [](int worker) { return (worker * 3) % 4; };  // worker 0 has none
  std::vector<Particle> mine;
  for (int k = 0; k < count_of(rank); ++k) mine.push_back(particle(rank, k));
  const Received<Particle> all = communicator.all_gather(std::span<const Particle>(mine));
  ASSERT_EQ(all.offsets.size(), static_cast<std::size_t>(size) + 1);
  std::size_t next = 0;
  for (int w = 0; w < size; ++w) {
    EXPECT_EQ(all.offsets[static_cast<std::size_t>(w)], next);
    for (int k = 0; k < count_of(w); ++k) EXPECT_EQ(all.values.at(next++), particle(w, k));
  }
  EXPECT_EQ(all.values.size(), next);
  EXPECT_EQ(all.offsets.back(), next);
}

TEST_P(Collectives, all_to_all) {
  const auto count_from_to = [](int from, int to) { return (from * 2 + to) % 3; };
  std::vector<Particle> mine;
  std::vector<std::uint64_t> offsets{0};
  for (int to = 0; to < size; ++to) {
    for (int k = 0; k < count_from_to(rank, to); ++k) mine.push_back(particle(rank, 10 * to + k));
    offsets.push_back(mine.size());
  }
  const Received<Particle> got = communicator.all_to_all(std::span<const Particle>(mine), offsets);
  std::size_t next = 0;
  for (int from = 0; from < size; ++from) {
    EXPECT_EQ(got.offsets.at(static_cast<std::size_t>(from)), next);
    for (int k = 0; k < count_from_to(from, rank); ++k) {
      EXPECT_EQ(got.values.at(next++), particle(from, 10 * rank + k));
    }
  }
  EXPECT_EQ(got.offsets.back(), next);
  EXPECT_EQ(got.values.size(), next);
}

TEST_P(Collectives, all_to_all_refuses_wrong_offsets) {
  const std::vector<int> values(3);
  const std::vector<std::uint64_t> beyond(static_cast<std::size_t>(size) + 1, 4), few(static_cast<std::size_t>(size));
  EXPECT_THROW(communicator.all_to_all(std::span<const int>(values), beyond), InternalError);
  EXPECT_THROW(communicator.all_to_all(std::span<const int>(values), few), InternalError);
}

TEST_P(Collectives, reductions_of_integers) {
  EXPECT_EQ(communicator.sum(rank + 1), size * (size + 1) / 2);
  EXPECT_EQ(communicator.min(-rank), 1 - size);
  EXPECT_EQ(communicator.max(-rank), 0);
  const std::uint64_t edge = rank == 0 ? ~std::uint64_t{0} : 1;  // more than a signed integer holds
  EXPECT_EQ(communicator.min(edge), size == 1 ? edge : 1u);
  EXPECT_EQ(communicator.max(edge), ~std::uint64_t{0});
  EXPECT_EQ(communicator.max(static_cast<std::uint8_t>(250 + rank % 5)), 250 + std::min(size - 1, 4));
  constexpr std::uint64_t large = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(communicator.max(large - static_cast<std::uint64_t>(rank)), large);
  EXPECT_EQ(communicator.min(std::numeric_limits<std::int64_t>::min() + rank),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(communicator.exclusive_sum(static_cast<std::uint64_t>(rank) + 1),
            static_cast<std::uint64_t>(rank * (rank + 1) / 2));
  std::vector<std::uint64_t> values{1, static_cast<std::uint64_t>(rank), std::uint64_t{1} << 40};
  std::vector<std::uint64_t> edges{edge, large - static_cast<std::uint64_t>(rank)};
  communicator.min(std::span(edges));
  EXPECT_EQ(edges, (std::vector<std::uint64_t>{size == 1 ? edge : 1u, large - static_cast<std::uint64_t>(size) + 1}));
  communicator.sum(std::span(values));
  const auto workers = static_cast<std::uint64_t>(size);
  EXPECT_EQ(values, (std::vector<std::uint64_t>{workers, workers * (workers - 1) / 2, workers << 40}));
  values = {~std::uint64_t{0} - static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(rank), 7};
  communicator.min(std::span(values));
  EXPECT_EQ(values, (std::vector<std::uint64_t>{~std::uint64_t{0} - workers + 1, 0, 7}));
  values.resize((std::size_t{1} << 18) + 3);  // more than are reduced at once
  for (std::uint64_t k = 0; k < values.size(); ++k) values[k] = k;
  communicator.sum(std::span(values));
  for (std::uint64_t k = 0; k < values.size(); ++k) ASSERT_EQ(values[k], k * workers);
}

TEST_P(Collectives, reductions_of_floating_point_are_folded_by_rank) {
  const auto value_of = [](int worker) { return worker % 2 == 0 ? 0.1 * (worker + 1) : 1e15 / (worker + 3); };
  double sum = value_of(0), least = value_of(0), greatest = value_of(0);
  float narrow = static_cast<float>(value_of(0));
  for (int w = 1; w < size; ++w) {
    sum += value_of(w);
    least = std::min(least, value_of(w));
    greatest = std::max(greatest, value_of(w));
    narrow += static_cast<float>(value_of(w));
  }
  EXPECT_EQ(communicator.sum(value_of(rank)), sum);
  EXPECT_EQ(communicator.sum(static_cast<float>(value_of(rank))), narrow);
  EXPECT_EQ(communicator.min(value_of(rank)), least);
  EXPECT_EQ(communicator.max(value_of(rank)), greatest);
}

TEST_P(Collectives, move_and_duplicate) {
  Communicator first(communicator.native());
  Communicator moved = std::move(first);
  EXPECT_EQ(first.native(), MPI_COMM_NULL);
  const Communicator copy(moved.native(), "a name");
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Comm_get_name(copy.native(), name, &length);
  EXPECT_STREQ(name, "a name");
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(moved.native(), copy.native(), &relation);
  EXPECT_EQ(relation, MPI_CONGRUENT);
  first = std::move(moved);
  first.barrier();
  EXPECT_EQ(first.sum(1), size);
}

TEST_P(Collectives, a_failed_call_names_itself_and_the_reason) {
  int value = 0;
  try {
    communicator.broadcast(std::span(&value, 1), size + 3);
    FAIL() << "a root that does not exist was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("MPI_Bcast failed: "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("root"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace kasen::comm::tests
