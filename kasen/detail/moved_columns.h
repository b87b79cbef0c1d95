/// @file
/// Columns that a call moves to other places: Vectors, Rows, WordColumns, or several in a tuple.
#pragma once

#include <tuple>
#include <type_traits>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/columns.h"
#include "kasen/recording/handle.h"
#include "kasen/rows.h"

namespace kasen::detail {

template <class T>
inline constexpr bool kIsColumn = std::is_same_v<T, WordColumn>;
template <class T>
inline constexpr bool kIsColumn<Vector<T>> = true;
template <class T>
inline constexpr bool kIsColumn<Rows<T>> = true;
template <class V>
inline constexpr bool kAreColumns = kIsColumn<V>;
template <class... V>
inline constexpr bool kAreColumns<std::tuple<V...>> = (kIsColumn<std::remove_cvref_t<V>> && ...);

/// Collective. What columns become, by the way that a Mover has found: its `moved` makes the elements of a handle, of
/// so many bytes, a vector of the same type. Errors name the line `where`.
template <class Mover>
class MovedColumns {
 public:
  explicit MovedColumns(SourceLocation where) : _where(where) {}
  template <class T>
  Vector<T> of(const Vector<T>& v) const {
    return recording::Result<T>{mover().moved(v, recording::type_of<T>())};
  }
  template <class T>
  Rows<T> of(const Rows<T>& rows) const {
    return recording::RowsResult<T>{mover().moved(rows, recording::type_of_rows<T>(rows.width(_where)))};
  }
  WordColumn of(const WordColumn& words) const { return {of(words.code), words.dictionary}; }
  template <class... V>
  std::tuple<std::remove_cvref_t<V>...> of(const std::tuple<V...>& columns) const {
    return std::apply([&](const auto&... v) { return std::tuple<std::remove_cvref_t<V>...>{of(v)...}; }, columns);
  }

 protected:
  SourceLocation _where;

 private:
  const Mover& mover() const { return static_cast<const Mover&>(*this); }
};

/// @throws ProgramError for a column over another space than `space`, which is that of `beside`, as "the key"
void require_column_of(Space space, const recording::Handle& column, const char* call, const char* beside,
                       SourceLocation where);

}  // namespace kasen::detail
