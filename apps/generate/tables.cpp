/// @file
/// Generation of rows, each as a function of its number.
#include "apps/generate/tables.h"

#include <algorithm>
#include <string>

#include "apps/generate/streams.h"
#include "partition/assignment.h"

namespace apps::generate {

namespace {

using kasen::GlobalIndex;
using kasen::comm::Communicator;
using kasen::io::DenseData;

struct Rows {
  std::uint64_t begin, end;
};

Rows block_of(const Communicator& communicator, std::uint64_t rows) {
  const auto blocks = kasen::partition::Assignment::block(rows, communicator.size());
  return {static_cast<std::uint64_t>(blocks.block_begin(communicator.rank())),
          static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1))};
}

double weight(const LinearModel& parameters, std::uint64_t column) { return Stream(parameters.seed, 1).normal(column); }

/// `count` different columns in ascending order, by Floyd's way of drawing without repetition.
void draw_columns(const Stream& stream, const LinearModel& parameters, std::uint64_t row,
                  std::vector<GlobalIndex>& drawn) {
  drawn.clear();
  for (std::uint64_t k = 0; k < parameters.per_row; ++k) {
    const std::uint64_t last = parameters.columns - parameters.per_row + k;
    auto column = static_cast<GlobalIndex>(stream.below(last + 1, row * parameters.per_row + k));
    auto place = std::lower_bound(drawn.begin(), drawn.end(), column);
    if (place != drawn.end() && *place == column) {
      column = static_cast<GlobalIndex>(last);  // above all that were drawn before
      place = drawn.end();
    }
    drawn.insert(place, column);
  }
}

}  // namespace

kasen::io::SparseData linear_model(const Communicator& communicator, const LinearModel& parameters) {
  const Stream columns(parameters.seed, 2), numbers(parameters.seed, 3), noise(parameters.seed, 4);
  kasen::io::SparseData data;
  data.rows = parameters.rows;
  data.columns = parameters.columns;
  data.labelled = true;
  data.entries.value_bytes = sizeof(double);
  std::vector<GlobalIndex> drawn;
  const Rows mine = block_of(communicator, parameters.rows);
  for (std::uint64_t row = mine.begin; row < mine.end; ++row) {
    draw_columns(columns, parameters, row, drawn);
    double product = 0;
    for (std::uint64_t k = 0; k < drawn.size(); ++k) {
      const double value = numbers.normal(row * parameters.per_row + k);
      product += value * weight(parameters, static_cast<std::uint64_t>(drawn[k]));
      data.entries.row.push_back(static_cast<GlobalIndex>(row));
      data.entries.column.push_back(drawn[k]);
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      data.entries.value.insert(data.entries.value.end(), bytes, bytes + sizeof value);
    }
    const double off = parameters.noise * (parameters.logistic ? noise.logistic(row) : noise.normal(row));
    data.labels.push_back(!parameters.logistic ? product + off : product + off > 0 ? 1 : -1);
  }
  return data;
}

DenseData planted_weights(const Communicator& communicator, const LinearModel& parameters) {
  DenseData data;
  data.rows = parameters.columns;
  data.columns = 1;
  const Rows mine = block_of(communicator, data.rows);
  for (std::uint64_t column = mine.begin; column < mine.end; ++column) {
    data.values.push_back(weight(parameters, column));
  }
  return data;
}

LabelledPoints clusters(const Communicator& communicator, const Clusters& parameters) {
  const Stream centres(parameters.seed, 1), choices(parameters.seed, 2), offsets(parameters.seed, 3);
  LabelledPoints result;
  result.points.rows = parameters.rows;
  result.points.columns = parameters.columns;
  const Rows mine = block_of(communicator, parameters.rows);
  result.points.values.reserve((mine.end - mine.begin) * parameters.columns);
  for (std::uint64_t row = mine.begin; row < mine.end; ++row) {
    const std::uint64_t cluster = choices.below(parameters.clusters, row);
    for (std::uint64_t c = 0; c < parameters.columns; ++c) {
      result.points.values.push_back(centres.unit(cluster * parameters.columns + c) +
                                     parameters.spread * offsets.normal(row * parameters.columns + c));
    }
    result.labels.push_back(static_cast<double>(cluster));
  }
  return result;
}

DenseData option_data(const Communicator& communicator, const OptionData& parameters) {
  const Stream numbers(parameters.seed, 1);
  DenseData data;
  data.names = {"spot", "strike", "rate", "volatility", "years", "call"};
  data.rows = parameters.rows;
  data.columns = data.names.size();
  const Rows mine = block_of(communicator, parameters.rows);
  data.values.reserve((mine.end - mine.begin) * data.columns);
  for (std::uint64_t row = mine.begin; row < mine.end; ++row) {
    const std::uint64_t counter = row * data.columns;
    const double spot = numbers.between(10, 200, counter);
    const double strike = spot * numbers.between(0.5, 1.5, counter + 1);
    const double call = numbers.unit(counter + 5) < 0.5 ? 1 : 0;
    for (const double value : {spot, strike, numbers.between(0.01, 0.1, counter + 2),
                               numbers.between(0.05, 0.65, counter + 3), numbers.between(0.05, 2, counter + 4), call}) {
      data.values.push_back(value);
    }
  }
  return data;
}

}  // namespace apps::generate
