/// @file
/// Generation of edges, each as a function of its number.
#include "apps/generate/graphs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

#include "apps/generate/streams.h"
#include "partition/assignment.h"

namespace apps::generate {

namespace {

using kasen::GlobalIndex;
using kasen::comm::Communicator;
using kasen::io::SparseData;

/// A bijection of [0, length): shuffles the smallest power of two that holds it until the result is inside.
class Renumbering {
 public:
  Renumbering(std::uint64_t length, const Stream& stream)
      : _length(length), _bits(std::max(1, static_cast<int>(std::bit_width(length - 1)))) {
    for (std::size_t round = 0; round < _keys.size(); ++round) _keys[round] = stream.bits(round);
  }
  std::uint64_t operator()(std::uint64_t i) const {
    do {
      i = shuffle(i);
    } while (i >= _length);
    return i;
  }

 private:
  std::uint64_t shuffle(std::uint64_t i) const {
    const std::uint64_t mask = (std::uint64_t{1} << _bits) - 1;
    const int half = std::max(1, _bits / 2);
    for (const std::uint64_t key : _keys) {
      i = ((i ^ (key >> 1)) * (key | 1)) & mask;
      i ^= i >> half;
    }
    return i;
  }
  std::uint64_t _length;
  int _bits;
  std::array<std::uint64_t, 3> _keys{};
};

/// This worker's share of `edges` edges, edge by edge. @param alike so many that follow each other have one weight
template <class MakeEdge>
SparseData make(const Communicator& communicator, std::uint64_t vertices, std::uint64_t edges, const Weights& weights,
                std::uint64_t alike, MakeEdge&& make_edge) {
  SparseData data;
  data.rows = data.columns = vertices;
  data.graph = true;
  const auto shares = kasen::partition::Assignment::block(edges, communicator.size());
  const auto begin = shares.block_begin(communicator.rank()), end = shares.block_begin(communicator.rank() + 1);
  data.entries.row.reserve(static_cast<std::size_t>(end - begin));
  data.entries.column.reserve(static_cast<std::size_t>(end - begin));
  const Stream drawn(weights.seed, 6);
  if (weights.most > 0) {
    data.entries.value_bytes = sizeof(double);
    data.entries.value.reserve(static_cast<std::size_t>(end - begin) * sizeof(double));
  }
  for (GlobalIndex k = begin; k < end; ++k) {
    const auto [source, target] = make_edge(static_cast<std::uint64_t>(k));
    data.entries.row.push_back(static_cast<GlobalIndex>(source));
    data.entries.column.push_back(static_cast<GlobalIndex>(target));
    if (weights.most == 0) continue;
    const double weight = static_cast<double>(1 + drawn.below(weights.most, static_cast<std::uint64_t>(k) / alike));
    const auto* const bytes = reinterpret_cast<const std::byte*>(&weight);
    data.entries.value.insert(data.entries.value.end(), bytes, bytes + sizeof weight);
  }
  return data;
}

struct Edge {
  std::uint64_t source, target;
};

}  // namespace

SparseData rmat(const Communicator& communicator, const Rmat& parameters, const Weights& weights) {
  // Quadrants in units of 2^-16: four levels take one draw.
  constexpr std::uint64_t kLevels = 4;
  const auto part = [](double probability) { return static_cast<std::uint64_t>(std::llround(probability * 65536)); };
  const std::uint64_t first = part(parameters.a), second = part(parameters.a + parameters.b);
  const std::uint64_t third = part(parameters.a + parameters.b + parameters.c);
  const Stream quadrants(parameters.seed, 1);
  const std::uint64_t vertices = std::uint64_t{1} << parameters.scale;
  const Renumbering renumber(vertices, Stream(parameters.seed, 2));
  const std::uint64_t draws = (parameters.scale + kLevels - 1) / kLevels;
  return make(communicator, vertices, vertices * parameters.edge_factor, weights, 1, [&](std::uint64_t k) {
    Edge edge{0, 0};
    std::uint64_t bits = 0;
    for (std::uint64_t level = 0; level < parameters.scale; ++level, bits >>= 16) {
      if (level % kLevels == 0) bits = quadrants.bits(k * draws + level / kLevels);
      const std::uint64_t draw = bits & 0xffff;
      edge.source = edge.source << 1 | (draw >= second ? 1 : 0);
      edge.target = edge.target << 1 | ((draw >= first && draw < second) || draw >= third ? 1 : 0);
    }
    return parameters.in_order ? edge : Edge{renumber(edge.source), renumber(edge.target)};
  });
}

SparseData power_law(const Communicator& communicator, const PowerLaw& parameters, const Weights& weights) {
  const Stream ends(parameters.seed, 3);
  const std::uint64_t vertices = parameters.vertices;
  const Renumbering source_of(vertices, Stream(parameters.seed, 4)), target_of(vertices, Stream(parameters.seed, 5));
  // Degrees with exponent g go with ranks to the power -1 / (g - 1); this inverts the sum of these weights.
  const auto power = [](double exponent) { return (exponent - 1) / (exponent - 2); };
  const double out = power(parameters.out_exponent), in = power(parameters.in_exponent);
  const auto rank = [&](double unit, double exponent) {
    return std::min(static_cast<std::uint64_t>(static_cast<double>(vertices) * std::pow(unit, exponent)), vertices - 1);
  };
  return make(communicator, vertices, parameters.edges, weights, 1, [&](std::uint64_t k) {
    return Edge{source_of(rank(ends.unit(2 * k), out)), target_of(rank(ends.unit(2 * k + 1), in))};
  });
}

SparseData grid(const Communicator& communicator, const Grid& parameters, const Weights& weights) {
  // Pairs of neighbours, those in rows first; each is two edges.
  const std::uint64_t columns = parameters.columns, vertices = parameters.rows * columns;
  const std::uint64_t in_rows = vertices - parameters.rows, in_columns = vertices - columns;
  const auto neighbours = [&](std::uint64_t pair) {
    if (pair >= in_rows) return Edge{pair - in_rows, pair - in_rows + columns};
    const std::uint64_t left = pair / (columns - 1) * columns + pair % (columns - 1);
    return Edge{left, left + 1};
  };
  return make(communicator, vertices, 2 * (in_rows + in_columns), weights, 2, [&](std::uint64_t k) {
    const Edge pair = neighbours(k / 2);
    return k % 2 == 0 ? pair : Edge{pair.target, pair.source};
  });
}

}  // namespace apps::generate
