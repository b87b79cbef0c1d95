#include "apps/pagerank/sources.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <sstream>
#include <utility>

#include "apps/common/verdict.h"
#include "apps/common/vertex_lines.h"
#include "apps/pagerank/personalised.h"
#include "apps/pagerank/verify.h"
#include "kasen/base/printable.h"

namespace apps {

namespace {

struct Names {
  std::vector<std::string> all;
  bool in_file;
};

/// Collective. Of a file if there is one of this name, else what stands between commas.
Names names_of(const std::string& sources) {
  std::error_code none;
  const bool here = kasen::workers::rank() == 0 && std::filesystem::is_regular_file(sources, none);
  std::vector<std::string> names;
  const bool listed = kasen::workers::max<std::int64_t>(here) != 0;
  if (listed) {
    for (const VertexLine& line : read_vertex_lines(sources, 1)) names.push_back(line.vertex);
  } else {
    std::istringstream text(sources);
    for (std::string name; std::getline(text, name, ',');) names.push_back(name);
  }
  if (names.empty()) throw kasen::InputError(sources + ": no sources");
  return {std::move(names), listed};
}

/// By vertex: integers may be written in several ways.
void refuse_twice(const std::string& given, const Names& names, std::span<const kasen::GlobalIndex> sources) {
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const auto before = sources.first(k);
    if (std::find(before.begin(), before.end(), sources[k]) == before.end()) continue;
    const std::string what = fmt::format("names '{}' twice", kasen::printable(names.all[k]));
    if (names.in_file) throw kasen::InputError(given + ": " + what);
    throw kasen::UsageError("--sources: " + what);
  }
}

void verify(const SourceOptions& options, const std::vector<std::string>& names,
            const std::vector<kasen::GlobalIndex>& sources, const PersonalRanks& found) {
  std::vector<std::vector<double>> ranks;
  for (const auto& v : found.ranks) ranks.push_back(v.get());
  const auto residuals = personalised_residuals(options.graph.path, options.graph.input, ranks, sources,
                                                found.change.get(), {options.damping, true, options.redistribute});
  for (std::size_t k = 0; k < names.size(); ++k)
    verdict(residuals[k].holds(), fmt::format("source {}: {}", kasen::printable(names[k]), residuals[k].text()));
}

}  // namespace

void rank_for_sources(const SourceOptions& options) {
  kasen::Session& session = kasen::Session::current();
  const auto G = options.graph.read<kasen::Pattern>();
  const Names given = names_of(options.sources);
  const std::vector<std::string>& names = given.all;
  const std::vector<kasen::GlobalIndex> sources = options.graph.vertices(G.ids(), names, "--sources");
  refuse_twice(options.sources, given, sources);
  session.expect_iterations(options.stopping.most());
  Results results(G.ids());
  const PersonalRanks found =
      personalised_pagerank(G, sources, options.damping, options.redistribute, options.stopping);

  for (std::size_t k = 0; k < names.size(); ++k) results.add(dataset_of("rank_", names[k]), found.ranks[k]);
  for (std::size_t k = 0; k < names.size() && options.top > 0; ++k) {
    session.print(fmt::format("source {}:\n", kasen::printable(names[k])));
    print_top(found.ranks[k], G.ids(), options.top);
  }
  if (session.options().verify) verify(options, names, sources, found);
  results.commit();
  print_summary(G.rows(), fmt::format("{} source{}, last change {:.3g}", names.size(), names.size() == 1 ? "" : "s",
                                      found.change.get()));
}

}  // namespace apps
