/// @file
/// Pass `hoist`: what leaves loops, what stays, and what an iteration then reads.
#include "optimizer/rewrite/hoist.h"

#include <gtest/gtest.h>

#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/program_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;
using Body = std::function<ValueId(ProgramBuilder& b, ValueId argument)>;

const Function kNext{"next", [](const Numbers&, const Numbers& s) { return s[0] + 1; }, {}};

/// A loop that carries one vector, hoisted.
ProgramBuilder hoisted(const Body& body, bool likely = true) {
  ProgramBuilder b;
  b.live_out(b.repeat(
      3, {b.live_in(kSpace0)}, [&](const Values& a) { return Values{body(b, a[0])}; }, likely)[0]);
  rewrite(b, {hoist_invariants});
  return b;
}
std::size_t left(ProgramBuilder& b, const std::string& label) {
  return count(loop_in(b.program.top).regions[0], label);
}

TEST(Hoist, ProductsReductionsAndAppliesWithWhatTheyRead) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  b.live_out(b.repeat(3, {b.live_in(kSpace0)}, [&](const Values& a) {
    const ValueId product = b.mxv(0, b.element(mix(), {v, b.source(kSpace0)}), kSpace0);
    const ValueId factor = b.apply(mix(), {s, b.reduce(kPlus, b.element(shift(7), {product}))});
    return Values{b.element(scale_by_shared(), {a[0]}, {factor})};
  })[0]);
  rewrite(b, {hoist_invariants});
  EXPECT_EQ(loop_in(b.program.top).regions[0].statements.size(), 3u) << "the test, the scaling and the counter";
  expect_right(b, small_world(3));
}

TEST(Hoist, NotWhatChanges) {
  ProgramBuilder b = hoisted([](ProgramBuilder& p, ValueId a) {
    const ValueId product = p.mxv(0, a, kSpace0);
    return p.element(scale_by_shared(), {product}, {p.apply(mix(), {p.reduce(kPlus, product)})});
  });
  EXPECT_EQ(left(b, "mxv") + left(b, "reduce") + left(b, "mix"), 3u);
}

TEST(Hoist, ElementWorkThatSavesAsManyReadsAsItAdds) {
  const auto zip_of_two = [](ProgramBuilder& p, ValueId a) {
    return p.element(add(), {a, p.element(mix(), {p.live_in(kSpace0), p.live_in(kSpace0)})});
  };
  ProgramBuilder two = hoisted(zip_of_two);
  EXPECT_EQ(left(two, "mix"), 0u);
  ProgramBuilder one = hoisted([](ProgramBuilder& p, ValueId a) {
    return p.element(add(), {a, p.element(mix(), {p.live_in(kSpace0)})});
  });
  EXPECT_EQ(left(one, "mix"), 0u) << "the work itself is saved";
  ProgramBuilder none = hoisted([](ProgramBuilder& p, ValueId a) {
    return p.element(add(), {a, p.element(mix(), {p.element(mix(), {p.source(kSpace0, true)})})});
  });
  EXPECT_EQ(left(none, "mix"), 2u) << "made in the tile from nothing";
  ProgramBuilder read_anyway = hoisted([](ProgramBuilder& p, ValueId a) {
    const ValueId v = p.live_in(kSpace0);
    return p.element(add(), {a, v, p.element(mix(), {v})});
  });
  EXPECT_EQ(left(read_anyway, "mix"), 1u);
  ProgramBuilder fan_out = hoisted([](ProgramBuilder& p, ValueId a) {
    const ValueId v = p.live_in(kSpace0);
    return p.element(add(), {a, p.element(scale(3), {v}), p.element(mix(), {v})});
  });
  EXPECT_EQ(left(fan_out, "mix") + left(fan_out, "scale"), 2u) << "two vectors to read for one";
}

TEST(Hoist, NeverCostsAnIterationBytes) {
  for (const bool second_reader : {false, true}) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
    b.live_out(b.repeat(3, {b.live_in(kSpace0)}, [&](const Values& a) {
      const ValueId x = b.element(mix(), {v, w});
      return Values{b.element(add(), {a[0], x, second_reader ? v : a[0]})};
    })[0]);
    Options without;
    without.passes_off = {"hoist"};
    const auto read = [&](const Options& options) {
      const Plan plan = expect_right(b, small_world(2), options);
      std::uint64_t bytes = 0;
      for (const Step& step : all<Loop>(plan).at(0)->body) bytes += step.stream.bytes_read;
      return bytes;
    };
    EXPECT_EQ(read(without), 8 * 40 * 3u);
    EXPECT_EQ(read({}), 8 * 40 * (second_reader ? 3u : 2u));
  }
}

