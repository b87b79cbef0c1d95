#include "optimizer/sweeps/overlap.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "optimizer/cost/time_model.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

/// What a core itself does for bytes that travel, copying them from and to sockets or shared memory, no overlap hides.
constexpr std::uint64_t kCarriedBytesPerSecond = 4'000'000'000;
/// A sweep looks after an exchange each time that it has walked so many non-zeros, and that takes so long.
constexpr std::uint64_t kPolledEntries = std::uint64_t{1} << 16, kPollPicoseconds = 500'000;

using Steps = std::vector<Step>;
using Names = std::set<ValueId>;  // of what travels; a vector may have several

const Sweep* blocked_sweep(const Step& step) {
  const auto* sweep = std::get_if<Sweep>(&step.what);
  const bool plain = sweep != nullptr && sweep->walk == Walk::blocked && active_of(*sweep) == kNone<ValueId>;
  return plain ? sweep : nullptr;
}

/// Element work that runs on masters alone, each time on all of them.
bool is_on_masters(const Sweep& sweep) {
  return sweep.matrix == kNone<MatrixId> && !sweep.delta && touches_masters_alone(sweep);
}

bool is_delta_loop(const Loop& loop) {
  return std::any_of(loop.body.begin(), loop.body.end(), [](const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    return sweep != nullptr && in_delta_loop(*sweep);
  });
}

/// What `from` are called afterwards, where each of `before` becomes the one of `after` at its place.
Names renamed(const Names& from, const std::vector<ValueId>& before, const std::vector<ValueId>& after) {
  Names to;
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (from.contains(before[k])) to.insert(after[k]);
  }
  return to;
}

class Overlaps {
 public:
  Overlaps(Plan& plan, const PlacementStats& stats, const Profile& profile, bool all)
      : _plan(plan), _stats(stats), _profile(profile), _all(all) {}

  void run() { block(_plan.steps, nullptr, 0); }

 private:
  /// A step that runs while an exchange is under way.
  struct Met {
    Step* step;
    UnderWay::Kind kind;
  };
  struct Way {
    std::vector<Met> met;
    Ticks hides = 0, meanwhile = 0;  ///< the time that steps have for it, and of these in all
    std::uint64_t entries = 0;       ///< walked meanwhile
  };

