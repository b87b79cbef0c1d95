/// @file
/// What expressions say of whether something has changed.
#pragma once

#include <functional>
#include <vector>

#include "kasen/base/expression.h"
#include "kasen/base/program.h"
#include "kasen/base/scalar.h"

namespace kasen::optimizer {

/// Whether the expression, over one Shared and nothing else, is true where that is more than 0, and false where it is
/// 0. @param plain the values of plain operands
bool is_positive(const Expression& expression, const std::vector<Scalar>& plain);

/// Whether element work says where one of its vectors differs from another: its result is 0 (of bool: false) where they
/// are equal, and more, but of integers not so much that a sum may wrap (true) where they differ, or where they are as
/// far as one is made of the other by `reducer`, which only goes one way.
/// @param older whether the vector at a position is the one, newer: the other
/// @param nested of a vector that is neither, whether it says so itself; then a cast of it does, or a choice by it
bool says_where_different(const Expression& expression, ReducerKind reducer,
                          const std::function<bool(std::uint32_t position)>& older,
                          const std::function<bool(std::uint32_t position)>& newer,
                          const std::function<bool(std::uint32_t position)>& nested);

}  // namespace kasen::optimizer
