/// @file
/// Table 1, row by row: a program in which the rule fires, and programs in which it must not.
#include <gtest/gtest.h>

#include "optimizer/states/rules.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Write = std::function<void(ProgramBuilder&)>;

struct Row {
  int rule;
  State::Kind out;
  Reach reach;
  Write fires;
  std::vector<std::pair<const char*, Write>> silent;  ///< with the reason
};

constexpr auto kP = State::Kind::partitioned;
constexpr auto kC = State::Kind::consistent;
constexpr auto kPR = State::Kind::pre_reduced;

State column_copies() { return State::consistent({column_role(0)}); }
State row_copies() { return State::consistent({row_role(0)}); }
/// A vector that comes out of an mxv: pre-reduced on column replicas.
ValueId partial_result(ProgramBuilder& b, ReducerId op = kPlus) {
  return b.mxv(0, b.live_in(kSpace0, row_copies()), kSpace0, op);
}
/// Reading a vector through a reduction with its own reducer asks for no transition.
void sum_up(ProgramBuilder& b, ValueId value, ReducerId op = kPlus) { b.live_out(b.reduce(op, value)); }

std::vector<Row> rows() {
  using B = ProgramBuilder;
  return {
      {4,
       kPR,
       Reach::masters,
       [](B& b) { sum_up(b, b.live_in(kSpace0)); },
       {{"the vector is a partial result of the same reducer", [](B& b) { sum_up(b, partial_result(b)); }}}},
      {5,
       kPR,
       Reach::everywhere,
       [](B& b) { sum_up(b, partial_result(b)); },
       {{"another reducer", [](B& b) { sum_up(b, partial_result(b), kMax); }},
        {"the other reducer's vector", [](B& b) { sum_up(b, partial_result(b, kMax)); }},
        {"partitioned", [](B& b) { sum_up(b, b.live_in(kSpace0)); }}}},
      {6,
       kPR,
       Reach::everywhere,
       [](B& b) { b.live_out(partial_result(b)); },
       {{"the transpose", [](B& b) { b.live_out(b.mxvt(0, b.live_in(kSpace0, column_copies()), kSpace0)); }}}},
      {7,
       kPR,
       Reach::everywhere,
       [](B& b) { b.live_out(b.mxvt(0, b.live_in(kSpace0, column_copies()), kSpace0)); },
       {{"not the transpose", [](B& b) { b.live_out(partial_result(b)); }}}},
      {8,
       kP,
       Reach::masters,
       [](B& b) { b.live_out(b.element(mix(), {b.live_in(kSpace0)})); },
       {{"zip",
         [](B& b) {
           b.live_out(b.element(mix(), {b.live_in(kSpace0), b.live_in(kSpace0)}));
         }}}},
      {9,
       kC,
       Reach::everywhere,
       [](B& b) { b.live_out(b.mxv(0, b.element(mix(), {b.live_in(kSpace0, row_copies())}), kSpace0)); },
       {{"nobody reads the replicas", [](B& b) { b.live_out(b.element(mix(), {b.live_in(kSpace0)})); }},
        {"partitioned", [](B& b) { b.live_out(b.mxv(0, b.element(mix(), {b.live_in(kSpace0)}), kSpace0)); }}}},
      {10,
       kPR,
       Reach::everywhere,
       [](B& b) { sum_up(b, b.element(scale(3), {partial_result(b)})); },
       {{"no law", [](B& b) { sum_up(b, b.element(mix(), {partial_result(b)})); }},
        {"another law", [](B& b) { sum_up(b, b.element(shift(3), {partial_result(b)})); }},
        {"a law over another reducer", [](B& b) { sum_up(b, b.element(scale(3), {partial_result(b, kMax)}), kMax); }},
        {"partitioned", [](B& b) { sum_up(b, b.element(scale(3), {b.live_in(kSpace0)})); }}}},
      {11,
       kPR,
       Reach::masters,
       [](B& b) { sum_up(b, b.element(shift(3), {partial_result(b)})); },
       {{"no law", [](B& b) { sum_up(b, b.element(mix(), {partial_result(b)})); }},
        {"another law", [](B& b) { sum_up(b, b.element(scale(3), {partial_result(b)})); }},
        {"a law over another reducer", [](B& b) { sum_up(b, b.element(shift(3), {partial_result(b, kMax)}), kMax); }}}},
      {12,
       kP,
       Reach::masters,
       [](B& b) {
         b.live_out(b.element(mix(), {b.live_in(kSpace0), b.live_in(kSpace0)}));
       },
       {{"map", [](B& b) { b.live_out(b.element(mix(), {b.live_in(kSpace0)})); }}}},
      {13,
       kC,
       Reach::everywhere,
       [](B& b) {
         const ValueId v = b.live_in(kSpace0, row_copies()), w = b.live_in(kSpace0, row_copies());
         b.live_out(b.mxv(0, b.element(mix(), {v, w}), kSpace0));
       },
       {{"one is partitioned",
         [](B& b) {
           const ValueId v = b.live_in(kSpace0, row_copies()), w = b.live_in(kSpace0);
           b.live_out(b.mxv(0, b.element(mix(), {v, w}), kSpace0));
         }},
        {"no role in common",
         [](B& b) {
           const ValueId v = b.live_in(kSpace0, row_copies()), w = b.live_in(kSpace0, column_copies());
           b.live_out(b.mxv(0, b.element(mix(), {v, w}), kSpace0));
         }}}},
      {14,
       kPR,
       Reach::everywhere,
       [](B& b) {
         sum_up(b, b.element(product(), {b.live_in(kSpace0, column_copies()), partial_result(b)}));
       },
       {{"the other is partitioned",
         [](B& b) {
           sum_up(b, b.element(product(), {partial_result(b), b.live_in(kSpace0)}));
         }},
        {"the other is consistent elsewhere",
         [](B& b) {
           sum_up(b, b.element(product(), {partial_result(b), b.live_in(kSpace0, row_copies())}));
         }},
        {"one of two others is partitioned",
         [](B& b) {
           const ValueId c = b.live_in(kSpace0, column_copies());
           sum_up(b, b.element(product(), {partial_result(b), c, b.live_in(kSpace0)}));
         }},
        {"pre-reduced twice",
         [](B& b) {
           const ValueId v = partial_result(b);
           sum_up(b, b.element(product(), {v, v}));
         }},
        {"two pre-reduced",
         [](B& b) {
           sum_up(b, b.element(product(), {partial_result(b), partial_result(b)}));
         }},
        {"a law over another reducer",
         [](B& b) {
           sum_up(b, b.element(product(), {partial_result(b, kMax), b.live_in(kSpace0, column_copies())}), kMax);
         }},
        {"no law",
         [](B& b) {
           sum_up(b, b.element(mix(), {partial_result(b), b.live_in(kSpace0, column_copies())}));
         }}}},
      {15,
       kPR,
       Reach::masters,
       [](B& b) {
         sum_up(b, b.element(minus(), {partial_result(b), b.live_in(kSpace0)}));
       },
       {{"the law is of the other argument",
         [](B& b) {
           sum_up(b, b.element(minus(), {b.live_in(kSpace0), partial_result(b)}));
         }},
        {"pre-reduced twice",
         [](B& b) {
           const ValueId v = partial_result(b);
           sum_up(b, b.element(add(), {v, v}));
         }},
        {"two pre-reduced",
         [](B& b) {
           sum_up(b, b.element(add(), {partial_result(b), partial_result(b)}));
         }},
        {"a law over another reducer",
         [](B& b) {
           sum_up(b, b.element(add(), {partial_result(b, kMax), b.live_in(kSpace0)}), kMax);
         }},
        {"no law",
         [](B& b) {
           sum_up(b, b.element(mix(), {partial_result(b), b.live_in(kSpace0)}));
         }}}},
      {17,
       kPR,
       Reach::masters,
       [](B& b) {
         b.live_out(b.fold(kPlus, mix(), {b.live_in(kSpace0), b.live_in(kSpace0, row_copies())}));
       },
       {{"a reduction", [](B& b) { sum_up(b, b.live_in(kSpace0)); }}}},
      {18,
       kPR,
       Reach::masters,
       [](B& b) { b.live_out(b.reduce_by_key(kPlus, b.live_in(kSpace0), b.live_in(kSpace0), kSpace1)); },
       {{"the vector is a partial result of the same reducer, the keys are where it is",
         [](B& b) {
           b.live_out(b.reduce_by_key(kPlus, b.live_in(kSpace0, column_copies()), partial_result(b), kSpace1));
         }}}},
      {19,
       kPR,
       Reach::everywhere,
       [](B& b) {
         b.live_out(b.reduce_by_key(kPlus, b.live_in(kSpace0, column_copies()), partial_result(b), kSpace1));
       },
       {{"another reducer",
         [](B& b) {
           b.live_out(b.reduce_by_key(kMax, b.live_in(kSpace0, column_copies()), partial_result(b), kSpace1));
         }},
        {"keys on masters alone",
         [](B& b) { b.live_out(b.reduce_by_key(kPlus, b.live_in(kSpace0), partial_result(b), kSpace1)); }},
        {"the keys are the vector",
         [](B& b) {
           const ValueId v = partial_result(b);
           b.live_out(b.reduce_by_key(kPlus, v, v, kSpace1));
         }},
        {"the keys are the partial result",
         [](B& b) {
           b.live_out(b.reduce_by_key(kPlus, partial_result(b), b.live_in(kSpace0, column_copies()), kSpace1));
         }},
        {"partitioned",
         [](B& b) { b.live_out(b.reduce_by_key(kPlus, b.live_in(kSpace0), b.live_in(kSpace0), kSpace1)); }}}},
      {20,
       kP,
       Reach::masters,
       [](B& b) { b.live_out(b.take(b.live_in(kSpace1), b.live_in(kSpace0))); },
       {{"the other way round",
         [](B& b) { b.live_out(b.reduce_by_key(kPlus, b.live_in(kSpace0), b.live_in(kSpace0), kSpace1)); }}}},
      {21,
       kP,
       Reach::masters,
       [](B& b) { b.live_out(b.with_wholes(mix(), {b.live_in(kSpace1)}, {b.live_in(kSpace0)})); },
       {{"of elements alone",
         [](B& b) {
           b.live_out(b.element(mix(), {b.live_in(kSpace0), b.live_in(kSpace0)}));
         }}}},
  };
}

