/// @file
/// Analyses of the laws that an expression obeys, in real arithmetic and for all values of its other operands, but that
/// entries of a matrix are taken to be finite; one for each family of reducers. A law that cannot be shown is not
/// claimed.
#pragma once

#include <cstdint>
#include <optional>

#include "kasen/base/expression.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// The laws that F obeys at one of its vector arguments with respect to a reducer R.
struct Obeyed {
  bool distributes = false;  ///< F(R(a,b),..) = R(F(a,..),F(b,..)): the exchange or distributive law
  bool pushes_down = false;  ///< F(R(a,b),..) = R(F(a,..),b)
  bool operator==(const Obeyed&) const = default;
};

/// The laws at the vector `argument`. Requires that the expression's result has that vector's element type.
Obeyed obeyed_over(ReducerKind reducer, const Expression& expression, std::uint32_t argument);

/// Whether a white box may break in its last bits a law that it obeys in real arithmetic: variants of functions such as
/// exp need not be monotone.
bool approximates(const Expression& expression);

// The analyses. Elements of type bool have their own, whatever the reducer.
Obeyed obeyed_over_plus(const Expression& expression, std::uint32_t argument);   ///< degree: c*x + d
Obeyed obeyed_over_times(const Expression& expression, std::uint32_t argument);  ///< monomials: c * x^p * |x|^q
Obeyed obeyed_over_extrema(ReducerKind reducer, const Expression& expression,
                           std::uint32_t argument);  ///< minimum, maximum: monotone functions
Obeyed obeyed_over_bits(ReducerKind reducer, const Expression& expression,
                        std::uint32_t argument);  ///< bit by bit, over all values of a bit
Obeyed obeyed_by_flags(ReducerKind reducer, const Expression& expression,
                       std::uint32_t argument);  ///< elements are bool: truth tables

/// F = c*x + d as two functions: by the exchange law v0 -> c * v0, then by the pushdown law v0 -> v0 + d.
struct AffineParts {
  Expression factor, offset;  ///< c and d, functions of the Shareds and plain operands alone
  Expression scale, shift;    ///< c * v0 and v0 + d, in the element's type
};
/// The parts of a map over numbers. None if F is not affine, or if it obeys a law as it is.
std::optional<AffineParts> affine_parts(const Expression& expression);

}  // namespace kasen::optimizer
