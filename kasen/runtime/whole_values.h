/// @file
/// Class WholeValues: the vectors that functions of a sweep get all elements of, in global order.
#pragma once

#include <cstddef>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/run_context.h"

namespace kasen::runtime {

/// Where local indices are not global ones, elements are copied into their order, once for each run of the sweep.
class WholeValues {
 public:
  explicit WholeValues(RunContext& context) : _context(&context) {}

  void add(ValueId value);
  /// Copies what has to be; before each run, as vectors move between buffers.
  void refresh();
  /// The elements of a value that was added.
  std::byte* at(ValueId value);

 private:
  struct Copy {
    ValueId value;
    std::vector<CacheLine> bytes;  ///< empty: the vector is in order
  };

  RunContext* _context;
  std::vector<Copy> _copies;
};

}  // namespace kasen::runtime
