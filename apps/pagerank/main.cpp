/// @file
/// PageRank of a graph: Algorithm 1 of the paper, and the textbook definition that sums to one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "apps/common/stopping.h"
#include "apps/common/verdict.h"
#include "apps/pagerank/sources.h"
#include "apps/pagerank/verify.h"
#include "kasen/base/printable.h"
#include "kasen/input_options.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct PageRankOptions {
  std::string graph;
  double damping = 0.85;
  apps::Stopping stopping;
  bool normalize = false, redistribute = false;
  std::size_t top = 0;
  std::string sources;
  kasen::ReadOptions input;
};

struct Ranks {
  kasen::Vector<double> pr;
  kasen::Shared<double> diff;  ///< by how much the last iteration changed them, in sum
};

void add_options(CLI::App& app, PageRankOptions& options) {
  app.add_option("--graph", options.graph, "a graph: " + kasen::graph_formats() + "; also a directory of parts")
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  app.add_option("--damping", options.damping, "probability to follow an edge")
      ->check(kasen::number_between(0, 1, "from 0 to 1"))
      ->type_name("NUMBER")
      ->capture_default_str();
  options.stopping.add_options(app, "stops when the ranks change by less in sum");
  app.add_flag("--normalize", options.normalize, "ranks sum to 1 rather than to the number of vertices");
  kasen::add_choice<bool>(app, "--dangling", options.redistribute, {{"ignore", false}, {"redistribute", true}},
                          "redistribute: vertices without out-edges spread their rank over all");
  app.add_option("--top", options.top, "prints the K highest ranks")->transform(kasen::whole_number())->type_name("K");
  app.add_option("--sources", options.sources,
                 "ranks as seen from each of these vertices, which sum to 1: names with commas between, or a file with "
                 "one a line")
      ->check(kasen::given_name())
      ->type_name("A,B,...|FILE");
  kasen::add_graph_options(app, options.input);
  app.footer("Example: kasen-run -n 4 pagerank --graph web.txt --top 10 --output ranks.h5");
}

/// Algorithm 1 of the paper: ranks sum to the number of vertices while no rank is lost at vertices without out-edges,
/// which pass nothing on.
Ranks rank_as_in_paper(const kasen::Matrix<kasen::Pattern>& G, const PageRankOptions& options) {
  kasen::Shared<double> r = options.damping, diff = kasen::infinity;
  kasen::Shared<std::uint64_t> iteration = 0;

  kasen::Vector<double> pr = kasen::constant(G.rows(), 1.0);
  auto degree = kasen::mxvt(kasen::first, kasen::plus, G, pr);  // out-degrees

  kasen::while_(kasen::likely([&] { return options.stopping.goes_on(diff, iteration); }), [&] {
    auto share = kasen::zip_with(kasen::divides, pr, degree);
    auto sum = kasen::mxv(kasen::first, kasen::plus, G, share);
    auto new_pr = kasen::map(KASEN_FN((auto x, auto q), (1 - q) + q * x), sum, r);
    diff = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), pr, new_pr));
    kasen::track("change", diff);
    pr = new_pr;
    iteration = iteration + 1;
  });
  return {pr, diff};
}

/// The textbook's: ranks sum to `total`; what vertices without out-edges hold is spread over all vertices, or lost.
Ranks rank_as_in_textbook(const kasen::Matrix<kasen::Pattern>& G, const PageRankOptions& options) {
  const double total = options.normalize ? 1.0 : static_cast<double>(G.rows().length());
  const double mean = total / static_cast<double>(G.rows().length());
  kasen::Shared<double> r = options.damping, diff = kasen::infinity;
  kasen::Shared<std::uint64_t> iteration = 0;
  const double spread = options.redistribute ? 1.0 / static_cast<double>(G.rows().length()) : 0.0;

  kasen::Vector<double> pr = kasen::constant(G.rows(), mean);
  auto degree = kasen::mxvt(kasen::first, kasen::plus, G, kasen::constant(G.columns(), 1.0));
  kasen::Shared<double> lost =
      kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto p, auto d), d == 0 ? p : 0), pr, degree));

  kasen::while_(kasen::likely([&] { return options.stopping.goes_on(diff, iteration); }), [&] {
    auto share = kasen::zip_with(kasen::divides, pr, degree);
    auto sum = kasen::mxv(kasen::first, kasen::plus, G, share);
    auto base = kasen::apply([mean, spread](double q, double l) { return (1 - q) * mean + q * l * spread; }, r, lost);
    auto new_pr = kasen::map(KASEN_FN((auto x, auto q, auto b), b + q * x), sum, r, base);
    lost = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto p, auto d), d == 0 ? p : 0), new_pr, degree));
    diff = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), pr, new_pr));
    kasen::track("change", diff);
    pr = new_pr;
    iteration = iteration + 1;
  });
  return {pr, diff};
}

void print_top(const kasen::Vector<double>& pr, const kasen::Matrix<kasen::Pattern>& G, std::size_t count) {
  const auto best = kasen::top(pr, count);
  std::vector<kasen::GlobalIndex> vertices;
  for (const auto& entry : best) vertices.push_back(entry.index);
  const auto names = kasen::names(*G.ids(), vertices);
  std::string text;
  for (std::size_t i = 0; i < best.size(); ++i)
    text += fmt::format("{:4} {:14.8g}  {}\n", i + 1, best[i].value, kasen::printable(names[i]));
  kasen::Session::current().print(text);
}

void verify(const PageRankOptions& options, const kasen::Vector<double>& pr, const kasen::Shared<double>& diff) {
  const std::vector<double> ranks = pr.get();
  const apps::Residual residual = apps::pagerank_residual(options.graph, options.input, ranks, diff.get(),
                                                          {options.damping, options.normalize, options.redistribute});
  apps::verdict(residual.holds(), residual.text());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("PageRank of a directed graph, by all workers together");
  PageRankOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  if (!options.sources.empty()) {
    if (options.normalize) throw kasen::UsageError("--normalize: ranks of --sources sum to 1 without it (see --help)");
    apps::rank_for_sources({{options.graph, options.input},
                            options.sources,
                            options.damping,
                            options.redistribute,
                            options.stopping,
                            options.top});
    return 0;
  }

  const auto G = apps::GraphFile{options.graph, options.input}.read<kasen::Pattern>();
  session.expect_iterations(options.stopping.most());
  const bool textbook = options.normalize || options.redistribute;
  auto [pr, diff] = textbook ? rank_as_in_textbook(G, options) : rank_as_in_paper(G, options);
  print_top(pr, G, options.top);

  apps::Results results(G.ids());
  results.add("rank", pr);
  if (session.options().verify) verify(options, pr, diff);
  results.commit();
  session.print(fmt::format("{} vertices, {} worker{}, {} iterations, last change {:.3g}\n", G.rows().length(),
                            session.workers(), session.workers() == 1 ? "" : "s", session.counts().iterations,
                            diff.get()));
  return 0;
}
