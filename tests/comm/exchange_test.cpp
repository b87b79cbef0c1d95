/// @file
/// Exchanges over random halos against a serial model that holds the vectors of all workers, with counts compared to
/// the model's and to what the profiling layer saw.
#include "comm/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <random>

#include "kasen/base/error.h"
#include "tests/comm/communicators.h"
#include "tests/comm/random_halo.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::comm::tests {
namespace {

constexpr std::uint64_t kNoLimit = 0x7fffffff;

/// Folds by bytes; not commutative, so that a wrong order of partials shows.
void fold_bytes(std::uint32_t bytes, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    auto* element = static_cast<unsigned char*>(into) + std::size_t{index == nullptr ? k : index[k]} * bytes;
    const auto* partial = static_cast<const unsigned char*>(from) + k * bytes;
    for (std::uint32_t b = 0; b < bytes; ++b) element[b] = static_cast<unsigned char>(element[b] * 31 + partial[b]);
  }
}

Combine byte_combine(std::uint32_t bytes) {
  return {[](const void* context, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
            const std::uint32_t size = *static_cast<const std::uint32_t*>(context);
            // Typed reducers rely on this alignment.
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(from) % (size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1), 0u);
            fold_bytes(size, into, index, from, n);
          },
          std::make_shared<std::uint32_t>(bytes)};
}

/// One vector on all workers, moved by the model on each worker's copy and by the exchange on this worker's.
struct Vector {
  const RandomSpace* space;
  Halo halo;
  Transfer::Kind kind;
  std::uint32_t bytes;
  std::vector<std::vector<unsigned char>> of_worker;  ///< the model's
  std::vector<unsigned char> mine;                    ///< the exchange's

  Vector(const RandomSpace& in, Transfer::Kind how, std::uint32_t element_bytes, std::size_t rank, std::mt19937& random)
      : space(&in), halo(in.halo_of(rank)), kind(how), bytes(element_bytes) {
    for (const auto& local : in.elements) {
      of_worker.emplace_back(local.size() * bytes);
      for (auto& byte : of_worker.back()) byte = static_cast<unsigned char>(random());
    }
    mine = of_worker[rank];
  }

  Transfer transfer() {
    return {kind, &halo, mine.data(), bytes,
            kind == Transfer::Kind::reduce_to_masters ? byte_combine(bytes) : Combine{}};
  }

  /// The paper's gather or scatter, element by element; partials of holders in ascending order.
  void move_in_model(const Combine& combine = {}) {
    const auto workers = of_worker.size();
    for (std::size_t owner = 0; owner < workers; ++owner) {
      for (std::size_t holder = 0; holder < workers; ++holder) {
        for (const auto& link : space->links[holder][owner]) {
          unsigned char* const master = &of_worker[owner][std::size_t{link.master_index} * bytes];
          unsigned char* const replica = &of_worker[holder][std::size_t{link.replica_index} * bytes];
          if (kind == Transfer::Kind::reduce_to_masters && combine.fold != nullptr) {
            combine.fold(combine.context.get(), master, nullptr, replica, 1);
          } else if (kind == Transfer::Kind::reduce_to_masters) {
            fold_bytes(bytes, master, nullptr, replica, 1);
          } else {
            std::memcpy(replica, master, bytes);
          }
        }
      }
    }
  }

  std::uint64_t bytes_from_to(std::size_t from, std::size_t to) const {
    const auto& links = kind == Transfer::Kind::reduce_to_masters ? space->links[from][to] : space->links[to][from];
    return links.size() * bytes;
  }
};

class Exchanges : public testing::TestWithParam<bool> {
 protected:
  const Communicator& communicator = communicator_for(GetParam());
  const std::size_t rank = static_cast<std::size_t>(communicator.rank());
  const std::size_t size = static_cast<std::size_t>(communicator.size());

  /// Runs the exchange as a whole, or in parts.
  static Counts run(Exchange& exchange, std::span<std::byte> packing, bool in_parts) {
    if (!in_parts) return exchange.run(packing);
    Counts counts = exchange.begin(packing);
    for (int k = 0; k < 5; ++k) exchange.poll();
    exchange.end();
    counts += exchange.reduce();
    return counts;
  }

