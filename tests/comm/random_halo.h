/// @file
/// Random ownership and replication of one index space, the same on every worker because all draw from one seed: the
/// halo of any worker, and where any element lives on it, are known to all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "comm/exchange.h"

namespace kasen::comm::tests {

struct RandomSpace {
  /// An element that travels between two workers.
  struct Link {
    std::uint32_t element, master_index, replica_index;  ///< global, on the owner, on the holder
  };
  std::vector<std::uint32_t> owner;                  ///< by element
  std::vector<std::vector<std::uint32_t>> elements;  ///< by worker, by local index: masters, then replicas by owner
  std::vector<std::uint32_t> masters;                ///< by worker
  /// links[holder][owner], in the order of the messages.
  std::vector<std::vector<std::vector<Link>>> links;
  bool contiguous;

  /// @param density chance that a worker replicates an element of another.
  /// @param all all replicas travel, in local order; otherwise about half of them, shuffled.
  RandomSpace(int workers, std::uint32_t num, double density, bool all, std::mt19937& random) : contiguous(all) {
    const auto size = static_cast<std::size_t>(workers);
    const auto chance = [&](double p) { return std::uniform_real_distribution<>(0, 1)(random) < p; };
    elements.resize(size);
    masters.resize(size);
    links.assign(size, std::vector<std::vector<Link>>(size));
    std::vector<std::uint32_t> index_on_owner(num);
    for (std::uint32_t e = 0; e < num; ++e) {
      owner.push_back(static_cast<std::uint32_t>(std::uniform_int_distribution<std::size_t>(0, size - 1)(random)));
      index_on_owner[e] = masters[owner[e]]++;
      elements[owner[e]].push_back(e);
    }
    for (std::size_t holder = 0; holder < size; ++holder) {
      for (std::size_t from = 0; from < size; ++from) {
        auto& links_of_pair = links[holder][from];
        for (std::uint32_t e = 0; e < num; ++e) {
          if (from == holder || owner[e] != from || !chance(density)) continue;
          if (all || chance(0.5)) {
            links_of_pair.push_back({e, index_on_owner[e], static_cast<std::uint32_t>(elements[holder].size())});
          }
          elements[holder].push_back(e);
        }
        if (!all) std::shuffle(links_of_pair.begin(), links_of_pair.end(), random);
      }
    }
  }

  Halo halo_of(std::size_t worker) const {
    Halo halo;
    halo.contiguous = contiguous;
    halo.master_offsets.push_back(0);
    halo.replica_offsets.push_back(0);
    for (std::size_t other = 0; other < links.size(); ++other) {
      for (const Link& link : links[other][worker]) halo.master_index.push_back(link.master_index);
      for (const Link& link : links[worker][other]) halo.replica_index.push_back(link.replica_index);
      halo.master_offsets.push_back(halo.master_index.size());
      halo.replica_offsets.push_back(halo.replica_index.size());
    }
    for (std::size_t w = 0; w < links.size(); ++w) {
      std::uint64_t sent = 0;
      for (const auto& of_holder : links) sent += of_holder[w].size();
      halo.largest_count = std::max({halo.largest_count, sent, std::uint64_t{elements[w].size()}});
    }
    return halo;
  }

  std::uint64_t num_links() const {
    std::uint64_t num = 0;
    for (const auto& of_holder : links) {
      for (const auto& of_pair : of_holder) num += of_pair.size();
    }
    return num;
  }
};

}  // namespace kasen::comm::tests