  void block(Steps& steps, Loop* around, int depth) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (auto* exchange = std::get_if<Exchange>(&steps[k].what)) {
        if (_stats.workers > 1 && moves(*exchange)) overlap(steps, k, *exchange, around, depth);
      } else if (auto* loop = std::get_if<Loop>(&steps[k].what)) {
        block(loop->body, loop, depth + 1);
      } else if (auto* branch = std::get_if<Branch>(&steps[k].what)) {
        block(branch->then, nullptr, depth);
        block(branch->otherwise, nullptr, depth);
      }
    }
  }

  bool moves(const Exchange& exchange) const {
    const auto any = [&](const std::vector<Move>& moves) {
      return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        return _stats.of(_plan.values[index_of(move.from)].space, move.roles).replicas > 0;
      });
    };
    return any(exchange.gathers) || any(exchange.scatters);
  }

  void overlap(Steps& steps, std::size_t at, Exchange& exchange, Loop* around, int depth) {
    Way way;
    if (exchange.gathers.empty()) {
      std::vector<Names> vectors;
      for (const Move& move : exchange.scatters) vectors.push_back({move.to});
      if (!follow(steps, at + 1, steps.size(), vectors, way) && around != nullptr && !is_delta_loop(*around)) {
        for (Names& names : vectors) names = renamed(names, around->yields, around->arguments);
        follow(steps, 0, at, vectors, way);
      }
    } else if (exchange.scatters.empty()) {
      go_back(steps, at, exchange, way);
    }
    if (way.meanwhile > 0) consider(steps[at], exchange, way, depth);
  }

  /// Follows a scatter through steps [first, end). Returns whether it ends there, in a sweep or before a step.
  bool follow(Steps& steps, std::size_t first, std::size_t end, const std::vector<Names>& vectors, Way& way) {
    for (std::size_t k = first; k < end; ++k) {
      Step& step = steps[k];
      if (std::holds_alternative<ScalarWork>(step.what)) {
        way.met.push_back({&step, UnderWay::Kind::stays});
        continue;
      }
      const auto* sweep = std::get_if<Sweep>(&step.what);
      if (sweep != nullptr && is_on_masters(*sweep)) {
        meet(step, UnderWay::Kind::stays, 1, 1, way);
        continue;
      }
      if (blocked_sweep(step) != nullptr && reads_all(*sweep, vectors)) {
        meet(step, UnderWay::Kind::ends, blocks_of(*sweep).ahead, Blocks::kPartsOf, way);
      } else if (auto* loop = std::get_if<Loop>(&step.what); loop != nullptr && !is_delta_loop(*loop)) {
        std::vector<Names> inside;
        for (const Names& names : vectors) {
          inside.push_back(renamed(names, loop->initial, loop->arguments));
          inside.back().insert(names.begin(), names.end());
        }
        Way body = way;
        body.met.push_back({&step, UnderWay::Kind::stays});
        follow(loop->body, 0, loop->body.size(), inside, body);
        way = std::move(body);
      }
      return true;
    }
    return false;
  }

  /// Finds the sweep before the exchange that makes all of what it gathers.
  void go_back(Steps& steps, std::size_t at, const Exchange& exchange, Way& way) {
    way.met.push_back({&steps[at], UnderWay::Kind::stays});
    for (std::size_t k = at; k-- > 0;) {
      Step& step = steps[k];
      if (std::holds_alternative<ScalarWork>(step.what)) {
        way.met.push_back({&step, UnderWay::Kind::stays});
        continue;
      }
      const Sweep* const sweep = blocked_sweep(step);
      if (sweep != nullptr && makes_all(step, exchange))
        meet(step, UnderWay::Kind::begins, blocks_of(*sweep).behind, Blocks::kPartsOf, way);
      return;
    }
  }

  using Blocks = PlacementStats::Matrix::Blocks;
  const Blocks& blocks_of(const Sweep& sweep) const {
    return _stats.matrices.at(index_of(sweep.matrix)).blocks(walked_side(sweep.launches.front()));
  }

  /// Of a vector that is not read here nobody may hold the buffer, which an output may then have.
  static bool reads_all(const Sweep& sweep, const std::vector<Names>& vectors) {
    const std::set<ValueId> read = read_at_random(sweep);
    return std::all_of(vectors.begin(), vectors.end(), [&](const Names& names) {
      return std::any_of(names.begin(), names.end(), [&](ValueId name) { return read.contains(name); });
    });
  }

  static bool makes_all(const Step& step, const Exchange& exchange) {
    const std::vector<ValueId> made = defined_by(step);
    return std::all_of(exchange.gathers.begin(), exchange.gathers.end(),
                       [&](const Move& move) { return std::find(made.begin(), made.end(), move.from) != made.end(); });
  }

  /// A step runs meanwhile, by this part of it.
  void meet(Step& step, UnderWay::Kind kind, std::uint64_t part, std::uint64_t of, Way& way) const {
    const Ticks entering = ticks_of_entering(_stats.workers, _profile);
    const Ticks ticks = ticks_of(_plan, step, _stats, _profile);
    const auto* sweep = std::get_if<Sweep>(&step.what);
    way.met.push_back({&step, kind});
    way.meanwhile = sum_of(way.meanwhile, ticks);
    way.hides = sum_of(way.hides, product_of(ticks - std::min(ticks, entering), part) / of);
    if (sweep->matrix != kNone<MatrixId>)
      way.entries += _stats.matrices.at(index_of(sweep->matrix)).nonzeros / of * part;
  }

  void consider(Step& step, Exchange& exchange, const Way& way, int depth) {
    const ByteRates rates = byte_rates(_profile);
    const std::uint64_t bytes = bytes_of_vectors(exchange, step.stream, _plan.values, _stats.workers);
    const std::uint64_t messages = messages_of_vectors(exchange, step.stream, _stats.workers);
    const Ticks on_the_way = sum_of(ticks_of_messages(messages, _profile), product_of(bytes, rates.send));
    const Ticks carrying = product_of(bytes, ticks_per_byte(kCarriedBytesPerSecond));
    const Ticks polls =
        product_of(way.entries / kPolledEntries + _stats.workers, kPollPicoseconds * kTicksPerPicosecond);
    const Ticks most = std::min(on_the_way - std::min(on_the_way, carrying), way.hides);
    const Ticks saved = most - std::min(most, polls);
    const Ticks one_after_the_other = sum_of(on_the_way, way.meanwhile);
    if (!_all && (saved == 0 || saved < one_after_the_other / kWorthwhile)) return;
    exchange.overlapped = _next++;
    for (const Met& met : way.met) met.step->under_way.push_back({exchange.overlapped, met.kind});
    exchange.hidden_picoseconds = picoseconds_per_worker(saved, _stats.workers);
    step.picoseconds -= std::min(step.picoseconds, exchange.hidden_picoseconds);
    Ticks& sum = depth > 0 ? _plan.time.loops : _plan.time.rest;
    const Ticks weighted = product_of(saved, weight_at(depth));
    sum -= std::min(sum, weighted);
  }

  Plan& _plan;
  const PlacementStats& _stats;
  const Profile& _profile;
  const bool _all;
  std::uint32_t _next = 0;
};

}  // namespace

void overlap_exchanges(Plan& plan, const PlacementStats& stats, const Profile& profile, bool all) {
  Overlaps(plan, stats, profile, all).run();
}

}  // namespace kasen::optimizer
