/// @file
/// The command line of label propagation.
#include <CLI/CLI.hpp>

#include <cmath>

#include "apps/common/verdict.h"
#include "apps/graphs/label_propagation.h"
#include "apps/graphs/program.h"
#include "apps/graphs/seeds.h"
#include "apps/graphs/verify.h"
#include "kasen/option_values.h"

namespace {

struct LabelOptions {
  apps::GraphFile graph;
  apps::Stopping stopping;
  std::string seeds;
  bool directed = false, weighted = false;
};

/// How many vertices have each class.
std::string class_sizes(const apps::Seeds& seeds, const kasen::Vector<std::int32_t>& best) {
  std::string text;
  for (std::size_t c = 0; c < seeds.classes.size(); ++c) {
    const auto member = [](std::int32_t b, std::int32_t of) { return std::int64_t{b == of}; };
    const auto size = kasen::reduce(kasen::plus, kasen::map(member, best, static_cast<std::int32_t>(c))).get();
    text += fmt::format("{:8}  {}\n", size, seeds.classes[c]);
  }
  return text;
}

void verify(const LabelOptions& options, const apps::Seeds& seeds, const apps::Labels& labels) {
  const apps::Edges edges = apps::read_edges(options.graph, options.weighted);
  const std::vector<double> weight = apps::neighbour_weights(edges, options.directed);
  const std::vector<std::int32_t> seed = seeds.of_vertex.get();
  for (std::size_t c = 0; c < seeds.classes.size(); ++c) {
    const auto of = static_cast<std::int32_t>(c);
    const auto found =
        apps::verify_scores(edges, labels.score(of).get(), weight, seed, of, options.directed, labels.change.get());
    apps::verdict(found.holds, fmt::format("class {}: {}", seeds.classes[c], found.text));
  }
}

template <class E>
void run(const LabelOptions& options, const kasen::Matrix<E>& G) {
  kasen::Session& session = kasen::Session::current();
  const apps::Seeds seeds = apps::read_seeds(options.seeds, G.ids());
  apps::Results results(G.ids());
  session.expect_iterations(options.stopping.most());
  const apps::Labels labels = apps::label_propagation(
      G, seeds.of_vertex, static_cast<std::int32_t>(seeds.classes.size()), options.directed, options.stopping);
  if (std::isnan(labels.change.get()))
    throw kasen::Error(options.graph.path + ": scores are no numbers: the sums of weights are not finite");

  const auto best = labels.best();
  results.add_words("class", best, seeds.classes);
  for (std::size_t c = 0; c < seeds.classes.size(); ++c)
    results.add(apps::dataset_of("score_", seeds.classes[c]), labels.score(static_cast<std::int32_t>(c)));
  session.print(class_sizes(seeds, best));
  if (session.options().verify) verify(options, seeds, labels);
  results.commit();
  apps::print_summary(G.rows(), fmt::format("{} seeds of {} classes, last change {:.3g}", seeds.count,
                                            seeds.classes.size(), labels.change.get()));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Classes of vertices from those of a few: scores are the means of the neighbours'");
  LabelOptions options;
  app.add_option("--seeds", options.seeds, "known classes: a line of vertex and class each")
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  app.add_flag("--directed", options.directed, "scores go along edges only, not back");
  CLI::Option* const weighted =
      app.add_flag("--weighted", options.weighted, "neighbours count by the weights of edges");
  options.stopping.add_options(app, "stops when no score changes by more");
  options.graph.add_options(app);
  weighted->excludes("--ignore-weights");
  app.footer("Example: kasen-run -n 4 label-propagation --graph web.txt --seeds known.txt --output classes.tsv");
  kasen::Session session(argc, argv, app);
  if (options.weighted) {
    run(options, options.graph.read_weights());
  } else {
    run(options, options.graph.read<kasen::Pattern>());
  }
  return 0;
}
