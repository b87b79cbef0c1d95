/// @file
/// Sets of elements, filled one by one, by marks and in rounds, and in order of values, and marks by bytes of any size,
/// beside std::set, std::map and loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "kasen/runtime/element_set.h"
#include "kasen/runtime/later_set.h"
#include "kasen/runtime/listed_set.h"
#include "kasen/runtime/marks.h"
#include "kasen/runtime/pending_set.h"

namespace kasen::runtime {
namespace {

template <class Set>
std::set<LocalIndex> members(const Set& set) {
  std::set<LocalIndex> all;
  LocalIndex from = 0;
  set.for_each_stretch([&](LocalIndex first, LocalIndex count) {
    EXPECT_GE(first, from) << "not in ascending order";
    from = first + count;
    for (LocalIndex i = first; i < from; ++i) all.insert(i);
  });
  return all;
}

/// A few here and there, and whole stretches.
std::set<LocalIndex> some(LocalIndex room, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::set<LocalIndex> all;
  for (int k = 0; k < 40; ++k) all.insert(random() % room);
  for (LocalIndex i = room / 3; i < room / 3 + std::min<LocalIndex>(room / 4, 200); ++i) all.insert(i);
  return all;
}

TEST(ElementSet, IsReadAndFilledByMarks) {
  for (const LocalIndex room : {1u, 63u, 64u, 65u, 5'000u, 300'000u}) {
    const std::set<LocalIndex> wanted = some(room, room);
    ElementSet one_by_one(room), by_marks(room);
    for (const LocalIndex i : wanted) one_by_one.insert(i);
    EXPECT_EQ(members(one_by_one), wanted);
    std::uint64_t inserted = 0;
    for (LocalIndex first = 0; first < room; first += 128) {
      const std::size_t words = (std::min<LocalIndex>(128, room - first) + 63) / 64;
      std::vector<char> marks(128, 5);
      one_by_one.read(first, words, marks.data());
      for (LocalIndex k = 0; k < 64 * words; ++k) EXPECT_EQ(marks[k], wanted.contains(first + k) ? 1 : 0);
      inserted += by_marks.insert_marked(first, words, marks.data());
    }
    EXPECT_EQ(inserted, wanted.size());
    EXPECT_EQ(members(by_marks), wanted);
    by_marks.clear();
    EXPECT_TRUE(members(by_marks).empty());
  }
}

TEST(ElementSet, IsDrainedInOrderAndFilledMeanwhile) {
  constexpr LocalIndex kRoom = 200'000;
  const std::set<LocalIndex> in_a = some(kRoom, 1), in_b = some(kRoom, 2);
  ElementSet a(kRoom), b(kRoom);
  for (const LocalIndex i : in_a) a.insert(i);
  for (const LocalIndex i : in_b) b.insert(i);
  std::vector<LocalIndex> visited;
  std::set<LocalIndex> again;
  const auto visit = [&](LocalIndex i, bool was_in_a, bool was_in_b) {
    EXPECT_EQ(std::pair(was_in_a, was_in_b), std::pair(in_a.contains(i), in_b.contains(i)));
    if (!was_in_a && !was_in_b) return;
    visited.push_back(i);
    if (visited.size() % 7 != 0) return;
    for (std::size_t k = visited.size() - 7; k < visited.size(); k += 2) b.insert(visited[k]), again.insert(visited[k]);
  };
  ElementSet::drain(a, b, [&](LocalIndex first, std::uint64_t word_of_a, std::uint64_t word_of_b) {
    EXPECT_EQ(first % 64, 0u);
    for (LocalIndex k = 0; k < 64; ++k) visit(first + k, (word_of_a >> k & 1) != 0, (word_of_b >> k & 1) != 0);
  });
  std::set<LocalIndex> all = in_a;
  all.insert(in_b.begin(), in_b.end());
  EXPECT_EQ(visited, std::vector<LocalIndex>(all.begin(), all.end()));
  EXPECT_TRUE(members(a).empty());
  EXPECT_EQ(members(b), again);
}

TEST(ListedSet, HasWhatWasPutInRounds) {
  for (const LocalIndex room : {100u, 200'000u}) {
    ListedSet set(room);
    std::set<LocalIndex> wanted;
    std::mt19937 random(4);
    for (int round = 0; round < 20; ++round) {
      // All members are named in most rounds, in some only a few; and in one they are more than are listed.
      std::set<LocalIndex> named = some(room, static_cast<std::uint32_t>(round));
      if (round % 3 != 0) named.insert(wanted.begin(), wanted.end());
      if (round == 7) {
        for (LocalIndex i = 0; i < room; i += 2) named.insert(i);
      }
      set.begin_round();
      for (const LocalIndex i : named) {
        const bool member = round == 7 || random() % 2 == 0;
        set.put(i, member);
        member ? static_cast<void>(wanted.insert(i)) : static_cast<void>(wanted.erase(i));
      }
      EXPECT_EQ(members(set), wanted) << round;
    }
    set.clear();
    EXPECT_TRUE(members(set).empty());
    std::vector<char> marks(64);
    marks[3] = marks[60] = 1;
    set.replace(0, 1, marks.data());
    EXPECT_EQ(members(set), (std::set<LocalIndex>{3, 60}));
    std::swap(marks[3], marks[4]);
    set.replace(0, 1, marks.data());
    EXPECT_EQ(members(set), (std::set<LocalIndex>{4, 60}));
  }
}

TEST(Marks, CompareBytesOfAnySize) {
  constexpr std::uint32_t kElements = 77;
  std::mt19937 random(3);
  for (const std::uint32_t bytes : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u, 40u}) {
    std::vector<std::byte> a(kElements * bytes), element(bytes, std::byte{7});
    fill_with(element.data(), bytes, kElements, a.data());
    EXPECT_EQ(a, std::vector<std::byte>(a.size(), std::byte{7}));
    const std::vector<std::byte> b = a;
    std::vector<char> differs(kElements), among(kElements);
    for (std::uint32_t k = 0; k < kElements; ++k) {
      among[k] = random() % 2 == 0 ? 1 : 0;
      if (random() % 3 != 0) continue;
      differs[k] = 1;
      a[k * bytes + random() % bytes] = std::byte{9};
    }
    std::vector<char> marks(kElements);
    mark_unlike(a.data(), element.data(), bytes, kElements, marks.data());
    EXPECT_EQ(marks, differs);
    marks.assign(kElements, 0);
    mark_different(a.data(), b.data(), bytes, kElements, nullptr, marks.data());
    EXPECT_EQ(marks, differs);
    marks.assign(kElements, 0);
    marks[5] = 1;  // marks stay
    mark_different(a.data(), b.data(), bytes, kElements, among.data(), marks.data());
    for (std::uint32_t k = 0; k < kElements; ++k) EXPECT_EQ(marks[k], k == 5 ? 1 : differs[k] & among[k]);
  }
}

/// Beside a set: each member is visited once for each time that it was inserted while it was none.
TEST(PendingSet, VisitsWhatIsInsertedMeanwhile) {
  constexpr LocalIndex kRoom = 1000;
  std::mt19937 random(3);
  PendingSet pending(kRoom);
  std::set<LocalIndex> waiting;
  const auto insert = [&] {
    const auto i = static_cast<LocalIndex>(random() % kRoom);
    pending.insert(i);
    waiting.insert(i);
  };
  for (int k = 0; k < 300; ++k) insert();
  EXPECT_EQ(pending.size(), waiting.size());
  for (int left = 5000; pending.size() > 0;) {
    LocalIndex before = 0;
    pending.visit_next([&](LocalIndex i) {
      EXPECT_EQ(waiting.erase(i), 1u) << i;
      EXPECT_GE(i, before) << "in ascending order within a word";
      before = i;
      if (left-- > 0) insert();
      EXPECT_EQ(pending.size(), waiting.size());
    });
  }
  EXPECT_TRUE(waiting.empty());
}

/// Nothing is visited a second time before all that waited has been.
TEST(PendingSet, TakesTurns) {
  PendingSet pending(300);
  for (const LocalIndex i : {7u, 70u, 299u}) pending.insert(i);
  std::vector<LocalIndex> visited;
  while (pending.size() > 0 && visited.size() < 8) {
    pending.visit_next([&](LocalIndex i) {
      visited.push_back(i);
      pending.insert(i);
      if (i == 7) pending.insert(8);
    });
  }
  EXPECT_EQ(visited, (std::vector<LocalIndex>{7, 8, 70, 299, 7, 8, 70, 299}));
}

TEST(PendingSet, ShowsWhatWaits) {
  PendingSet pending(300);
  for (int round = 0; round < 9; ++round) {  // round the queue, which has room for 6 words
    for (const LocalIndex i : {299u, 7u, 70u, 8u}) pending.insert(i);
    std::vector<LocalIndex> waiting;
    pending.for_each([&](LocalIndex i) { waiting.push_back(i); });
    EXPECT_EQ(waiting, (std::vector<LocalIndex>{299, 7, 8, 70}));
    EXPECT_EQ(pending.guess(1), 7u);
    EXPECT_EQ(pending.size(), 4u);
    pending.clear();
  }
}

using Later = LaterSet<double, std::less<>>;

constexpr double kMost = 0.75;
constexpr std::uint64_t kAny = 1000000;

/// Beside a map from index to value: each time the best are taken, and not a single one of the others, halved or not.
TEST(LaterSet, GivesTheBestFirst) {
  constexpr LocalIndex kRoom = 20000;
  std::mt19937 random(5);
  for (const double part : {kMost, 0.1, 0.01}) {
    Later later(kRoom);
    std::map<LocalIndex, double> waiting, best;
    double bound = -1;
    std::vector<LocalIndex> taken;
    const auto take = [&](LocalIndex i) { taken.push_back(i); };
    const auto see_taken = [&](const std::map<LocalIndex, double>& among) {
      double worst = -1;
      for (const LocalIndex i : taken) {
        ASSERT_TRUE(among.contains(i));
        worst = std::max(worst, waiting.at(i));
        waiting.erase(i);
      }
      for (const auto& [i, value] : waiting) EXPECT_GT(value, worst);
      EXPECT_EQ(later.size(), waiting.size());
      if (!taken.empty()) bound = worst;
    };
    for (int round = 0; round < 40 || !waiting.empty(); ++round) {
      ASSERT_LT(round, 2000);
      for (int k = 0; k < 150 && round < 20; ++k) {
        const auto i = static_cast<LocalIndex>(random() % (kRoom / 8));
        const double value = bound + 1 + static_cast<double>(random() % 1000);
        EXPECT_TRUE(later.waits(value));
        const auto known = best.find(i);
        if (known != best.end() && known->second <= value) continue;  // it only becomes better
        ASSERT_TRUE(later.insert(i, value));
        waiting[i] = best[i] = value;
      }
      if (round % 3 == 0 && !waiting.empty()) {  // it is improved so much that it need not wait
        later.erase(waiting.begin()->first);
        waiting.erase(waiting.begin());
      }
      EXPECT_EQ(later.size(), waiting.size());
      taken.clear();
      const auto before = waiting;
      later.take_best(part, kAny, take);
      EXPECT_TRUE(!taken.empty() || waiting.empty());
      see_taken(before);
      if (round % 5 != 0 || taken.size() < 2) continue;
      std::map<LocalIndex, double> again;
      for (const LocalIndex i : taken) again[i] = before.at(i);
      const std::size_t first = later.noted();
      for (const auto& [i, value] : again) ASSERT_TRUE(later.insert(i, value));
      waiting.insert(again.begin(), again.end());
      taken.clear();
      later.take_half_since(first, take);
      EXPECT_FALSE(taken.empty());
      see_taken(again);
    }
  }
}

TEST(LaterSet, TakesNoMoreThanItHasRoomFor) {
  Later later(64);
  for (LocalIndex i = 0; i < 64; ++i) EXPECT_TRUE(later.insert(i, i));
  EXPECT_FALSE(later.make_room(1));
  later.erase(63);
  EXPECT_FALSE(later.insert(63, 1));
  EXPECT_TRUE(later.insert(3, 2)) << "it waits already";
  std::set<LocalIndex> taken;
  later.take_best(kMost, kAny, [&](LocalIndex i) { taken.insert(i); });
  EXPECT_EQ(taken.size(), 49u) << "three quarters, and the one whose value they are compared with";
  EXPECT_TRUE(later.insert(63, 70));
}

TEST(LaterSet, TakesAPartOrAsManyAsAreWanted) {
  Later later(200);
  for (LocalIndex i = 0; i < 100; ++i) EXPECT_TRUE(later.insert(i, i));
  std::set<LocalIndex> taken;
  const auto take = [&](LocalIndex i) { taken.insert(i); };
  later.take_best(kMost, 10, take);
  EXPECT_EQ(taken.size(), 11u);
  EXPECT_EQ(*taken.rbegin(), 10u);
  later.take_best(0.5, kAny, take);
  EXPECT_EQ(taken.size(), 11u + 45u);
  EXPECT_EQ(*taken.rbegin(), 55u);
  EXPECT_FALSE(later.waits(55));
  EXPECT_TRUE(later.waits(56));
}

/// Notes of what no longer waits, or was noted better, make room where they are at least half of all.
TEST(LaterSet, DropsWhatIsStale) {
  Later later(64);
  for (LocalIndex i = 0; i < 40; ++i) EXPECT_TRUE(later.insert(i, 200 + i));
  for (LocalIndex i = 0; i < 24; ++i) EXPECT_TRUE(later.insert(i, 100 + i));
  for (LocalIndex i = 20; i < 30; ++i) later.erase(i);
  EXPECT_TRUE(later.make_room(34));
  EXPECT_EQ(later.noted(), 30u);
  EXPECT_EQ(later.size(), 30u);
  std::map<LocalIndex, int> taken;
  later.take_best(kMost, kAny, [&](LocalIndex i) { ++taken[i]; });
  EXPECT_TRUE(taken.contains(19)) << "by its better value";
  EXPECT_FALSE(taken.contains(25));
  EXPECT_FALSE(later.waits(200));
  later.take_all([&](LocalIndex i) { ++taken[i]; });
  EXPECT_EQ(taken.size(), 30u);
  EXPECT_EQ(later.noted(), 0u);
  for (const auto& [i, times] : taken) EXPECT_EQ(times, 1) << i;
}

/// What was taken waits again, but for the better half of it, and what waited before goes on waiting.
TEST(LaterSet, HalvesWhatWasTaken) {
  Later later(1000);
  for (LocalIndex i = 0; i < 100; ++i) EXPECT_TRUE(later.insert(i, i));
  std::vector<LocalIndex> taken;
  const auto take = [&](LocalIndex i) { taken.push_back(i); };
  later.take_best(kMost, kAny, take);
  ASSERT_EQ(taken.size(), 76u);
  EXPECT_TRUE(later.waits(76));
  EXPECT_FALSE(later.waits(75));
  const std::size_t first = later.noted();
  for (LocalIndex i = 0; i < 76; ++i) EXPECT_TRUE(later.insert(i, i));
  taken.clear();
  later.take_half_since(first, take);
  EXPECT_EQ(taken.size(), 39u);
  EXPECT_EQ(later.size(), 61u);
  EXPECT_TRUE(later.waits(39));
  taken.clear();
  later.take_all(take);
  EXPECT_EQ(taken.size(), 61u);
  EXPECT_EQ(later.size(), 0u);
  EXPECT_FALSE(later.waits(38)) << "the bound stays";
  later.clear();
  EXPECT_EQ(later.size(), 0u);
  EXPECT_TRUE(later.waits(0));
}

}  // namespace
}  // namespace kasen::runtime
