/// @file
/// Reductions of Shareds: any types together, in the order of ranks, equal bits, workers without a value.
#include "comm/shared_reduction.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <stdexcept>

#include "comm/exchange.h"
#include "tests/comm/communicators.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::comm::tests {
namespace {

template <class T, T (*Op)(const T&, const T&)>
Combine combine_of() {
  return {[](const void*, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(into) % alignof(T), 0u);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(from) % alignof(T), 0u);
            for (std::size_t k = 0; k < n; ++k) {
              T& element = static_cast<T*>(into)[index == nullptr ? k : index[k]];
              element = Op(element, static_cast<const T*>(from)[k]);
            }
          },
          nullptr};
}

/// x -> factor * x + shift modulo a prime: composition is associative and not commutative, so that the order shows.
struct Affine {
  std::uint64_t factor, shift;
  bool operator==(const Affine&) const = default;
};
constexpr std::uint64_t kPrime = 1000000007;
Affine compose(const Affine& a, const Affine& b) {
  return {a.factor * b.factor % kPrime, (a.shift * b.factor + b.shift) % kPrime};
}
Affine affine_of(int worker) {
  return {static_cast<std::uint64_t>(worker) + 2, static_cast<std::uint64_t>(worker) * 5};
}

struct alignas(32) Moments {
  double sum, squares;
  std::int64_t count;
};
Moments add_moments(const Moments& a, const Moments& b) {
  return {a.sum + b.sum, a.squares + b.squares, a.count + b.count};
}

using Large = std::array<double, 700>;
Large add_large(const Large& a, const Large& b) {
  Large sum;
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = a[k] + b[k];
  return sum;
}

char later(const char&, const char& b) { return b; }
double add(const double& a, const double& b) { return a + b; }

template <class T>
SharedReduction reduction(T& value, Combine combine, bool has) {
  return {&value, sizeof(T), std::move(combine), has};
}

class SharedReductions : public testing::TestWithParam<bool> {
 protected:
  const Communicator& communicator = communicator_for(GetParam());
  const int rank = communicator.rank();
  const int size = communicator.size();

  /// One run of an exchange that moves nothing else.
  Counts reduce(std::vector<SharedReduction>& shareds, std::uint64_t limit = 0x7fffffff) const {
    Exchange exchange(communicator, {}, shareds, true, Route::all_to_all, limit);
    const Counts counts = exchange.run({});
    shareds.assign(exchange.shareds().begin(), exchange.shareds().end());
    return counts;
  }

  template <class T>
  void expect_equal_bits(const T& value) {
    std::array<std::byte, sizeof(T)> bits;
    std::memcpy(bits.data(), &value, sizeof(T));
    for (const auto& other : communicator.all_gather(bits)) EXPECT_EQ(other, bits);
  }
};

INSTANTIATE_TEST_SUITE_P(Waiting, SharedReductions, testing::Bool(), name_of_waiting);

TEST_P(SharedReductions, several_types_in_one_call) {
  for (const std::uint64_t limit : {std::uint64_t{0x7fffffff}, std::uint64_t{3}}) {
    Affine affine = affine_of(rank);
    char last = static_cast<char>('a' + rank);
    Moments moments{0.1 * rank, 1e-3 / (rank + 1), 1};
    double small = 1.0 / (3 + rank);
    Large large;
    large.fill(rank + 0.5);
    std::vector<SharedReduction> shareds{
        reduction(last, combine_of<char, later>(), true), reduction(affine, combine_of<Affine, compose>(), true),
        reduction(moments, combine_of<Moments, add_moments>(), true), reduction(small, combine_of<double, add>(), true),
        reduction(large, combine_of<Large, add_large>(), true)};
    kasen::tests::reset_witness();
    const Counts counts = reduce(shareds, limit);
    const auto seen = kasen::tests::witness();

    Affine expected = affine_of(0);
    double sum = 0;
    for (int w = 1; w < size; ++w) expected = compose(expected, affine_of(w));
    for (int w = 0; w < size; ++w) sum += 1.0 / (3 + w);
    EXPECT_EQ(affine, expected);
    EXPECT_EQ(last, static_cast<char>('a' + size - 1));
    EXPECT_EQ(moments.count, size);
    EXPECT_NEAR(small, sum, 1e-15 * size);
    EXPECT_EQ(large[699], size * size / 2.0);
    expect_equal_bits(small);
    expect_equal_bits(moments.sum);
    expect_equal_bits(moments.squares);
    for (const SharedReduction& shared : shareds) EXPECT_TRUE(shared.has);

    const auto others = static_cast<std::uint64_t>(size - 1);
    const std::uint64_t bytes = 1 + sizeof(Affine) + sizeof(Moments) + sizeof(double) + sizeof(Large);
    EXPECT_EQ(counts, (Counts{.bytes_sent = others * bytes, .messages = others}));
    EXPECT_EQ(seen.vector_calls, 0u);
    if (size == 1) {
      EXPECT_TRUE(seen.reduction_bytes.empty());
    } else {
      EXPECT_EQ(seen.reduction_bytes, (std::vector<std::uint64_t>{bytes + shareds.size()}));
    }
  }
}

TEST_P(SharedReductions, workers_without_a_value_contribute_nothing) {
  // Every set of workers that have one, as far as there are few.
  for (unsigned with = 0; with < 1u << std::min(size, 5); ++with) {
    const auto has = [&](int worker) { return worker < 5 && (with >> worker & 1) != 0; };
    Affine affine = has(rank) ? affine_of(rank) : Affine{77, 77};
    Affine always = affine_of(rank);
    std::vector<SharedReduction> shareds{reduction(affine, combine_of<Affine, compose>(), has(rank)),
                                         reduction(always, combine_of<Affine, compose>(), true)};
    reduce(shareds);
    Affine expected{1, 0}, expected_always{1, 0};
    for (int w = 0; w < size; ++w) {
      if (has(w)) expected = compose(expected, affine_of(w));
      expected_always = compose(expected_always, affine_of(w));
    }
    EXPECT_EQ(shareds[0].has, with != 0);
    EXPECT_TRUE(shareds[1].has);
    EXPECT_EQ(affine, with != 0 ? expected : (Affine{77, 77})) << "set " << with;
    EXPECT_EQ(always, expected_always);
  }
}

TEST_P(SharedReductions, repeated_runs_give_the_same_bits) {
  double first = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    double value = 1.0 / (7 + rank * rank);
    std::vector<SharedReduction> shareds{reduction(value, combine_of<double, add>(), true)};
    reduce(shareds);
    if (repeat == 0) first = value;
    EXPECT_EQ(value, first);
  }
}

TEST_P(SharedReductions, a_function_that_throws_does_so_outside_mpi) {
  const Combine throws{[](const void*, void*, const std::uint32_t*, const void*, std::size_t) {
                         throw std::runtime_error("from the user's function");
                       },
                       nullptr};
  double value = 1;
  std::vector<SharedReduction> shareds{reduction(value, throws, true)};
  int threw = 0;
  try {
    reduce(shareds);
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "from the user's function");
    threw = 1;
  }
  EXPECT_EQ(communicator.max(threw), size > 1 ? 1 : 0);
}

}  // namespace
}  // namespace kasen::comm::tests
