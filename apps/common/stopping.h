/// @file
/// Struct Stopping: when an iteration ends, by options that programs of apps/ share, and the condition of their loops.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace apps {

struct Stopping {
  double tolerance = 1e-6;
  std::uint64_t max_iterations = 100;
  std::optional<std::uint64_t> iterations;  ///< exactly so many, whatever the tolerance

  /// Adds --tolerance, --max-iterations, --iterations. `stops` says with what --tolerance is compared.
  void add_options(CLI::App& app, const std::string& stops) {
    app.add_option("--tolerance", tolerance, stops)
        ->check(kasen::number_between(0, kasen::infinity, "a number from 0"))
        ->type_name("NUMBER")
        ->capture_default_str();
    CLI::Option* const at_most = app.add_option("--max-iterations", max_iterations, "stops after so many")
                                     ->transform(kasen::whole_number())
                                     ->type_name("N")
                                     ->capture_default_str();
    app.add_option("--iterations", iterations, "runs exactly so many, whatever the tolerance")
        ->transform(kasen::whole_number())
        ->type_name("N")
        ->excludes(at_most);
  }
  std::uint64_t most() const { return iterations.value_or(max_iterations); }
  /// The change that must be exceeded for the loop to go on.
  double least() const { return iterations ? -1.0 : tolerance; }

  /// The condition of a loop that has done `iteration` iterations, the last of them with this change (a residual, a
  /// norm: what the tolerance is compared with; from 0).
  kasen::Shared<bool> goes_on(const kasen::Shared<double>& change,
                              const kasen::Shared<std::uint64_t>& iteration) const {
    return change > least() && iteration < most();
  }
};

}  // namespace apps
