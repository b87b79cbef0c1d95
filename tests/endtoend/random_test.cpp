/// @file
/// Random numbers of distributions: those of their definition, in loops too, and distributed as they should be.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kasen/random.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + counter + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
double unit(std::uint64_t bits) { return std::ldexp(static_cast<double>(bits >> 11), -53); }
double positive_unit(std::uint64_t bits) { return unit(bits) + 0x1p-53; }

struct Drawn {
  double normal, exponential;
  Int integer;
};
Drawn drawn(std::uint64_t i, std::uint64_t seed, std::uint64_t step, std::uint64_t bound) {
  const auto of = [&](std::uint64_t stream) { return splitmix64(splitmix64(seed, stream), step); };
  const double first = positive_unit(splitmix64(of(1), 2 * i)), second = unit(splitmix64(of(1), 2 * i + 1));
  const auto below = static_cast<long double>(splitmix64(of(3), i)) / 0x1p64L * static_cast<long double>(bound);
  return {std::sqrt(-2 * std::log(first)) * std::cos(2 * std::numbers::pi * second),
          -std::log(positive_unit(splitmix64(of(2), i))), static_cast<Int>(below)};
}

TEST_P(EndToEnd, RandomNumbersOfDistributions) {
  const Space space = kLength;
  Vector<double> normal = random_normal(space, 7), exponential = random_exponential(space, 7);
  Vector<Int> integers = random_integers(space, 6, 7);
  const Vector<Int> wide = random_integers(space, std::uint64_t{1} << 63, 7, 2);
  Shared<Int> k = 1;
  while_([&] { return k < 4; },
         [&] {
           normal = zip_with(plus, normal, random_normal(space, 7, k));
           exponential = zip_with(plus, exponential, random_exponential(space, 7, k));
           integers = zip_with(plus, integers, random_integers(space, 6, 7, k));
           ++k;
         });
  std::vector<double> normals(kLength), exponentials(kLength);
  std::vector<Int> sums(kLength);
  for (std::uint64_t i = 0; i < kLength; ++i) {
    for (std::uint64_t step = 0; step < 4; ++step) {
      const Drawn one = drawn(i, 7, step, 6);
      normals[i] += one.normal;
      exponentials[i] += one.exponential;
      sums[i] += one.integer;
    }
  }
  EXPECT_TRUE(near(normal.get(), normals, 1e-14, 1));  // compilers may fuse what is added here
  EXPECT_TRUE(near(exponential.get(), exponentials, 1e-14, 1));
  EXPECT_EQ(integers.get(), sums);
  const auto far = wide.get();
  for (std::uint64_t i = 0; i < kLength; ++i) EXPECT_EQ(far[i], drawn(i, 7, 2, std::uint64_t{1} << 63).integer);
  EXPECT_EQ(random_integers(space, 1, 3).get(), std::vector<Int>(kLength));
  EXPECT_THROW(random_integers(space, 0, 3), ProgramError);
  EXPECT_THROW(random_integers(space, (std::uint64_t{1} << 63) + 1, 3), ProgramError);
}

/// The largest difference between the shares of numbers below each and a distribution's (Kolmogorov, Smirnov).
template <class Below>
double distance(std::vector<double> numbers, Below below) {
  std::sort(numbers.begin(), numbers.end());
  const auto count = static_cast<double>(numbers.size());
  double most = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const double share = below(numbers[k]);
    most = std::max({most, share - static_cast<double>(k) / count, static_cast<double>(k + 1) / count - share});
  }
  return most;
}

TEST(RandomNumbers, FollowTheirDistributions) {
  constexpr std::uint64_t count = 100000;
  std::vector<double> normal, exponential, uniform;
  std::vector<int> of_dice(6);
  double product = 0;  // of numbers that follow each other
  for (std::uint64_t i = 0; i < count; ++i) {
    normal.push_back(random_unit_normal(11, i));
    exponential.push_back(random_unit_exponential(11, i));
    uniform.push_back(static_cast<double>(random_below(1000000007, 11, i)) / 1000000007);
    ++of_dice[random_below(6, 12, i)];
    if (i > 0) product += normal[i] * normal[i - 1];
  }
  const double bound = 1.95 / std::sqrt(static_cast<double>(count));  // exceeded once in a thousand seeds
  EXPECT_LT(distance(normal, [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }), bound);
  EXPECT_LT(distance(exponential, [](double x) { return 1 - std::exp(-x); }), bound);
  EXPECT_LT(distance(uniform, [](double x) { return x; }), bound);
  EXPECT_GT(distance(normal, [](double x) { return std::erfc(-(x - 0.05) / std::numbers::sqrt2) / 2; }), bound);
  EXPECT_LT(std::abs(product), 4 * std::sqrt(static_cast<double>(count)));
  for (const int times : of_dice) EXPECT_NEAR(times, count / 6.0, 4 * std::sqrt(count / 6.0));
}

}  // namespace
}  // namespace kasen::tests
