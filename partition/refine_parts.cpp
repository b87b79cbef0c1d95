#include "partition/refine_parts.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>

#include "partition/label_weights.h"

namespace kasen::partition {
namespace {

constexpr int kRounds = 8;
constexpr std::uint64_t kTurns = 4;          ///< of a round, in which one vertex in so many decides
constexpr std::uint64_t kWorthwhile = 1000;  ///< a round that moves fewer than one vertex in so many is the last
constexpr std::size_t kGains = 8, kSlices = 8, kBuckets = kGains * kSlices;

/// A vertex that would like to move.
struct Move {
  std::uint32_t vertex, to;
  std::uint8_t bucket;  ///< the smaller, the more it gains
};

class Refinement {
 public:
  Refinement(const Team& team, const GraphShare& graph, std::uint64_t most_load, Parts& parts)
      : _team(&team), _graph(&graph), _most(most_load), _parts(&parts) {}

  /// Collective. @return the number of vertices that have moved
  std::uint64_t turn(std::uint64_t round, std::uint64_t now, bool balance) {
    std::vector<Move> moves;
    for (std::size_t v = 0; v < _graph->vertices(); ++v) {
      const auto id = static_cast<std::uint64_t>(_graph->global(v));
      const std::uint64_t hash = mix(id + (round << 32));
      if (hash % kTurns != now) continue;
      if (balance)
        leave(v, hash, moves);
      else
        improve(v, hash, moves);
    }
    if (balance)
      keep(
          moves, [&](const Move& move) { return _parts->of[move.vertex]; },
          [&](std::uint32_t part) { return _parts->loads[part] > _most ? _parts->loads[part] - _most : 0; }, true);
    keep(
        moves, [](const Move& move) { return move.to; },
        [&](std::uint32_t part) { return _parts->loads[part] < _most ? _most - _parts->loads[part] : 0; }, false);
    std::vector<std::uint64_t> gained(2 * _parts->loads.size());
    for (const Move& move : moves) {
      std::uint32_t& part = _parts->of[move.vertex];
      gained[move.to] += _graph->loads[move.vertex];
      gained[_parts->loads.size() + part] += _graph->loads[move.vertex];
      part = move.to;
    }
    _team->sum(std::span<std::uint64_t>(gained));
    for (std::size_t p = 0; p < _parts->loads.size(); ++p)
      _parts->loads[p] += gained[p] - gained[_parts->loads.size() + p];
    _graph->update_remotes(*_team, _parts->of);
    return _team->sum(moves.size());
  }

  bool balanced() const { return *std::max_element(_parts->loads.begin(), _parts->loads.end()) <= _most; }

 private:
  void count_parts(std::size_t v) {
    const std::span<const GraphShare::Edge> edges = _graph->edges_of(v);
    _weights.clear(std::min(edges.size(), _parts->loads.size()));
    for (const GraphShare::Edge& edge : edges) _weights.add(_parts->of[edge.to], edge.weight, 0);
  }
  std::uint8_t bucket(std::size_t gain_class, std::uint64_t hash) const {
    return static_cast<std::uint8_t>(gain_class * kSlices + (hash >> 32) % kSlices);
  }

  /// A move that joins a vertex to more of its own part, or to as much in a part that has less.
  void improve(std::size_t v, std::uint64_t hash, std::vector<Move>& moves) {
    const std::uint32_t own = _parts->of[v];
    bool inner = true;
    for (const GraphShare::Edge& edge : _graph->edges_of(v)) inner = inner && _parts->of[edge.to] == own;
    if (inner) return;
    count_parts(v);
    std::uint64_t here = 0, most = 0;
    std::uint32_t best = own;
    for (const LabelWeights::Label& each : _weights.met()) {
      if (each.label == own) {
        here = each.weight;
      } else if (_parts->loads[each.label] + _graph->loads[v] <= _most &&
                 (each.weight > most || (each.weight == most && less(each.label, best)))) {
        most = each.weight;
        best = each.label;
      }
    }
    if (best == own || most < here) return;
    if (most == here && _parts->loads[best] + _graph->loads[v] >= _parts->loads[own]) return;
    const auto gain = static_cast<std::size_t>(std::bit_width(most - here));
    moves.push_back({static_cast<std::uint32_t>(v), best, bucket(kGains - 1 - std::min(gain, kGains - 1), hash)});
  }

