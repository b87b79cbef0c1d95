/// @file
/// PageRank on cnr-2000 for 1 to 1024 workers, planned and partitioned on one machine: the share that optimization
/// saves rises with the number of workers, as the speedups of the paper's Table 3 do.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "kasen/io/formats/read.h"
#include "partition/degrees.h"
#include "partition/estimate.h"
#include "partition/parts.h"
#include "tests/golden/pagerank_programs.h"
#include "tests/golden/recorded_analysis.h"

namespace kasen::tests {
namespace {

namespace fs = std::filesystem;

/// Replicas of cnr-2000 by hybrid-cut with threshold 100, and the percentage that is saved of what an iteration of
/// Algorithm 1 reads and writes, by both columns. docs/analyzer.md has the same table.
struct Golden {
  std::uint32_t workers;
  std::uint64_t row, column, all;
  double model, stream;
};
constexpr Golden kGolden[] = {
    {1, 0, 0, 0, 12.0, 18.6},
    {4, 338034, 6432, 341109, 27.9, 37.6},
    {16, 783562, 32156, 804830, 42.1, 52.2},
    {64, 1130926, 125870, 1232024, 51.0, 59.1},
    {1024, 1381673, 618512, 1941795, 60.9, 60.6},
};

/// Saved of what an iteration reads and writes, both columns.
struct Saved {
  double model, stream;
};

Saved saved(const optimizer::RecordedProgram& recorded) {
  const optimizer::Analysis analysis = optimizer::analyze(recorded.program, recorded.stats, {});
  const auto touched = [&](const optimizer::PlanReport& report, optimizer::StepFormulas optimizer::Cost::*column) {
    const optimizer::StepFormulas& sum = iteration(report).sum.*column;
    return static_cast<double>(sum.bytes_read.evaluate(analysis.stats) + sum.bytes_written.evaluate(analysis.stats));
  };
  const auto share = [&](optimizer::StepFormulas optimizer::Cost::*column) {
    return 1 - touched(analysis.after, column) / touched(analysis.before, column);
  };
  return {share(&optimizer::Cost::model), share(&optimizer::Cost::stream)};
}

TEST(PageRankOfCnr2000, SavesMoreOnMoreWorkers) {
  const char* folder = std::getenv("KASEN_DATA");
  const fs::path packed = folder == nullptr ? fs::path() : fs::path(folder) / "graphs" / "cnr-2000.txt.gz";
  if (!fs::exists(packed)) GTEST_SKIP() << "no cnr-2000.txt.gz in KASEN_DATA";
  const comm::Communicator alone;
  const fs::path file = fs::path(testing::TempDir()) / ("cnr-2000-workers-" + std::to_string(alone.rank()) + ".txt");
  const std::string command = "gzip -dc '" + packed.string() + "' > '" + file.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const io::SparseData list = io::read_graph(alone, file.string());
  fs::remove(file);

  // The program is the same for any graph: recorded with a small one.
  optimizer::RecordedProgram recorded = record([] {
    const Space space(3);
    const std::vector<Entry<std::int32_t>> entries{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}};
    pagerank_verbatim(make_matrix<std::int32_t>(space, space, entries), kBlackBoxUpdate);
  });
  Options options;
  options.partition = Partition::hybrid_cut;
  const Degrees degrees =
      partition::measure_degrees(alone, list.entries, list.rows, list.rows, true, options.threshold);
  Saved before{0, 0};
  for (const Golden& golden : kGolden) {
    SCOPED_TRACE(golden.workers);
    partition::place_in_parts(list.entries, list.rows, list.rows, golden.workers, options, recorded.stats);
    const PlacementStats::Space& space = recorded.stats.spaces[0];
    EXPECT_EQ(space.masters, 325557u);
    EXPECT_EQ(recorded.stats.matrices[0].nonzeros, 3216152u);
    EXPECT_EQ(space.roles[0].replicas, golden.row);
    EXPECT_EQ(space.roles[1].replicas, golden.column);
    EXPECT_EQ(space.roles[2].replicas, golden.all);
    const Saved now = saved(recorded);
    EXPECT_NEAR(100 * now.model, golden.model, 0.05);
    EXPECT_NEAR(100 * now.stream, golden.stream, 0.05);
    EXPECT_GT(now.model, before.model);
    EXPECT_GT(now.stream, before.stream);
    before = now;

    // Without the graph, from its degrees.
    const PlacementStats guess = partition::estimate_placement(recorded.stats, {degrees}, golden.workers);
    for (std::size_t r = 0; r < 3; ++r) {
      const auto counted = static_cast<double>(space.roles[r].replicas);
      EXPECT_NEAR(static_cast<double>(guess.spaces[0].roles[r].replicas), counted, 0.02 * counted);
    }
  }
}

}  // namespace
}  // namespace kasen::tests
