/// @file
/// Names of values, states and roles in printed plans.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kasen/base/program.h"
#include "kasen/base/state.h"

namespace kasen::optimizer {

/// Names values v1, v2, ... in the order in which they are first asked for, so that texts do not depend on how many
/// values a pass has made and dropped.
class Names {
 public:
  explicit Names(const std::vector<std::string>& reducers) : _reducers(reducers) {}

  std::string of(ValueId value);
  std::string of(const std::vector<ValueId>& values);  ///< separated by blanks
  /// "P", "C{row 0}", "PR(plus){col 0}": the numbers are matrices.
  std::string of(const State& state) const;
  static std::string of(const RoleSet& roles);
  std::string reducer(ReducerId id) const;

 private:
  const std::vector<std::string>& _reducers;
  std::map<ValueId, std::size_t> _numbers;
};

}  // namespace kasen::optimizer
