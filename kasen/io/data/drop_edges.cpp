#include "kasen/io/data/drop_edges.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "kasen/base/release.h"
#include "partition/assignment.h"
#include "partition/distribute.h"

namespace kasen::io {

namespace {

/// Keeps the entries at `kept`, in that order.
void keep(Entries& entries, const std::vector<std::uint64_t>& kept) {
  Entries rest;
  rest.value_bytes = entries.value_bytes;
  rest.prepared = std::move(entries.prepared);  // those that are left are where they were
  rest.row.reserve(kept.size());
  rest.column.reserve(kept.size());
  rest.value.reserve(kept.size() * entries.value_bytes);
  for (const std::uint64_t k : kept) {
    rest.row.push_back(entries.row[k]);
    rest.column.push_back(entries.column[k]);
    const auto value = entries.value.begin() + static_cast<std::ptrdiff_t>(k * entries.value_bytes);
    rest.value.insert(rest.value.end(), value, value + entries.value_bytes);
  }
  entries = std::move(rest);
}

}  // namespace

void drop_self_loops(SparseData& graph) {
  std::vector<std::uint64_t> kept;
  for (std::uint64_t k = 0; k < graph.entries.row.size(); ++k) {
    if (graph.entries.row[k] != graph.entries.column[k]) kept.push_back(k);
  }
  if (kept.size() < graph.entries.row.size()) keep(graph.entries, kept);
}

void drop_duplicates(const comm::Communicator& communicator, SparseData& graph) {
  const auto blocks = partition::Assignment::block(graph.rows, communicator.size());
  std::vector<Rank> destination;
  destination.reserve(graph.entries.row.size());
  for (const GlobalIndex row : graph.entries.row) destination.push_back(blocks.owner(row));
  graph.entries = partition::distribute(communicator, std::move(graph.entries), destination);
  release(destination);

  const Entries& entries = graph.entries;
  std::vector<std::uint64_t> order(entries.row.size());
  std::iota(order.begin(), order.end(), 0);
  const auto edge = [&](std::uint64_t k) { return std::pair(entries.row[k], entries.column[k]); };
  std::sort(order.begin(), order.end(),
            [&](std::uint64_t a, std::uint64_t b) { return edge(a) != edge(b) ? edge(a) < edge(b) : a < b; });
  order.erase(
      std::unique(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return edge(a) == edge(b); }),
      order.end());
  keep(graph.entries, order);
}

}  // namespace kasen::io
