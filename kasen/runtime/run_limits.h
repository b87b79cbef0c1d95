/// @file
/// Struct RunLimits: from which sizes on a run does something another way.
#pragma once

#include <cstdint>

#include "kasen/base/options.h"

namespace kasen::runtime {

/// Of Options, where they are explained.
struct RunLimits {
  explicit RunLimits(const Options& options)
      : part_elements(options.part_elements),
        exchange(options.exchange_limit),
        settled_entries(options.settled_entries),
        settled_walks(options.settled_walks) {}
  std::uint64_t part_elements, exchange, settled_entries, settled_walks;
};

}  // namespace kasen::runtime
