/// @file
/// The storage states that follow from decisions: how every value is made, and where it is gathered or scattered.
#pragma once

#include <optional>
#include <vector>

#include "optimizer/states/role_sets.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/states/value_facts.h"

namespace kasen::optimizer {

/// What follows from decisions. All by ValueId, in flat tables, as one is made for each of very many candidates.
struct FoundStates {
  struct Made {
    State::Kind kind = State::Kind::partitioned;
    ReducerId reducer = kNone<ReducerId>;
    RoleSetId roles = kNoRoles;
    bool operator==(const Made&) const = default;
  };
  std::vector<Made> states;          ///< in which the value is made
  std::vector<RuleChoice> choice;    ///< of the statement whose result it is
  std::vector<char> gathered;        ///< 1: a pre-reduced vector that is read partitioned or consistent
  std::vector<RoleSetId> scattered;  ///< the roles for which a vector is read consistent that is not made so
  const RoleSets* role_sets = nullptr;

  const RoleSet& roles(RoleSetId id) const { return role_sets->at(id); }
  State state(ValueId value) const {
    const Made& made = states[index_of(value)];
    return {made.kind, made.reducer, roles(made.roles)};
  }
};

/// Finds states in three steps: how each value is made, what each use asks for, and for which roles. What these steps
/// go through is the same for all decisions, and listed once.
class StateFinder {
 public:
  /// All arguments have to outlive the finder, and the finder what it finds.
  StateFinder(const Program& program, const ValueFacts& facts, const PlacementStats& stats, const Options& options);
  StateFinder(const StateFinder&) = delete;

  /// @param keep_consistent C,C -> C holds for all roles both have (eager, lazy), not just for those read (hybrid).
  /// @return nothing if the decisions contradict each other or Table 1.
  std::optional<FoundStates> find(const Decisions& decisions, bool keep_consistent);

 private:
  using Made = FoundStates::Made;

  /// How a vector, or the result of a reduction, comes about.
  struct Making {
    enum class By : std::uint8_t { source, element, reduce, product, argument, loop, branch };
    By by{};
    ValueId value{};
    ValueId like =
        kNone<ValueId>;  ///< of arguments, the initial value; of loops, the argument; of branches, see `other`
    ValueId other = kNone<ValueId>;  ///< of loops, what the body yields; of branches, what the second side yields, and
                                     ///< `like` the first
    const Statement* statement = nullptr;
    Made product = {};  ///< of what is made in one state, and of reductions
  };
  /// One use of a vector: as an operand of a rule, by a product or a take, as what a loop or branch hands on, or by who
  /// needs its masters, as the user.
  struct Use {
    enum class By : std::uint8_t { rule, product, handed_on, masters };
    By by{};
    std::uint32_t position = 0;  ///< of a rule's operand
    ValueId value{};
    ValueId as = kNone<ValueId>;      ///< what is made of it, or the name under which it goes on
    ValueId beside = kNone<ValueId>;  ///< of a rule: the pre-reduced vector beside which a consistent one is read
    RoleSetId product = kNoRoles;     ///< asked for by a product or a take
    int depth = 0;
  };
  /// What a use asks for, by some decisions.
  struct Asked {
    State::Kind kind{};
    RoleSetId roles = kNoRoles;  ///< of consistent: by the statement itself
    bool as_made = false;        ///< of consistent: and those for which Use::as is made or kept consistent
  };
  /// A loop's argument, which is consistent for what its result is consistent for.
  struct Kept {
    ValueId argument, result;
  };
  /// Of element work: its rule if it is consistent for no roles.
  struct OnMasters {
    ValueId value;
    RuleChoice choice;
  };

  void list(const Block& block);
  void list_uses(const Block& block, int depth);
  void add_use(const Use& use);
  bool is_vector(ValueId value) const { return _program.values[index_of(value)].kind == Value::Kind::vector; }
  RoleSetId demand(ValueId value) const { return _demand[index_of(value)]; }

  bool make(const Decisions& decisions);
  bool make(const Making& making, const Decisions& decisions);
  bool ask(const Decisions& decisions);
  void find_needed_roles();
  void keep_roles(const Block& block);
  void set_roles();
  bool carried_partials_are_single();
  bool decide_transitions(bool keep_consistent);
  Made& state(ValueId value) { return _found.states[index_of(value)]; }
  RoleSetId& need(ValueId value) { return _need[index_of(value)]; }

  const Program& _program;
  const ValueFacts& _facts;
  const PlacementStats& _stats;
  const Options& _options;
  RoleSets _role_sets;
  std::vector<Made> _at_start;         ///< by ValueId: of what is live on entry
  std::vector<char> _given;            ///< by ValueId: whether it is
  std::vector<int> _reads_by_handles;  ///< by ValueId
  std::vector<RoleSetId> _demand;      ///< by ValueId
  std::vector<Making> _makings;
  std::vector<Use> _uses;
  std::vector<Kept> _kept;
  std::vector<OnMasters> _on_masters;

  FoundStates _found;            ///< so far
  std::vector<Asked> _asked;     ///< by use
  std::vector<RoleSetId> _need;  ///< by ValueId: for which it is read, or kept, consistent
};

}  // namespace kasen::optimizer
