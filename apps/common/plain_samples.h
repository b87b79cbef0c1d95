/// @file
/// Class PlainSamples: samples for verification, with entries as they were read and products in plain loops.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/common/samples.h"
#include "kasen/io/data/matrix_data.h"

namespace apps {

class PlainSamples {
 public:
  /// Collective. Reads the file.
  PlainSamples(const SampleFile& file, std::uint64_t features);

  /// The labels of all samples, on every worker.
  const std::vector<double>& labels() const { return _labels; }
  /// Collective. By sample: X w plus the intercept, which stands behind the weights.
  std::vector<double> scores(const std::vector<double>& w) const;
  /// Collective. By feature: X'u; behind them the sum of u.
  std::vector<double> combined(const std::vector<double>& u) const;

 private:
  double value(std::size_t k) const;
  std::uint64_t _features;
  kasen::Entries _entries;  ///< this worker's, with values
  std::vector<double> _labels;
};

}  // namespace apps
