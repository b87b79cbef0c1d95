/// @file
/// How results leave a program: files written in parallel, and the largest elements.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/functors.h"
#include "kasen/io/bytes/element_type.h"
#include "kasen/io/ids/vertex_ids.h"
#include "kasen/rows.h"
#include "kasen/workers.h"

namespace kasen {

/// Collective. Vectors written to one file, each in global order, by the file's name: `.tsv` a table whose columns they
/// are, under a line of their names; `.mtx` the columns of a Matrix Market array, without names; any other name HDF5,
/// each a dataset. The vectors of a text file have one length. The file appears under its name when it is whole. Calls
/// after commit() are refused with their line.
/// @code
/// Output("results.h5").add("rank", v).add("label", n).attribute("alpha", 0.85).commit();
/// @endcode
class Output {
 public:
  /// Checks that the file can be written. @throws AgreedError "FILE: reason"
  explicit Output(const std::string& path, SourceLocation where = SourceLocation::current());
  ~Output();
  /// Runs what is pending.
  template <class T>
  requires std::is_arithmetic_v<T> Output& add(const std::string& dataset, const Vector<T>& v,
                                               SourceLocation where = SourceLocation::current()) {
    add_masters(dataset, v, io::ElementType::of<T>(), recording::source_line(where));
    return *this;
  }
  /// Rows: in HDF5 a dataset of two dimensions, in a table a column for each number of a row, `dataset_0` and so on.
  template <class T>
  Output& add(const std::string& dataset, const Rows<T>& v, SourceLocation where = SourceLocation::current()) {
    add_masters(dataset, v, io::ElementType::of<T>(), recording::source_line(where), v.width(where));
    return *this;
  }
  /// The names of a matrix's rows and columns as the input gave them: integers, or fixed-length text.
  Output& add(const std::string& dataset, const io::VertexIds& ids, SourceLocation where = SourceLocation::current());
  /// Numbers that every worker has alike: a dataset in one dimension, or with `columns` a matrix, row-major. Copied.
  /// Text files leave it out, as they do attributes.
  Output& add(const std::string& dataset, std::span<const double> values, std::optional<std::uint64_t> columns = {},
              SourceLocation where = SourceLocation::current());
  /// An attribute of the file, the same on every worker.
  Output& attribute(const std::string& name, double value, SourceLocation where = SourceLocation::current());
  /// Writes it all, once: nothing can be added any more, nor after an error be committed again.
  /// @throws AgreedError "FILE: reason"; nothing is left behind then.
  void commit(SourceLocation where = SourceLocation::current());

