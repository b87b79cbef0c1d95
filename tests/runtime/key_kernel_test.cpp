/// @file
/// Kernels that follow keys, and tables, against plain loops: sizes, types of keys, keys that are none or too large.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kasen/functors.h"
#include "kasen/runtime/kernels.h"
#include "kasen/runtime/key_tables.h"

namespace kasen::runtime {
namespace {

constexpr std::uint64_t kKeys = 6;

/// 0 to kKeys - 1, and none where the type has negative numbers.
template <class Key>
std::vector<Key> keys(std::uint32_t n) {
  std::vector<Key> result;
  for (std::uint32_t i = 0; i < n; ++i) result.push_back(static_cast<Key>(i * 7 % 11 % kKeys));
  for (std::uint32_t i = 3; i < n && std::numeric_limits<Key>::is_signed; i += 5)
    result[i] = static_cast<Key>(-1 - static_cast<int>(i % 3));
  return result;
}
template <class Key>
bool leads(Key key) {
  return static_cast<std::int64_t>(key) >= 0;
}

template <class Key>
void equals_plain_loops() {
  const KeyKernel sums = reduce_by_key_kernel<double, Key>(plus), taken = take_kernel<double, Key>(-7.0);
  const std::vector<double> w{1, 2, 4, 8, 16, 32};
  const std::vector<LocalIndex> number{3, 5, 1, 0, 4, 2};
  for (const std::uint32_t n : {0u, 1u, 5u, 64u, 129u}) {
    const std::vector<Key> key = keys<Key>(n);
    std::vector<double> v, out(n + 1, -1), want(kKeys, 0), table(kKeys, 0);
    for (std::uint32_t i = 0; i < n; ++i) v.push_back(0.5 * i);
    KeyTile tile;
    tile.key = key.data();
    tile.keys = kKeys;
    tile.n = n;
    tile.in = v.data();
    tile.table = table.data();
    EXPECT_EQ(sums.run(sums.context.get(), tile), n);
    for (std::uint32_t i = 0; i < n; ++i)
      if (leads(key[i])) want[static_cast<std::size_t>(key[i])] += v[i];
    EXPECT_EQ(table, want);
    tile.taken = w.data();
    tile.out = out.data();
    for (const LocalIndex* by : {static_cast<const LocalIndex*>(nullptr), number.data()}) {
      tile.number = by;
      EXPECT_EQ(taken.run(taken.context.get(), tile), n);
      for (std::uint32_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(key[i]);
        EXPECT_EQ(out[i], !leads(key[i]) ? -7 : w[by == nullptr ? at : by[at]]);
      }
    }
    EXPECT_EQ(out[n], -1) << "wrote beyond the tile";
  }
}

TEST(KeyKernel, EqualsPlainLoops) {
  equals_plain_loops<std::int8_t>();
  equals_plain_loops<std::uint8_t>();
  equals_plain_loops<std::int32_t>();
  equals_plain_loops<std::uint32_t>();
  equals_plain_loops<std::int64_t>();
  equals_plain_loops<std::uint64_t>();
}

/// The first one of the tile, and nothing is written.
TEST(KeyKernel, FindsKeysThatAreTooLarge) {
  std::vector<std::int32_t> key = keys<std::int32_t>(40);
  key[17] = 6, key[30] = 1000;
  const std::vector<double> v(40, 1.0);
  std::vector<double> table(kKeys, 0), out(40, -1);
  KeyTile tile;
  tile.key = key.data();
  tile.keys = kKeys;
  tile.n = 40;
  tile.in = tile.taken = v.data();
  tile.table = table.data();
  tile.out = out.data();
  for (const KeyKernel& kernel :
       {reduce_by_key_kernel<double, std::int32_t>(plus), take_kernel<double, std::int32_t>(0)}) {
    EXPECT_EQ(kernel.run(kernel.context.get(), tile), 17u);
    EXPECT_EQ(kernel.key_at(tile, 17), 6u);
  }
  EXPECT_EQ(table, std::vector<double>(kKeys, 0));
  EXPECT_EQ(out, std::vector<double>(40, -1));
}

/// In the order of parts, whatever the threads.
TEST(KeyTables, FoldInOrder) {
  constexpr std::uint64_t kMany = 9000, kParts = 7;
  const auto first_digits = [](double a, double b) { return a * 10 + b; };  // which order shows in
  Reducer reducer = kasen::runtime::reducer<double>(first_digits, std::optional(0.0));
  reducer.type = {sizeof(double), 1};
  for (const std::uint32_t threads : {1u, 3u}) {
    ThreadTeam team(threads, true);
    KeyTables tables(reducer, kMany, kParts);
    for (std::uint64_t part = 0; part < kParts; ++part) {
      tables.begin(part);
      static_cast<double*>(tables.table(part))[8999] = static_cast<double>(part + 1);
    }
    std::vector<LocalIndex> number(kMany);
    for (std::uint64_t k = 0; k < kMany; ++k) number[k] = static_cast<LocalIndex>(kMany - 1 - k);
    std::vector<double> out(kMany, -1);
    tables.finish(number, reinterpret_cast<std::byte*>(out.data()), team);
    EXPECT_EQ(out[0], 1234567);
    EXPECT_EQ(out[1], 0);
  }
}

TEST(KeyTables, OfNoPartAreTheIdentity) {
  Reducer reducer = kasen::runtime::reducer<double>([](double a, double b) { return a * b; }, std::optional(1.0));
  reducer.type = {sizeof(double), 1};
  ThreadTeam team(1, true);
  KeyTables tables(reducer, 3, 0);
  std::vector<double> out(3, -1);
  tables.finish({}, reinterpret_cast<std::byte*>(out.data()), team);
  EXPECT_EQ(out, std::vector<double>(3, 1.0));
}

}  // namespace
}  // namespace kasen::runtime
