/// @file
/// What random programs are made of: operations by how they are called.
#pragma once

#include <map>
#include <vector>

#include "tests/fuzz/generator.h"

namespace kasen::tests::fuzz {

/// Operations by how they are called, the more often in a list, the more often drawn.
struct Vocabulary {
  std::vector<int> elements, products, reduces, applies;
  std::vector<int> lawful;      ///< elements that obey laws
  std::map<int, int> twin;      ///< of a function: the one of the same name in another source file
  std::vector<int> of_nothing;  ///< reductions without identity
  int count_up = -1, below = -1, both = -1;

  explicit Vocabulary(Kind kind);
};

}  // namespace kasen::tests::fuzz
