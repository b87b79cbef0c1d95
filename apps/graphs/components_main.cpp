/// @file
/// The command line of connected components.
#include <CLI/CLI.hpp>

#include "apps/common/verdict.h"
#include "apps/graphs/components.h"
#include "apps/graphs/program.h"
#include "apps/graphs/verify.h"
#include "kasen/option_values.h"

int main(int argc, char** argv) {
  CLI::App app("Connected components of a graph, edges taken in both directions");
  apps::GraphFile graph;
  std::size_t top = 0;
  app.add_option("--top", top, "prints the sizes of the K largest, by their smallest vertex")
      ->transform(kasen::whole_number())
      ->type_name("K");
  graph.add_options(app);
  app.footer("Example: kasen-run -n 4 components --graph web.txt --top 5 --output components.tsv");
  kasen::Session session(argc, argv, app);

  const auto G = graph.read<kasen::Pattern>();
  apps::Results results(G.ids());
  const apps::Components found = apps::components(G);

  results.add_vertices("component", found.label);
  const auto count = found.count.get();
  const auto sizes = apps::component_sizes(found.label);
  apps::print_top(sizes, G.ids(), std::min(top, static_cast<std::size_t>(count)));
  const auto largest = kasen::reduce(kasen::max, sizes).get();
  if (session.options().verify) {
    const auto checked = apps::verify_components(apps::read_edges(graph), found.label.get(), count);
    apps::verdict(checked.holds, checked.text);
  }
  results.commit();
  apps::print_summary(G.rows(),
                      fmt::format("{} components, the largest of {}", count, std::max<kasen::GlobalIndex>(largest, 0)));
  return 0;
}
