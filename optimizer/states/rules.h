/// @file
/// Table 1 of the paper as data: which primitive may run on which storage states. One row per rule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kasen/base/program.h"
#include "kasen/base/state.h"

namespace kasen::optimizer {

/// Where a rule's kernel runs: on the masters, and if `everywhere` on the replicas of the state's roles too.
enum class Reach : std::uint8_t { masters, everywhere };

/// One row of the table. `one` is the state of the distinguished input (the pre-reduced one, if the rule has one),
/// `others` that of all further vectors.
struct Rule {
  int number;
  Op op;
  bool several;                    ///< for element work: zip_with rather than map
  std::optional<State::Kind> one;  ///< none: no vector
  std::optional<State::Kind> others;
  State::Kind out;
  std::optional<Law::Kind> law;  ///< which the function must obey at the distinguished input
  bool same_reducer;             ///< rule 5: the vector's reducer is the operation's own
  Reach reach;
  std::string_view text;
};

/// All rows, by number. The paper's are 1 to 15. Row 0 is of sources; row 16 is its section 5.5: no kernel runs by it,
/// as a statement that it is chosen for becomes two, by rules 10 and 11. Row 17 is of folds, rows 18 to 20 are of what
/// follows keys, row 21 is of element work that reads wholes.
std::span<const Rule> rules();
const Rule& rule(int number);

/// A rule by which a statement may run, with the position of its pre-reduced input where it has one.
struct RuleChoice {
  int rule = 0;
  std::uint8_t argument = 0;
  bool operator==(const RuleChoice&) const = default;
};

/// The rows of MxVs.
inline constexpr int kMxvRule = 6, kMxvtRule = 7;
/// The rows of maps by the exchange law, by the pushdown law, and by one after the other.
inline constexpr int kExchangeRule = 10, kPushdownRule = 11, kAffineRule = 16;
/// The rows of takes, and of element work that reads wholes.
inline constexpr int kTakeRule = 20, kWholesRule = 21;

/// Whether Table 1 can offer several rules to statements of this operation.
inline bool chooses_rule(Op op) { return op == Op::element || is_any_reduction(op); }

/// Every way Table 1 offers to run a statement, laws permitting, in the order: partitioned, consistent, pre-reduced.
std::vector<RuleChoice> choices(const Statement& statement);

/// The first of them for an element statement: on masters alone.
RuleChoice on_masters(const Statement& statement);

/// The state that the rule asks of the vector at `position`.
State::Kind input_kind(const RuleChoice& choice, std::size_t position);

/// The same for any statement but loops: by its own rule where there is just one, and `choice` is not looked at.
State::Kind read_kind(const Statement& statement, const RuleChoice& choice, std::size_t position);

/// Whether a pre-reduced input with this reducer satisfies the rule's law.
bool law_holds(const Statement& statement, const RuleChoice& choice, ReducerId reducer);

}  // namespace kasen::optimizer
