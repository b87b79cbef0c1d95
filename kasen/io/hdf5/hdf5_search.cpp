/// @file
/// Search through a file's datasets and groups, with the reasons why one does not fit.
#include "kasen/io/hdf5/hdf5_search.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::io {

namespace {

using Object = Hdf5File::Object;
using Format = SparseGroup::Format;

constexpr const char* kTable = "integers or floating-point numbers in one or two dimensions";
constexpr const char* kSparse = "a sparse matrix: a group with indptr, indices and data, or with row, col and data";

bool is_dataset(const Hdf5File& file, const std::string& group, const char* name) {
  return file.object(child_of(group, name)) == Object::dataset;
}

bool looks_sparse(const Hdf5File& file, const std::string& group) {
  return is_dataset(file, group, "indices") ? is_dataset(file, group, "indptr")
                                            : is_dataset(file, group, "row") && is_dataset(file, group, "col");
}

bool is_table(const Hdf5Array& array) {
  return array.numbers() && (array.shape.size() == 1 || array.shape.size() == 2);
}

/// The one name; if there is none or are several, an error that lists them.
std::string only_one(const Hdf5File& file, const std::vector<std::string>& fitting, const std::string& expected,
                     const std::function<std::string()>& nothing) {
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty()) throw InputError(nothing());
  constexpr std::size_t kListed = 20;
  std::string text = file.path() + ": found " + std::to_string(fitting.size()) + " datasets that fit (";
  for (std::size_t k = 0; k < std::min(fitting.size(), kListed); ++k) text += (k == 0 ? "" : ", ") + fitting[k];
  throw InputError(text + (fitting.size() > kListed ? ", ..." : "") + "), expected the name of one: " + expected);
}

std::string existing(const Hdf5File& file, const std::string& name, const char* expected) {
  std::string absolute = absolute_name(name);
  if (file.object(absolute) == Object::none) refuse(file, absolute, "nothing of this name", expected);
  return absolute;
}

/// A dataset of a sparse group, in one dimension.
Hdf5Array part(const Hdf5File& file, const std::string& group, const char* name, bool integers) {
  Hdf5Array array = file.describe(child_of(group, name));
  const bool fits = integers ? array.kind == Hdf5Array::Kind::integer : array.numbers();
  if (!fits || !array.vector()) {
    refuse(file, array.name, array.found, integers ? "integers in one dimension" : "numbers in one dimension");
  }
  return array;
}

std::vector<std::int64_t> shape_of(const Hdf5File& file, const std::string& group) {
  for (const char* name : {"shape", "h5sparse_shape"}) {
    if (const auto shape = file.integer_attribute(group, name)) return *shape;
  }
  if (!is_dataset(file, group, "shape")) {
    refuse(file, group, "a sparse matrix without its shape",
           "an attribute `shape` or `h5sparse_shape`, or a dataset `shape`");
  }
  const Hdf5Array array = part(file, group, "shape", true);
  std::vector<std::int64_t> shape(static_cast<std::size_t>(std::min<std::uint64_t>(array.shape[0], 3)));
  file.read(array, 0, shape.size(), std::span<std::int64_t>(shape));
  return shape;
}

/// The format that the group's attributes name; none if they do not.
std::optional<Format> stated_format(const Hdf5File& file, const std::string& group) {
  for (const char* name : {"encoding-type", "h5sparse_format", "format"}) {
    const auto text = file.text_attribute(group, name);
    if (!text) continue;
    if (text->starts_with("csr")) return Format::by_row;
    if (text->starts_with("csc")) return Format::by_column;
    if (text->starts_with("coo")) return Format::coordinates;
    refuse(file, group, "a sparse matrix stored as " + *text, "csr_matrix, csc_matrix or coo_matrix");
  }
  return std::nullopt;
}

void expect_length(const Hdf5File& file, const Hdf5Array& array, std::uint64_t length, const std::string& why) {
  if (array.shape[0] != length) refuse(file, array.name, array.found, std::to_string(length) + " of them, " + why);
}

