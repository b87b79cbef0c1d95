#include "apps/common/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "apps/common/columns.h"
#include "kasen/base/error.h"
#include "kasen/base/source_location.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {
namespace {

using kasen::InputError;

/// Leaves out the entries of further columns.
void keep_columns(kasen::Entries& entries, std::uint64_t columns) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    if (static_cast<std::uint64_t>(entries.column[k]) >= columns) continue;
    entries.row.set(kept, entries.row[k]);
    entries.column.set(kept, entries.column[k]);
    std::copy_n(&entries.value[k * sizeof(double)], sizeof(double), &entries.value[kept * sizeof(double)]);
    ++kept;
  }
  entries.row.resize(kept);
  entries.column.resize(kept);
  entries.value.resize(kept * sizeof(double));
}

/// Adds a column of ones to some rows.
void add_constant(kasen::Entries& entries, kasen::BlockRange rows, std::uint64_t column) {
  for (std::uint64_t k = 0; k < rows.count; ++k) {
    kasen::io::append(entries, rows.first + static_cast<kasen::GlobalIndex>(k), static_cast<kasen::GlobalIndex>(column),
                      1.0);
  }
  entries.prepared = nullptr;  // for another number of columns
}

LabelledSamples read_sparse(const SampleFile& file, std::optional<std::uint64_t> features) {
  kasen::ReadOptions options = file.options;
  if (features) options.columns = 0;
  kasen::io::SparseData data = kasen::io::read_samples(kasen::workers::communicator(), file.path, options);
  if (data.rows == 0) throw InputError(file.path + ": there are no samples");
  if (!data.labelled) throw InputError(file.path + ": there are no labels");
  if (features && *features != data.columns) {
    keep_columns(data.entries, *features);
    data.entries.prepared = nullptr;  // for another number of columns
  }
  std::uint64_t width = features.value_or(data.columns);
  if (file.constant) add_constant(data.entries, kasen::block_of(kasen::Space(data.rows)), width++);
  const kasen::Space rows(data.rows), columns(width);
  const auto where = kasen::SourceLocation::current();
  const kasen::MatrixId X = kasen::detail::add_matrix(rows, columns, std::move(data.entries), where);
  return {{X, rows, columns}, kasen::make_vector<double>(rows, std::span<const double>(data.labels))};
}

/// A table without its labels, which go to `labels`.
kasen::Table read_features(const SampleFile& file, std::optional<std::uint64_t> features, std::vector<double>& labels) {
  kasen::io::DenseData data = kasen::io::read_dense(kasen::workers::communicator(), file.path, file.options);
  if (data.rows == 0) throw InputError(file.path + ": there are no samples");
  const std::uint64_t label = column_number(file.path, data.names, data.columns, file.label), columns = data.columns;
  if (columns < 2) throw InputError(file.path + ": there are no columns but the labels");
  if (features && *features != columns - 1)
    throw InputError(fmt::format("{}: expected {} features, found {}", file.path, *features, columns - 1));
  std::size_t kept = 0;
  for (std::size_t k = 0; k < data.values.size(); ++k) {
    if (k % columns == label) {
      labels.push_back(data.values[k]);
    } else {
      data.values[kept++] = data.values[k];
    }
    if (file.constant && (k + 1) % columns == 0) data.values[kept++] = 1;
  }
  data.values.resize(kept);
  data.columns = columns - (file.constant ? 0 : 1);
  data.names.clear();
  return kasen::Table(std::move(data));
}

}  // namespace

LabelledSamples read_labelled(const SampleFile& file, std::optional<std::uint64_t> features) {
  if (file.label.empty()) return read_sparse(file, features);
  std::vector<double> labels;
  const kasen::Table table = read_features(file, features, labels);
  return {table.matrix(), kasen::make_vector<double>(table.rows(), std::span<const double>(labels))};
}

LabelledRows read_labelled_rows(const SampleFile& file) {
  std::vector<double> labels;
  const kasen::Table table = read_features(file, {}, labels);
  return {table.as_rows(), kasen::make_vector<double>(table.rows(), std::span<const double>(labels))};
}

std::vector<double> classes_of(const kasen::Vector<double>& labels, const std::string& path) {
  const auto is_finite = KASEN_FN((auto x), kasen::abs(x) < kasen::infinity);
  if (!kasen::reduce(kasen::logical_and, kasen::map(is_finite, labels)).get()) {
    throw InputError(path + ": there are labels that are not finite");
  }
  std::vector<double> classes;
  for (kasen::Shared<double> last = -kasen::infinity;;) {
    const auto later = KASEN_FN((auto x, auto after), x > after ? x : kasen::infinity);
    last = kasen::reduce(kasen::min, kasen::map(later, labels, last));
    const double next = last.get();
    if (next == kasen::infinity) break;
    classes.push_back(next);
    if (classes.size() > kMostClasses) {
      throw InputError(fmt::format("{}: there are more than {} different labels", path, kMostClasses));
    }
  }
  if (classes.size() < 2) {
    throw InputError(fmt::format("{}: expected at least two different labels, found only {}", path, classes.at(0)));
  }
  return classes;
}

}  // namespace apps
