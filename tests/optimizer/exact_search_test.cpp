/// @file
/// The exact search against brute force: every choice of states, of values to make again and of sweeps, each lowered
/// to a plan. Shares with the search what a plan is and what it costs, and nothing of how it is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "kasen/base/program_tools.h"
#include "optimizer/optimize.h"
#include "optimizer/search/fusion_search.h"
#include "optimizer/states/drop_empty.h"
#include "optimizer/states/place_transitions.h"
#include "optimizer/text/explain.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/grouped.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

constexpr PlanTime kNever{std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max()};

const FusionOptions kEverything{true, true, Storage::automatic};

/// All plans of a program in states.
class BruteForce {
 public:
  BruteForce(const StatedProgram& stated, const PlacementStats& stats, const Profile& profile)
      : _stated(stated), _stats(stats), _profile(profile) {}

  PlanTime best() {
    const std::vector<ValueId> points = materialisation_points(_stated);
    for (std::size_t subset = 0; subset < std::size_t{1} << points.size(); ++subset) {
      _grouping.recomputed.clear();
      for (std::size_t k = 0; k < points.size(); ++k) {
        if ((subset >> k & 1) != 0) _grouping.recomputed.insert(points[k]);
      }
      _grouping.sweeps.assign(_stated.program.values.size(), Grouping::kNoSweep);
      _members.clear();
      for_each_block(_stated.program.top, [&](const Block& block) {
        for (const Statement& statement : block.statements) {
          const bool sweeps = is_matrix_op(statement.op) || is_element_op(statement.op);
          if (sweeps && !_grouping.recomputed.contains(statement.out[0])) _members.emplace_back(&block, &statement);
        }
      });
      part(0, 0);
    }
    return _best;
  }
  std::size_t plans() const { return _plans; }

 private:
  void part(std::size_t member, std::uint32_t sweeps) {
    if (member == _members.size()) return cost(sweeps);
    for (std::uint32_t sweep = 0; sweep <= sweeps; ++sweep) {
      if (!fits(member, sweep)) continue;
      _grouping.sweeps[index_of(_members[member].second->out[0])] = sweep;
      part(member + 1, std::max(sweeps, sweep + 1));
    }
    _grouping.sweeps[index_of(_members[member].second->out[0])] = Grouping::kNoSweep;
  }

  /// Same block; element work over one space, products of one matrix in one direction, or both and products in the
  /// other direction too, where that space is on a side of the matrix. What waits for what is left to the plan.
  bool fits(std::size_t member, std::uint32_t sweep) const {
    const auto [block, statement] = _members[member];
    for (std::size_t k = 0; k < member; ++k) {
      const auto [other_block, other] = _members[k];
      if (_grouping.sweeps[index_of(other->out[0])] != sweep) continue;
      const auto spaces = [&](const Statement& s) {
        const auto space = [&](ValueId value) { return _stated.program.values[index_of(value)].space; };
        if (is_matrix_op(s.op)) return std::set<SpaceId>{space(s.in[0]), space(s.out[0])};
        return std::set<SpaceId>{space(s.op == Op::reduce ? s.in[0] : s.out[0])};
      };
      const std::set<SpaceId> a = spaces(*statement), b = spaces(*other);
      if (is_matrix_op(statement->op) && is_matrix_op(other->op)) {
        if (other_block != block || statement->matrix != other->matrix) return false;
      } else if (other_block != block || std::none_of(a.begin(), a.end(), [&](SpaceId s) { return b.contains(s); })) {
        return false;
      }
    }
    return true;
  }

  void cost(std::uint32_t) {
    ++_plans;
    const auto plan = lowered(_stated, _stats, kEverything, &_grouping, _profile);
    if (!plan) return;
    // Just the sweeps asked for, and nothing split because it did not fit after all.
    std::set<std::uint32_t> seen;
    for (const Sweep* sweep : all<Sweep>(*plan)) {
      std::set<std::uint32_t> numbers;
      bool pulls = false, pushes = false;
      for (const Launch& launch : sweep->launches) {
        for (ValueId out : launch.out) numbers.insert(_grouping.sweep_of(out));
        if (is_matrix_op(launch.op)) (launch.push ? pushes : pulls) = true;
      }
      if (pushes && !pulls) return;
      numbers.erase(Grouping::kNoSweep);
      for (const Launch& launch : sweep->launches) {
        if (launch.op == Op::source) numbers.erase(remade_source(*plan, launch.out[0]));
      }
      for (std::uint32_t number : numbers) {
        if (!seen.insert(number).second) return;
      }
    }
    _best = std::min(_best, plan->time);
  }

