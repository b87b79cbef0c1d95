#include "kasen/detail/moved_columns.h"

#include <fmt/format.h>

#include "kasen/recording/recorder.h"

namespace kasen::detail {

void require_column_of(Space space, const recording::Handle& column, const char* call, const char* beside,
                       SourceLocation where) {
  const Space its = space_of(column, where);
  if (its.id() == space.id()) return;
  recording::refuse(
      recording::source_line(where), call,
      its.length() == space.length()
          ? fmt::format("a column is of another space than {}, of the same length: spaces that are made apart, or for "
                        "matrices, are different ones",
                        beside)
          : fmt::format("a column is of another space than {}: of length {}, and {}", beside, its.length(),
                        space.length()));
}

}  // namespace kasen::detail
