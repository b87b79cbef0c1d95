#include "apps/common/plain_samples.h"

#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "apps/common/columns.h"
#include "apps/common/plain_sum.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {
namespace {

/// Of a table: all entries but the labels, which go to `labels`.
kasen::Entries entries_of(const std::string& path, const kasen::io::DenseData& table, const std::string& label,
                          std::vector<double>& labels) {
  const std::uint64_t at = column_number(path, table.names, table.columns, label);
  kasen::Entries entries;
  entries.value_bytes = sizeof(double);
  const std::uint64_t before = kasen::workers::exclusive_sum(table.values.size() / table.columns);
  for (std::uint64_t k = 0; k < table.values.size(); ++k) {
    const std::uint64_t column = k % table.columns;
    if (column == at) {
      labels.push_back(table.values[k]);
    } else {
      kasen::io::append(entries, static_cast<kasen::GlobalIndex>(before + k / table.columns),
                        static_cast<kasen::GlobalIndex>(column - (column > at ? 1 : 0)), table.values[k]);
    }
  }
  return entries;
}

}  // namespace

PlainSamples::PlainSamples(const SampleFile& file, std::uint64_t features) : _features(features) {
  const kasen::comm::Communicator& workers = kasen::workers::communicator();
  std::vector<double> mine;
  if (file.label.empty()) {
    kasen::io::SparseData data = kasen::io::read_samples(workers, file.path, file.options);
    _entries = std::move(data.entries);
    mine = std::move(data.labels);
  } else {
    _entries = entries_of(file.path, kasen::io::read_dense(workers, file.path, file.options), file.label, mine);
  }
  _labels = kasen::workers::all_gather(std::span<const double>(mine));
}

double PlainSamples::value(std::size_t k) const {
  double number;
  std::memcpy(&number, &_entries.value[k * sizeof number], sizeof number);
  return number;
}

std::vector<double> PlainSamples::scores(const std::vector<double>& w) const {
  std::vector<double> scores(_labels.size());
  for (std::size_t k = 0; k < _entries.row.size(); ++k) {
    scores[static_cast<std::size_t>(_entries.row[k])] += value(k) * w[static_cast<std::size_t>(_entries.column[k])];
  }
  scores = sum_over_workers(scores);
  for (double& score : scores) score += w.back();
  return scores;
}

std::vector<double> PlainSamples::combined(const std::vector<double>& u) const {
  std::vector<double> sums(_features);
  for (std::size_t k = 0; k < _entries.row.size(); ++k) {
    sums[static_cast<std::size_t>(_entries.column[k])] += value(k) * u[static_cast<std::size_t>(_entries.row[k])];
  }
  sums = sum_over_workers(sums);
  sums.push_back(std::accumulate(u.begin(), u.end(), 0.0));
  return sums;
}

}  // namespace apps
