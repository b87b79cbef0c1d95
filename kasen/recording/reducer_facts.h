/// @file
/// What can be told of a reducing function by what it computes.
#pragma once

#include <optional>

#include "kasen/base/expression.h"

namespace kasen::recording {

/// Of one white box, of two elements; made once. A function that reduces on the elements that a program has may be none
/// on others: it is refused only if it fails on all that are tried.
class ReducerFacts {
 public:
  /// @param function none: nothing is known, and nothing wrong
  explicit ReducerFacts(ExpressionRef function);

  /// Why it cannot reduce, in words that follow its name; null if nothing is wrong.
  const char* wrong(const std::optional<Scalar>& identity) const;

 private:
  bool starts_at(const Scalar& identity) const;

  ExpressionRef _function;
  bool _commutes = true, _associates = true;
};

}  // namespace kasen::recording
