#include "partition/clusters.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "partition/label_weights.h"

namespace kasen::partition {
namespace {

constexpr std::uint64_t kRounds = 4;
constexpr std::uint64_t kTurns = 4;        ///< of a round, in which one vertex in so many decides
constexpr std::uint64_t kWorthwhile = 50;  ///< a round that moves fewer than one vertex in so many is the last

/// A vertex that would like to join a cluster.
struct Request {
  std::uint64_t load;
  std::uint32_t vertex, cluster;
};

/// The clusters while they are found. `_of` and `_load` are by local index: the cluster of the vertex and its load.
class Clustering {
 public:
  Clustering(const Team& team, const GraphShare& graph, std::uint64_t most_load)
      : _team(&team), _graph(&graph), _most(most_load), _of(graph.local_size()), _total(graph.loads) {
    for (std::size_t v = 0; v < graph.vertices(); ++v) _of[v] = static_cast<std::uint32_t>(graph.global(v));
    for (std::size_t g = 0; g < graph.remotes.size(); ++g)
      _of[graph.vertices() + g] = static_cast<std::uint32_t>(graph.remotes[g]);
    _load = graph.loads;
    _load.resize(graph.local_size());
    graph.update_remotes(team, _load);
  }

  /// Collective. @return the number of vertices that have moved
  std::uint64_t turn(std::uint64_t round, std::uint64_t now) {
    std::vector<Request> requests;
    for (std::size_t v = 0; v < _graph->vertices(); ++v) {
      const auto id = static_cast<std::uint32_t>(_graph->global(v));
      if (mix(id + (round << 32)) % kTurns != now) continue;
      const std::uint32_t best = best_cluster(v, true);
      if (best != _of[v]) requests.push_back({_graph->loads[v], id, best});
    }
    const std::vector<std::uint8_t> granted = _team->ask<std::uint8_t>(
        std::span<const Request>(requests), [&](const Request& request) { return owner(request.cluster); },
        [&](std::span<const Request> all) { return grant(all, round); });
    std::vector<Request> left;
    for (std::size_t k = 0; k < requests.size(); ++k) {
      if (granted[k] == 0) continue;
      std::uint32_t& cluster = _of[requests[k].vertex - _graph->first];
      left.push_back({requests[k].load, requests[k].vertex, cluster});
      cluster = requests[k].cluster;
    }
    const std::uint64_t moved = _team->sum(left.size());
    if (moved == 0) return 0;
    for (const Request& request : _team->deliver(std::move(left), [&](const Request& r) { return owner(r.cluster); }))
      _total[request.cluster - _graph->first] -= request.load;
    refresh();
    return moved;
  }

  /// Collective. Vertices that are alone in their clusters and would like to join the same one, which is full, are put
  /// together.
  void join_lonely() {
    std::vector<Request> lonely;
    std::vector<std::uint32_t> wished;
    for (std::size_t v = 0; v < _graph->vertices(); ++v) {
      if (_load[v] != _graph->loads[v]) continue;
      const std::uint32_t best = best_cluster(v, false);
      if (best == _of[v]) continue;
      lonely.push_back({_graph->loads[v], _of[v], best});
      wished.push_back(static_cast<std::uint32_t>(v));
    }
    const std::vector<std::uint32_t> joined = _team->ask<std::uint32_t>(
        std::span<const Request>(lonely), [&](const Request& request) { return owner(request.cluster); },
        [&](std::span<const Request> all) { return put_together(all); });
    for (std::size_t k = 0; k < joined.size(); ++k) _of[wished[k]] = joined[k];
    _graph->update_remotes(*_team, _of);
  }

  std::vector<std::uint32_t> take() { return std::move(_of); }

 private:
  Rank owner(std::uint32_t cluster) const { return _graph->runs.owner(cluster); }

