#include "apps/common/linear_options.h"

#include <CLI/CLI.hpp>

#include "kasen/option_values.h"

namespace apps {

void add_penalty_option(CLI::App& app, const std::string& name, double& weight, const std::string& of) {
  app.add_option(name, weight, "weight of " + of)
      ->check(kasen::number_between(0, 1e300, "a number from 0"))
      ->type_name("NUMBER")
      ->capture_default_str();
}

void add_intercept_option(CLI::App& app, bool& intercept) {
  app.add_flag("--intercept", intercept, "scores have a constant, which is not regularised");
}

}  // namespace apps