Plan lazily(const Write& write, std::uint32_t workers = 3) {
  ProgramBuilder b;
  write(b);
  Options options;
  options.sync = Sync::lazy;
  bool keys = false;
  for (const Statement& statement : b.program.top.statements)
    keys |= follows_keys(statement.op) || statement.wholes > 0;
  return expect_right(b, keys ? world_of_keys(workers) : small_world(workers), options);
}

TEST(Table1, EveryRuleFiresWhereItMay) {
  for (const Row& row : rows()) {
    SCOPED_TRACE("rule " + std::to_string(row.rule));
    const Plan plan = lazily(row.fires);
    const Launch* launch = launch_by(plan, row.rule);
    ASSERT_NE(launch, nullptr);
    EXPECT_EQ(rule(row.rule).out, row.out);
    EXPECT_EQ(rule(row.rule).reach, row.reach);
    EXPECT_EQ(state_of(plan, launch->out[0]).kind, row.out);
    EXPECT_EQ(launch->roles.empty(), row.reach == Reach::masters);
    for (std::size_t k = 0; k < launch->in.size() && launch->op == Op::element; ++k) {
      if (state_of(plan, launch->in[k]).kind == kPR) {
        EXPECT_EQ(state_of(plan, launch->out[0]), state_of(plan, launch->in[k]))
            << "the result is reduced as its input";
      }
    }
  }
}

