/// @file
/// Plans that are wrong, each in one way, under the check of what buffers hold: it says where. And right ones.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "tests/runtime/plan_builder.h"
#include "tests/support/graphs.h"

namespace kasen::runtime::tests {
namespace {

constexpr std::uint64_t kLength = 60;
constexpr auto kPlus = [](double a, double b) { return a + b; };
constexpr auto kFirst = [](double x) { return x; };
constexpr auto kTwice = [](double x) { return 2 * x; };

/// y = G'x, gathered, with a graph that has replicas on both sides.
class StateCheckTest : public testing::Test {
 protected:
  StateCheckTest() : machine(cut(), true), space(machine.placement.space(kLength)) {
    const auto mine =
        kasen::tests::uniform_edges(kLength, kLength, 600, 3, {machine.control.rank(), machine.control.size()});
    matrix = machine.placement.add_matrix(space, space, {mine.source, mine.target, {}, 0});
    rows = {{matrix, Role::Side::row}};
    columns = {{matrix, Role::Side::column}};
    buffers = b.buffers(space, true, 4);
    product = b.kernel(matrix_kernel<double, double, void>(kFirst, kPlus, 0.0));
    twice = b.kernel(element_kernel<double>(kTwice, VectorOperand<double>{}));
    plus = b.reducer(reducer<double>(kPlus, std::optional<double>(0.0)));
    x = b.vector(space, buffers, State::consistent(rows));
    b.live_in(x, false);
  }

  /// Columns have about ten entries, so that both sides have replicas.
  static Options cut() {
    Options options;
    options.partition = Partition::hybrid_cut;
    options.threshold = 9;
    return options;
  }
  ValueId masters() { return b.vector(space, buffers, State::partitioned()); }
  ValueId partials() { return b.vector(space, buffers, State::pre_reduced(plus, columns)); }

  Step multiply(ValueId in, ValueId out) const {
    Launch mxv = launch(Op::mxv, product, {in}, {}, {out});
    mxv.roles = columns;
    mxv.reducer = plus;
    mxv.label = "mxv(first, plus)";
    mxv.where = {"program.cpp", 7};
    Sweep walk = sweep(space, {mxv}, {input(in), output(out)});
    walk_matrix(walk, matrix);
    return step(walk);
  }
  Step gather(ValueId from, ValueId to, std::vector<ValueId> dies) const {
    optimizer::Exchange exchange;
    exchange.gathers = {{from, to, columns, plus}};
    return step(exchange, std::move(dies));
  }
  Step map(ValueId in, ValueId out, RoleSet roles = {}) const {
    Launch element = launch(Op::element, twice, {in}, {}, {out});
    element.roles = std::move(roles);
    element.label = "map(twice)";
    element.where = {"program.cpp", 8};
    return step(sweep(space, {element}, {input(in), output(out)}));
  }
  Step control(optimizer::Loop loop) const { return step(std::move(loop)); }

  /// What the run ends with; on one worker, which has no replicas and no partial results, nothing is wrong.
  std::string wrong() {
    try {
      machine.run(b, {machine.vector(space, true, [](GlobalIndex i) { return static_cast<double>(i % 7); })});
    } catch (const InternalError& error) {
      return error.what();
    } catch (const AgreedError& error) {
      return error.what();
    }
    return "";
  }
  void expect_wrong(const std::string& part) {
    const std::string message = wrong();
    if (machine.control.size() == 1) {
      EXPECT_EQ(message, "");
    } else {
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nshould say: " << part;
    }
  }

  Machine machine;
  PlanBuilder b;
  SpaceId space;
  MatrixId matrix{};
  RoleSet rows, columns;
  std::uint32_t buffers = 0;
  KernelId product{}, twice{};
  ReducerId plus{};
  ValueId x{};
};

TEST_F(StateCheckTest, ARightPlanRuns) {
  const ValueId y = partials(), gathered = masters(), z = masters();
  b.plan.steps = {multiply(x, y), gather(y, gathered, {y}), map(gathered, z)};
  b.result(z);
  EXPECT_EQ(wrong(), "");
}

TEST_F(StateCheckTest, AGatherOfWhatIsGathered) {
  const ValueId y = partials(), gathered = masters(), again = masters();
  b.plan.steps = {multiply(x, y), gather(y, gathered, {}), gather(y, again, {y, gathered})};
  b.result(again);
  expect_wrong("gather of value 1 (): value 1 () holds values where its state asks for partial results");
}

TEST_F(StateCheckTest, PartialResultsThatTwoValuesHold) {
  const ValueId y = partials(), argument = partials(), result = partials(), gathered = masters();
  const ValueId test = b.shared<bool>();
  b.live_in(test, false);
  optimizer::Loop loop;
  loop.arguments = {argument, test};
  loop.initial = loop.yields = loop.results = {y, test};
  loop.yields = {argument, test};
  loop.results = {result, test};
  loop.test = test;
  b.plan.steps = {multiply(x, y), control(loop), gather(result, gathered, {result})};
  b.result(gathered);
  const auto run = [&] {
    return machine.run(b, {machine.vector(space, true, [](GlobalIndex) { return 1.0; }), shared(false)});
  };
  if (machine.control.size() == 1) {
    run();
    return;
  }
  try {
    run();
    ADD_FAILURE() << "runs";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hold the same partial results"), std::string::npos) << error.what();
  }
}

TEST_F(StateCheckTest, AReadingOfPartialResultsAsValues) {
  const ValueId y = partials(), z = masters();
  b.plan.steps = {multiply(x, y), map(y, z)};
  b.result(z);
  expect_wrong("map(twice) at program.cpp:8: reads the partial results of value 1 () as values");
}

TEST_F(StateCheckTest, AReadingOfReplicasThatWereNotWritten) {
  const ValueId fresh = masters(), y = partials(), gathered = masters();
  b.plan.steps = {map(x, fresh), multiply(fresh, y), gather(y, gathered, {y})};
  b.result(gathered);
  expect_wrong("mxv(first, plus) at program.cpp:7: value 1 () is not valid at local index");
}

TEST_F(StateCheckTest, AGatherOfFewerReplicasThanHoldPartialResults) {
  const ValueId y = b.vector(space, buffers, State::pre_reduced(plus, {rows[0], columns[0]})), gathered = masters();
  Step step = multiply(x, y);
  std::get<Sweep>(step.what).launches[0].roles = {rows[0], columns[0]};
  b.plan.steps = {step, gather(y, gathered, {y})};
  b.result(gathered);
  expect_wrong("gather of value 1 (): value 1 () is not valid");
}

}  // namespace
}  // namespace kasen::runtime::tests
