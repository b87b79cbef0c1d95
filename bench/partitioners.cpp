/// @file
/// Comparison of all ways to partition a graph: replicas, bytes, balance, and the time of the automatic choice. For any
/// numbers of workers; they need not be there.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "comm/environment.h"
#include "kasen/base/error.h"
#include "kasen/base/option_names.h"
#include "kasen/base/steady_time.h"
#include "kasen/io/formats/read.h"
#include "partition/choose.h"
#include "tests/support/graphs.h"

namespace {

struct Graph {
  std::string name;
  std::uint64_t vertices = 0;
  kasen::Entries entries;
  double seconds = 0;  ///< to read or to make it
};

Graph read(const kasen::comm::Communicator& workers, const std::string& path) {
  const double start = kasen::now();
  kasen::io::SparseData list = kasen::io::read_graph(workers, path);
  return {path, list.rows, std::move(list.entries), kasen::now() - start};
}

Graph generate(const kasen::comm::Communicator& workers, int scale) {
  const double start = kasen::now();
  kasen::tests::Edges edges = kasen::tests::rmat(scale, 16, 1, {workers.rank(), workers.size()});
  return {fmt::format("R-MAT scale {}, 16 edges a vertex", scale),
          std::uint64_t{1} << scale,
          {std::move(edges.source), std::move(edges.target), {}, 0},
          kasen::now() - start};
}

/// Each partitioner that is named, by itself: what it takes, and what it makes, beside the time to have the graph.
void time_each(const kasen::comm::Communicator& workers, const Graph& graph, const std::vector<int>& parts,
               const std::vector<kasen::Partition>& partitions) {
  kasen::partition::Shape shape;
  shape.rows = shape.columns = graph.vertices;
  shape.one_space = true;
  for (const int number : parts) {
    for (const kasen::Partition partition : partitions) {
      kasen::Options options;
      options.partition = partition;
      workers.barrier();
      const double start = kasen::now();
      const auto made =
          kasen::partition::partition_as_asked(&workers, options, graph.entries, shape, number).partitioning;
      const double seconds = workers.max(kasen::now() - start);
      const kasen::PartitionCandidate candidate =
          kasen::partition::measured(&workers, graph.entries, shape, kasen::name_of(partition), made);
      if (workers.rank() != 0) continue;
      fmt::print("{:24} {:6} {:18} {:10} replicas, load {:.3f}, elements {:.3f}, {:7.3f} s, {:6.2f} of having it\n",
                 std::filesystem::path(graph.name).filename().string(), number, kasen::name_of(partition),
                 candidate.replicas(), candidate.load_imbalance, candidate.master_imbalance, seconds,
                 seconds / graph.seconds);
      std::fflush(stdout);
    }
  }
}

void compare(const kasen::comm::Communicator& workers, const Graph& graph, const std::vector<int>& parts) {
  const std::uint64_t edges = workers.sum(graph.entries.row.size());
  const auto print = [&](const std::string& text) {
    if (workers.rank() == 0) std::fputs(text.c_str(), stdout), std::fflush(stdout);
  };
  print(fmt::format("{}: {} vertices, {} edges, {:.2f} s to have them\n", graph.name, graph.vertices, edges,
                    graph.seconds));
  kasen::partition::Shape shape;
  shape.rows = shape.columns = graph.vertices;
  shape.one_space = true;
  for (const int number : parts) {
    const double start = kasen::now();
    const auto choice = kasen::partition::choose_partitioning(&workers, graph.entries, shape, number);
    const double seconds = kasen::now() - start;
    std::string chosen = "block";
    for (const kasen::PartitionCandidate& candidate : choice.candidates) {
      if (candidate.chosen) chosen = candidate.name;
    }
    print(fmt::format(
        "\n{} workers; an iteration of PageRank also sends {} bytes for its sum; auto took {:.2f} s: {}\n{}", number,
        8 * std::uint64_t(number) * std::uint64_t(number - 1), seconds, chosen,
        kasen::candidates_text(choice.candidates)));
  }
  print("\n");
}

int run(int argc, char** argv) {
  const kasen::comm::Communicator workers;
  std::vector<std::string> graphs;
  std::vector<int> parts{2, 4, 8, 16, 64};
  int scale = 16;
  std::vector<kasen::Partition> each;
  CLI::App app("Partitioners compared: replicas, bytes sent in an iteration of PageRank, imbalance");
  app.add_option("GRAPH", graphs, "edge lists; none: wiki-Vote and email-Eu-core in KASEN_DATA, else R-MAT");
  app.add_option("--parts", parts, "numbers of workers to partition for")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 16));
  app.add_option("--scale", scale, "of the R-MAT graph")->check(CLI::Range(1, 30))->capture_default_str();
  const auto add_each = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      kasen::Partition found = kasen::Partition::file;
      for (int k = 0; k < static_cast<int>(kasen::Partition::file); ++k)
        if (kasen::name_of(static_cast<kasen::Partition>(k)) == name) found = static_cast<kasen::Partition>(k);
      if (found == kasen::Partition::file) throw CLI::ValidationError("--each", "no partition '" + name + "'");
      each.push_back(found);
    }
  };
  app.add_option_function<std::vector<std::string>>("--each", add_each,
                                                    "partitions to time one by one, instead of all that auto compares")
      ->delimiter(',');
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return workers.rank() == 0 ? app.exit(error) : error.get_exit_code();
  }
  if (const char* data = std::getenv("KASEN_DATA"); graphs.empty() && data != nullptr) {
    for (const char* name : {"wiki-Vote.txt", "email-Eu-core.txt"}) {
      const auto path = std::filesystem::path(data) / "graphs" / name;
      if (std::filesystem::exists(path)) graphs.push_back(path.string());
    }
  }
  const auto show = [&](const Graph& graph) {
    if (each.empty())
      compare(workers, graph, parts);
    else
      time_each(workers, graph, parts, each);
  };
  if (graphs.empty()) show(generate(workers, scale));
  for (const std::string& path : graphs) show(read(workers, path));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const kasen::comm::Environment environment;
  return run(argc, argv);
}
