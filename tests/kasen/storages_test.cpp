/// @file
/// Storages of matrices that come and go while programs run: products are the same, and no more is kept than is walked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/memory_limit.h"
#include "kasen/base/error.h"
#include "kasen/base/hash.h"
#include "kasen/kasen.h"
#include "kasen/partition_by.h"
#include "kasen/session/engine.h"
#include "kasen/workers.h"
#include "tests/support/graphs.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;
using partition::MatrixStorage;
using Storages = std::vector<MatrixStorage>;

constexpr std::uint64_t kRows = 90, kColumns = 70, kEntries = 900;

Options options_of(Storage storage) {
  Options options;
  options.quiet = true;
  options.storage = storage;
  options.block_edge = 16;
  return options;
}

Matrix<Pattern> matrix() {
  const auto& session = Session::current();
  const Edges mine = uniform_edges(kRows, kColumns, kEntries, 3, {session.rank(), session.workers()});
  return make_matrix(kRows, kColumns, {mine.source, mine.target, {}, 0});
}

/// Small whole numbers, whose sums are exact in any order.
double start(GlobalIndex i) { return static_cast<double>(i % 11); }

Numbers serial(bool transposed) {
  const Edges all = uniform_edges(kRows, kColumns, kEntries, 3);
  const auto &output = transposed ? all.source : all.target, &input = transposed ? all.target : all.source;
  Numbers sums(transposed ? kRows : kColumns);
  for (std::size_t e = 0; e < kEntries; ++e) sums[static_cast<std::size_t>(output[e])] += start(input[e]);
  return sums;
}

Vector<double> starts(Space space) {
  return map([](GlobalIndex i) { return start(i); }, iota(space));
}

Storages of_workers_part() {
  Storages storages = Session::current().engine().placement().matrix(MatrixId{0}).storages();
  std::sort(storages.begin(), storages.end());
  return storages;
}

/// The same product some times in a loop.
Numbers in_a_loop(const Matrix<Pattern>& M) {
  const auto x = starts(M.rows());
  auto y = constant(M.columns(), 0.0);
  Shared<int> k = 0;
  while_([&] { return k < 3; },
         [&] {
           y = mxv(first, plus, M, map(plus, x, k));
           k = k + 1;
         });
  return y.get();
}

Numbers less_twice_the_degrees(Numbers sums, const Numbers& degrees) {
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] -= 2 * degrees[j];
  return sums;
}

TEST(Storages, OfALoopRemainAlone) {
  for (const Storage storage : {Storage::compressed, Storage::blocked}) {
    Session session(options_of(storage));
    const bool blocks = storage == Storage::blocked;
    const MatrixStorage::Form form = blocks ? MatrixStorage::Form::blocks : MatrixStorage::Form::compressed;
    const Storages of_loop{{Role::Side::column, form}}, of_both{{Role::Side::row, form}, of_loop[0]};
    const auto M = matrix();
    const Numbers degrees = mxv(first, plus, M, constant(M.rows(), 1.0)).get();
    EXPECT_EQ(mxvt(first, plus, M, starts(M.columns())).get(), serial(true));
    EXPECT_EQ(less_twice_the_degrees(in_a_loop(M), degrees), serial(false));
    EXPECT_EQ(of_workers_part(), of_loop);
    // What comes back stays.
    EXPECT_EQ(mxvt(first, plus, M, starts(M.columns())).get(), serial(true));
    EXPECT_EQ(less_twice_the_degrees(in_a_loop(M), degrees), serial(false));
    EXPECT_EQ(of_workers_part(), of_both);
  }
}

