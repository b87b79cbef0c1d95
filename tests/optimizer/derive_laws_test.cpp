/// @file
/// The pass `derive-laws`: which laws it adds to which statements. What functions obey is tested with the functions.
#include "optimizer/laws/derive_laws.h"

#include <gtest/gtest.h>

namespace kasen::optimizer::tests {
namespace {

constexpr Type kDouble{8, 1}, kFloat{4, 2};
constexpr ReducerId kPlusOfDoubles{0}, kPlusOfFloats{1}, kMinOfDoubles{2}, kUnknown{3}, kTimesOfDoubles{4};

/// v0 op v1.
Expression binary(Operator op) {
  ExpressionWriter writer;
  const auto a = writer.input(Operator::element, ScalarType::float64, 0);
  const auto b = writer.input(Operator::element, ScalarType::float64, 1);
  return writer.take(writer.apply(op, ScalarType::float64, a, b));
}
/// v0 op s0.
Expression with_shared(Operator op) {
  ExpressionWriter writer;
  const auto a = writer.input(Operator::element, ScalarType::float64, 0);
  const auto b = writer.input(Operator::shared, ScalarType::float64, 0);
  return writer.take(writer.apply(op, ScalarType::float64, a, b));
}

struct Builder {
  Program program;
  Builder() {
    program.reducers = {{"plus", ReducerKind::plus, kDouble},
                        {"plus", ReducerKind::plus, kFloat},
                        {"min", ReducerKind::minimum, kDouble},
                        {"own", ReducerKind::other, kDouble},
                        {"times", ReducerKind::times, kDouble}};
  }
  ValueId value(Type type = kDouble) {
    Value made;
    made.type = type;
    program.values.push_back(made);
    return static_cast<ValueId>(program.values.size() - 1);
  }
  Statement element(ExpressionRef expression, const std::vector<ValueId>& in, Type out = kDouble) {
    Statement statement;
    statement.op = Op::element;
    statement.in = in;
    statement.out = {value(out)};
    statement.expression = std::move(expression);
    return statement;
  }
  Statement reduce(ReducerId reducer) {
    Statement statement;
    statement.op = Op::reduce;
    statement.in = {value()};
    statement.out = {value()};
    statement.reducer = reducer;
    return statement;
  }
};

using Laws = std::vector<Law>;

TEST(DeriveLaws, OfMapsAreExchangeAndPushdown) {
  Builder b;
  b.program.top.statements = {b.reduce(kPlusOfDoubles), b.element(with_shared(Operator::multiply), {b.value()}),
                              b.element(with_shared(Operator::subtract), {b.value()})};
  derive_laws(b.program);
  EXPECT_EQ(b.program.top.statements[1].laws, (Laws{{Law::Kind::exchange, kPlusOfDoubles, 0}}));
  EXPECT_EQ(b.program.top.statements[2].laws, (Laws{{Law::Kind::pushdown, kPlusOfDoubles, 0}}));
}

TEST(DeriveLaws, OfZipsAreDistributiveAndPushdownAtEachArgument) {
  Builder b;
  b.program.top.statements = {b.reduce(kPlusOfDoubles), b.element(binary(Operator::multiply), {b.value(), b.value()}),
                              b.element(binary(Operator::subtract), {b.value(), b.value()})};
  derive_laws(b.program);
  EXPECT_EQ(b.program.top.statements[1].laws,
            (Laws{{Law::Kind::distributive, kPlusOfDoubles, 0}, {Law::Kind::distributive, kPlusOfDoubles, 1}}));
  EXPECT_EQ(b.program.top.statements[2].laws, (Laws{{Law::Kind::pushdown, kPlusOfDoubles, 0}}));
}

TEST(DeriveLaws, AreOverReducersThatOccur) {
  Builder b;
  LiveIn live;
  live.value = b.value();
  live.state = State::pre_reduced(kMinOfDoubles, {});
  b.program.live_in = {live};
  Statement loop;
  loop.op = Op::while_;
  loop.regions.resize(1);
  loop.regions[0].statements = {b.reduce(kUnknown), b.reduce(kPlusOfFloats), b.reduce(kPlusOfDoubles),
                                b.element(binary(Operator::minimum), {b.value(), b.value(kFloat)}),
                                b.element(binary(Operator::add), {b.value(), b.value(kFloat)})};
  b.program.top.statements = {loop};
  derive_laws(b.program);
  EXPECT_EQ(b.program.top.statements[0].regions[0].statements[3].laws,
            (Laws{{Law::Kind::distributive, kMinOfDoubles, 0}, {Law::Kind::pushdown, kMinOfDoubles, 0}}));
  EXPECT_EQ(b.program.top.statements[0].regions[0].statements[4].laws,
            (Laws{{Law::Kind::pushdown, kPlusOfDoubles, 0}}));
}

TEST(DeriveLaws, KeepsDeclaredOnesAndAddsNothingTwice) {
  Builder b;
  Statement declared = b.element(with_shared(Operator::multiply), {b.value()});
  declared.laws = {{Law::Kind::exchange, kPlusOfDoubles, 0}, {Law::Kind::exchange, kUnknown, 0}};
  const Laws before = declared.laws;
  b.program.top.statements = {b.reduce(kPlusOfDoubles), declared, b.element({}, {b.value()})};
  derive_laws(b.program);
  derive_laws(b.program);
  EXPECT_EQ(b.program.top.statements[1].laws, before);
  EXPECT_TRUE(b.program.top.statements[2].laws.empty()) << "a black box";
}

TEST(DeriveLaws, NeedAnArgumentOfTheResultsType) {
  Builder b;
  b.program.top.statements = {b.reduce(kPlusOfDoubles),
                              b.element(with_shared(Operator::multiply), {b.value()}, kFloat)};
  derive_laws(b.program);
  EXPECT_TRUE(b.program.top.statements[1].laws.empty());
}

}  // namespace
}  // namespace kasen::optimizer::tests
