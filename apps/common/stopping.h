/// @file
/// Struct Stopping: when an iteration ends, by options that programs of apps/ share, and the condition of their loops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kasen/kasen.h"

namespace CLI {
class App;
}

namespace apps {

struct Stopping {
  double tolerance = 1e-6;
  std::uint64_t max_iterations = 100;
  std::optional<std::uint64_t> iterations;  ///< exactly so many, whatever the tolerance

  /// Adds --tolerance, --max-iterations, --iterations. `stops` says with what --tolerance is compared.
  void add_options(CLI::App& app, const std::string& stops);
  std::uint64_t most() const { return iterations.value_or(max_iterations); }
  /// The change that must be exceeded for the loop to go on.
  double least() const { return iterations ? -kasen::infinity : tolerance; }

  /// The condition of a loop that has done `iteration` iterations, the last of them with this change (a residual, a
  /// norm: what the tolerance is compared with; from 0).
  kasen::Shared<bool> goes_on(const kasen::Shared<double>& change,
                              const kasen::Shared<std::uint64_t>& iteration) const {
    return change > least() && iteration < most();
  }
};

}  // namespace apps
