/// @file
/// Facts about a reducing function, from its expression: whether it commutes, associates, has an identity, and is
/// idempotent.
#pragma once

#include <optional>

#include "kasen/base/expression.h"

namespace kasen::recording {

/// Facts about one white box of two elements, found once. A function that reduces on the elements that a program has
/// may be none on others: it is refused only if it fails on all that are tried.
class ReducerFacts {
 public:
  /// @param function if none, nothing is known, and nothing is wrong
  explicit ReducerFacts(ExpressionRef function);

  /// The reason why it cannot reduce, in words that follow its name; null if nothing is wrong.
  const char* wrong(const std::optional<Scalar>& identity) const;
  /// Whether the result is always one of the two elements, so that the function is idempotent: f(x, x) = x.
  bool selects() const { return _selects; }

 private:
  bool starts_at(const Scalar& identity) const;

  ExpressionRef _function;
  bool _commutes = true, _associates = true, _selects = false;
};

}  // namespace kasen::recording