  /// The one that a vertex is joined to most, its own where that is no less. @param with_room whether it must have room
  std::uint32_t best_cluster(std::size_t v, bool with_room) {
    const std::span<const GraphShare::Edge> edges = _graph->edges_of(v);
    _weights.clear(edges.size());
    for (const GraphShare::Edge& edge : edges) _weights.add(_of[edge.to], edge.weight, edge.to);
    const std::uint32_t own = _of[v];
    std::uint32_t best = own;
    std::uint64_t most = 0, order = 0;
    for (const LabelWeights::Label& each : _weights.met()) {
      if (each.label == own) {
        if (each.weight >= most) std::tie(best, most, order) = std::tuple(own, each.weight, ~std::uint64_t{0});
        continue;
      }
      if (each.weight < most || (with_room && _load[each.at] + _graph->loads[v] > _most)) continue;
      const std::uint64_t tie = mix(each.label) >> 1;
      if (each.weight > most || tie > order) std::tie(best, most, order) = std::tuple(each.label, each.weight, tie);
    }
    return best;
  }

  /// Local: of requests for clusters that this worker keeps the loads of.
  std::vector<std::uint8_t> grant(std::span<const Request> requests, std::uint64_t round) {
    std::vector<std::uint8_t> granted(requests.size(), 1);
    for (const Request& request : requests) _total[request.cluster - _graph->first] += request.load;
    std::vector<std::size_t> contested;
    for (std::size_t k = 0; k < requests.size(); ++k)
      if (_total[requests[k].cluster - _graph->first] > _most) contested.push_back(k);
    for (const std::size_t k : contested) _total[requests[k].cluster - _graph->first] -= requests[k].load;
    const auto rank = [&](std::size_t k) {
      return std::tuple(requests[k].cluster, mix(requests[k].vertex ^ round << 32), requests[k].vertex);
    };
    std::sort(contested.begin(), contested.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    for (const std::size_t k : contested) {
      std::uint64_t& total = _total[requests[k].cluster - _graph->first];
      granted[k] = total + requests[k].load <= _most;
      if (granted[k] != 0) total += requests[k].load;
    }
    return granted;
  }

  /// Local: new clusters, each the former one of its first vertex, for vertices that wish the same one.
  std::vector<std::uint32_t> put_together(std::span<const Request> lonely) const {
    std::vector<std::size_t> order(lonely.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(lonely[a].cluster, lonely[a].vertex) < std::pair(lonely[b].cluster, lonely[b].vertex);
    });
    std::vector<std::uint32_t> joined(lonely.size());
    const Request* leader = nullptr;
    std::uint64_t load = 0;
    for (const std::size_t k : order) {
      const Request& request = lonely[k];
      if (leader == nullptr || leader->cluster != request.cluster || load + request.load > _most) {
        leader = &request;
        load = 0;
      }
      load += request.load;
      joined[k] = leader->vertex;
    }
    return joined;
  }

  /// Collective. Loads of clusters as their owners know them.
  void refresh() {
    const std::vector<std::uint64_t> loads = _team->ask<std::uint64_t>(
        std::span<const std::uint32_t>(_of).first(_graph->vertices()),
        [&](std::uint32_t cluster) { return owner(cluster); },
        [&](std::span<const std::uint32_t> clusters) {
          std::vector<std::uint64_t> answers(clusters.size());
          for (std::size_t k = 0; k < answers.size(); ++k) answers[k] = _total[clusters[k] - _graph->first];
          return answers;
        });
    std::copy(loads.begin(), loads.end(), _load.begin());
    _graph->update_remotes(*_team, _of);
    _graph->update_remotes(*_team, _load);
  }

  const Team* _team;
  const GraphShare* _graph;
  std::uint64_t _most;
  std::vector<std::uint32_t> _of;
  std::vector<std::uint64_t> _load;
  std::vector<std::uint64_t> _total;  ///< loads of the clusters that are named after vertices of this worker
  LabelWeights _weights;
};

/// A cluster and what one vertex brings to it.
struct Member {
  std::uint64_t load;
  std::uint32_t cluster;
};

}  // namespace

std::vector<std::uint32_t> find_clusters(const Team& team, const GraphShare& graph, std::uint64_t most_load) {
  Clustering clustering(team, graph, most_load);
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    std::uint64_t moved = 0;
    for (std::uint64_t now = 0; now < kTurns; ++now) moved += clustering.turn(round, now);
    if (moved * kWorthwhile < graph.global_vertices()) break;
  }
  clustering.join_lonely();
  return clustering.take();
}