  /// A move out of a part with too much.
  void leave(std::size_t v, std::uint64_t hash, std::vector<Move>& moves) {
    const std::uint32_t own = _parts->of[v];
    if (_parts->loads[own] <= _most) return;
    count_parts(v);
    std::uint64_t here = 0, most = 0;
    std::uint32_t best = kNoLabel;
    const auto has_room = [&](std::uint32_t part) { return _parts->loads[part] + _graph->loads[v] <= _most; };
    for (const LabelWeights::Label& each : _weights.met()) {
      if (each.label == own) {
        here = each.weight;
      } else if (has_room(each.label) &&
                 (best == kNoLabel || each.weight > most || (each.weight == most && less(each.label, best)))) {
        most = each.weight;
        best = each.label;
      }
    }
    const std::size_t parts = _parts->loads.size();
    for (std::size_t k = 0; best == kNoLabel && k < parts; ++k) {
      const auto part = static_cast<std::uint32_t>((hash + k) % parts);
      if (has_room(part)) best = part;
    }
    if (best == kNoLabel) return;
    const std::uint64_t loss = here > most ? 8 * (here - most) / _graph->loads[v] : 0;
    moves.push_back({static_cast<std::uint32_t>(v), best,
                     bucket(std::min(static_cast<std::size_t>(std::bit_width(loss)), kGains - 1), hash)});
  }

  bool less(std::uint32_t a, std::uint32_t b) const {
    return b == kNoLabel || std::pair(_parts->loads[a], a) < std::pair(_parts->loads[b], b);
  }

  /// Collective. Keeps moves bucket by bucket, those that gain most first, as far as all of a bucket's fit in what
  /// `room(part)` is. @param enough whether a bucket that goes beyond is kept, too, if there is room left at all
  template <class PartOf, class Room>
  void keep(std::vector<Move>& moves, PartOf part_of, Room room, bool enough) {
    const std::size_t parts = _parts->loads.size();
    std::vector<std::uint64_t> loads(parts * kBuckets);
    for (const Move& move : moves) loads[part_of(move) * kBuckets + move.bucket] += _graph->loads[move.vertex];
    _team->sum(std::span<std::uint64_t>(loads));
    for (std::uint32_t p = 0; p < parts; ++p) {
      std::uint64_t left = room(p);
      for (std::size_t b = 0; b < kBuckets; ++b) {
        std::uint64_t& load = loads[p * kBuckets + b];
        const bool kept = load <= left || (enough && left > 0);
        if (kept) left -= std::min(load, left);
        load = kept;
      }
    }
    std::erase_if(moves, [&](const Move& move) { return loads[part_of(move) * kBuckets + move.bucket] == 0; });
  }

  const Team* _team;
  const GraphShare* _graph;
  std::uint64_t _most;
  Parts* _parts;
  LabelWeights _weights;
};

}  // namespace

void fill_up(const Team& team, const GraphShare& graph, Parts& parts) {
  std::uint64_t mine = 0;
  for (std::size_t v = 0; v < graph.vertices(); ++v)
    if (parts.of[v] == kNoLabel) mine += graph.loads[v];
  const std::uint64_t all = team.sum(mine);
  if (all == 0) return;
  // Parts with less than the others get what brings them to the same level.
  std::vector<std::uint64_t> sorted = parts.loads;
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t below = 0, level = 0;
  for (std::size_t p = 0; p < sorted.size(); ++p) {
    below += sorted[p];
    level = (below + all + p) / (p + 1);
    if (p + 1 == sorted.size() || level <= sorted[p + 1]) break;
  }
  std::uint64_t at = team.exclusive_sum(mine), until = 0;
  std::uint32_t part = 0;
  const auto room = [&](std::uint32_t p) { return parts.loads[p] < level ? level - parts.loads[p] : 0; };
  until = room(0);
  std::vector<std::uint64_t> gained(parts.loads.size());
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    if (parts.of[v] != kNoLabel) continue;
    while (at >= until && part + 1 < parts.loads.size()) until += room(++part);
    parts.of[v] = part;
    gained[part] += graph.loads[v];
    at += graph.loads[v];
  }
  team.sum(std::span<std::uint64_t>(gained));
  for (std::size_t p = 0; p < gained.size(); ++p) parts.loads[p] += gained[p];
}

void refine(const Team& team, const GraphShare& graph, std::uint64_t most_load, Parts& parts) {
  Refinement refinement(team, graph, most_load, parts);
  std::uint64_t round = 0;
  const auto run = [&](bool balance) {
    std::uint64_t moved = 0;
    for (std::uint64_t now = 0; now < kTurns; ++now) moved += refinement.turn(round, now, balance);
    ++round;
    return moved;
  };
  for (int k = 0; k < kRounds && !refinement.balanced(); ++k) run(true);
  for (int k = 0; k < kRounds; ++k)
    if (run(false) * kWorthwhile < graph.global_vertices()) break;
}

}  // namespace kasen::partition
