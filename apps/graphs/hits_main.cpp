/// @file
/// The command line of hubs and authorities.
#include <CLI/CLI.hpp>

#include "apps/common/verdict.h"
#include "apps/graphs/hits.h"
#include "apps/graphs/program.h"
#include "apps/graphs/verify.h"
#include "kasen/option_values.h"

int main(int argc, char** argv) {
  CLI::App app("Hubs and authorities of a directed graph (HITS)");
  apps::GraphFile graph;
  apps::Stopping stopping;
  std::size_t top = 0;
  stopping.add_options(app, "stops when hubs and authorities change by less in sum");
  app.add_option("--top", top, "prints the K highest authorities, then the K highest hubs")
      ->transform(kasen::whole_number())
      ->type_name("K");
  graph.add_options(app);
  app.footer("Example: kasen-run -n 4 hits --graph web.txt --top 10 --output hits.h5");
  kasen::Session session(argc, argv, app);

  const auto G = graph.read<kasen::Pattern>();
  apps::Results results(G.ids());
  session.expect_iterations(stopping.most());
  const apps::Hits scores = apps::hits(G, stopping);

  results.add("hub", scores.hub).add("authority", scores.authority);
  const double change = scores.change.get();
  if (top > 0) {
    session.print("authorities:\n");
    apps::print_top(scores.authority, G.ids(), top);
    session.print("hubs:\n");
    apps::print_top(scores.hub, G.ids(), top);
  }
  if (session.options().verify) {
    const auto found = apps::verify_hits(apps::read_edges(graph), scores.hub.get(), scores.authority.get(), change);
    apps::verdict(found.holds, found.text);
  }
  results.commit();
  apps::print_summary(G.rows(), fmt::format("last change {:.3g}", change));
  return 0;
}
