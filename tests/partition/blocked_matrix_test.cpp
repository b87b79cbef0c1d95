/// @file
/// Matrices in blocks: read back by what the storage says of itself, they hold just the entries they were made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "partition/local_matrix.h"

namespace kasen::partition {
namespace {

struct Entry {
  LocalIndex output, input;
  std::uint32_t value;
  auto operator<=>(const Entry&) const = default;
};

struct Sample {
  LocalIndex outputs, inputs;
  std::vector<Entry> entries;
};

/// Rows of every length up to the number of inputs, empty ones and duplicates among them.
Sample random_sample(LocalIndex outputs, LocalIndex inputs, unsigned seed) {
  std::mt19937 random(seed);
  Sample sample{outputs, inputs, {}};
  for (LocalIndex j = 0; j < outputs; ++j) {
    const std::size_t length = random() % 3 == 0 ? 0 : random() % (random() % 8 == 0 ? inputs : 20);
    for (std::size_t k = 0; k < length; ++k) {
      sample.entries.push_back({j, static_cast<LocalIndex>(random() % inputs), static_cast<std::uint32_t>(random())});
    }
  }
  std::shuffle(sample.entries.begin(), sample.entries.end(), random);
  return sample;
}

/// Outputs are columns.
LocalMatrix matrix_of(const Sample& sample, bool values) {
  RawVector<LocalIndex> row, column;
  RawVector<std::byte> value;
  for (const Entry& entry : sample.entries) {
    row.push_back(entry.input);
    column.push_back(entry.output);
    const auto* bytes = reinterpret_cast<const std::byte*>(&entry.value);
    if (values) value.insert(value.end(), bytes, bytes + sizeof entry.value);
  }
  return {sample.inputs, sample.outputs, row, column, value, values ? 4u : 0u};
}

/// All entries, and by output its inputs in the order of the storage.
struct ReadBack {
  std::multiset<Entry> entries;
  std::map<LocalIndex, std::vector<LocalIndex>> order;
  BlockedMatrix::Size size;
};

ReadBack read_back(const BlockedMatrix& matrix, std::uint32_t edge) {
  ReadBack all;
  std::set<std::pair<LocalIndex, LocalIndex>> seen;
  for (const BlockedMatrix::Block& block : matrix.blocks()) {
    EXPECT_TRUE(seen.insert({block.first_input, block.first_output}).second);
    EXPECT_EQ(block.first_input % edge, 0u);
    EXPECT_EQ(block.first_output % edge, 0u);
    std::uint64_t run = block.first_run, long_run = block.first_long_run, entry = block.first_entry;
    std::set<LocalIndex> outputs;
    const auto take = [&](std::uint64_t length, std::uint64_t first, std::uint64_t stride) {
      const LocalIndex output = block.first_output + matrix.output()[run++];
      EXPECT_TRUE(outputs.insert(output).second);
      for (std::uint64_t k = 0; k < length; ++k) {
        const std::uint64_t at = first + k * stride;
        EXPECT_LT(matrix.input()[at], edge);
        std::uint32_t value = 0;
        if (matrix.value() != nullptr) std::memcpy(&value, matrix.value() + 4 * at, 4);
        all.entries.insert({output, block.first_input + matrix.input()[at], value});
        all.order[output].push_back(block.first_input + matrix.input()[at]);
      }
      ++all.size.runs;
    };
    for (std::uint32_t length = 1; length <= BlockedMatrix::kLongestGroup; ++length) {
      std::uint32_t left = block.runs[length];
      for (; left >= BlockedMatrix::kRunsAtOnce; left -= BlockedMatrix::kRunsAtOnce) {
        for (std::uint32_t r = 0; r < BlockedMatrix::kRunsAtOnce; ++r)
          take(length, entry + r, BlockedMatrix::kRunsAtOnce);
        entry += std::uint64_t{BlockedMatrix::kRunsAtOnce} * length;
      }
      for (; left > 0; --left, entry += length) take(length, entry, 1);
    }
    for (std::uint32_t r = 0; r < block.runs[0]; ++r) {
      const std::uint32_t length = matrix.length()[long_run++];
      EXPECT_GT(length, BlockedMatrix::kLongestGroup);
      take(length, entry, 1);
      entry += length;
      ++all.size.long_runs;
    }
  }
  return all;
}

std::uint64_t turns_of(const Sample& sample) {
  std::map<LocalIndex, std::size_t> lengths;
  for (const Entry& entry : sample.entries) ++lengths[entry.output];
  std::uint64_t turns = 0;
  for (LocalIndex j = 0; j < sample.outputs; ++j) turns += lengths[j] != (j > 0 ? lengths[j - 1] : 0);
  return turns;
}

/// The lines of 8 inputs that are found again, output by output: a line stays until another of its place is reached.
std::uint64_t cached_of(const Sample& sample) {
  std::multiset<std::pair<LocalIndex, LocalIndex>> accesses;
  for (const Entry& entry : sample.entries) accesses.emplace(entry.output, entry.input);
  std::map<LocalIndex, LocalIndex> latest;  // by place
  std::uint64_t cached = 0;
  for (const auto& [output, input] : accesses) {
    const LocalIndex line = input / 8, place = line % 256;
    cached += latest.contains(place) && latest[place] == line ? 1 : 0;
    latest[place] = line;
  }
  return cached;
}

TEST(BlockedMatrix, HoldsTheEntriesInOrder) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Sample sample = random_sample(60 + seed * 7, 1 + seed * 19, seed);
    for (const std::uint32_t edge : {1u, 5u, 32u, 1024u, MatrixFormat::kLargestEdge}) {
      for (const bool values : {false, true}) {
        LocalMatrix matrix = matrix_of(sample, values);
        const BlockedMatrix& blocked = matrix.blocked(Role::Side::column, edge);
        ReadBack back = read_back(blocked, edge);
        back.size.turns = turns_of(sample);
        back.size.cached = cached_of(sample);
        std::multiset<Entry> expected;
        for (Entry entry : sample.entries) expected.insert({entry.output, entry.input, values ? entry.value : 0});
        EXPECT_EQ(back.entries, expected);
        EXPECT_EQ(back.size, matrix.measure_blocks(Role::Side::column, edge));
        EXPECT_EQ(blocked.entries(), sample.entries.size());
        for (const auto& [output, inputs] : back.order) EXPECT_TRUE(std::is_sorted(inputs.begin(), inputs.end()));
      }
    }
  }
}