CoarseGraph contract(const Team& team, const GraphShare& graph, const std::vector<std::uint32_t>& clusters,
                     bool replicas) {
  // Numbers of clusters, and their loads.
  std::vector<Member> members;
  for (std::size_t v = 0; v < graph.vertices(); ++v)
    if (!graph.edges_of(v).empty()) members.push_back({graph.loads[v], clusters[v]});
  std::vector<std::uint64_t> loads, begins{0};
  std::uint64_t first = 0;
  const auto number = [&](std::span<const Member> all) {
    std::vector<std::uint64_t> load_of(graph.vertices());
    for (const Member& member : all) load_of[member.cluster - graph.first] += member.load;
    std::vector<std::uint32_t> number_of(graph.vertices());
    for (std::size_t c = 0; c < load_of.size(); ++c) {
      if (load_of[c] == 0) continue;
      number_of[c] = static_cast<std::uint32_t>(loads.size());
      loads.push_back(load_of[c]);
    }
    begins = team.begins(loads.size());
    first = begins[static_cast<std::size_t>(team.rank())];
    std::vector<std::uint32_t> answers(all.size());
    for (std::size_t k = 0; k < answers.size(); ++k)
      answers[k] = static_cast<std::uint32_t>(first) + number_of[all[k].cluster - graph.first];
    return answers;
  };
  const std::vector<std::uint32_t> numbers = team.ask<std::uint32_t>(
      std::span<const Member>(members), [&](const Member& member) { return graph.runs.owner(member.cluster); }, number);
  CoarseGraph coarse;
  coarse.vertex.assign(graph.local_size(), kNoLabel);
  for (std::size_t v = 0, k = 0; v < graph.vertices(); ++v)
    if (!graph.edges_of(v).empty()) coarse.vertex[v] = numbers[k++];
  graph.update_remotes(team, coarse.vertex);
  const Assignment runs = Assignment::block(std::move(begins));

  // Edges of all vertices of a cluster that are on this worker, added up before they travel.
  std::vector<std::uint32_t> order;
  for (std::size_t v = 0; v < graph.vertices(); ++v)
    if (coarse.vertex[v] != kNoLabel) order.push_back(static_cast<std::uint32_t>(v));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return coarse.vertex[a] < coarse.vertex[b]; });
  std::vector<GlobalEdge> edges;
  LabelWeights together, of_one;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const std::uint32_t from = coarse.vertex[order[begin]];
    std::size_t most = 0;
    for (; end < order.size() && coarse.vertex[order[end]] == from; ++end) most += graph.edges_of(order[end]).size();
    together.clear(most);
    for (std::size_t k = begin; k < end; ++k) {
      const std::span<const GraphShare::Edge> mine = graph.edges_of(order[k]);
      if (replicas) of_one.clear(mine.size());
      for (const GraphShare::Edge& edge : mine) {
        const std::uint32_t to = coarse.vertex[edge.to];
        if (to == from) continue;
        if (!replicas)
          together.add(to, edge.weight, 0);
        else if (edge.replicates != 0)
          of_one.add(to, 1, 0);
      }
      if (!replicas) continue;
      for (const LabelWeights::Label& other : of_one.met()) together.add(other.label, 1, 0);
    }
    for (const LabelWeights::Label& other : together.met()) {
      const auto weight = static_cast<std::uint32_t>(std::min<std::uint64_t>(other.weight, GraphShare::kMostWeight));
      edges.push_back({from, other.label, weight});
      if (replicas) edges.push_back({other.label, from, weight});
    }
  }
  edges = team.deliver(std::move(edges), [&](const GlobalEdge& edge) { return runs.owner(edge.from); });
  coarse.share = graph_of(team, runs, std::move(loads), std::move(edges));
  return coarse;
}

}  // namespace kasen::partition
