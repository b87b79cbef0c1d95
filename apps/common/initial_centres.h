/// @file
/// Initial centres of groups of points: k chosen points, or centres from a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/io/data/read_options.h"
#include "kasen/kasen.h"

namespace apps {

enum class CentreChoice : std::uint8_t {
  plus_plus,  ///< k-means++: each with a chance proportional to its squared distance from those already chosen
  random,     ///< k different points, all equally likely
  first       ///< the first k points
};

/// Collective. The coordinates of k of the table's rows, one after the other, on every worker: the same for any number
/// of workers. @pre k <= rows. Cost of plus_plus: k passes over the points.
/// @param points the table's rows; nullptr if it has one column, which `numbers` then is.
std::vector<double> chosen_centres(CentreChoice choice, const kasen::Table& table, std::uint64_t k, std::uint64_t seed,
                                   const kasen::Rows<double>* points, const kasen::Vector<double>* numbers);

/// Collective. The rows of a table of `columns` columns. @throws InputError (by all workers) if it has another width.
std::vector<double> centres_of_file(const std::string& path, const kasen::io::ReadOptions& options,
                                    std::uint64_t columns);

}  // namespace apps
