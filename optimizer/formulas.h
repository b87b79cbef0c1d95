/// @file
/// The cost formulas of the model (paper, section 6; DESIGN: Cost), in symbols. One implementation serves planning
/// (evaluated), printing (as text) and the run report. What the executor counts never comes from here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/base/counts.h"
#include "kasen/base/placement_stats.h"
#include "optimizer/plan.h"

namespace kasen::optimizer {

/// N: masters of a space. S: replicas of a space for some roles (model: all). M: non-zeros of a matrix.
/// P(P-1): directed pairs of workers.
struct Symbol {
  enum class Kind : std::uint8_t { masters, replicas, nonzeros, worker_pairs };
  Kind kind{};
  SpaceId space = kNone<SpaceId>;
  MatrixId matrix = kNone<MatrixId>;
  RoleSet roles;
  bool operator==(const Symbol&) const = default;
};

/// A sum of coefficient times symbol, in the order in which terms were added.
class Formula {
 public:
  void add(std::uint64_t coefficient, Symbol symbol);
  std::uint64_t evaluate(const PlacementStats& stats) const;
  /// For people: "20 N + 24 M"; spaces and matrices are numbered if there are several. "0" if empty.
  std::string text(const PlacementStats& stats) const;

 private:
  struct Term {
    std::uint64_t coefficient;
    Symbol symbol;
  };
  std::vector<Term> _terms;
};

/// What one entry of a step costs, summed over workers.
struct StepFormulas {
  Formula elements_read, elements_written, bytes_read, bytes_written, bytes_sent;
  Formula packing_bytes;       ///< of an exchange's own buffers
  std::uint64_t messages = 0;  ///< directed pairs of workers with anything to send; no sum of symbols
};

/// stream: what the kernels really touch. model: the paper's terms, with all replicas of the space.
enum class Column : std::uint8_t { stream, model };

/// Formulas of a sweep, an exchange or a scalar step; of loops and branches, whose steps count themselves, zero.
StepFormulas formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats, Column column);

Counts evaluate(const StepFormulas& formulas, const PlacementStats& stats);

/// Fills Step::stream, Step::model, Plan::buffer_bytes and Plan::model_buffer_bytes.
void assign_costs(Plan& plan, const PlacementStats& stats);

}  // namespace kasen::optimizer
