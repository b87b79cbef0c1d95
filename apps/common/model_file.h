/// @file
/// Reading of what programs have written to HDF5, to predict by it.
#pragma once

#include <string>
#include <vector>

namespace apps {

/// Collective. Whether the file has a dataset of this name. @throws AgreedError if it cannot be read
bool has_dataset(const std::string& path, const std::string& dataset);
/// Collective. A dataset, whole on every worker, row by row. @throws AgreedError "FILE: ..."
std::vector<double> read_numbers(const std::string& path, const std::string& dataset);
/// Collective. The names that `column_names` beside a dataset gives its columns, on every worker; empty if none fit.
/// @throws AgreedError "FILE: ..."
std::vector<std::string> read_column_names(const std::string& path, const std::string& dataset);

}  // namespace apps
