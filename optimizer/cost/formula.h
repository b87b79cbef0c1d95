/// @file
/// Class Formula: a sum of numbers and cost symbols, which can be printed, or evaluated for a placement; costs of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/base/counts.h"
#include "kasen/base/placement_stats.h"
#include "optimizer/cost/symbols.h"

namespace kasen::optimizer {

/// A sum of terms, each a coefficient times a symbol.
class Formula {
 public:
  struct Term {
    std::uint64_t coefficient = 0;
    Symbol symbol;
    bool operator==(const Term&) const = default;
  };

  void add(std::uint64_t coefficient, Symbol symbol = {Symbol::Kind::one, {}, {}, {}});
  Formula& operator+=(const Formula& other);
  std::uint64_t evaluate(const PlacementStats& stats) const;
  /// The sum as text: "20N + 24M"; spaces and matrices are numbered if there are several. "0" if there is no term.
  std::string text(const PlacementStats& stats) const;
  /// The terms, in ascending order of their symbols.
  const std::vector<Term>& terms() const { return _terms; }
  bool operator==(const Formula&) const = default;

 private:
  std::vector<Term> _terms;
};

/// The cost of one entry into a step, summed over workers. `buffer_bytes` are an exchange's own buffers for packing.
using StepFormulas = Costs<Formula>;

/// The two columns of costs. stream: what the kernels really touch. model: the paper's terms, with all replicas.
enum class Column : std::uint8_t { stream, model };

}  // namespace kasen::optimizer
