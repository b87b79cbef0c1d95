/// @file
/// Matrices stored as stencils against the entries they were made from.
#include "partition/stencil_matrix.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "partition/local_matrix.h"

namespace kasen::partition {
namespace {

using Offsets = std::vector<std::pair<std::int64_t, std::uint32_t>>;  // of the input from the output, and the value

/// By output, in ascending order of inputs.
struct Sample {
  LocalIndex inputs;
  std::vector<Offsets> outputs;

  RawVector<LocalIndex> row, column;
  RawVector<std::byte> value;
  void add(std::int64_t offset, std::uint32_t number) {
    const auto j = static_cast<LocalIndex>(outputs.size() - 1);
    outputs.back().emplace_back(offset, number);
    row.push_back(static_cast<LocalIndex>(j + offset));
    column.push_back(j);
    value.resize(value.size() + 4);
    std::memcpy(&value[value.size() - 4], &number, 4);
  }
  LocalMatrix matrix(bool values) const {
    return {inputs, static_cast<LocalIndex>(outputs.size()), row,
            column, values ? value : RawVector<std::byte>(), values ? 4u : 0u};
  }
  std::uint64_t entries() const { return row.size(); }
};

/// Stretches of outputs with one of a few stencils, one of which has no entries.
Sample random_sample(std::uint32_t seed, std::uint32_t longest_run) {
  std::mt19937 random(seed);
  const std::vector<Offsets> stencils{
      {{-3, 2}, {0, 5}, {4, 1}}, {{0, 7}}, {}, {{-3, 2}, {0, 6}, {4, 1}}, {{-3, 2}, {0, 5}}};
  Sample sample{200, {}, {}, {}, {}};
  while (sample.outputs.size() < 180) {
    const Offsets& stencil = stencils[random() % stencils.size()];
    for (std::uint32_t left = 1 + random() % longest_run; left > 0 && sample.outputs.size() < 180; --left) {
      sample.outputs.emplace_back();
      const auto j = static_cast<std::int64_t>(sample.outputs.size() - 1);
      for (const auto& [offset, number] : stencil)
        if (j + offset >= 0) sample.add(offset, number);
    }
  }
  return sample;
}

Offsets stencil_of(const StencilMatrix& matrix, const StencilRun& run) {
  Offsets entries;
  for (std::uint32_t k = matrix.pointer()[run.stencil]; k < matrix.pointer()[run.stencil + 1]; ++k) {
    std::uint32_t number = 0;
    if (matrix.value() != nullptr) std::memcpy(&number, matrix.value() + std::size_t{4} * k, 4);
    entries.emplace_back(matrix.offset()[k], number);
  }
  return entries;
}

Offsets without_values(Offsets entries) {
  for (auto& [offset, number] : entries) number = 0;
  return entries;
}

TEST(StencilMatrix, HoldsTheEntriesInTheFewestRuns) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const Sample sample = random_sample(seed, 1 + seed * 4);
    for (const bool values : {false, true}) {
      LocalMatrix matrix = sample.matrix(values);
      const StencilMatrix& stencils = matrix.stencils(Role::Side::column);
      const auto expected = [&](LocalIndex j) {
        return values ? sample.outputs[j] : without_values(sample.outputs[j]);
      };
      std::map<Offsets, std::uint32_t> known;
      StencilMatrix::Size size;
      std::uint64_t before = 0;
      for (std::size_t r = 0; r + 1 < stencils.runs().size(); ++r) {
        const StencilRun& run = stencils.runs()[r];
        const LocalIndex end = stencils.runs()[r + 1].first;
        ASSERT_LT(run.first, end);
        const Offsets stencil = stencil_of(stencils, run);
        EXPECT_EQ(known.try_emplace(stencil, run.stencil).first->second, run.stencil) << "stored twice";
        for (LocalIndex j = run.first; j < end; ++j) {
          ASSERT_EQ(stencil, expected(j)) << j;
          EXPECT_EQ(stencils.run_of(j), &run);
          EXPECT_EQ(stencils.entries_before(j), before);
          before += stencil.size();
        }
        if (run.first > 0) {
          EXPECT_NE(stencil, expected(run.first - 1)) << "a run is cut in two";
        }
        if (stencil.empty()) continue;
        size.runs += 1;
        size.entries += stencil.size();
      }
      EXPECT_EQ(stencils.runs().front().first, 0u);
      EXPECT_EQ(stencils.runs().back().first, sample.outputs.size());
      EXPECT_EQ(stencils.entries_before(static_cast<LocalIndex>(sample.outputs.size())), sample.entries());
      EXPECT_EQ(matrix.measure_stencils(Role::Side::column, 1000), size);
      EXPECT_EQ(stencils.begun(0, static_cast<LocalIndex>(sample.outputs.size())), size);
    }
  }
}

