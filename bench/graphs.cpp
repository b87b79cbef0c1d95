/// @file
/// Measurement of iterations of the graph suite, optimized and not, beside the same superstep written by hand: a table
/// for bfs, sssp, components and hits on an R-MAT graph.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "apps/graphs/bfs.h"
#include "apps/graphs/components.h"
#include "apps/graphs/hits.h"
#include "apps/graphs/sssp.h"
#include "bench/applications.h"
#include "bench/graphs_hand.h"
#include "comm/communicator.h"
#include "comm/environment.h"
#include "tests/support/graphs.h"

namespace {

using kasen::GlobalIndex;

struct Graph {
  int scale = 21;
  std::uint64_t edges_per_vertex = 16, seed = 1;
  std::uint64_t vertices() const { return std::uint64_t{1} << scale; }
  kasen::tests::Edges edges(kasen::tests::Share share) const {
    return kasen::tests::rmat(scale, edges_per_vertex, seed, share);
  }
};

/// A weight from 1 to 2, from the edge's ends.
double weight_of(GlobalIndex source, GlobalIndex target) {
  return 1 +
         static_cast<double>((static_cast<std::uint64_t>(source) * 40503 + static_cast<std::uint64_t>(target)) % 4096) /
             4096;
}

/// The whole graph, compressed by one of its ends by counting.
struct ByEnd {
  std::vector<std::uint32_t> pointer, index;
  std::vector<double> weight;
  ByEnd(const std::vector<GlobalIndex>& end, const std::vector<GlobalIndex>& other, bool by_target, std::uint64_t n)
      : pointer(n + 1), index(end.size()), weight(end.size()) {
    for (const GlobalIndex v : end) ++pointer[static_cast<std::size_t>(v) + 1];
    for (std::uint64_t v = 0; v < n; ++v) pointer[v + 1] += pointer[v];
    std::vector<std::uint32_t> next = pointer;
    for (std::size_t e = 0; e < end.size(); ++e)
      index[next[static_cast<std::size_t>(end[e])]++] = static_cast<std::uint32_t>(other[e]);
    for (std::uint64_t v = 0; v < n; ++v) {
      std::sort(index.begin() + pointer[v], index.begin() + pointer[v + 1]);
      for (std::uint32_t e = pointer[v]; e < pointer[v + 1]; ++e) {
        const auto here = static_cast<GlobalIndex>(v), there = static_cast<GlobalIndex>(index[e]);
        weight[e] = by_target ? weight_of(there, here) : weight_of(here, there);
      }
    }
  }
  bench::Compressed view() const { return {pointer.data(), index.data(), weight.data(), pointer.size() - 1}; }
};

/// The results of an application, as numbers to compare, and the time of one of its iterations.
struct Run {
  std::vector<double> result;
  std::uint64_t iterations = 0;
  double seconds = 0;
};

template <class T>
std::vector<double> numbers(const std::vector<T>& v) {
  return {v.begin(), v.end()};
}

constexpr std::uint64_t kHitsIterations = 10;

/// Applications by name, in Kasen.
Run run_kasen(const std::string& application, const Graph& graph, GlobalIndex source, bool fetch) {
  const kasen::Session& session = kasen::Session::current();
  auto edges = graph.edges({session.rank(), session.workers()});
  const kasen::Space vertices(graph.vertices());
  Run run;
  if (application == "sssp") {
    std::vector<kasen::Entry<double>> entries;
    for (std::size_t e = 0; e < edges.source.size(); ++e)
      entries.push_back({edges.source[e], edges.target[e], weight_of(edges.source[e], edges.target[e])});
    edges = {};
    const auto G = kasen::make_matrix<double>(vertices, vertices, std::span<const kasen::Entry<double>>(entries));
    const auto paths = apps::sssp(G, source, false);
    paths.reached.get();
    if (fetch) run.result = paths.distance.get();
    return run;
  }
  const auto G =
      kasen::make_matrix(vertices, vertices, kasen::Entries{std::move(edges.source), std::move(edges.target), {}, 0});
  if (application == "bfs") {
    const auto search = apps::bfs(G, source, false);
    search.reached.get();
    if (fetch) run.result = numbers(search.parent.get());
  } else if (application == "components") {
    const auto found = apps::components(G);
    found.count.get();
    if (fetch) run.result = numbers(found.label.get());
  } else {
    apps::Stopping stopping;
    stopping.iterations = kHitsIterations;
    const auto scores = apps::hits(G, stopping);
    scores.change.get();
    if (fetch) run.result = scores.hub.get();
  }
  return run;
}

Run run_by_hand(const std::string& application, const ByEnd& incoming, const ByEnd& outgoing, GlobalIndex source) {
  constexpr GlobalIndex kNobody = std::numeric_limits<GlobalIndex>::max();
  const std::size_t n = incoming.pointer.size() - 1;
  const auto start = static_cast<std::size_t>(source);
  const bench::Compressed in = incoming.view(), out = outgoing.view();
  Run run;
  std::function<bool()> step;  // false: that was the last
  std::vector<GlobalIndex> a(n, application == "components" ? 0 : kNobody), b(n), parent(n, -1);
  std::vector<std::int32_t> level(n, -1);
  std::vector<double> x(n, kasen::infinity), y(n), sums_in(n), sums_out(n);
  if (application == "bfs") {
    a[start] = parent[start] = source, level[start] = 0;
    step = [&] {
      const auto depth = static_cast<std::int32_t>(run.iterations + 1);
      const bool more = bench::bfs_level(in, a.data(), b.data(), level.data(), parent.data(), depth) > 0;
      a.swap(b);
      return more;
    };
  } else if (application == "sssp") {
    x[start] = 0;
    step = [&] {
      const bool more = bench::sssp_round(in, x.data(), y.data()) > 0;
      x.swap(y);
      return more;
    };
  } else if (application == "components") {
    for (std::size_t v = 0; v < n; ++v) a[v] = static_cast<GlobalIndex>(v);
    step = [&] {
      const bool more = bench::components_round(in, out, a.data(), b.data()) > 0;
      a.swap(b);
      return more;
    };
  } else {
    x.assign(n, 1 / std::sqrt(static_cast<double>(n)));
    step = [&] {
      bench::hits_iteration(in, out, x.data(), y.data(), sums_in.data(), sums_out.data());
      return run.iterations + 1 < kHitsIterations;
    };
  }
  const auto begin = std::chrono::steady_clock::now();
  for (bool more = true; more; ++run.iterations) more = step();
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
                static_cast<double>(run.iterations);
  run.result = application == "bfs" ? numbers(parent) : application == "components" ? numbers(a) : x;
  return run;
}

void require_equal(const std::string& application, const std::vector<double>& got, const std::vector<double>& want) {
  for (std::size_t v = 0; v < want.size(); ++v) {
    if (got[v] == want[v] || std::abs(got[v] - want[v]) <= 1e-9 * std::abs(want[v])) continue;
    std::fprintf(stderr, "error: %s: variants disagree at %zu: %.17g and %.17g\n", application.c_str(), v, got[v],
                 want[v]);
    std::exit(1);
  }
}

/// Kasen's variants and, on one worker, the loop by hand take turns.
void compare(const std::string& application, const Graph& graph, GlobalIndex source, const ByEnd* incoming,
             const ByEnd* outgoing, int repetitions) {
  const kasen::Options options[] = {{}, bench::unoptimized()};
  std::vector<bench::Variant> variants = {{"hand", {}}, {"optimized", {}}, {"unoptimized", {}}};
  bench::ApplicationRow rows[2];
  Run hand;
  int workers = 1;
  bool prints = false;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    if (incoming != nullptr) {
      hand = run_by_hand(application, *incoming, *outgoing, source);
      variants[0].seconds.push_back(hand.seconds);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      kasen::Session session(options[k]);
      workers = session.workers();
      prints = session.rank() == 0;
      const bool compares = incoming != nullptr && repetition == 0;
      const Run run = run_kasen(application, graph, source, compares);
      rows[k] = bench::application_row(session);
      variants[1 + k].seconds.push_back(rows[k].seconds);
      if (compares) require_equal(application, run.result, hand.result);
    }
  }
  if (!prints) return;
  for (std::size_t k = 0; k < 2; ++k) {
    rows[k].seconds = variants[1 + k].median();
    bench::print_application_row(application, variants[1 + k].name, workers, rows[k]);
  }
  const std::string size = "rmat-" + std::to_string(graph.scale);
  if (incoming != nullptr) {
    bench::print_comparison(application, size, variants, 0, 0);
  } else {
    bench::print_rows(application, size, {variants[1], variants[2]});
    bench::print_ratio(application, size, variants[2], variants[1]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The graph suite's iterations, optimized and not, beside loops by hand, on an R-MAT graph");
  Graph graph;
  int repetitions = 3;
  std::vector<std::string> applications = {"bfs", "sssp", "components", "hits"};
  app.add_option("--scale", graph.scale, "2^N vertices")->check(CLI::Range(4, 28))->capture_default_str();
  app.add_option("--edges-per-vertex", graph.edges_per_vertex)->capture_default_str();
  app.add_option("--repetitions", repetitions)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--applications", applications, "which")->delimiter(',')->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const kasen::comm::Environment mpi;
  const kasen::comm::Communicator workers;

  const std::uint64_t parts = std::min(graph.vertices() * graph.edges_per_vertex, std::uint64_t{1} << 20);
  const GlobalIndex source = graph.edges({0, static_cast<int>(parts)}).source.at(0);
  std::vector<ByEnd> by_end;
  if (workers.size() == 1) {
    const auto edges = graph.edges({});
    by_end.emplace_back(edges.target, edges.source, true, graph.vertices());
    by_end.emplace_back(edges.source, edges.target, false, graph.vertices());
  }
  if (workers.rank() == 0) bench::print_application_header();
  for (const std::string& application : applications)
    compare(application, graph, source, by_end.empty() ? nullptr : &by_end[0], by_end.empty() ? nullptr : &by_end[1],
            repetitions);
  return 0;
}
