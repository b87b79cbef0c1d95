/// @file
/// PageRank on public graphs, read from their files, against plain loops over what this test reads by itself.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "kasen/session/engine.h"
#include "tests/endtoend/end_to_end.h"
#include "tests/endtoend/serial_pagerank.h"

namespace kasen::tests {
namespace {

namespace fs = std::filesystem;

constexpr double kDamping = 0.85;
constexpr std::uint64_t kIterations = 20;

fs::path data_file(const std::string& name) {
  const char* folder = std::getenv("KASEN_DATA");
  return folder == nullptr ? fs::path() : fs::path(folder) / "graphs" / name;
}

/// The graph with vertices numbered by ascending id.
Sparse<Pattern> read_serially(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::pair<GlobalIndex, GlobalIndex>> edges;
  std::vector<GlobalIndex> ids;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == '%') continue;
    GlobalIndex from = 0, to = 0;
    std::istringstream(line) >> from >> to;
    edges.emplace_back(from, to);
    ids.push_back(from), ids.push_back(to);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto rank = [&](GlobalIndex id) {
    return static_cast<GlobalIndex>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  Sparse<Pattern> graph{ids.size(), ids.size(), {}};
  for (const auto& [from, to] : edges) graph.entries.push_back({rank(from), rank(to)});
  return graph;
}

/// Collective. An uncompressed copy in the test's temporary folder; the first worker makes and removes it.
class Unpacked {
 public:
  Unpacked(Session& session, const fs::path& packed)
      : _session(session), _path(fs::path(testing::TempDir()) / packed.stem()) {
    const std::string command = "gzip -dc '" + packed.string() + "' > '" + _path.string() + "'";
    int status = 0;
    if (_session.rank() == 0) status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << command;
    _session.engine().control().barrier();
  }
  ~Unpacked() {
    _session.engine().control().barrier();
    if (_session.rank() == 0) fs::remove(_path);
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  const fs::path& path() const { return _path; }

 private:
  Session& _session;
  fs::path _path;
};

void compare(const fs::path& path) {
  const auto G = read_matrix<Pattern>(path.string());
  Shared<std::uint64_t> k = 0;
  auto pr = constant(G.rows(), 1.0);
  const auto degree = mxvt(first, plus, G, pr);
  while_(likely([&] { return k < kIterations; }), [&] {
    const auto sum = mxv(first, plus, G, zip_with(divides, pr, degree));
    pr = map([](double x) { return (1 - kDamping) + kDamping * x; }, sum);
    k = k + std::uint64_t{1};
  });
  const auto graph = read_serially(path);
  EXPECT_EQ(G.rows().length(), graph.height);
  EXPECT_TRUE(near(pr.get(), serial_pagerank(graph, kDamping, -1.0, kIterations).pr, 1e-12));
}

TEST_P(EndToEnd, PageRankOfWikiVote) {
  const fs::path path = data_file("wiki-Vote.txt");
  if (!fs::exists(path)) GTEST_SKIP() << "no KASEN_DATA";
  compare(path);
}

TEST_P(EndToEnd, PageRankOfCnr2000) {
  const fs::path packed = data_file("cnr-2000.txt.gz");
  if (!fs::exists(packed)) GTEST_SKIP() << "no KASEN_DATA";
  const Unpacked file(session(), packed);
  compare(file.path());
}

std::vector<Combination> first_and_baseline() {
  std::vector<Combination> few;
  for (const Combination& one : spread()) {
    if (one.name == "greedy_hybrid_cut" || one.name == "greedy_eager_block" || one.name == "off_lazy_block")
      few.push_back(one);
  }
  return few;
}

INSTANTIATE_TEST_SUITE_P(RealGraphs, EndToEnd, testing::ValuesIn(first_and_baseline()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace kasen::tests
