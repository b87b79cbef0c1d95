/// @file
/// The command line of single-source shortest paths.
#include <CLI/CLI.hpp>

#include "apps/common/verdict.h"
#include "apps/graphs/program.h"
#include "apps/graphs/sssp.h"
#include "apps/graphs/verify.h"
#include "kasen/base/printable.h"

int main(int argc, char** argv) {
  CLI::App app("Shortest paths from one vertex to all others, by the sum of their edges' weights");
  apps::GraphFile graph;
  std::string source;
  bool undirected = false;
  app.add_option("--source", source, "the vertex to start from, as the file names it")->type_name("VERTEX")->required();
  app.add_flag("--undirected", undirected, "follows edges in both directions");
  graph.add_options(app, "a graph with weights");
  app.remove_option(app.get_option("--ignore-weights"));
  app.footer("Example: kasen-run -n 4 sssp --graph roads.txt --source 1 --output distances.tsv");
  kasen::Session session(argc, argv, app);

  const auto G = graph.read_weights();
  const kasen::GlobalIndex start = graph.vertices(G.ids(), {source}, "--source")[0];
  apps::Results results(G.ids());
  const apps::Paths paths = apps::sssp(G, start, undirected);

  results.add("distance", paths.distance);
  std::optional<kasen::Vector<kasen::GlobalIndex>> parent;  // where it is asked for
  if (session.options().verify || !session.options().output.empty())
    parent = apps::parents(G, start, undirected, paths.distance);
  if (parent) results.add_vertices("parent", *parent);
  const auto finite = kasen::map([](double d) { return d < kasen::infinity ? d : 0.0; }, paths.distance);
  const double farthest = kasen::reduce(kasen::max, finite).get();
  if (session.options().verify) {
    const apps::Edges edges = apps::read_edges(graph, true);
    const auto found = apps::verify_sssp(edges, start, paths.distance.get(), parent->get(), undirected);
    apps::verdict(found.holds, found.text);
  }
  results.commit();
  apps::print_summary(G.rows(), fmt::format("{} reached from '{}', the farthest at {:.12g}", paths.reached.get(),
                                            kasen::printable(source), farthest));
  return 0;
}
