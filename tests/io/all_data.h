/// @file
/// What readers spread over the workers, brought together, so that tests can compare it with what a file says.
#pragma once

#include <cstring>
#include <span>
#include <tuple>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"

namespace kasen::io {

using Triple = std::tuple<GlobalIndex, GlobalIndex, double>;

/// Collective. All workers' entries, by rank; a pattern's values are 1.
inline std::vector<Triple> all_entries(const comm::Communicator& communicator, const Entries& entries) {
  std::vector<double> values(entries.row.size(), 1);
  if (entries.value_bytes > 0 && !values.empty()) {
    std::memcpy(values.data(), entries.value.data(), entries.value.size());
  }
  const auto row = communicator.all_gather(std::span<const GlobalIndex>(entries.row.copy())).values;
  const auto column = communicator.all_gather(std::span<const GlobalIndex>(entries.column.copy())).values;
  const auto value = communicator.all_gather(std::span<const double>(values)).values;
  std::vector<Triple> all;
  for (std::size_t k = 0; k < row.size(); ++k) all.emplace_back(row[k], column[k], value[k]);
  return all;
}

/// Collective. Blocks, one after the other.
inline std::vector<double> all_values(const comm::Communicator& communicator, const std::vector<double>& block) {
  return communicator.all_gather(std::span<const double>(block)).values;
}

}  // namespace kasen::io
