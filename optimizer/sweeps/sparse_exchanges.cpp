#include "optimizer/sweeps/sparse_exchanges.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "optimizer/cost/formulas.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

/// The exchanges of one loop's body.
class Thinner {
 public:
  Thinner(Plan& plan, Loop& loop, const PlacementStats& stats) : _plan(plan), _loop(loop), _stats(stats) {
    for (const Step& step : loop.body) {
      const auto* sweep = std::get_if<Sweep>(&step.what);
      if (sweep != nullptr && active_of(*sweep) != kNone<ValueId>) _products.push_back(&sweep->launches[0]);
    }
  }

  /// @return whether there are any.
  bool run() {
    bool any = false;
    for (Step& step : _loop.body) {
      auto* const exchange = std::get_if<Exchange>(&step.what);
      if (exchange == nullptr || !can_be_sparse(*exchange)) continue;
      for (Move& move : exchange->scatters) {
        if (const Frontier frontier = frontier_of(*exchange, move))
          move.reducer = frontier.reader->reducer, move.active = frontier.mask;
      }
      exchange->sparse = exchange->to_neighbours = any = true;
      exchange->idle_pairs = 0;
    }
    return any;
  }

 private:
  bool can_be_sparse(const Exchange& exchange) const {
    if (exchange.gathers.empty() && exchange.scatters.empty()) return false;
    const Move& first = exchange.gathers.empty() ? widest(exchange.scatters) : exchange.gathers.front();
    const auto is_alike = [&](const Move& move) { return bytes(move) == bytes(first); };
    const auto replicas = [&](const Move& move) {
      return _stats.of(_plan.values[index_of(move.to)].space, move.roles).replicas;
    };
    const auto gathers_product = [&](const Move& move) {
      return is_alike(move) && std::any_of(_products.begin(), _products.end(),
                                           [&](const Launch* product) { return product->out[0] == move.from; });
    };
    // Each mask goes with one frontier, and each frontier with one mask.
    const auto is_paired = [&](const Move& move) {
      if (frontier_of(exchange, move)) return is_alike(move);
      return std::count_if(exchange.scatters.begin(), exchange.scatters.end(),
                           [&](const Move& other) { return frontier_of(exchange, other).mask == move.to; }) == 1;
    };
    const auto moves = [&](const Move& move) { return replicas(move) > 0; };
    return (std::any_of(exchange.gathers.begin(), exchange.gathers.end(), moves) ||
            std::any_of(exchange.scatters.begin(), exchange.scatters.end(), moves)) &&
           std::all_of(exchange.gathers.begin(), exchange.gathers.end(), gathers_product) &&
           std::all_of(exchange.scatters.begin(), exchange.scatters.end(), is_paired);
  }

  /// A product that reads what is scattered as a frontier, in this iteration or the next, and its active elements,
  /// which are scattered beside it.
  struct Frontier {
    const Launch* reader = nullptr;
    ValueId mask = kNone<ValueId>;  ///< as the exchange makes it
    explicit operator bool() const { return reader != nullptr; }
  };
  Frontier frontier_of(const Exchange& exchange, const Move& move) const {
    for (const Launch* const product : _products) {
      if (!product->frontier) continue;
      const bool now = move.to == product->in[0];
      if (!now && !is_next(move.to, product->in[0])) continue;
      const auto mask = std::find_if(exchange.scatters.begin(), exchange.scatters.end(), [&](const Move& other) {
        return other.roles == move.roles && (now ? other.to == product->active : is_next(other.to, product->active));
      });
      if (mask != exchange.scatters.end()) return {product, mask->to};
    }
    return {};
  }

  /// Whether a value is that of an argument in the next iteration.
  bool is_next(ValueId made, ValueId argument) const {
    for (std::size_t k = 0; k < _loop.yields.size(); ++k) {
      if (_loop.yields[k] == made && _loop.arguments[k] == argument) return true;
    }
    return false;
  }

  const Move& widest(const std::vector<Move>& moves) const {
    return *std::max_element(moves.begin(), moves.end(),
                             [&](const Move& a, const Move& b) { return bytes(a) < bytes(b); });
  }
  std::uint32_t bytes(const Move& move) const { return _plan.values[index_of(move.to)].type.bytes; }

  Plan& _plan;
  Loop& _loop;
  const PlacementStats& _stats;
  std::vector<const Launch*> _products;  ///< of active elements
};

}  // namespace

void thin_exchanges(Plan& plan, const PlacementStats& stats, Routes routes) {
  if (routes == Routes::all_to_all) return;
  bool any = false;
  for_each_step(plan.steps, [&](Step& step) {
    if (auto* loop = std::get_if<Loop>(&step.what)) any = Thinner(plan, *loop, stats).run() || any;
  });
  if (any) assign_costs(plan, stats);
}

}  // namespace kasen::optimizer
