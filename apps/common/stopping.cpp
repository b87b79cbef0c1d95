#include "apps/common/stopping.h"

#include <CLI/CLI.hpp>

#include "kasen/option_values.h"

namespace apps {

void Stopping::add_options(CLI::App& app, const std::string& stops) {
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

}  // namespace apps