  /// A source that its readers make has a number that means nothing.
  std::uint32_t remade_source(const Plan& plan, ValueId value) const {
    return plan.class_of[index_of(value)] == kNotStored ? _grouping.sweep_of(value) : Grouping::kNoSweep;
  }

  const StatedProgram& _stated;
  const PlacementStats& _stats;
  const Profile& _profile;
  Grouping _grouping;
  std::vector<std::pair<const Block*, const Statement*>> _members;
  PlanTime _best = kNever;
  std::size_t _plans = 0;
};

/// Straight programs of random statements, so that not all can share a sweep.
ProgramBuilder random_ddag(unsigned seed, std::size_t statements) {
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t n) { return random() % n; };
  ProgramBuilder b;
  std::vector<ValueId> vectors{b.live_in(kSpace0), b.live_in(kSpace0, State::consistent({row_role(0)}))};
  for (ValueId value : vectors) b.live_out(value);
  std::vector<ValueId> unread;
  const auto some = [&] {
    const ValueId value = vectors[vectors.size() - 1 - pick(std::min<std::size_t>(4, vectors.size()))];
    unread.erase(std::remove(unread.begin(), unread.end(), value), unread.end());
    return value;
  };
  for (std::size_t k = 0; k < statements; ++k) {
    ValueId made{};
    switch (pick(8)) {
      case 0:
        made = b.element(pick(2) == 0 ? scale(3) : mix(), {some()});
        break;
      case 1:
      case 2:
        made = b.element(pick(2) == 0 ? add() : mix(), {some(), some()});
        break;
      case 3:
        made = b.source(kSpace0, pick(2) == 0);
        break;
      case 4: {
        const ValueId sum = b.reduce(kPlus, some());
        b.live_out(sum);
        if (pick(2) == 0) continue;
        made = b.element(scale_by_shared(), {some()}, {sum});
        break;
      }
      case 5:
        made = b.mxvt(0, some(), kSpace0);
        break;
      default:
        made = b.mxv(0, some(), kSpace0, kPlus, pick(2));
    }
    vectors.push_back(made);
    unread.push_back(made);
  }
  for (ValueId value : unread) b.live_out(value);
  return b;
}

/// Machines on which different things are dear.
std::vector<Profile> profiles() {
  std::vector<Profile> all(4);
  all[1].launch_picoseconds = 0;
  all[2].launch_picoseconds = 0;
  for (std::uint64_t& picoseconds : all[2].random_access_picoseconds) picoseconds = 30'000;
  all[2].step_picoseconds = 0;
  all[2].message_picoseconds = 10;
  all[3].flop_picoseconds = 1'000;
  all[3].message_picoseconds = 0;
  all[3].reduction_picoseconds = 100;
  return all;
}

class ExactSearch : public testing::TestWithParam<unsigned> {};

TEST_P(ExactSearch, FindsTheFastestSweepsOfAProgramInStates) {
  const unsigned seed = GetParam();
  World world = small_world(1 + seed % 3);
  world.block_edge = seed % 2 == 0 ? 0 : 7;
  world.stencil_run = seed % 3 == 0 ? 4 + 20 * (seed % 4) : 0;
  const PlacementStats stats = world.stats();
  const Profile profile = profiles()[seed % 4];
  const ProgramBuilder b = random_ddag(seed, 6 + seed % 3);
  const Placed placed = place_transitions(b.program, stats, {}, [&](const StatedProgram& candidate) {
    return lowered(candidate, stats, kEverything, nullptr, profile);
  });
  StatedProgram dropped = placed.stated;
  drop_empty_transitions(dropped, stats);
  for (const StatedProgram* program : std::initializer_list<const StatedProgram*>{&placed.stated, &dropped}) {
    BruteForce brute(*program, stats, profile);
    const PlanTime expected = brute.best();
    FusionSearch search(
        stats, kEverything, profile,
        [&](const StatedProgram& candidate, const Grouping& grouping) {
          return lowered(candidate, stats, kEverything, &grouping, profile);
        },
        kNever, 1'000'000);
    const auto found = search.improve(*program, 1'000'000);
    ASSERT_TRUE(found);
    EXPECT_TRUE(search.complete());
    EXPECT_EQ(found->time, expected) << print_steps(*found);
    EXPECT_LE(found->time, lowered(*program, stats, kEverything, nullptr, profile)->time);
  }
}

