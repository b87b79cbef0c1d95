/// @file
/// Tracing: a function is called with symbols, and what it computes is written down as an expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kasen/base/expression.h"

namespace kasen::recording {

/// The trace that symbols belong to. A branch on a symbol is taken both ways: the function is run again for every path
/// of decisions, and the results are joined by `select`.
class Trace {
 public:
  static constexpr std::size_t kMostDecisions = 24;  ///< branches on one path
  static constexpr std::size_t kMostPaths = 64;

  /// The expression that `subject` computes: `traced` calls it with symbols, and returns the node of the result. None
  /// if the subject throws, or branches more often than the limits above: then it is a black box.
  static ExpressionRef of(std::uint32_t (*traced)(Trace&, const void* subject), const void* subject);
  /// The trace that is under way. @throws InternalError if none is.
  static Trace& current();

  std::uint32_t input(Operator op, ScalarType type, std::uint32_t position) {
    return _writer.input(op, type, position);
  }
  std::uint32_t literal(const Scalar& value) { return _writer.literal(value); }
  std::uint32_t cast(std::uint32_t node, ScalarType type) { return _writer.cast(node, type); }
  std::uint32_t apply(Operator op, ScalarType type, std::uint32_t a, std::uint32_t b = Node::kNothing) {
    return _writer.apply(op, type, a, b);
  }
  /// The node condition ? a : b; if that is a minimum or maximum, of NaN too, the node of that.
  std::uint32_t select(std::uint32_t condition, std::uint32_t a, std::uint32_t b);
  /// The way that a branch on the boolean node `condition` takes on this path.
  bool decide(std::uint32_t condition);

 private:
  using Decisions = std::vector<std::pair<std::uint32_t, bool>>;
  struct Path {
    Decisions decisions;
    std::uint32_t result;
  };

  std::uint32_t join(std::size_t first, std::size_t last, std::size_t depth);

  ExpressionWriter _writer;
  Decisions _decisions;  ///< of this path; those from _at on are yet to be replayed
  std::size_t _at = 0;
  std::vector<Path> _paths;
};

}  // namespace kasen::recording