TEST(Hoist, WhatIsCheaperToMakeAgainStaysAsACopy) {
  ProgramBuilder b = hoisted([](ProgramBuilder& p, ValueId a) {
    const ValueId x = p.element(mix(), {p.source(kSpace0, true)});
    return p.element(add(), {a, x, p.mxv(0, x, kSpace0)});
  });
  EXPECT_EQ(left(b, "mxv"), 0u);
  EXPECT_EQ(left(b, "mix"), 1u);
  EXPECT_EQ(count_here(b.program.top, "mix"), 1u);
  EXPECT_EQ(count_here(b.program.top, "iota"), 1u);
  expect_right(b, small_world(3));
}

TEST(Hoist, WhatALoopYieldsIsStoredOnce) {
  ProgramBuilder b;
  const Values out = b.repeat(3, {b.live_in(kSpace0), b.live_in(kSpace0)}, [&](const Values& a) {
    return Values{b.element(add(), {a[0], a[1]}), b.element(mix(), {b.source(kSpace0, true)})};
  });
  b.live_out(out[0]);
  b.live_out(out[1]);
  rewrite(b, {hoist_invariants});
  EXPECT_EQ(left(b, "mix"), 0u);
  expect_right(b, small_world(2));
}

TEST(Hoist, OutOfSeveralLoops) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.live_out(b.repeat(2, {b.live_in(kSpace0)}, [&](const Values& a) {
    return b.repeat(2, a, [&](const Values& i) {
      const ValueId outermost = b.mxv(0, v, kSpace0), outer = b.mxvt(0, a[0], kSpace0);
      return Values{b.element(mix(), {i[0], outermost, outer})};
    });
  })[0]);
  rewrite(b, {hoist_invariants});
  Block& body = loop_in(b.program.top).regions[0];
  EXPECT_EQ(count_here(b.program.top, "mxv"), 1u);
  EXPECT_EQ(count_here(body, "mxvt"), 1u);
  expect_right(b, small_world(3));
}

TEST(Hoist, OnlyWhatMayRunIfTheBodyDoesNot) {
  const Body product = [](ProgramBuilder& p, ValueId a) {
    return p.element(add(), {a, p.mxv(0, p.live_in(kSpace0), kSpace0)});
  };
  ProgramBuilder unlikely = hoisted(product, false);
  EXPECT_EQ(left(unlikely, "mxv"), 1u);
  ProgramBuilder likely = hoisted(product);
  EXPECT_EQ(left(likely, "mxv"), 0u);
  ProgramBuilder not_total = hoisted([](ProgramBuilder& p, ValueId a) {
    return p.element(add(), {a, p.mxv(0, p.element(partial(mix()), {p.live_in(kSpace0)}), kSpace0)});
  });
  EXPECT_EQ(left(not_total, "mxv"), 1u);
}

TEST(Hoist, ConditionsRunAtLeastOnce) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), limit = b.live_shared();
  const Function zero{"zero", [](const Numbers&, const Numbers&) { return Number{0}; }, {}};
  const Function below{"below", [](const Numbers&, const Numbers& s) { return Number{s[0] < s[1] % 4}; }, {}};
  const Values out = b.loop(
      {v, b.apply(zero, {})},
      [&](Values& a) {
        const ValueId most = b.apply(mix(), {limit, b.reduce(kPlus, b.element(partial(mix()), {v}))});
        return b.apply(below, {a[1], most});
      },
      [&](const Values& a) {
        return Values{b.element(mix(), {a[0]}), b.apply(kNext, {a[1]})};
      },
      false);
  b.live_out(out[0]);
  rewrite(b, {hoist_invariants});
  const Block& body = loop_in(b.program.top).regions[0];
  EXPECT_EQ(body.condition_length, 1u);
  EXPECT_EQ(count_here(body, "reduce"), 0u);
  expect_right(b, small_world(2));
}

TEST(Hoist, NotOutOfBranches) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  b.live_out(b.repeat(2, {b.live_in(kSpace0)}, [&](const Values& a) {
    return b.branch(
        s,
        [&] {
          return Values{b.element(add(), {a[0], b.mxv(0, v, kSpace0)})};
        },
        [&] { return Values{a[0]}; });
  })[0]);
  rewrite(b, {hoist_invariants});
  EXPECT_EQ(left(b, "mxv"), 1u);
}

TEST(Hoist, IsOffWithFusionAndByName) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.live_out(b.repeat(2, {b.live_in(kSpace0)}, [&](const Values& a) {
    return Values{b.element(add(), {a[0], b.mxv(0, v, kSpace0)})};
  })[0]);
  Options off, without;
  off.fusion = Fusion::off;
  without.passes_off = {"hoist"};
  const auto sweeps_in_loop = [&](const Options& options) {
    const Plan plan = expect_right(b, small_world(2), options);
    return all<Sweep>(all<Loop>(plan).at(0)->body).size();
  };
  EXPECT_EQ(sweeps_in_loop({}), 1u);
  EXPECT_EQ(sweeps_in_loop(off), 2u);
  EXPECT_EQ(sweeps_in_loop(without), 2u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
