/// @file
/// Options that programs which fit linear models share.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace apps {

/// Adds an option, such as --l2, for the weight of a penalty. `of` says what is penalised.
void add_penalty_option(CLI::App& app, const std::string& name, double& weight, const std::string& of);

/// Adds --intercept.
void add_intercept_option(CLI::App& app, bool& intercept);

}  // namespace apps