TEST(Table1, NoRuleFiresWhereItMustNot) {
  for (const Row& row : rows()) {
    for (const auto& [reason, write] : row.silent) {
      SCOPED_TRACE("rule " + std::to_string(row.rule) + ", " + reason);
      EXPECT_EQ(launch_by(lazily(write), row.rule), nullptr);
    }
  }
}

TEST(Table1, HasTheRowsOfThePaper) {
  ASSERT_EQ(rules().size(), 22u);
  std::set<int> tested{0, 1, 2, 3, 16};  // sources, transitions and the split of affine maps below
  for (const Row& row : rows()) tested.insert(row.rule);
  for (std::size_t k = 0; k < rules().size(); ++k) {
    EXPECT_EQ(rules()[k].number, static_cast<int>(k));
    EXPECT_TRUE(tested.contains(static_cast<int>(k)));
    EXPECT_FALSE(rules()[k].text.empty());
  }
}

/// A step of a partial result is no part of the step of the whole, whatever the reducer.
TEST(Table1, AFoldOfAPartialResultGathersItFirst) {
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    ProgramBuilder b;
    const ValueId sum = partial_result(b);
    b.live_out(b.fold(kPlus, scale(3), {sum}));
    b.live_out(b.fold(kPlus, add(), {sum, b.live_in(kSpace0)}, {b.live_shared()}, 24));
    Options options;
    options.sync = sync;
    const Plan plan = expect_right(b, small_world(3), options);
    EXPECT_EQ(gathers(plan).size(), 1u);
    ASSERT_NE(launch_by(plan, 17), nullptr);
    EXPECT_EQ(state_of(plan, launch_by(plan, 17)->in[0]).kind, kP);
  }
}

