/// @file
/// How matrices come into a program.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/make_vector.h"

namespace kasen {

using io::ReadOptions;

namespace detail {
/// What T may hold of the numbers that files have.
template <class T>
io::ValueRequest value_request() {
  if constexpr (std::is_same_v<T, Pattern>) {
    return {};
  } else {
    io::ValueRequest request{.stored = true};
    if constexpr (std::is_integral_v<T>) {
      constexpr double kExact = 9007199254740992.0;  // 2^53: up to it every whole number is a double
      request.rule.integral = true;
      request.rule.least = std::max(static_cast<double>(std::numeric_limits<T>::lowest()), -kExact);
      request.rule.most = std::min(static_cast<double>(std::numeric_limits<T>::max()), kExact);
    } else if constexpr (std::is_same_v<T, float>) {
      request.rule.most = 0x1.fffffefffffffp127;  // the largest double that is rounded to no infinite float
      request.rule.least = -request.rule.most;
    }
    return request;
  }
}
template <class T>
inline constexpr bool kIsRead = std::is_arithmetic_v<T> || std::is_same_v<T, Pattern>;
/// A matrix as a file holds it; `entries` have values, double, if they were asked for.
struct FileMatrix {
  Entries entries;
  Space rows, columns;
  std::shared_ptr<const io::VertexIds> ids;
};
/// @throws ProgramError: a matrix of numbers needs what the option leaves out.
[[noreturn]] void refuse_ignored_weights(SourceLocation where);
FileMatrix read_file_matrix(const std::string& path, const ReadOptions& options, const io::ValueRequest& values,
                            SourceLocation where);
/// The labels stand in `labels`, by blocks, if the file has some.
FileMatrix read_file_samples(const std::string& path, const ReadOptions& options, const io::ValueRequest& values,
                             std::optional<std::vector<double>>& labels, SourceLocation where);
/// @param ids of the rows, if they have names: what --partition FILE may speak of.
MatrixId add_matrix(Space rows, Space columns, Entries entries, SourceLocation where,
                    const io::VertexIds* ids = nullptr);
/// @param type a hash of the type of values, which all workers have to give alike
/// @throws ProgramError if all workers, of several, give the same entries and at least one.
MatrixId make_matrix(Space rows, Space columns, Entries entries, std::uint64_t type, bool may_repeat,
                     SourceLocation where);
/// What `add` gives; its errors, which are the same on all workers, as those of the call.
MatrixId added(const char* call, SourceLine line, const std::function<MatrixId()>& add);
/// Values of type double to values of type T, which are not larger.
template <class T>
void convert_values(Entries& entries) {
  if constexpr (!std::is_same_v<T, Pattern> && !std::is_same_v<T, double>) {
    static_assert(sizeof(T) <= sizeof(double));
    for (std::size_t k = 0; k < entries.row.size(); ++k) {
      double from;
      std::memcpy(&from, &entries.value[k * sizeof from], sizeof from);
      const T to = static_cast<T>(from);
      std::memcpy(&entries.value[k * sizeof to], &to, sizeof to);
    }
    entries.value.resize(entries.row.size() * sizeof(T));
    entries.value_bytes = sizeof(T);
  }
}
}  // namespace detail

/// Collective. The matrix of a graph, or any matrix whose non-zeros are listed, read in parallel, in any format that
/// holds graphs, told from the content (docs/input.md). Of a graph row = source, column = target; square.
/// Duplicate edges are separate non-zeros. T is Pattern, which leaves values out, or a number: then a file without
/// values is refused, and so are numbers that T does not hold, of a skew-symmetric matrix also those whose negatives it
/// does not hold. Cost: each worker reads a part of the file; then that of make_matrix.
/// @throws AgreedError "FILE: ..." or "FILE:LINE:COLUMN: ..."
/// @throws ProgramError for ReadOptions::ignore_weights, unless T is Pattern
/// @code
/// Matrix<Pattern> web = read_matrix<Pattern>("web.txt");
/// Matrix<double> weights = read_matrix<double>("weights.mtx");
/// @endcode
template <class T>
Matrix<T> read_matrix(const std::string& path, const ReadOptions& options = {},
                      SourceLocation where = SourceLocation::current()) {
  static_assert(detail::kIsRead<T>,
                "[read_matrix] files have numbers: read_matrix<double>(path), or Pattern, which leaves values out");
  recording::recorder(recording::source_line(where));  // refuses without a session
  if (options.ignore_weights && !std::is_same_v<T, Pattern>) detail::refuse_ignored_weights(where);
  detail::FileMatrix file = detail::read_file_matrix(path, options, detail::value_request<T>(), where);
  detail::convert_values<T>(file.entries);
  const MatrixId id = detail::add_matrix(file.rows, file.columns, std::move(file.entries), where, file.ids.get());
  return {id, file.rows, file.columns, std::move(file.ids)};
}

/// Samples with few non-zeros.
template <class T>
struct Samples {
  Matrix<T> X;            ///< a row a sample
  Vector<double> labels;  ///< of the samples; without a value if the file has none
  bool labelled;
};

/// Collective. Samples with few non-zeros, read in parallel, in any format that holds some, told from the content. T is
/// as for read_matrix, and so is the cost.
/// @throws AgreedError "FILE: ..." or "FILE:LINE:COLUMN: ..."
/// @code
/// auto [X, labels, labelled] = read_samples<double>("a9a.svm");
/// @endcode
template <class T>
Samples<T> read_samples(const std::string& path, const ReadOptions& options = {},
                        SourceLocation where = SourceLocation::current()) {
  static_assert(detail::kIsRead<T>,
                "[read_samples] files have numbers: read_samples<double>(path), or Pattern, which leaves values out");
  recording::recorder(recording::source_line(where));  // refuses without a session
  std::optional<std::vector<double>> labels;
  detail::FileMatrix file = detail::read_file_samples(path, options, detail::value_request<T>(), labels, where);
  detail::convert_values<T>(file.entries);
  Samples<T> samples{
      {detail::add_matrix(file.rows, file.columns, std::move(file.entries), where), file.rows, file.columns},
      Vector<double>(where),
      labels.has_value()};
  if (labels) samples.labels = make_vector<double>(file.rows, std::span<const double>(*labels), where);
  return samples;
}

/// One non-zero of a matrix.
template <class T>
struct Entry {
  GlobalIndex row, column;
  T value;
};
template <>
struct Entry<Pattern> {
  GlobalIndex row, column;
};

namespace detail {
template <class>
struct ValueOf;
template <class T>
struct ValueOf<Entry<T>> {
  using type = T;
};
template <class>
inline constexpr bool kIsEntry = false;
template <class T>
inline constexpr bool kIsEntry<Entry<T>> = true;
}  // namespace detail

/// Whether all workers may give the same entries: then each of them is there once for every worker.
enum class EqualEntries : std::uint8_t { refused, meant };

/// Collective. A matrix from entries, of which each worker gives any part: every entry on one worker, whichever.
/// Duplicates stay separate non-zeros. Cost: the search for a partition, unless both spaces have owners, and entries
/// cross the network at most once, to theirs; memory as in docs/memory.md.
/// @throws ProgramError, on all workers, if an index is out of range; if there are several workers and all give the
/// same entries, unless that is meant. AgreedError if they make different ones.
/// @code
/// std::vector<Entry<double>> entries;
/// if (session.rank() == 0) entries = {{0, 1, 2.5}, {2, 0, -1.0}};
/// Matrix<double> small = make_matrix(3, 3, entries);
/// @endcode
template <class T>
Matrix<T> make_matrix(Space rows, Space columns, std::span<const Entry<T>> entries,
                      EqualEntries equal = EqualEntries::refused, SourceLocation where = SourceLocation::current()) {
  Entries packed;
  if constexpr (!std::is_same_v<T, Pattern>) packed.value_bytes = sizeof(T);
  for (const Entry<T>& entry : entries) {
    packed.row.push_back(entry.row);
    packed.column.push_back(entry.column);
    if constexpr (!std::is_same_v<T, Pattern>) {
      T value = entry.value;
      if constexpr (kMayHavePadding<T>) clear_padding(value);  // checkpoints compare data by its bytes
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      packed.value.insert(packed.value.end(), bytes, bytes + sizeof(T));
    }
  }
  const bool may_repeat = equal == EqualEntries::meant;
  std::uint64_t type = 0;
  if constexpr (!std::is_same_v<T, Pattern>) type = recording::type_of<T>().hash;
  return {detail::make_matrix(rows, columns, std::move(packed), type, may_repeat, where), rows, columns};
}

/// Of a std::vector, or whatever else lies in a row.
template <std::ranges::contiguous_range Entries>
requires detail::kIsEntry<std::ranges::range_value_t<Entries>>
auto make_matrix(Space rows, Space columns, const Entries& entries, EqualEntries equal = EqualEntries::refused,
                 SourceLocation where = SourceLocation::current()) {
  using E = std::ranges::range_value_t<Entries>;
  using T = typename detail::ValueOf<E>::type;
  return make_matrix<T>(rows, columns, std::span<const E>(std::ranges::data(entries), std::ranges::size(entries)),
                        equal, where);
}

/// Collective. The same for entries that are packed already; for large matrices without values.
inline Matrix<Pattern> make_matrix(Space rows, Space columns, Entries entries,
                                   EqualEntries equal = EqualEntries::refused,
                                   SourceLocation where = SourceLocation::current()) {
  const bool may_repeat = equal == EqualEntries::meant;
  return {detail::make_matrix(rows, columns, std::move(entries), 0, may_repeat, where), rows, columns};
}

}  // namespace kasen