SparseGroup describe_sparse(const Hdf5File& file, const std::string& name) {
  SparseGroup group;
  group.name = name;
  const bool compressed = is_dataset(file, name, "indices");
  const std::vector<std::int64_t> shape = shape_of(file, name);
  if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0) {
    refuse(file, name, "a sparse matrix whose shape is not two sizes", "rows and columns");
  }
  group.rows = static_cast<std::uint64_t>(shape[0]);
  group.columns = static_cast<std::uint64_t>(shape[1]);
  const auto stated = stated_format(file, name);
  if (stated && compressed == (*stated == Format::coordinates)) {
    refuse(file, name, compressed ? "indptr and indices" : "row and col", "the datasets of the format that it states");
  }
  group.index = part(file, name, compressed ? "indices" : "row", true);
  group.nonzeros = group.index.shape[0];
  if (compressed) {
    group.indptr = part(file, name, "indptr", true);
    const bool by_row = stated ? *stated == Format::by_row : group.indptr.shape[0] == group.rows + 1;
    group.format = by_row ? Format::by_row : Format::by_column;
    expect_length(file, group.indptr, (by_row ? group.rows : group.columns) + 1,
                  by_row ? "one more than rows" : "one more than columns");
  } else {
    group.format = Format::coordinates;
    group.column = part(file, name, "col", true);
    expect_length(file, group.column, group.nonzeros, "as many as in row");
  }
  if (file.object(child_of(name, "data")) != Object::none) {
    if (!is_dataset(file, name, "data")) refuse(file, child_of(name, "data"), "a group", "a dataset");
    group.data = part(file, name, "data", false);
    expect_length(file, *group.data, group.nonzeros, "as many as indices");
  }
  return group;
}

}  // namespace

void refuse(const Hdf5File& file, const std::string& name, const std::string& found, const std::string& expected) {
  throw InputError(file.place(name) + ": found " + found + ", expected " + expected);
}

Hdf5Array find_table(const Hdf5File& file, const std::string& name) {
  std::string chosen;
  if (!name.empty()) {
    chosen = existing(file, name, kTable);
    if (file.object(chosen) != Object::dataset) {
      refuse(file, chosen, looks_sparse(file, chosen) ? "a sparse matrix" : "a group", kTable);
    }
  } else {
    const std::vector<std::string> datasets = file.list(Object::dataset);
    std::vector<std::string> fitting;
    for (const std::string& dataset : datasets) {
      if (is_table(file.describe(dataset)) && !looks_sparse(file, parent_of(dataset))) fitting.push_back(dataset);
    }
    chosen = only_one(file, fitting, kTable, [&]() -> std::string {
      if (datasets.empty()) return file.path() + ": found no dataset, expected " + kTable;
      for (const std::string& dataset : datasets) {
        const Hdf5Array array = file.describe(dataset);
        if (is_table(array)) continue;
        const std::size_t others = datasets.size() - 1;
        return file.place(dataset) + ": found " + array.found +
               (others > 0 ? " (and " + std::to_string(others) + " more datasets that do not fit)" : "") +
               ", expected " + kTable;
      }
      return file.path() + ": found a sparse matrix, expected " + kTable;
    });
  }
  Hdf5Array array = file.describe(chosen);
  if (!is_table(array)) refuse(file, chosen, array.found, kTable);
  return array;
}

SparseGroup find_sparse(const Hdf5File& file, const std::string& name) {
  if (!name.empty()) {
    const std::string chosen = existing(file, name, kSparse);
    if (file.object(chosen) != Object::group) refuse(file, chosen, file.describe(chosen).found, kSparse);
    if (!looks_sparse(file, chosen)) refuse(file, chosen, "a group without these datasets", kSparse);
    return describe_sparse(file, chosen);
  }
  std::vector<std::string> fitting;
  for (const std::string& group : file.list(Object::group)) {
    if (looks_sparse(file, group)) fitting.push_back(group);
  }
  return describe_sparse(file, only_one(file, fitting, kSparse, [&]() -> std::string {
                           const std::vector<std::string> datasets = file.list(Object::dataset);
                           if (datasets.empty()) return file.path() + ": found no dataset, expected " + kSparse;
                           return file.place(datasets[0]) + ": found " + file.describe(datasets[0]).found +
                                  ", expected " + kSparse;
                         }));
}

}  // namespace kasen::io
