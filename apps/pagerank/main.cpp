/// @file
/// PageRank of a graph, for all vertices or as seen from some.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "apps/common/stopping.h"
#include "apps/common/verdict.h"
#include "apps/graphs/program.h"
#include "apps/pagerank/pagerank.h"
#include "apps/pagerank/sources.h"
#include "apps/pagerank/verify.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct PageRankOptions {
  apps::GraphFile graph;
  apps::RankDefinition definition;
  apps::Stopping stopping;
  std::size_t top = 0;
  std::string sources;
};

void add_options(CLI::App& app, PageRankOptions& options) {
  options.graph.add_options(app, "a graph");
  app.add_option("--damping", options.definition.damping, "probability to follow an edge")
      ->check(kasen::number_between(0, 1, "from 0 to 1"))
      ->type_name("NUMBER")
      ->capture_default_str();
  options.stopping.add_options(app, "stops when the ranks change by less in sum");
  app.add_flag("--normalize", options.definition.normalize, "ranks sum to 1 rather than to the number of vertices");
  kasen::add_choice<bool>(app, "--dangling", options.definition.redistribute,
                          {{"ignore", false}, {"redistribute", true}},
                          "redistribute: vertices without out-edges spread their rank over all");
  app.add_option("--top", options.top, "prints the K highest ranks")->transform(kasen::whole_number())->type_name("K");
  app.add_option("--sources", options.sources,
                 "ranks as seen from each of these vertices, which sum to 1: names with commas between, or a file with "
                 "one a line")
      ->check(kasen::given_name())
      ->type_name("A,B,...|FILE");
  app.footer("Example: kasen-run -n 4 pagerank --graph web.txt --top 10 --output ranks.h5");
}

void verify(const PageRankOptions& options, const kasen::Vector<double>& pr, const kasen::Shared<double>& diff) {
  const std::vector<double> ranks = pr.get();
  const apps::Residual residual =
      apps::pagerank_residual(options.graph.path, options.graph.input, ranks, diff.get(), options.definition);
  apps::verdict(residual.holds(), residual.text());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("PageRank of a directed graph, by all workers together");
  PageRankOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  if (!options.sources.empty()) {
    if (options.definition.normalize)
      throw kasen::UsageError("--normalize: ranks of --sources sum to 1 without it (see --help)");
    apps::rank_for_sources({options.graph, options.sources, options.definition.damping, options.definition.redistribute,
                            options.stopping, options.top});
    return 0;
  }

  const auto G = options.graph.read<kasen::Pattern>();
  session.expect_iterations(options.stopping.most());
  const auto [pr, diff] = apps::pagerank(G, options.definition, options.stopping);
  if (options.top > 0) apps::print_top(pr, G.ids(), options.top);

  apps::Results results(G.ids());
  results.add("rank", pr);
  if (session.options().verify) verify(options, pr, diff);
  results.commit();
  apps::print_summary(G.rows(), fmt::format("last change {:.3g}", diff.get()));
  return 0;
}