TEST_P(ExactSearch, FindsTheFastestPlan) {
  const unsigned seed = GetParam();
  World world = small_world(1 + seed % 3);
  world.block_edge = seed % 2 == 0 ? 0 : 7;
  world.stencil_run = seed % 3 == 0 ? 4 + 20 * (seed % 4) : 0;
  const PlacementStats stats = world.stats();
  const Profile profile = profiles()[seed % 4];
  const ProgramBuilder b = random_ddag(seed, 4);
  Options options;
  options.fusion = Fusion::exact;
  options.search_budget = 1'000'000;
  options.passes_off = {"dead-values"};
  PlanTime expected = kNever;
  std::size_t plans = 0;
  const Lower look = [&](const StatedProgram& candidate) {
    StatedProgram dropped = candidate;
    drop_empty_transitions(dropped, stats);
    BruteForce of_states(dropped, stats, profile);
    expected = std::min(expected, of_states.best());
    plans += of_states.plans();
    return std::optional<Plan>();
  };
  const Fastest brute = place_fastest(b.program, stats, options, look, {});
  ASSERT_TRUE(brute.complete) << "too many states";
  const Plan plan = expect_right(b, world, options, profile);
  EXPECT_TRUE(plan.search.complete);
  EXPECT_EQ(plan.time, expected) << print_steps(plan);
  EXPECT_LE(plan.time, plan.search.greedy);
  EXPECT_LE(plan.search.costed, plans + 160);
}

Options exact() {
  Options options;
  options.fusion = Fusion::exact;
  return options;
}

/// A vector read before and after a reduction of it: storing it costs more than making it twice.
TEST(ExactPlans, MakeAgainWhatIsCheaperThanToStore) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0);
  b.live_out(x);
  const ValueId y = b.element(mix(), {x});
  const ValueId sum = b.reduce(kPlus, y);
  b.live_out(b.element(scale_by_shared(), {y}, {sum}));
  const World world = small_world(2);
  Profile slow_memory;
  slow_memory.write_bytes_per_second = 5'000'000'000;
  const Plan greedy = expect_right(b, world, Options{}, slow_memory);
  const Plan plan = expect_right(b, world, exact(), slow_memory);
  EXPECT_NE(greedy.class_of[index_of(y)], kNotStored);
  EXPECT_EQ(plan.class_of[index_of(y)], kNotStored);
  EXPECT_EQ(launches(plan).size(), launches(greedy).size() + 1);
  EXPECT_LT(plan.time, greedy.time);
  EXPECT_EQ(plan.search.greedy, greedy.time);
}

/// Two loops that do not depend on each other. What reads v before the one and after the other would share a sweep
/// between them if they changed places; but a checkpoint of one plan of a program is gone on with by another.
TEST(ExactPlans, KeepLoopsInTheOrderOfTheProgram) {
  ProgramBuilder b;
  using Values = ProgramBuilder::Values;
  const ValueId v = b.live_in(kSpace0);
  b.live_out(v);
  const auto body = [&](const Values& in) { return Values{b.element(mix(), {in[0]})}; };
  const Values first = b.repeat(3, {b.element(mix(), {v})}, body);
  const Values second = b.repeat(4, {b.live_in(kSpace0)}, body);
  b.live_out(first[0]);
  b.live_out(b.element(mix(), {second[0], v}));
  for (const std::uint32_t workers : {1u, 2u}) {
    const Plan plan = expect_right(b, small_world(workers), exact());
    Values results;
    for (const Step& step : plan.steps) {
      if (const auto* loop = std::get_if<Loop>(&step.what)) results.push_back(loop->results[0]);
    }
    EXPECT_EQ(results, (Values{first[0], second[0]})) << print_steps(plan);
  }
}

