/// @file
/// Lists of global indices in either width, which only their memory tells apart, against vectors.

#include "kasen/base/global_indices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kasen {
namespace {

using Indices = std::vector<GlobalIndex>;
constexpr GlobalIndex kNarrowest = GlobalIndex{1} << 32;  ///< the least that does not fit into 32 bits

void expect_equal(const GlobalIndices& list, const Indices& expected, bool narrow) {
  EXPECT_EQ(list.narrow(), narrow);
  EXPECT_EQ(list.copy(), expected);
  EXPECT_EQ(list, GlobalIndices(expected));
  EXPECT_EQ(list.empty(), expected.empty());
  const GlobalIndexView view = list;
  ASSERT_EQ(view.size(), expected.size());
  EXPECT_TRUE(std::equal(view.begin(), view.end(), expected.begin()));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(list[k], expected[k]);
    EXPECT_EQ(view[k], expected[k]);
    const GlobalIndexView rest = view.part(k, expected.size() - k);
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(), expected.begin() + static_cast<std::ptrdiff_t>(k)));
  }
}

TEST(GlobalIndices, AreNarrowUntilOneDoesNotFit) {
  for (const GlobalIndex last : {kNarrowest - 1, kNarrowest, GlobalIndex{-1}}) {
    const bool narrow = last == kNarrowest - 1;
    GlobalIndices pushed{0, 7, 5}, set{0, 7, 5, 1}, resized{0, 7, 5}, changed{0, 7, 5, 1};
    expect_equal(pushed, {0, 7, 5}, true);
    pushed.push_back(last);
    set.set(3, last);
    resized.resize(4, last);
    changed.transform([&](GlobalIndex index) { return index == 1 ? last : index; });
    for (const GlobalIndices* list : {&pushed, &set, &resized, &changed}) expect_equal(*list, {0, 7, 5, last}, narrow);
    pushed.push_back(3);
    expect_equal(pushed, {0, 7, 5, last, 3}, narrow);
    pushed.resize(2);
    expect_equal(pushed, {0, 7}, narrow);
    release(pushed);
    expect_equal(pushed, {}, true);
  }
}

TEST(GlobalIndices, TakeTheMemoryOfTheirWidth) {
  GlobalIndices narrow{1, 2, 3}, wide{1, kNarrowest, 3};
  EXPECT_EQ(narrow.memory(1, 2).size(), 2 * sizeof(std::uint32_t));
  EXPECT_EQ(wide.memory(1, 2).size(), 2 * sizeof(GlobalIndex));
  EXPECT_EQ(bytes_of_index(0), sizeof(std::uint32_t));
  EXPECT_EQ(bytes_of_index(static_cast<std::uint64_t>(kNarrowest)), sizeof(std::uint32_t));
  EXPECT_EQ(bytes_of_index(static_cast<std::uint64_t>(kNarrowest) + 1), sizeof(GlobalIndex));
  const RawVector<std::uint32_t> taken = narrow.take_narrow();
  EXPECT_EQ(Indices(taken.begin(), taken.end()), (Indices{1, 2, 3}));
  EXPECT_TRUE(narrow.empty());
}

}  // namespace
}  // namespace kasen
