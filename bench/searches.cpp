/// @file
/// Measurement of whole searches, again and again in one process: from the call until the result is there, planning
/// included. The first of them plans, and makes what later ones take up: plans, storages, memory for vectors.
#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "apps/graphs/bfs.h"
#include "apps/graphs/components.h"
#include "apps/graphs/program.h"
#include "apps/graphs/sssp.h"
#include "bench/measure.h"
#include "bench/wall_seconds.h"

int main(int argc, char** argv) {
  CLI::App app("Seconds of a search: of the first, and the median of later ones");
  apps::GraphFile graph;
  std::string search = "bfs", source;
  int trials = 8;
  app.add_option("--search", search, "which")
      ->check(CLI::IsMember({"bfs", "sssp", "components"}))
      ->capture_default_str();
  app.add_option("--source", source, "where bfs and sssp begin")->type_name("VERTEX");
  app.add_option("--trials", trials, "how many after the first")->check(CLI::Range(1, 1000))->capture_default_str();
  graph.add_options(app);
  kasen::Session session(argc, argv, app);

  std::vector<double> seconds;
  const auto measure = [&](const std::function<void()>& once) {
    for (int k = 0; k <= trials; ++k) seconds.push_back(bench::wall_seconds(once));
  };
  const auto start = [&](const auto& G) { return graph.vertices(G.ids(), {source}, "--source")[0]; };
  if (search == "sssp") {
    const auto G = graph.read_weights();
    const kasen::GlobalIndex from = start(G);
    measure([&] { apps::sssp(G, from, false).reached.get(); });
  } else {
    const auto G = graph.read<kasen::Pattern>();
    if (search == "bfs") {
      const kasen::GlobalIndex from = start(G);
      measure([&] { apps::bfs(G, from, false).reached.get(); });
    } else {
      measure([&] { apps::components(G).count.get(); });
    }
  }
  char line[128];
  std::snprintf(line, sizeof line, "first %.6f s, then median %.6f s\n", seconds[0],
                bench::median({seconds.begin() + 1, seconds.end()}));
  session.print(line);
  return 0;
}
