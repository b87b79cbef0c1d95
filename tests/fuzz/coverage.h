/// @file
/// What random programs, their options and their plans have met, counted: nets with holes show as zeros.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kasen/session.h"
#include "tests/fuzz/combination.h"
#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

class Coverage {
 public:
  /// All counters there are, at zero.
  Coverage();

  void add_program(const Program& program);
  void add_options(const Combination& combination);
  /// The plans that ran, with their steps, rules and states.
  void add_session(Session& session);
  /// Just before a matrix is added: the states in which vectors wait.
  void add_waiting(Session& session);

  /// A run ended in an error, and the program went on.
  void add_caught() { add("program: error caught"); }

  std::uint64_t count(const std::string& name) const { return _counts.at(name); }
  /// A line for each counter.
  std::string table() const;
  /// Counters at zero, but for those that so few workers cannot reach.
  std::vector<std::string> missing(int workers) const;

 private:
  void add(const std::string& name, std::uint64_t count = 1);

  std::vector<std::string> _order;
  std::map<std::string, std::uint64_t> _counts;
  bool _has_delta_loop = false, _has_delta_iterations = false;  ///< of the program added last
};

}  // namespace kasen::tests::fuzz
