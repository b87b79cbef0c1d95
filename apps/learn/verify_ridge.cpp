#include "apps/learn/verify_ridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "apps/common/largest.h"
#include "apps/common/plain_sum.h"
#include "kasen/io/formats/columns.h"
#include "kasen/workers.h"

namespace apps {

namespace {

using Numbers = std::vector<double>;

constexpr double kSmall = 1e-9;  ///< a pivot of a smaller part of the number of samples: weights are not determined

double sum_over_workers(double mine) { return apps::sum_over_workers(Numbers{mine})[0]; }

/// A table as it stands in the file, with each feature around its mean; this worker's rows.
class PlainTable {
 public:
  PlainTable(const std::string& path, const RidgeClaim& claim) : _d(claim.features.size()) {
    const kasen::comm::Communicator& workers = kasen::workers::communicator();
    const FeatureColumns columns = columns_of(claim.target, claim.features);
    std::vector<kasen::WantedColumn> wanted;
    for (const std::string& name : columns.numbers) wanted.push_back({name, kasen::ColumnType::number});
    for (const std::string& name : columns.words) wanted.push_back({name, kasen::ColumnType::word});
    wanted.push_back({claim.target, kasen::ColumnType::number});
    const kasen::io::ColumnsData data = kasen::io::read_columns(workers, path, wanted, {});
    y = data.columns.back().numbers;
    n = static_cast<double>(data.rows);
    const std::uint64_t before = kasen::workers::exclusive_sum(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      fold.push_back(kasen::random_below(claim.folds, claim.seed, before + i));
      for (const std::string& feature : claim.features) _x.push_back(value(data, feature, i));
    }
    centre();
  }
  double x(std::size_t i, std::size_t j) const { return _x[i * _d + j]; }

  double n = 0;
  Numbers y;                        ///< less their mean
  std::vector<std::uint64_t> fold;  ///< of each row
  Numbers mean, deviation;          ///< of features, and behind them of the target; deviation 0: constant

 private:
  static double value(const kasen::io::ColumnsData& data, const std::string& feature, std::size_t row) {
    for (const kasen::io::ColumnData& column : data.columns) {
      if (column.type == kasen::ColumnType::number && column.name == feature) return column.numbers[row];
      if (column.type != kasen::ColumnType::word || !feature.starts_with(column.name + "=")) continue;
      const auto code = static_cast<std::uint64_t>(column.codes[row]);
      return column.words[code] == feature.substr(column.name.size() + 1) ? 1 : 0;
    }
    return 0;
  }
  void centre() {
    mean.assign(_d + 1, 0), deviation.assign(_d + 1, 0);
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j <= _d; ++j) mean[j] += (j < _d ? x(i, j) : y[i]) / n;
    mean = apps::sum_over_workers(mean);
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t j = 0; j <= _d; ++j) {
        double& number = j < _d ? _x[i * _d + j] : y[i];
        number -= mean[j];
        deviation[j] += number * number / n;
      }
    }
    deviation = apps::sum_over_workers(deviation);
    for (std::size_t j = 0; j <= _d; ++j) {
      deviation[j] = std::sqrt(deviation[j]);
      if (j < _d && deviation[j] <= 1e-12 * std::abs(mean[j])) deviation[j] = 0;
    }
  }

  std::size_t _d;
  Numbers _x;
};

/// By weight of a feature of variance 1, the penalty.
Numbers penalties_of(const PlainTable& table, const RidgeSettings& settings, double penalty) {
  Numbers by(table.deviation.size() - 1, penalty);
  for (std::size_t j = 0; j < by.size(); ++j) {
    const double deviation = table.deviation[j];
    if (settings.raw && deviation > 0) by[j] /= deviation * deviation;
  }
  return by;
}

/// The equations of the samples that are not of a fold, for the intercept and weights of features of variance 1, each a
/// row with the right side behind.
Numbers equations_without(const PlainTable& table, std::uint64_t fold) {
  const std::size_t d = table.mean.size() - 1, width = d + 2;
  Numbers rows((d + 1) * width), z(width, 1.0);
  for (std::size_t i = 0; i < table.y.size(); ++i) {
    if (table.fold[i] == fold) continue;
    for (std::size_t j = 0; j < d; ++j) z[j + 1] = table.deviation[j] > 0 ? table.x(i, j) / table.deviation[j] : 0;
    z[d + 1] = table.y[i];
    for (std::size_t a = 0; a <= d; ++a)
      for (std::size_t b = 0; b < width; ++b) rows[a * width + b] += z[a] * z[b];
  }
  return apps::sum_over_workers(rows);
}

