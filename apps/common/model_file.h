/// @file
/// Reading of what programs have written to HDF5, to predict by it.
#pragma once

#include <string>
#include <vector>

namespace apps {

/// Collective. A dataset, whole on every worker, row by row. @throws InputError (agreed) "FILE: ..."
std::vector<double> read_numbers(const std::string& path, const std::string& dataset);

}  // namespace apps