TEST(Table1, AnAffineMapOfAPartialResultIsItsTwoParts) {
  const Write write = [](ProgramBuilder& b) { sum_up(b, b.element(affine(3, 4), {partial_result(b)})); };
  const Plan plan = lazily(write);
  EXPECT_EQ(launch_by(plan, 16), nullptr);
  const Launch *scaled = launch_by(plan, 10), *shifted = launch_by(plan, 11);
  ASSERT_NE(scaled, nullptr);
  ASSERT_NE(shifted, nullptr);
  EXPECT_EQ(scaled->out, shifted->in);
  EXPECT_TRUE(gathers(plan).empty());
}

TEST(Table1, AnAffineMapOfAnythingElseStaysWhole) {
  const Write partitioned = [](ProgramBuilder& b) { sum_up(b, b.element(affine(3, 4), {b.live_in(kSpace0)})); };
  const Write by_maximum = [](ProgramBuilder& b) {
    sum_up(b, b.element(affine(3, 4), {partial_result(b, kMax)}), kMax);
  };
  for (const Write& write : {partitioned, by_maximum}) {
    const Plan plan = lazily(write);
    EXPECT_NE(launch_by(plan, 8), nullptr);
    EXPECT_EQ(launch_by(plan, 11), nullptr);
  }
}

TEST(Table1, SourcesAreMadeConsistentWithoutTraffic) {
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    ProgramBuilder b;
    b.live_out(b.mxv(0, b.source(kSpace0, true), kSpace0));
    Options options;
    options.sync = sync;
    const Plan plan = expect_right(b, small_world(3), options);
    EXPECT_TRUE(all<Exchange>(plan).empty());
    const Launch* source = launch_by(plan, 0);
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(state_of(plan, source->out[0]), row_copies());
  }
}

/// A product of both ends reads its vectors where its non-zeros are, each on its own side.
TEST(Table1, BothEndsAreConsistentOnTheirSides) {
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    for (const Op op : {Op::mxv, Op::mxvt}) {
      ProgramBuilder b;
      const ValueId v = b.live_in(kSpace0), w = b.live_in(op == Op::mxv ? kSpace1 : kSpace0);
      const bool by_columns = op == Op::mxv;
      const ValueId in = by_columns ? v : b.live_in(kSpace1);
      const ValueId out = b.of_ends(op, 1, mix(), {in}, {w}, by_columns ? kSpace1 : kSpace0);
      sum_up(b, out);
      b.live_out(out);
      Options options;
      options.sync = sync;
      const Plan plan = expect_right(b, small_world(3), options);
      const Launch* product = launch_by(plan, by_columns ? 6 : 7);
      ASSERT_NE(product, nullptr);
      const RoleSet rows{row_role(1)}, columns{column_role(1)};
      EXPECT_EQ(state_of(plan, product->in[0]), State::consistent(by_columns ? rows : columns));
      EXPECT_EQ(state_of(plan, product->in[1]), State::consistent(by_columns ? columns : rows));
      EXPECT_EQ(state_of(plan, product->out[0]), State::pre_reduced(kPlus, by_columns ? columns : rows));
      EXPECT_TRUE(gathers(plan).empty() || sync == Sync::eager);
      EXPECT_EQ(scatters(plan).size(), 2u);
    }
  }
}

