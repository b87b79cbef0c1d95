/// @file
/// Generators of random samples, points and options: each worker makes its block of rows, the same for any number.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"

namespace apps::generate {

/// Samples with `per_row` values each, standard normal, in columns drawn uniformly without repetition; labels from a
/// planted linear model w, also standard normal.
struct LinearModel {
  std::uint64_t rows = 10000, columns = 1000, per_row = 10, seed = 1;
  /// Least squares: the label is (x, w) plus noise times a standard normal number. Logistic: it is 1 or -1, the sign of
  /// (x, w) plus noise times a logistic number, so that noise 1 is the logistic model itself.
  bool logistic = true;
  double noise = 1;
};

/// Points around centres that are uniform in the unit cube.
struct Clusters {
  std::uint64_t rows = 10000, columns = 2, clusters = 15, seed = 1;
  double spread = 0.03;  ///< standard deviation in each dimension
};

/// European options: spot price, strike price, interest rate, volatility, years, and 1 for a call, 0 for a put.
struct OptionData {
  std::uint64_t rows = 1000, seed = 1;
};

struct LabelledPoints {
  kasen::io::DenseData points;
  std::vector<double> labels;  ///< of this worker's block of rows: the number of the cluster
};

/// All of these are local: nothing is sent. @pre per_row <= columns, clusters > 0.
kasen::io::SparseData linear_model(const kasen::comm::Communicator& communicator, const LinearModel& parameters);
/// The planted model, a table of `columns` rows and one column.
kasen::io::DenseData planted_weights(const kasen::comm::Communicator& communicator, const LinearModel& parameters);
LabelledPoints clusters(const kasen::comm::Communicator& communicator, const Clusters& parameters);
kasen::io::DenseData option_data(const kasen::comm::Communicator& communicator, const OptionData& parameters);

}  // namespace apps::generate