  /// Runs these vectors (and one Shared) through an exchange and through the model.
  void check(std::deque<Vector>& vectors, std::uint64_t limit, Route route, bool in_parts) {
    std::vector<Transfer> transfers;
    for (Vector& vector : vectors) transfers.push_back(vector.transfer());
    std::int64_t shared = static_cast<std::int64_t>(rank) + 1;
    const Combine add{[](const void*, void* into, const std::uint32_t*, const void* from, std::size_t) {
                        *static_cast<std::int64_t*>(into) += *static_cast<const std::int64_t*>(from);
                      },
                      nullptr};
    Exchange exchange(communicator, transfers, {{&shared, sizeof shared, add, true}}, false, route, limit);
    const std::uint64_t packing_bytes = exchange.packing_bytes();
    std::vector<std::byte> packing(packing_bytes);

    kasen::tests::reset_witness();
    const Counts counts = run(exchange, packing, in_parts);
    const kasen::tests::Witness seen = kasen::tests::witness();

    Counts expected;
    for (std::size_t to = 0; to < size; ++to) {
      std::uint64_t bytes = 0;
      for (const Vector& vector : vectors) bytes += vector.bytes_from_to(rank, to);
      expected.bytes_sent += bytes;
      expected.messages += bytes > 0 ? 1 : 0;
    }
    EXPECT_EQ(seen.vector_bytes, expected.bytes_sent);
    EXPECT_EQ(seen.vector_messages, expected.messages);
    const bool one_call = size > 1 && route == Route::all_to_all;
    EXPECT_EQ(seen.vector_calls, one_call ? 1u : 0u);
    EXPECT_EQ(seen.neighbour_messages, one_call ? 0u : expected.messages);
    EXPECT_EQ(seen.reduction_bytes.size(), size > 1 ? 1u : 0u);
    expected.bytes_sent += (size - 1) * sizeof shared;
    expected.messages += size - 1;
    EXPECT_EQ(counts, expected);
    EXPECT_EQ(shared, static_cast<std::int64_t>(size * (size + 1) / 2));

    std::uint64_t links = 0;
    for (const Vector& vector : vectors) links += vector.space->num_links() * vector.bytes;
    const bool in_place = vectors.size() == 1 && vectors[0].space->contiguous;
    EXPECT_EQ(communicator.sum(packing_bytes), in_place ? links : 2 * links);
    std::uint64_t most = 0;
    for (const Vector& vector : vectors) most += vector.halo.largest_count * vector.bytes;
    const bool large = one_call && most > limit;
    EXPECT_EQ(seen.vector_large_calls, large ? 1u : 0u);

    for (Vector& vector : vectors) {
      vector.move_in_model();
      EXPECT_EQ(vector.mine, vector.of_worker[rank]);
    }
  }

  /// A halo in which each worker replicates one element of the next.
  Halo ring() const {
    Halo halo;
    halo.contiguous = true;
    halo.largest_count = 2;
    halo.master_index = halo.replica_index = {0};
    halo.replica_index[0] = 1;
    for (std::size_t w = 0; w <= size; ++w) {
      halo.master_offsets.push_back(w > (rank + size - 1) % size ? 1 : 0);
      halo.replica_offsets.push_back(w > (rank + 1) % size ? 1 : 0);
    }
    return halo;
  }
};

constexpr Transfer::Kind kKinds[] = {Transfer::Kind::reduce_to_masters, Transfer::Kind::broadcast_to_replicas};
constexpr Route kRoutes[] = {Route::all_to_all, Route::neighbours};
constexpr std::uint32_t kSizes[] = {1, 4, 8, 24};

INSTANTIATE_TEST_SUITE_P(Waiting, Exchanges, testing::Bool(), name_of_waiting);

TEST_P(Exchanges, one_vector) {
  std::mt19937 random(1);
  for (const double density : {0.0, 0.1, 0.5, 1.0}) {
    for (const bool contiguous : {true, false}) {
      const RandomSpace space(communicator.size(), 60, density, contiguous, random);
      for (const Transfer::Kind kind : kKinds) {
        for (const std::uint32_t bytes : kSizes) {
          std::deque<Vector> vectors;
          vectors.emplace_back(space, kind, bytes, rank, random);
          check(vectors, random() % 2 == 0 ? kNoLimit : 3, kRoutes[random() % 2], random() % 2 == 0);
        }
      }
    }
  }
}

TEST_P(Exchanges, several_vectors_of_several_spaces_both_ways) {
  std::mt19937 random(2);
  for (int repeat = 0; repeat < 30; ++repeat) {
    std::deque<RandomSpace> spaces;
    for (int s = 0; s < 3; ++s) {
      spaces.emplace_back(communicator.size(), random() % 50, 0.01 * (random() % 100), random() % 2 == 0, random);
    }
    std::deque<Vector> vectors;
    for (std::size_t v = 0; v < 2 + random() % 4; ++v) {
      vectors.emplace_back(spaces[random() % 3], kKinds[random() % 2], kSizes[random() % 4], rank, random);
    }
    check(vectors, repeat % 2 == 0 ? kNoLimit : 3, kRoutes[repeat / 6 % 2], repeat % 3 == 0);
  }
}

