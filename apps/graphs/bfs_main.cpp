/// @file
/// The command line of breadth-first search.
#include <CLI/CLI.hpp>

#include "apps/common/verdict.h"
#include "apps/graphs/bfs.h"
#include "apps/graphs/program.h"
#include "apps/graphs/verify.h"
#include "kasen/base/printable.h"

int main(int argc, char** argv) {
  CLI::App app("Breadth-first search: how many edges away from a vertex all others are, and on which way");
  apps::GraphFile graph;
  std::string source;
  bool undirected = false;
  app.add_option("--source", source, "the vertex to start from, as the file names it")->type_name("VERTEX")->required();
  app.add_flag("--undirected", undirected, "follows edges in both directions");
  graph.add_options(app);
  app.footer("Example: kasen-run -n 4 bfs --graph web.txt --source 1 --output levels.tsv");
  kasen::Session session(argc, argv, app);

  const auto G = graph.read<kasen::Pattern>();
  const kasen::GlobalIndex start = graph.vertices(G.ids(), {source}, "--source")[0];
  apps::Results results(G.ids());
  const apps::Search search = apps::bfs(G, start, undirected);

  results.add("level", search.level).add_vertices("parent", search.parent);
  const auto deepest = kasen::reduce(kasen::max, search.level).get();
  if (session.options().verify) {
    const apps::Edges edges = apps::read_edges(graph);
    const auto found = apps::verify_bfs(edges, start, search.level.get(), search.parent.get(), undirected);
    apps::verdict(found.holds, found.text);
  }
  results.commit();
  apps::print_summary(G.rows(), fmt::format("{} reached from '{}' in {} levels", search.reached.get(),
                                            kasen::printable(source), deepest + 1));
  return 0;
}