TEST(Storages, OfPlansThatTakeTurnsStay) {
  Session session(options_of(Storage::compressed));
  const auto M = matrix();
  const Storages both{{Role::Side::row}, {Role::Side::column}};
  for (int k = 0; k < 30; ++k) {
    EXPECT_EQ(mxvt(first, plus, M, starts(M.columns())).get(), serial(true));
    EXPECT_EQ(mxv(first, plus, M, starts(M.rows())).get(), serial(false));
    ASSERT_EQ(of_workers_part(), both);
  }
  for (int k = 0; k < 30; ++k) EXPECT_EQ(mxv(first, plus, M, starts(M.rows())).get(), serial(false));
  EXPECT_EQ(of_workers_part(), Storages{both[1]});
}

/// Spreads a number along a path. @return the storages that there are then
Storages after_search(bool from_everywhere) {
  constexpr GlobalIndex kVertices = 200;
  Session session(options_of(Storage::blocked));
  std::vector<Entry<Pattern>> edges;
  if (session.rank() == 0)
    for (GlobalIndex i = 1; i < kVertices; ++i) edges.push_back({i - 1, i});
  const auto G = make_matrix<Pattern>(kVertices, kVertices, edges);
  const double far = from_everywhere ? 0.0 : infinity;
  Vector<double> x = map([far](GlobalIndex i) { return i == 0 ? -1.0 : far; }, iota(G.rows()));
  Shared<bool> more = true;
  while_([&] { return more; },
         [&] {
           const auto next = zip_with(kasen::min, x, mxv(first, kasen::min, G, x));
           more = reduce(logical_or, zip_with(KASEN_FN((auto a, auto b), a != b), next, x));
           x = next;
         });
  EXPECT_EQ(x.get(), Numbers(kVertices, -1.0));
  return of_workers_part();
}

TEST(Storages, OfAWalkComeWithTheFirst) {
  const MatrixStorage pushed_along{Role::Side::row}, walked{Role::Side::column, MatrixStorage::Form::blocks};
  for (const bool from_everywhere : {false, true}) {
    const Storages there = after_search(from_everywhere);
    const auto has = [&](const MatrixStorage& one) {
      return std::find(there.begin(), there.end(), one) != there.end();
    };
    EXPECT_TRUE(has(pushed_along));
    EXPECT_EQ(has(walked), from_everywhere) << "all elements are active, or one at a time";
  }
}

/// Where one worker's entries come in the order of a form and another's do not, they hold other forms after placing,
/// and say the same of what a plan needs. Of so many edges a form is some MiB.
TEST(Storages, AreNeededAlikeWhateverOrderEntriesComeIn) {
  constexpr GlobalIndex kVertices = 1 << 17, kHalf = kVertices / 2, kEdges = 4;
  Options options = options_of(Storage::blocked);
  options.partition = Partition::row;
  options.numbering = Numbering::index;
  Session session(options);
  partition_by([](GlobalIndex i, int parts) { return i < kHalf ? 0 : parts - 1; });
  std::vector<Entry<Pattern>> edges;
  if (session.rank() == 0) {
    for (GlobalIndex i = 0; i < kHalf; ++i)
      for (GlobalIndex k = 0; k < kEdges; ++k) edges.push_back({i, i + k});
    for (GlobalIndex i = kVertices; i-- > kHalf;)
      for (GlobalIndex k = 0; k < kEdges; ++k) edges.push_back({i, i - k});
  }
  const auto G = make_matrix<Pattern>(kVertices, kVertices, edges);
  Vector<double> x = map([](GlobalIndex i) { return i == 0 ? -1.0 : infinity; }, iota(G.rows()));
  Shared<int> k = 0;
  while_([&] { return k < 3; },
         [&] {
           x = zip_with(kasen::min, x, mxv(first, kasen::min, G, x));
           k = k + 1;
         });
  std::string message;
  comm::limit_memory(1);
  try {
    x.get();
  } catch (const AgreedError& error) {
    message = error.what();
  }
  comm::limit_memory(0);
  EXPECT_NE(message.find("storages of matrix 0"), std::string::npos) << message;
  for (const std::uint64_t hash : workers::all_gather(hash_of(message))) EXPECT_EQ(hash, hash_of(message)) << message;
}

}  // namespace
}  // namespace kasen::tests
