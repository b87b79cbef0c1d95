/// @file
/// Candidates of `--partition auto`: ways to partition a matrix, with the replicas and the load they would lead to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kasen {

struct PartitionCandidate {
  std::string name;  ///< as --partition takes it, with the threshold: "hybrid-cut 30"
  bool counted = true;
  bool sampled = false;  ///< whether replicas are estimated from a sample; and the balance, unless it is chosen
  std::uint64_t row_replicas = 0, column_replicas = 0;  ///< summed over workers
  double nonzero_imbalance = 1;                         ///< largest number of non-zeros on a worker over the mean
  double master_imbalance = 1;                          ///< the same for elements of both sides together
  double load_imbalance = 1;  ///< the same for non-zeros and twice the elements, where they count
  bool chosen = false;
  std::string reason;  ///< why it was chosen, or not

  std::uint64_t replicas() const { return row_replicas + column_replicas; }
  /// Bytes that a product of doubles moves: its input to the row replicas, its result from the column replicas.
  std::uint64_t bytes_per_product() const { return 8 * replicas(); }
};

/// A text with a line for each candidate. What is estimated has a ~ in front.
std::string candidates_text(std::span<const PartitionCandidate> candidates);

}  // namespace kasen
