#include "optimizer/analysis/what_if.h"

#include <variant>

#include "optimizer/cost/symbols.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/optimize.h"

namespace kasen::optimizer {
namespace {

using Blocks = std::vector<std::vector<const Step*>>;

/// The steps by block, enclosing ones first.
void add(const std::vector<Step>& steps, Blocks& blocks) {
  const std::size_t place = blocks.size();
  blocks.emplace_back();
  for (const Step& step : steps) {
    blocks[place].push_back(&step);
    if (const auto* loop = std::get_if<Loop>(&step.what)) {
      add(loop->body, blocks);
    } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
      add(branch->then, blocks);
      add(branch->otherwise, blocks);
    }
  }
}

/// What other symbols each symbol grows with, if nobody says otherwise: replicas with the elements, runs with the
/// non-zeros, these with the elements of a side; of a dense matrix with those of both.
Json follows(const PlacementStats& stats) {
  const auto masters = [&](SpaceId space) {
    return name_of({Symbol::Kind::masters, space, kNone<MatrixId>, {}}, stats);
  };
  Json json = Json::object();
  for (const Symbol& symbol : symbols_of(stats)) {
    Json others = Json::array();
    if (symbol.kind == Symbol::Kind::replicas) {
      others.push_back(masters(symbol.space));
    } else if (symbol.kind == Symbol::Kind::nonzeros) {
      const PlacementStats::Matrix& matrix = stats.matrices[index_of(symbol.matrix)];
      others.push_back(masters(matrix.rows));
      if (matrix.dense) others.push_back(masters(matrix.columns));
    } else if (symbol.kind != Symbol::Kind::masters) {
      others.push_back(name_of({Symbol::Kind::nonzeros, kNone<SpaceId>, symbol.matrix, {}}, stats));
    }
    if (!others.empty()) json[name_of(symbol, stats)] = std::move(others);
  }
  return json;
}

}  // namespace

Json what_if_json(const Plan& plan, const Program& program, const std::vector<PlacementStats>& placements,
                  const Options& options, const Profile& profile) {
  Json workers = Json::array(), symbols = Json::object(), blocks = Json::array();
  for (const PlacementStats& stats : placements) {
    workers.push_back(stats.workers);
    for (const Symbol& symbol : symbols_of(stats)) symbols[name_of(symbol, stats)].push_back(value_of(symbol, stats));
    const Plan costed = costed_for(plan, program, stats, options, profile);
    Blocks steps;
    add(costed.steps, steps);
    for (std::size_t b = 0; b < steps.size(); ++b) {
      if (blocks.size() == b) blocks.push_back(Json::array());
      for (std::size_t s = 0; s < steps[b].size(); ++s) {
        if (blocks[b].size() == s) blocks[b].push_back(Json::object());
        const Step& step = *steps[b][s];
        blocks[b][s]["picoseconds"].push_back(step.picoseconds);
        const auto* exchange = std::get_if<Exchange>(&step.what);
        if (exchange == nullptr) continue;
        blocks[b][s]["messages"].push_back(messages_of_vectors(*exchange, step.stream, stats.workers));
        blocks[b][s]["reduces"] = !exchange->reductions.empty();
      }
    }
  }
  Json known = Json::object();
  for (const auto& [name, values] : symbols.items()) {
    if (values.size() == placements.size()) known[name] = values;
  }
  return {{"workers", std::move(workers)},
          {"symbols", std::move(known)},
          {"follows", follows(placements.front())},
          {"blocks", std::move(blocks)}};
}

}  // namespace kasen::optimizer
