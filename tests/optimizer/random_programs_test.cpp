/// @file
/// Random programs, planned under random options, must compute what they say: transitions, fusion, storage and costs
/// at once.
#include <gtest/gtest.h>

#include <random>

#include "optimizer/program_tools.h"
#include "tests/optimizer/grouped.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

/// Writes a program of random statements in nested blocks. The same seed, the same program.
class Writer {
 public:
  explicit Writer(unsigned seed) : _random(seed) {}

  ProgramBuilder write() {
    Scope scope;
    scope.vectors = {_b.live_in(kSpace0), _b.live_in(kSpace1, State::consistent({column_role(1)}), pick(2) == 0),
                     _b.live_in(kSpace0, State::pre_reduced(kPlus, {row_role(0), column_role(0)}), true)};
    scope.shareds = {_b.live_shared()};
    for (const LiveIn& live : _b.program.live_in) {
      if (!live.dies) _b.live_out(live.value);
    }
    statements(scope, 4 + pick(5), 0);
    for (std::size_t k = scope.vectors.size() - 2; k < scope.vectors.size(); ++k) {
      _b.live_out(scope.vectors[k], pick(2) == 0);
    }
    _b.live_out(scope.shareds.back());
    return std::move(_b);
  }

 private:
  struct Scope {
    std::vector<ValueId> vectors, shareds;
  };

  std::size_t pick(std::size_t n) { return _random() % n; }
  /// Mostly one of the latest.
  ValueId some(const std::vector<ValueId>& values) {
    return pick(3) > 0 ? values[values.size() - 1 - pick(std::min<std::size_t>(3, values.size()))]
                       : values[pick(values.size())];
  }
  ValueId some_over(const Scope& scope, SpaceId space) {
    std::vector<ValueId> fitting;
    for (ValueId value : scope.vectors) {
      if (_b.value(value).space == space) fitting.push_back(value);
    }
    return some(fitting);
  }

  void statements(Scope& scope, std::size_t count, int depth) {
    for (std::size_t k = 0; k < count; ++k) {
      switch (pick(depth < 2 ? 12 : 10)) {
        case 0:
        case 1:
          scope.vectors.push_back(map(scope));
          break;
        case 2:
        case 3:
        case 4:
          scope.vectors.push_back(zip(scope));
          break;
        case 5:
          scope.vectors.push_back(_b.source(pick(2) == 0 ? kSpace0 : kSpace1, pick(2) == 0));
          break;
        case 6:
          scope.shareds.push_back(_b.reduce(pick(3) == 0 ? kMax : kPlus, some(scope.vectors)));
          break;
        case 7:
          scope.shareds.push_back(_b.apply(mix(), {some(scope.shareds), some(scope.shareds)}));
          break;
        case 8:
        case 9:
          scope.vectors.push_back(matrix_product(scope));
          break;
        case 10:
          loop(scope, depth);
          break;
        default:
          branch(scope, depth);
      }
    }
  }

  ValueId map(const Scope& scope) {
    const ValueId v = some(scope.vectors);
    switch (pick(5)) {
      case 0:
        return _b.element(scale(3), {v});
      case 1:
        return _b.element(shift(7), {v});
      case 2:
        return _b.element(scale_by_shared(), {v}, {some(scope.shareds)});
      case 3:
        return _b.element(partial(mix()), {v}, {some(scope.shareds)});
      default:
        return _b.element(mix(), {v});
    }
  }

  ValueId zip(const Scope& scope) {
    const ValueId v = some(scope.vectors);
    const ValueId w = some_over(scope, _b.value(v).space);
    switch (pick(5)) {
      case 0:
        return _b.element(add(), {v, w});
      case 1:
        return _b.element(minus(), {v, w});
      case 2:
        return _b.element(product(), {v, w, some_over(scope, _b.value(v).space)});
      case 3:
        return _b.element(larger(), {v, w});
      default:
        return _b.element(mix(), {v, w});
    }
  }

  ValueId matrix_product(const Scope& scope) {
    const ReducerId op = pick(4) == 0 ? kMax : kPlus;
    switch (pick(4)) {
      case 0:
        return _b.mxv(0, some_over(scope, kSpace0), kSpace0, op);
      case 1:
        return _b.mxvt(0, some_over(scope, kSpace0), kSpace0, op);
      case 2:
        return _b.mxv(1, some_over(scope, kSpace0), kSpace1, op);
      default:
        return _b.mxvt(1, some_over(scope, kSpace1), kSpace0, op);
    }
  }

