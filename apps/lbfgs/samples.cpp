#include "apps/lbfgs/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "apps/common/columns.h"
#include "kasen/base/error.h"
#include "kasen/base/source_location.h"
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
    entries.row[kept] = entries.row[k];
    entries.column[kept] = entries.column[k];
    std::copy_n(&entries.value[k * sizeof(double)], sizeof(double), &entries.value[kept * sizeof(double)]);
    ++kept;
  }
  entries.row.resize(kept);
  entries.column.resize(kept);
  entries.value.resize(kept * sizeof(double));
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
  const kasen::Space rows(data.rows), columns(features.value_or(data.columns));
  const auto where = kasen::SourceLocation::current();
  const kasen::MatrixId X = kasen::detail::add_matrix(rows, columns, std::move(data.entries), where);
  return {{X, rows, columns}, kasen::make_vector<double>(rows, std::span<const double>(data.labels))};
}

LabelledSamples read_table(const SampleFile& file, std::optional<std::uint64_t> features) {
  kasen::io::DenseData data = kasen::io::read_dense(kasen::workers::communicator(), file.path, file.options);
  if (data.rows == 0) throw InputError(file.path + ": there are no samples");
  const std::uint64_t label = column_number(file.path, data.names, data.columns, file.label);
  if (data.columns < 2) throw InputError(file.path + ": there are no columns but the labels");
  std::vector<double> labels;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < data.values.size(); ++k) {
    if (k % data.columns == label) {
      labels.push_back(data.values[k]);
    } else {
      data.values[kept++] = data.values[k];
    }
  }
  data.values.resize(kept);
  --data.columns;
  data.names.clear();
  if (features && *features != data.columns) {
    throw InputError(fmt::format("{}: expected {} features, found {}", file.path, *features, data.columns));
  }
  const kasen::Table table(std::move(data));
  return {table.matrix(), kasen::make_vector<double>(table.rows(), std::span<const double>(labels))};
}

}  // namespace

LabelledSamples read_labelled(const SampleFile& file, std::optional<std::uint64_t> features) {
  return file.label.empty() ? read_sparse(file, features) : read_table(file, features);
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
