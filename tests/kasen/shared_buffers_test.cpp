/// @file
/// Vectors that turn out to be one share a buffer: also after a matrix that brings some workers new replicas.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/partition_by.h"
#include "kasen/session/engine.h"
#include "tests/io/temporary_directory.h"

namespace kasen::tests {
namespace {

TEST(SharedBuffers, StaySharedOnAllWorkersWhenSomeNeedLargerOnes) {
  Options options;
  options.quiet = true;
  options.partition = Partition::row;
  Session session(options);
  const Space rows(2), columns(17);
  partition_by(rows, [](GlobalIndex, int) { return 0; });
  partition_by(columns, [](GlobalIndex i, int parts) { return i < 8 ? 0 : parts - 1; });
  Vector<double> a = constant(columns, 1.0), b = constant(columns, 2.0);
  Vector<double> c = a, d = b;
  Shared<int> k = 0;
  while_([&] { return k < 1; },
         [&] {
           std::swap(c, d);
           k = k + 1;
         });
  a.get();  // from here on a and d share a buffer, b and c another one
  std::vector<Entry<double>> entries;
  if (session.rank() == 0) entries = {{0, 16, 1.0}};  // worker 0 alone gets a replica
  const auto A = make_matrix<double>(rows, columns, std::span<const Entry<double>>(entries));
  d = map(times, d, 3.0);  // what d was dies, and its buffer with it unless a holds that too
  EXPECT_EQ(d.get(), std::vector<double>(17, 3));
  EXPECT_EQ(a.get(), std::vector<double>(17, 1));
  EXPECT_EQ(b.get(), std::vector<double>(17, 2));
  EXPECT_EQ(c.get(), std::vector<double>(17, 2));
  EXPECT_EQ(mxvt(times, plus, A, a).get(), (std::vector<double>{1, 0}));
}

/// An output that is not yet committed holds what it writes, on all workers alike.
TEST(SharedBuffers, AreHeldByOutputs) {
  Options options;
  options.quiet = true;
  options.partition = Partition::row;
  Session session(options);
  const io::TemporaryDirectory directory(session.engine().control());
  const Space rows(2), columns(17);
  partition_by(rows, [](GlobalIndex, int) { return 0; });
  Vector<double> v = constant(columns, 1.0);
  v.get();
  Output output(directory.path("v.h5"));
  output.add("v", v);
  std::vector<Entry<double>> entries;
  if (session.rank() == 0) entries = {{0, 16, 1.0}};  // worker 0 alone gets a replica
  const auto A = make_matrix<double>(rows, columns, entries);
  Vector<double> w = map(times, v, 3.0);
  v = w;
  EXPECT_EQ(w.get(), std::vector<double>(17, 3));
  output.commit();
  EXPECT_EQ(read_table(directory.path("v.h5"), {.dataset = "v"}).matrix().rows().length(), 17u);
  EXPECT_EQ(mxvt(times, plus, A, w).get()[0], 3);
}

TEST(SharedBuffers, AreScatteredForAllWhoReadThem) {
  Options options;
  options.quiet = true;
  options.partition = Partition::grid;
  Session session(options);
  const GlobalIndex length = 30;
  const Space space(length);
  std::vector<Entry<double>> entries;
  for (GlobalIndex i = session.rank(); i < length; i += session.workers()) {
    entries.push_back({i, (7 * i + 3) % length, 1.0});
    entries.push_back({i, (11 * i + 5) % length, 1.0});
  }
  const auto A = make_matrix<double>(space, space, std::span<const Entry<double>>(entries));
  Vector<double> a = constant(space, 1.0), b = constant(space, 2.0);
  Vector<double> c = a, d = b;
  Shared<int> k = 0;
  while_([&] { return k < 1; },
         [&] {
           std::swap(c, d);
           k = k + 1;
         });
  a.get();  // from here on a and d share a buffer
  const auto columns = mxvt(times, plus, A, a), rows = mxv(times, plus, A, d);
  EXPECT_EQ(reduce(plus, columns).get(), 2 * length);
  EXPECT_EQ(reduce(plus, rows).get(), 2 * length);
}

}  // namespace
}  // namespace kasen::tests
