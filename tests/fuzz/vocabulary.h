/// @file
/// What random programs are made of: operations by how they are called.
#pragma once

#include <map>
#include <vector>

#include "tests/fuzz/generator.h"
#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {

/// What searches are made of: a type, a reducer, and functions.
struct Family {
  Type type;
  std::map<Part, std::vector<int>> of;
};

/// Operations by how they are called, the more often in a list, the more often drawn.
struct Vocabulary {
  std::vector<int> elements, products, reduces, folds, applies;
  std::vector<int> ends, entries;       ///< of both ends of non-zeros
  std::vector<int> keys, keyed, taken;  ///< elements that are keys, and what follows them
  std::vector<int> lawful;              ///< elements that obey laws
  std::map<int, int> twin;              ///< of a function: the one of the same name in another source file
  std::vector<int> of_nothing;          ///< reductions without identity
  int count_up = -1, below = -1, both = -1;
  int above = -1, above_number = -1, add = -1, add_number = -1;  ///< of Shareds of int64, and of one and a number
  std::vector<Family> families;

  explicit Vocabulary(Kind kind);
};

}  // namespace kasen::tests::fuzz