/// Solves rows of equations by elimination, with the largest pivot of a column. @return whether all are determined
bool solve(Numbers rows, double n, Numbers& solution) {
  const std::size_t size = solution.size(), width = size + 1;
  bool determined = true;
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < size; ++i)
      if (std::abs(rows[i * width + k]) > std::abs(rows[best * width + k])) best = i;
    for (std::size_t c = 0; c < width; ++c) std::swap(rows[k * width + c], rows[best * width + c]);
    const double pivot = rows[k * width + k];
    if (!(std::abs(pivot) > kSmall * n)) determined = false;
    if (!determined) return false;
    for (std::size_t i = 0; i < size; ++i) {
      const double by = i == k ? 0 : rows[i * width + k] / pivot;
      for (std::size_t c = k; c < width; ++c) rows[i * width + c] -= by * rows[k * width + c];
    }
  }
  for (std::size_t k = 0; k < size; ++k) solution[k] = rows[k * width + size] / rows[k * width + k];
  return true;
}

/// The sum of the squared errors of a fold's samples.
double squared_errors(const PlainTable& table, std::uint64_t fold, const Numbers& solution) {
  double sum = 0;
  for (std::size_t i = 0; i < table.y.size(); ++i) {
    if (table.fold[i] != fold) continue;
    double error = solution[0] - table.y[i];
    for (std::size_t j = 0; j + 1 < solution.size(); ++j)
      if (table.deviation[j] > 0) error += solution[j + 1] * table.x(i, j) / table.deviation[j];
    sum += error * error;
  }
  return sum_over_workers(sum);
}

/// By penalty, the mean squared error of samples by the fit without their fold; NaN if some fit is not determined.
Numbers errors_of(const PlainTable& table, const RidgeClaim& claim) {
  const std::size_t d = claim.features.size(), width = d + 2;
  Numbers errors(claim.settings.penalties.size());
  for (std::uint64_t fold = 0; fold < claim.folds; ++fold) {
    const Numbers equations = equations_without(table, fold);
    for (std::size_t p = 0; p < errors.size(); ++p) {
      Numbers rows = equations, solution(d + 1);
      const Numbers by = penalties_of(table, claim.settings, claim.settings.penalties[p]);
      for (std::size_t j = 0; j < d; ++j) rows[(j + 1) * (width + 1)] += table.deviation[j] > 0 ? by[j] : table.n;
      if (solve(rows, table.n, solution)) {
        errors[p] += squared_errors(table, fold, solution) / table.n;
      } else {
        errors[p] = std::nan("");
      }
    }
  }
  return errors;
}

/// What is left of the equations of the claimed weights, relative to the terms; and of the claimed error.
double equations_left(const PlainTable& table, const RidgeClaim& claim) {
  const std::size_t d = claim.features.size();
  const Numbers& w = claim.fit.weights;
  double shift = claim.fit.intercept - table.mean[d], size = table.deviation[d], rounding = std::abs(table.mean[d]);
  for (std::size_t j = 0; j < d; ++j) {
    shift += w[j] * table.mean[j];
    size += std::abs(w[j]) * table.deviation[j];
    rounding += std::abs(w[j] * table.mean[j]);
  }
  Numbers left(d + 2);
  for (std::size_t i = 0; i < table.y.size(); ++i) {
    double error = shift - table.y[i];
    for (std::size_t j = 0; j < d; ++j) error += w[j] * table.x(i, j);
    left[0] += error;
    for (std::size_t j = 0; j < d; ++j)
      if (table.deviation[j] > 0) left[j + 1] += error * table.x(i, j) / table.deviation[j];
    left[d + 1] += error * error;
  }
  left = apps::sum_over_workers(left);
  const Numbers by = penalties_of(table, claim.settings, claim.settings.penalties[claim.fit.best]);
  double scale = table.n * (size + kSmall * rounding), most = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double term = by[j] * w[j] * table.deviation[j];
    left[j + 1] += term;
    scale += std::abs(term);
    if (table.deviation[j] == 0 && w[j] != 0) most = kasen::infinity;
  }
  for (std::size_t j = 0; j <= d; ++j) keep_larger(most, scale > 0 ? std::abs(left[j]) / scale : std::abs(left[j]));
  const double mean = left[d + 1] / table.n, spread = table.deviation[d] * table.deviation[d];
  keep_larger(most, std::abs(claim.fit.error - mean) / (mean + 1e-6 * spread + 1e-300));
  return most;
}

}  // namespace

std::string RidgeError::text() const {
  return fmt::format("errors within {:.1g}{}, equations within {:.1g}", errors,
                     undetermined == 0 ? "" : fmt::format(" (of {} not determined)", undetermined), equations);
}

RidgeError ridge_error(const std::string& path, const RidgeClaim& claim) {
  const PlainTable table(path, claim);
  const double spread = table.deviation.back() * table.deviation.back();
  const Numbers found = errors_of(table, claim);
  RidgeError error;
  error.best = claim.fit.errors.size() == found.size() && claim.fit.best < found.size();
  for (std::size_t p = 0; error.best && p < found.size(); ++p) {
    if (!(claim.fit.errors[claim.fit.best] <= claim.fit.errors[p])) error.best = false;
    if (std::isnan(found[p])) {
      ++error.undetermined;
    } else {
      keep_larger(error.errors, std::abs(claim.fit.errors[p] - found[p]) / (found[p] + 1e-6 * spread + 1e-300));
    }
  }
  if (error.best) error.equations = equations_left(table, claim);
  return error;
}

}  // namespace apps