TEST(Table1, KeysLeadToWhatEveryWorkerHas) {
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    ProgramBuilder b;
    const ValueId sums = b.reduce_by_key(kPlus, b.live_in(kSpace0), b.live_in(kSpace0), kSpace1);
    b.live_out(b.take(sums, b.live_in(kSpace0)));
    Options options;
    options.sync = sync;
    const Plan plan = expect_right(b, world_of_keys(3), options);
    ASSERT_EQ(gathers(plan).size(), 1u);
    ASSERT_EQ(scatters(plan).size(), 1u);
    EXPECT_EQ(gathers(plan)[0].roles, RoleSet{kEverywhere});
    EXPECT_EQ(scatters(plan)[0].roles, RoleSet{kEverywhere});
  }
}

/// They are of the keys' own space, and without transitions, as on one worker, one sweep could hold both.
TEST(Table1, KeysWaitForWhatTheyLeadInto) {
  for (const Fusion fusion : {Fusion::greedy, Fusion::exact}) {
    ProgramBuilder b;
    const ValueId key = b.live_in(kSpace0);
    const ValueId from = b.element(mix(), {b.live_in(kSpace0)});
    const ValueId sums = b.reduce_by_key(kPlus, key, b.take(from, key), kSpace0);
    b.live_out(b.element(scale(3), {sums}));
    Options options;
    options.fusion = fusion;
    EXPECT_EQ(all<Sweep>(expect_right(b, world_of_keys(1), options)).size(), 3u);
  }
}

TEST(Table1, TransitionsLeadFromPreReducedToConsistent) {
  ProgramBuilder b;
  const ValueId v = b.mxv(0, b.live_in(kSpace0, row_copies()), kSpace0);
  b.live_out(b.mxv(0, v, kSpace0));
  b.live_out(b.apply(mix(), {b.reduce(kPlus, b.live_in(kSpace0))}));
  const Plan plan = expect_right(b, small_world(3));
  ASSERT_EQ(gathers(plan).size(), 1u);
  ASSERT_EQ(scatters(plan).size(), 1u);
  EXPECT_EQ(state_of(plan, gathers(plan)[0].from).kind, kPR);
  EXPECT_EQ(state_of(plan, gathers(plan)[0].to).kind, kP);
  EXPECT_EQ(scatters(plan)[0].from, gathers(plan)[0].to);
  EXPECT_EQ(state_of(plan, scatters(plan)[0].to), row_copies());
  ASSERT_EQ(all<ScalarWork>(plan).size(), 1u);
  const Exchange* reduction = nullptr;
  for (const Exchange* exchange : all<Exchange>(plan)) {
    if (!exchange->reductions.empty()) reduction = exchange;
  }
  ASSERT_NE(reduction, nullptr);
  EXPECT_EQ(state_of(plan, reduction->reductions[0].from).kind, kPR);
  EXPECT_EQ(state_of(plan, reduction->reductions[0].to).kind, kC);
  EXPECT_EQ(all<ScalarWork>(plan)[0]->in[0], reduction->reductions[0].to);
}

TEST(Choices, OfElementWorkBeginWithMastersAlone) {
  for (const Rule& row : rules()) {
    if (row.op != Op::element || row.law || *row.one != kP) continue;
    Statement statement;
    statement.op = Op::element;
    statement.in.resize(row.several ? 2 : 1);
    EXPECT_EQ(on_masters(statement), choices(statement).front());
    EXPECT_EQ(on_masters(statement).rule, row.number);
  }
}

}  // namespace
}  // namespace kasen::optimizer::tests