  /// A value of the scope that fits where `like` is.
  ValueId fitting(const Scope& scope, ValueId like) {
    return _b.value(like).kind == Value::Kind::shared ? some(scope.shareds) : some_over(scope, _b.value(like).space);
  }

  void loop(Scope& scope, int depth) {
    ProgramBuilder::Values initial{some(scope.vectors), some(scope.vectors), some(scope.shareds)};
    const auto results = _b.repeat(
        pick(4), initial,
        [&](const ProgramBuilder::Values& arguments) {
          Scope inner = scope;
          inner.vectors.insert(inner.vectors.end(), arguments.begin(), arguments.end() - 1);
          inner.shareds.push_back(arguments.back());
          statements(inner, 2 + pick(4), depth + 1);
          ProgramBuilder::Values yields;
          for (ValueId value : arguments) yields.push_back(fitting(inner, value));
          return yields;
        },
        pick(2) == 0);
    scope.vectors.insert(scope.vectors.end(), results.begin(), results.end() - 1);
    scope.shareds.push_back(results.back());
  }

  void branch(Scope& scope, int depth) {
    const ProgramBuilder::Values like{some(scope.vectors), some(scope.shareds)};
    const auto side = [&] {
      Scope inner = scope;
      statements(inner, pick(4), depth + 1);
      return ProgramBuilder::Values{fitting(inner, like[0]), fitting(inner, like[1])};
    };
    const ValueId test =
        _b.apply({"odd", [](const Numbers&, const Numbers& s) { return s[0] & 1; }, {}}, {some(scope.shareds)});
    const auto results = _b.branch(test, side, side);
    scope.vectors.push_back(results[0]);
    scope.shareds.push_back(results[1]);
  }

  ProgramBuilder _b;
  std::mt19937 _random;
};

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, ComputeTheSameUnderAllOptions) {
  constexpr std::uint32_t kWorkers[] = {1, 2, 3, 5};
  const unsigned seed = GetParam();
  const ProgramBuilder builder = Writer(seed).write();
  const World world = small_world(kWorkers[seed % 4]);
  constexpr const char* kPasses[] = {"dead-values", "rotate", "fuse", "join-mxv", "in-place", "reuse-buffers"};
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    for (const Fusion fusion : {Fusion::greedy, Fusion::off}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", sync " + std::to_string(static_cast<int>(sync)) + ", fusion " +
                   std::to_string(static_cast<int>(fusion)));
      Options options;
      options.sync = sync;
      options.fusion = fusion;
      options.roles = seed % 5 != 0;
      if (seed % 3 == 0) options.passes_off = {kPasses[seed % 6], kPasses[seed % 5]};
      expect_right(builder, world, options);
    }
  }
}

/// Sweeps joined at random, two at a time, as long as there is a plan.
TEST_P(RandomPrograms, ComputeTheSameInRandomSweeps) {
  const unsigned seed = GetParam();
  const ProgramBuilder builder = Writer(seed).write();
  World world = small_world(1 + seed % 3);
  for (std::uint32_t matrix : {0u, 1u}) {
    if (seed % 4 != 0) world.keep_whole(matrix, seed % 4 == 1 ? Role::Side::column : Role::Side::row);
  }
  Options options;
  options.sync = seed % 2 == 0 ? Sync::hybrid : Sync::lazy;
  const GroupedPlans plans(builder, world, seed % 5 != 0, options);
  std::mt19937 random(seed);
  Grouping grouping = plans.apart();
  std::optional<Plan> plan = plans.plan(grouping);
  ASSERT_TRUE(plan);
  std::vector<std::pair<ValueId, ValueId>> read;  // what is made of what
  for_each_block(plans.stated().program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      for (ValueId value : statement.in) read.emplace_back(statement.out.at(0), value);
    }
  });
  for (int k = 0; k < 60; ++k) {
    Grouping joined = grouping;
    auto from = random() % joined.sweeps.size(), other = random() % joined.sweeps.size();
    if (k % 3 != 0 && !read.empty()) {
      const auto& [made, of] = read[random() % read.size()];
      from = index_of(made), other = index_of(of);
    }
    const std::uint32_t to = grouping.sweeps[other];
    for (std::uint32_t& sweep : joined.sweeps) sweep = sweep == grouping.sweeps[from] ? to : sweep;
    auto next = plans.plan(joined);
    if (!next) continue;
    grouping = std::move(joined);
    plan = std::move(next);
  }
  SCOPED_TRACE("seed " + std::to_string(seed));
  expect_right(*plan, builder, world);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0u, 200u));

}  // namespace
}  // namespace kasen::optimizer::tests
