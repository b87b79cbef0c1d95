/// @file
/// Vectors that turn out to be one share a buffer: also after a matrix that brings some workers new replicas.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kasen/engine.h"
#include "kasen/kasen.h"
#include "kasen/partition_by.h"

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

}  // namespace
}  // namespace kasen::tests