 private:
  void add_masters(const std::string& dataset, const recording::Handle& v, io::ElementType type, SourceLine where,
                   std::optional<std::uint64_t> width = {});
  void require_open(const char* call, SourceLine where) const;
  struct Parts;
  std::unique_ptr<Parts> _parts;
};

namespace detail {
template <class... A>
inline constexpr bool kAreWritten = false;
template <class T, class... Names>
inline constexpr bool kAreWritten<Vector<T>, Names...> = (sizeof...(Names) == 1 || sizeof...(Names) == 2) &&
                                                         (std::convertible_to<Names, std::string> && ...);
template <class T, class... Names>
inline constexpr bool kAreWritten<Rows<T>, Names...> = kAreWritten<Vector<T>, Names...>;
template <class... A>
inline constexpr bool kAreTop = false;
template <class T, class Most>
inline constexpr bool kAreTop<Vector<T>, Most> = std::is_integral_v<Most>;
template <class T>
concept Ordered = requires(const T& a, const T& b) {
  { a > b } -> std::convertible_to<bool>;
};
}  // namespace detail

/// Collective. One vector to one file, as dataset or column `values`. It runs what is pending, as get() does; not in a
/// recorded block. Cost: each value crosses the network at most once, to the worker that writes its block.
/// @code
/// write(v, "ranks.h5", "rank");
/// write(v, "ranks.tsv");
/// @endcode
template <class T>
void write(const Vector<T>& v, const std::string& path, const std::string& dataset = "values",
           SourceLocation where = SourceLocation::current()) {
  static_assert(std::is_arithmetic_v<T>,
                "[write] files have numbers: map to each member first, map([](const Point& p) { return p.x; }, v)");
  if constexpr (std::is_arithmetic_v<T>) {
    Output output(path, where);
    output.add(dataset, v, where);
    output.commit(where);
  }
}
/// Rows, as Output::add writes them.
/// @code
/// write(X, "points.h5", "points");
/// @endcode
template <class T>
void write(const Rows<T>& v, const std::string& path, const std::string& dataset = "values",
           SourceLocation where = SourceLocation::current()) {
  Output output(path, where);
  output.add(dataset, v, where);
  output.commit(where);
}
template <int..., class... A>
requires(!detail::kAreWritten<A...>) void write(const A&...) {
  static_assert(detail::kNever<A...>,
                "[write] it takes a Vector, or Rows, and a path, and in a table a name: write(v, \"ranks.h5\", "
                "\"rank\"); of a Shared "
                "s, print s.get()");
}

template <class T>
struct Ranked {
  GlobalIndex index;
  T value;
};

namespace detail {
/// @param call for which it is, in messages
std::vector<std::byte> block_bytes(const recording::Handle& v, SourceLine where, const char* call = "block_values");
/// Calls `f` with it instead: where it lies, if the space is in blocks as files are.
void with_block(const recording::Handle& v, SourceLine where, const char* call,
                const std::function<void(std::span<const std::byte>)>& f);
}  // namespace detail

/// Collective. This worker's block of a vector (kasen/make_vector.h: block_of), in order, whatever the assignment of
/// its space: the counterpart of make_vector. Runs what is pending. Cost: every value crosses the network at most once,
/// in one all-to-all; none if the space is in blocks.
template <class T>
std::vector<T> block_values(const Vector<T>& v, SourceLocation where = SourceLocation::current()) {
  std::vector<T> values;
  detail::with_block(v, recording::source_line(where), "block_values", [&](std::span<const std::byte> bytes) {
    values.resize(bytes.size() / sizeof(T));
    for (std::size_t k = 0; k < values.size(); ++k) {  // one by one: bools have no array
      T value;
      std::memcpy(static_cast<void*>(&value), bytes.data() + k * sizeof(T), sizeof(T));
      values[k] = value;
    }
  });
  return values;
}

/// Of Rows, row by row.
template <class T>
std::vector<T> block_values(const Rows<T>& v, SourceLocation where = SourceLocation::current()) {
  const std::vector<std::byte> bytes = detail::block_bytes(v, recording::source_line(where));
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <int..., class A>
detail::Refused block_values(const A&) {
  static_assert(detail::kNever<A>, "[block_values] it is of a Vector; the value of a Shared is s.get()");
  return {};
}

namespace detail {
/// This worker's masters after running what is pending.
struct Masters {
  GlobalIndex first;                   ///< global index of the first, where they are a block
  std::span<const GlobalIndex> index;  ///< else theirs; empty for a block
  std::span<const std::byte> values;
};
/// Those that top picks `most` of.
Masters masters_for_top(const recording::Handle& v, std::uint64_t most, SourceLine where);
}  // namespace detail

/// Collective. The `most` largest elements, largest first, ties by index, NaN after all numbers; the same on every
/// worker, and for any number of workers. It runs what is pending, as get() does; not in a recorded block. Cost: up to
/// `most` elements from every worker to every other.
/// @code
/// for (const auto& [index, value] : top(v, 10)) session.print(std::to_string(index) + "\n");
/// @endcode
template <class T>
std::vector<Ranked<T>> top(const Vector<T>& v, std::size_t most, SourceLocation where = SourceLocation::current()) {
  static_assert(detail::Ordered<T>, "[top] elements have no >: map to what they are ordered by first");
  if constexpr (detail::Ordered<T>) {
    const detail::Masters mine = detail::masters_for_top(v, most, recording::source_line(where));
    const T* values = reinterpret_cast<const T*>(mine.values.data());
    const auto before = [](const Ranked<T>& a, const Ranked<T>& b) {
      const bool a_number = !detail::is_nan(a.value), b_number = !detail::is_nan(b.value);
      if (a_number != b_number) return a_number;
      return a.value > b.value || (!(b.value > a.value) && a.index < b.index);
    };
    const auto keep_top = [&](std::vector<Ranked<T>>& list) {
      const std::size_t kept = std::min(most, list.size());
      std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(kept), list.end(), before);
      list.resize(kept);
    };
    std::vector<Ranked<T>> best(mine.values.size() / sizeof(T));
    for (std::size_t i = 0; i < best.size(); ++i) {
      best[i] = {mine.index.empty() ? mine.first + static_cast<GlobalIndex>(i) : mine.index[i], values[i]};
    }
    keep_top(best);
    best = workers::all_gather(std::span<const Ranked<T>>(best));
    keep_top(best);
    return best;
  } else {
    return {};
  }
}
template <int..., class... A>
requires(!detail::kAreTop<A...>) detail::Refused top(const A&...) {
  static_assert(detail::kNever<A...>, "[top] it takes a Vector and how many elements: top(v, 10)");
  return {};
}

/// Collective. The names of vertices, see io::VertexIds. Every worker may ask for other ones, or none. Cost: each
/// question goes to the worker that has the name, and the name back.
/// @throws AgreedError with the line, if there is no such vertex
std::vector<std::string> names(const io::VertexIds& ids, std::span<const GlobalIndex> vertices,
                               SourceLocation where = SourceLocation::current());
/// Collective. The vertices of these names, which every worker gives alike; -1 where there is none. Cost: a search per
/// name, and one sum over workers.
std::vector<GlobalIndex> vertices(const io::VertexIds& ids, std::span<const std::string> names,
                                  SourceLocation where = SourceLocation::current());

namespace detail {
/// @throws ProgramError if there are none
const io::VertexIds& ids_of(const std::shared_ptr<const io::VertexIds>& ids, const char* call, SourceLocation where);
}  // namespace detail

/// The same of a graph that was read from a file. @throws ProgramError of a matrix whose vertices have no names, as one
/// that a program has made
/// @code
/// for (const auto& name : names(G, std::vector<GlobalIndex>{0, 1})) session.print(name + "\n");
/// @endcode
template <class T>
std::vector<std::string> names(const Matrix<T>& G, std::span<const GlobalIndex> vertices,
                               SourceLocation where = SourceLocation::current()) {
  return names(detail::ids_of(G.ids(), "names", where), vertices, where);
}
/// @code
/// i = static_cast<int>(vertices(G, std::vector<std::string>{"libc6"})[0]);
/// @endcode
template <class T>
std::vector<GlobalIndex> vertices(const Matrix<T>& G, std::span<const std::string> names,
                                  SourceLocation where = SourceLocation::current()) {
  return vertices(detail::ids_of(G.ids(), "vertices", where), names, where);
}

}  // namespace kasen