TEST_P(Exchanges, silent_ones_make_no_call) {
  std::mt19937 random(3);
  const RandomSpace space(communicator.size(), 20, 0, true, random);
  Vector vector(space, Transfer::Kind::reduce_to_masters, 8, rank, random);
  const Transfer transfer = vector.transfer();
  kasen::tests::reset_witness();
  EXPECT_EQ(Exchange(communicator, {transfer}, {}, true).run({}), Counts());
  Exchange empty(communicator, {}, {}, false);
  EXPECT_EQ(empty.run({}), Counts());
  EXPECT_EQ(kasen::tests::witness().vector_calls, 0u);
  EXPECT_TRUE(kasen::tests::witness().reduction_bytes.empty());
  EXPECT_EQ(empty.packing_bytes(), 0u);
}

/// The larger of each byte: zeros change nothing.
Combine largest_bytes(std::uint32_t bytes) {
  return {[](const void* context, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
            const std::uint32_t size = *static_cast<const std::uint32_t*>(context);
            for (std::size_t k = 0; k < n; ++k) {
              auto* element = static_cast<unsigned char*>(into) + std::size_t{index == nullptr ? k : index[k]} * size;
              const auto* partial = static_cast<const unsigned char*>(from) + k * size;
              for (std::uint32_t b = 0; b < size; ++b) element[b] = std::max(element[b], partial[b]);
            }
          },
          std::make_shared<std::uint32_t>(bytes)};
}

/// What one worker sends of one vector to another takes, by the shortest of all ways to send it.
std::uint64_t shortest(std::uint64_t n, std::uint64_t unlike, std::uint64_t bytes) {
  return n == 0 ? 0 : 4 + std::min(n * bytes, unlike * bytes + std::min(4 * unlike, (n + 7) / 8));
}

/// Vectors of which elements are zero by some chance, from none to all: what arrives is what dense exchanges bring, in
/// messages that are no longer than they need be.
TEST_P(Exchanges, sparse_ones_send_what_is_not_at_rest) {
  std::mt19937 random(4);
  const std::vector<std::byte> zeros(24);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const RandomSpace space(communicator.size(), random() % 400, 0.01 * (random() % 100), random() % 2 == 0, random);
    const std::uint32_t bytes = kSizes[random() % 4];
    const unsigned unlike = repeat % 6 == 0 ? 100 : repeat % 6 == 1 ? 0 : random() % 101;
    std::deque<Vector> vectors;
    std::deque<std::vector<std::uint8_t>> active;
    std::vector<Transfer> transfers;
    for (std::size_t v = 0; v < 1 + random() % 2; ++v) {
      Vector& vector = vectors.emplace_back(space, kKinds[random() % 2], bytes, rank, random);
      for (auto& of_worker : vector.of_worker) {
        for (std::size_t k = 0; k < of_worker.size(); k += bytes) {
          if (random() % 100 >= unlike) std::fill_n(of_worker.begin() + static_cast<std::ptrdiff_t>(k), bytes, 0);
        }
      }
      vector.mine = vector.of_worker[rank];
      auto& told = active.emplace_back(space.elements[rank].size(), 7);
      for (const std::uint32_t i : vector.halo.master_index)
        told[i] = std::memcmp(&vector.mine[std::size_t{i} * bytes], zeros.data(), bytes) != 0 ? 1 : 0;
      Transfer transfer = vector.transfer();
      if (vector.kind == Transfer::Kind::reduce_to_masters) transfer.combine = largest_bytes(bytes);
      transfer.rest = std::span(zeros).first(bytes);
      transfer.active = active.back().data();
      transfers.push_back(transfer);
    }
    Exchange exchange(communicator, transfers, {}, space.num_links() == 0, Route::neighbours);
    std::vector<std::byte> packing(exchange.packing_bytes());
    for (int again = 0; again < 2; ++again) {  // a second time nothing is different
      kasen::tests::reset_witness();
      const Counts counts = run(exchange, packing, repeat % 3 == 0);
      Counts expected;
      for (std::size_t to = 0; to < size; ++to) {
        std::uint64_t sent = 0;
        for (const Vector& vector : vectors) {
          const bool gathers = vector.kind == Transfer::Kind::reduce_to_masters;
          const auto& links = gathers ? space.links[rank][to] : space.links[to][rank];
          std::uint64_t told = 0;
          for (const auto& link : links) {
            const std::size_t at = std::size_t{gathers ? link.replica_index : link.master_index} * bytes;
            told += std::memcmp(&vector.of_worker[rank][at], zeros.data(), bytes) != 0 ? 1 : 0;
          }
          sent += shortest(links.size(), told, bytes);
        }
        expected.bytes_sent += sent;
        expected.messages += sent > 0 ? 1 : 0;
      }
      EXPECT_EQ(counts, expected);
      EXPECT_EQ(kasen::tests::witness().vector_bytes, expected.bytes_sent);
      EXPECT_EQ(kasen::tests::witness().neighbour_messages, expected.messages);
      if (expected.messages > 0) {
        EXPECT_EQ(exchange.sparse().elements * bytes + exchange.sparse().list_bytes, expected.bytes_sent);
      }
      for (std::size_t v = 0; v < vectors.size(); ++v) {
        Vector& vector = vectors[v];
        vector.move_in_model(largest_bytes(bytes));
        EXPECT_EQ(vector.mine, vector.of_worker[rank]);
        if (vector.kind == Transfer::Kind::reduce_to_masters) continue;
        for (std::size_t k = 0; k < active[v].size(); ++k) {
          const bool told = std::memcmp(&vector.mine[k * bytes], zeros.data(), bytes) != 0;
          const auto is_among = [&](const std::vector<std::uint32_t>& indices) {
            return std::find(indices.begin(), indices.end(), k) != indices.end();
          };
          const bool known = is_among(vector.halo.replica_index) || is_among(vector.halo.master_index);
          EXPECT_EQ(active[v][k], known ? static_cast<std::uint8_t>(told) : 7);
        }
      }
    }
  }
}