/// Vectors and matrix as large as said, on one worker.
PlacementStats square(std::uint64_t length, std::uint64_t nonzeros) {
  PlacementStats stats = small_world(1).stats();
  stats.spaces[0].masters = length;
  stats.matrices[0].nonzeros = nonzeros;
  return stats;
}

TEST(ExactPlans, JoinProductsOnlyWhereTheirVectorsFitTheCachesTogether) {
  ProgramBuilder b;
  for (int k = 0; k < 2; ++k) {
    const ValueId x = b.live_in(kSpace0);
    b.live_out(x);
    b.live_out(b.mxv(0, x, kSpace0));
  }
  const auto sweeps = [&](int scale, Fusion fusion) {
    Options options;
    options.fusion = fusion;
    const Plan plan = optimize(b.program, square(std::uint64_t{1} << scale, std::uint64_t{16} << scale), options);
    return all<Sweep>(plan).size();
  };
  EXPECT_EQ(sweeps(20, Fusion::greedy), 1u);
  EXPECT_EQ(sweeps(20, Fusion::exact), 2u);
  EXPECT_EQ(sweeps(8, Fusion::greedy), 1u);
  EXPECT_EQ(sweeps(8, Fusion::exact), 1u);
}

/// Lazily, the map that scales runs on partial results, and the gather parts it from the one that mixes.
TEST(ExactPlans, LeaveOutTransitionsThatMoveNothingWhereTheyPartSweeps) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0, State::consistent({row_role(0)}));
  b.live_out(x);
  b.live_out(b.element(mix(), {b.element(scale(3), {b.mxv(0, x, kSpace0)})}));
  const auto plan_for = [&](std::uint32_t workers, Options options) {
    options.sync = Sync::lazy;
    return expect_right(b, small_world(workers), options);
  };
  const auto steps = [&](std::uint32_t workers, const Options& options) {
    return plan_for(workers, options).steps.size();
  };
  EXPECT_EQ(steps(1, {}), 4u);
  EXPECT_EQ(steps(1, exact()), 1u);
  EXPECT_TRUE(gathers(plan_for(1, exact())).empty());
  EXPECT_EQ(steps(2, exact()), 3u);  // what scales partial results joins the product
  Options kept = exact();
  kept.passes_off = {"drop-empty"};
  EXPECT_EQ(steps(1, kept), 3u);
}

TEST(ExactPlans, AreTheGreedyOnesWithoutABudget) {
  const ProgramBuilder b = random_ddag(1, 12);
  Options options = exact();
  options.search_budget = 0;
  const Plan greedy = optimize(b.program, small_world(2).stats(), {});
  const Plan plan = optimize(b.program, small_world(2).stats(), options);
  EXPECT_EQ(plan.fingerprint, greedy.fingerprint);
  EXPECT_TRUE(plan.search.searched);
  EXPECT_FALSE(plan.search.complete);
}

TEST(ExactPlans, NeverTakeLongerThanGreedyOnesAndKeepToTheBudget) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ProgramBuilder b = random_ddag(seed, 16);
    for (const std::uint64_t budget : {50, 2'000}) {
      Options options = exact();
      options.search_budget = budget;
      const World world = small_world(2);
      const Plan plan = expect_right(b, world, options);
      EXPECT_EQ(plan.search.greedy, optimize(b.program, world.stats(), {}).time);
      EXPECT_LE(plan.time, plan.search.greedy);
      EXPECT_LE(plan.search.costed + plan.search.skipped, budget + 100);
      EXPECT_EQ(plan.fingerprint, optimize(b.program, world.stats(), options).fingerprint);
      const std::string text = explain(plan, world.stats());
      EXPECT_NE(text.find("exact: " + std::to_string(plan.search.costed) + " plans and parts costed, "),
                std::string::npos);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExactSearch, testing::Range(0u, 60u));

}  // namespace
}  // namespace kasen::optimizer::tests