TEST(StencilMatrix, CountsRunsWhereTheyBegin) {
  const Sample sample = random_sample(3, 9);
  LocalMatrix matrix = sample.matrix(true);
  const StencilMatrix& stencils = matrix.stencils(Role::Side::column);
  const auto all = static_cast<LocalIndex>(sample.outputs.size());
  for (const LocalIndex step : {1u, 7u, 64u}) {
    std::uint64_t runs = 0, entries = 0;
    for (LocalIndex first = 0; first < all; first += step) {
      const StencilMatrix::Size here = stencils.begun(first, std::min(first + step, all));
      runs += here.runs;
      entries += here.entries;
    }
    EXPECT_EQ(runs, stencils.begun(0, all).runs);
    EXPECT_EQ(entries, stencils.begun(0, all).entries);
  }
}

TEST(StencilMatrix, GivesTheCompressedFormBack) {
  for (const bool values : {false, true}) {
    const Sample sample = random_sample(5, 20);
    LocalMatrix matrix = sample.matrix(values), again = sample.matrix(values);
    const auto same = [&](Role::Side outputs) {
      const CompressedView a = matrix.by(outputs), b = again.by(outputs);
      EXPECT_TRUE(std::equal(a.pointer.begin(), a.pointer.end(), b.pointer.begin(), b.pointer.end()));
      EXPECT_TRUE(std::equal(a.index.begin(), a.index.end(), b.index.begin(), b.index.end()));
      EXPECT_TRUE(!values || std::memcmp(a.value, b.value, 4 * a.index.size()) == 0);
    };
    (void)matrix.stencils(Role::Side::column);  // of which alone the forms are made again
    EXPECT_EQ(matrix.storages(), (std::vector<MatrixStorage>{{Role::Side::column, MatrixStorage::Form::stencils}}));
    same(Role::Side::row);
    (void)matrix.stencils(Role::Side::row);
    same(Role::Side::column);
  }
}

TEST(StencilMatrix, CoversOutputsWithoutEntries) {
  for (const bool has_such : {false, true}) {
    Sample sample{10, {}, {}, {}, {}};
    for (int j = 0; j < 6; ++j) {
      sample.outputs.emplace_back();
      if (!has_such || j != 2) sample.add(1, 9);
    }
    LocalMatrix matrix = sample.matrix(true);
    const StencilMatrix& stencils = matrix.stencils(Role::Side::column);
    const StencilMatrix::Size size = stencils.begun(0, 6);
    matrix.covering(12, 9);
    matrix.covering(12, 9);
    EXPECT_EQ(stencils.runs().back().first, 9u);
    EXPECT_EQ(stencils.begun(0, 9), size);
    EXPECT_TRUE(stencil_of(stencils, *stencils.run_of(8)).empty());
    EXPECT_EQ(stencils.entries_before(9), sample.entries());
    EXPECT_EQ(matrix.by_column().pointer.size(), 10u);
  }
  LocalMatrix none;
  const StencilMatrix& of_none = none.stencils(Role::Side::row);
  none.covering(3, 3);
  EXPECT_TRUE(stencil_of(of_none, *of_none.run_of(2)).empty());
}

TEST(StencilMatrix, StopsCountingWhereRunsAreTooMany) {
  Sample sample{20'000, {}, {}, {}, {}};
  for (std::uint32_t j = 0; j < 20'000; ++j) {
    sample.outputs.emplace_back();
    sample.add(0, j < 10'000 ? j : 1);
  }
  LocalMatrix matrix = sample.matrix(true);
  EXPECT_EQ(matrix.measure_stencils(Role::Side::column, 10'001), (StencilMatrix::Size{10'001, 10'001}));
  EXPECT_EQ(matrix.measure_stencils(Role::Side::column, 700), (StencilMatrix::Size{701, 701}));
}

}  // namespace
}  // namespace kasen::partition