/// By the blocks that there are, entry by entry.
TEST(BlockedMatrix, CountsWhatWaitsForReplicas) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Sample sample = random_sample(60 + seed * 7, 40 + seed * 19, seed);
    for (const std::uint32_t edge : {1u, 5u, 32u, 1024u}) {
      for (const LocalIndex input_masters : {0u, 32u, 37u, sample.inputs}) {
        const LocalIndex output_masters = sample.outputs - seed;
        LocalMatrix matrix = matrix_of(sample, false);
        std::uint64_t ahead = 0, behind = 0;
        for (const auto& block : matrix.blocked(Role::Side::column, edge).blocks()) {
          std::uint64_t entries = 0;
          for (const Entry& entry : sample.entries) {
            entries +=
                entry.input / edge * edge == block.first_input && entry.output / edge * edge == block.first_output;
          }
          if (block.first_input + edge <= input_masters) {
            ahead += entries;
          } else if (block.first_output + edge <= output_masters) {
            behind += entries;
          }
        }
        const auto waiting = matrix.measure_waiting(Role::Side::column, edge, input_masters, output_masters);
        EXPECT_EQ(waiting.ahead, ahead) << "edge " << edge << ", masters " << input_masters;
        EXPECT_EQ(waiting.behind, behind) << "edge " << edge << ", masters " << output_masters;
      }
    }
  }
}

TEST(BlockedMatrix, IndicesFillSixteenBits) {
  constexpr LocalIndex kSize = 3 * MatrixFormat::kLargestEdge;
  Sample sample{kSize, kSize, {}};
  for (LocalIndex at : {0u, 65535u, 65536u, 131071u, kSize - 1}) {
    for (LocalIndex input : {0u, 65535u, 65536u, kSize - 1}) sample.entries.push_back({at, input, at ^ input});
  }
  LocalMatrix matrix = matrix_of(sample, true);
  const ReadBack back = read_back(matrix.blocked(Role::Side::column, MatrixFormat::kLargestEdge), 1u << 16);
  EXPECT_EQ(back.entries, std::multiset<Entry>(sample.entries.begin(), sample.entries.end()));
}

/// As samples have them: a few outputs, of which the first have most of the entries.
TEST(BlockedMatrix, PartsShareEntriesOfFewOutputs) {
  constexpr LocalIndex kInputs = 20'000;
  for (const LocalIndex outputs : {20u, 123u, 700u}) {
    Sample sample{outputs, kInputs, {}};
    for (LocalIndex j = 0; j < outputs; ++j) {
      for (LocalIndex input = 0; input < kInputs; input += 2 + j / 4) sample.entries.push_back({j, input, 0});
    }
    for (const std::uint32_t parts : {2u, 3u}) {
      LocalMatrix matrix = matrix_of(sample, false);
      const BlockedMatrix& blocked = matrix.blocked(Role::Side::column, 1u << 16, parts);
      ASSERT_EQ(blocked.parts().size(), parts);
      LocalIndex end = 0;
      for (const BlockedMatrix::Part& part : blocked.parts()) {
        EXPECT_EQ(part.first_output, std::exchange(end, part.end_output));
        const auto entries =
            static_cast<double>(std::count_if(sample.entries.begin(), sample.entries.end(), [&](const Entry& entry) {
              return part.first_output <= entry.output && entry.output < part.end_output;
            }));
        EXPECT_NEAR(entries * parts / static_cast<double>(sample.entries.size()), 1, 0.25) << outputs << " outputs";
      }
      EXPECT_EQ(end, outputs);
    }
  }
}

TEST(BlockedMatrix, MayBeEmpty) {
  LocalMatrix matrix = matrix_of({7, 5, {}}, false);
  EXPECT_TRUE(matrix.blocked(Role::Side::column, 4).blocks().empty());
  EXPECT_TRUE(matrix.blocked(Role::Side::row, 4).blocks().empty());
  EXPECT_TRUE(LocalMatrix().blocked(Role::Side::row, 4).blocks().empty());
}

}  // namespace
}  // namespace kasen::partition