/// What says which elements travel comes on top of these, and goes beyond the limit here.
TEST_P(Exchanges, sparse_ones_may_be_large_by_their_lists) {
  if (size == 1) GTEST_SKIP() << "one worker sends nothing";
  const Halo halo = ring();
  const std::byte zero{0};
  std::vector<std::byte> data{std::byte(rank + 1), zero};
  Transfer transfer{Transfer::Kind::broadcast_to_replicas, &halo, data.data(), 1, {}};
  std::vector<std::uint8_t> active{1, 0};
  transfer.rest = {&zero, 1};
  transfer.active = active.data();
  Exchange exchange(communicator, {transfer}, {}, false, Route::neighbours, halo.largest_count);
  std::vector<std::byte> packing(exchange.packing_bytes());
  exchange.run(packing);
  EXPECT_EQ(data[1], std::byte((rank + 1) % size + 1));
  EXPECT_EQ(active[1], 1u);
}

/// Whatever is done between beginning and end: what masters send has left them, what arrives is not seen before the end
/// unless its place is the message's.
TEST_P(Exchanges, in_parts_leave_masters_alone) {
  if (size == 1) GTEST_SKIP() << "one worker sends nothing";
  const Halo halo = ring();
  for (const Route route : kRoutes) {
    std::vector<double> data{static_cast<double>(rank), -1};
    Exchange exchange(communicator, {{Transfer::Kind::broadcast_to_replicas, &halo, data.data(), sizeof(double), {}}},
                      {}, false, route);
    std::vector<std::byte> packing(exchange.packing_bytes());
    for (int repeat = 0; repeat < 3; ++repeat) {
      data[0] = 10 * repeat + static_cast<double>(rank);
      EXPECT_EQ(exchange.begin(packing), (Counts{.bytes_sent = 8, .messages = 1}));
      EXPECT_THROW(exchange.begin(packing), InternalError);
      data[0] = -2;
      exchange.end();
      EXPECT_EQ(data[1], 10 * repeat + static_cast<double>((rank + 1) % size));
    }
  }
}

TEST_P(Exchanges, misuse_is_refused_before_anything_is_sent) {
  if (size == 1) GTEST_SKIP() << "one worker sends nothing";
  Halo halo = ring();
  std::vector<double> data{1.0, 2.0};
  const Transfer transfer{Transfer::Kind::broadcast_to_replicas, &halo, data.data(), sizeof(double), {}};
  std::vector<std::byte> packing(sizeof(double));
  EXPECT_THROW(Exchange(communicator, {transfer}, {}, true), InternalError);
  EXPECT_THROW(Exchange(communicator, {transfer}, {}, false).run(std::span(packing).first(7)), InternalError);
  halo.largest_count = 0;
  EXPECT_THROW(Exchange(communicator, {transfer}, {}, false, Route::all_to_all, 3), InternalError);
  halo.largest_count = 2;
  Exchange large(communicator, {transfer}, {}, false, Route::all_to_all, 3);
  for (const double first : {10.0, 20.0}) {
    data[0] = first + static_cast<double>(rank);
    EXPECT_EQ(large.run(packing), (Counts{.bytes_sent = 8, .messages = 1}));
    EXPECT_EQ(data[1], first + static_cast<double>((rank + 1) % size));
  }
}

}  // namespace
}  // namespace kasen::comm::tests
