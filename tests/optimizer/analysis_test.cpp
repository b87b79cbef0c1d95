/// @file
/// The analysis of a small PageRank: blocks, sums, decisions and drawing, and that text and JSON say the same.
#include "optimizer/analysis/analysis_json.h"
#include "optimizer/text/draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "optimizer/optimize.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/drawing.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

ProgramBuilder page_rank() {
  ProgramBuilder b;
  const ValueId degree = b.mxvt(0, b.source(kSpace0), kSpace0);
  const Values out = b.repeat(3, {b.source(kSpace0)}, [&](const Values& a) {
    const ValueId share = b.element(mix(), {a[0], degree});
    const ValueId ranks = b.element(mix(), {b.mxv(0, share, kSpace0)});
    b.reduce(kPlus, b.element(minus(), {a[0], ranks}));
    return Values{ranks};
  });
  b.live_out(out[0]);
  return b;
}

ProgramBuilder nested() {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  const Values out = b.repeat(2, {v}, [&](const Values& a) {
    const Values inner = b.repeat(3, a, [&](const Values& c) { return Values{b.mxv(0, c[0], kSpace0)}; });
    return b.branch(
        s, [&] { return inner; }, [&] { return Values{b.element(mix(), {inner[0]})}; });
  });
  b.live_out(out[0], true);
  return b;
}

Analysis analysis_of(const ProgramBuilder& b, Options options = {}) {
  return analyze(b.program, small_world(3).stats(), options);
}

TEST(Analysis, HasTheBaselineAndThePlanAsItWouldRun) {
  const ProgramBuilder b = page_rank();
  const PlacementStats stats = small_world(3).stats();
  Options off, eager;
  off.fusion = Fusion::off;
  off.sync = Sync::lazy;
  eager.sync = Sync::eager;
  const Analysis analysis = analyze(b.program, stats, eager);
  EXPECT_EQ(analysis.before.plan.fingerprint, optimize(b.program, stats, off).fingerprint);
  EXPECT_EQ(analysis.after.plan.fingerprint, optimize(b.program, stats, eager).fingerprint);
}

TEST(Analysis, SumsBlocks) {
  for (const ProgramBuilder& b : {page_rank(), nested()}) {
    const Analysis analysis = analysis_of(b);
    for (const PlanReport* report : {&analysis.before, &analysis.after}) {
      // All steps of the plan are in the blocks, each once.
      Counts model, stream, all_model, all_stream;
      for (const BlockReport& block : report->blocks) {
        model += evaluate(block.sum.model, analysis.stats);
        stream += evaluate(block.sum.stream, analysis.stats);
      }
      for_each_step(report->plan.steps, [&](const Step& step) {
        all_model += step.model;
        all_stream += step.stream;
      });
      EXPECT_EQ(model, all_model);
      EXPECT_EQ(stream, all_stream);
      EXPECT_EQ(report->stream_buffers.evaluate(analysis.stats), report->plan.buffer_bytes);
      EXPECT_EQ(report->model_buffers.evaluate(analysis.stats), report->plan.model_buffer_bytes);
    }
  }
}

/// What the first entry takes longer where its memory is new, and nothing where it is not.
TEST(Analysis, SaysWhatNewMemoryTakes) {
  const Analysis analysis = analysis_of(page_rank());
  const Json json = analysis_json(analysis);
  std::size_t steps = 0;
  for (const char* when : {"before", "after"}) {
    std::multiset<std::uint64_t> in_plan, in_json;
    const PlanReport& report = when == std::string("before") ? analysis.before : analysis.after;
    for_each_step(report.plan.steps, [&](const Step& step) {
      if (step.fresh_picoseconds > 0) in_plan.insert(step.fresh_picoseconds);
    });
    for (const Json& block : json[when]["blocks"]) {
      for (const Json& step : block["steps"]) {
        if (step.contains("fresh_picoseconds")) in_json.insert(step["fresh_picoseconds"].get<std::uint64_t>());
      }
    }
    EXPECT_FALSE(in_plan.empty());
    EXPECT_EQ(in_json, in_plan);
    steps += in_plan.size();
  }
  const std::string text = analysis_text(analysis);
  std::size_t said = 0;
  for (std::size_t at = 0; (at = text.find(", the first time ", at)) != std::string::npos; ++at) ++said;
  EXPECT_EQ(said, steps);
}

TEST(Analysis, NamesBlocksByWhereTheyAre) {
  const Analysis analysis = analysis_of(nested());
  std::vector<std::string> names;
  for (const BlockReport& block : analysis.after.blocks) names.push_back(block.name + (block.loop ? "*" : ""));
  EXPECT_EQ(names, (std::vector<std::string>{"top", "loop 1*", "loop 1, loop 1*", "loop 1, branch 1, then",
                                             "loop 1, branch 1, otherwise"}));
}

TEST(Analysis, NamesWhatWasRejectedAndItsCost) {
  const Analysis analysis = analysis_of(page_rank());
  EXPECT_GT(analysis.plans, 10u);
  ASSERT_FALSE(analysis.decisions.empty());
  const PlanCost best = cost_of(analysis.after.plan);
  std::size_t dearer = 0;
  for (const DecisionReport& decision : analysis.decisions) {
    EXPECT_GT(decision.options.size(), 1u);
    EXPECT_EQ(std::count_if(decision.options.begin(), decision.options.end(), [](const auto& o) { return o.chosen; }),
              1);
    for (const DecisionReport::Option& option : decision.options) {
      if (!option.cost) continue;
      if (option.chosen) {
        EXPECT_EQ(*option.cost, best);
        EXPECT_EQ(option.transitions, analysis.transitions);
      } else {
        EXPECT_GE(*option.cost, best);
        dearer += best < *option.cost ? 1 : 0;
      }
    }
  }
  EXPECT_GT(dearer, 0u);
}

/// A rejected option's cost is that of the cheapest plan with it: here by trying each way to decide by hand.
TEST(Analysis, FindsTheCheapestPlanOfARejectedOption) {
  ProgramBuilder b;
  b.live_out(b.mxv(0, b.source(kSpace0), kSpace0), true);
  const Analysis analysis = analysis_of(b);
  ASSERT_EQ(analysis.decisions.size(), 1u);
  const auto& options = analysis.decisions[0].options;
  ASSERT_EQ(options.size(), 2u);
  EXPECT_EQ(options[0].text, "partitioned");
  EXPECT_EQ(options[1].text, "consistent");
  EXPECT_TRUE(options[1].chosen);
  // A partitioned source has to be scattered to the row replicas.
  const auto& row = analysis.stats.of(kSpace0, {row_role(0)});
  EXPECT_EQ(options[0].cost->rest.bytes_sent - options[1].cost->rest.bytes_sent, 8 * row.replicas);
  EXPECT_EQ(options[0].transitions.size(), 2u);
  EXPECT_EQ(options[1].transitions.size(), 1u);
}

TEST(Analysis, SaysTheSameInTextAndJson) {
  const Analysis analysis = analysis_of(page_rank());
  const std::string text = analysis_text(analysis);
  const Json json = analysis_json(analysis);
  for (const char* when : {"before", "after"}) {
    for (const Json& block : json[when]["blocks"]) {
      for (const char* column : {"model", "stream"}) {
        for (const char* what : {"bytes_read", "bytes_written", "bytes_sent"}) {
          const Json& formula = block[column][what];
          if (formula["value"] == 0) continue;
          const std::string printed =
              formula["text"].get<std::string>() + " = " + std::to_string(formula["value"].get<std::uint64_t>());
          EXPECT_NE(text.find(printed), std::string::npos) << printed;
          std::uint64_t sum = 0;
          for (const auto& [symbol, coefficient] : formula["terms"].items()) {
            const std::uint64_t value = symbol == "P(P-1)" ? 6 : json["symbols"][symbol].template get<std::uint64_t>();
            sum += coefficient.template get<std::uint64_t>() * value;
          }
          EXPECT_EQ(sum, formula["value"]);
        }
      }
    }
  }
  for (const Json& transition : json["transitions"])
    EXPECT_NE(text.find(transition.get<std::string>()), std::string::npos);
}

TEST(Drawing, PutsValuesWhereTheyAreMade) {
  const ProgramBuilder b = page_rank();
  const Plan plan = optimize(b.program, small_world(3).stats(), {});
  const Drawing drawing = read_drawing(draw(plan));
  std::map<std::string, int> sweeps;
  for (const auto& [cluster, label] : drawing.labels) ++sweeps[label.substr(0, 5)];
  EXPECT_EQ(sweeps["sweep"], static_cast<int>(all<Sweep>(plan).size()));
  EXPECT_EQ(sweeps["while"], 1);
  EXPECT_EQ(drawing.transitions.at("gather"), static_cast<int>(gathers(plan).size()));
  EXPECT_EQ(drawing.transitions.at("scatter"), static_cast<int>(scatters(plan).size()));
  // The three states look different, and a value that stays in tile buffers does too.
  std::map<std::string, std::set<std::string>> colours;
  for (const auto& [name, attributes] : drawing.attributes) {
    const std::size_t state = attributes.find("\\n"), colour = attributes.find("fillcolor=");
    if (state == std::string::npos) continue;
    colours[attributes.substr(state + 2, attributes[state + 3] == 'R' ? 2 : 1)].insert(
        attributes.substr(colour + 10, 9));
  }
  ASSERT_EQ(colours.size(), 3u);
  EXPECT_EQ(colours["P"].size() + colours["C"].size() + colours["PR"].size(), 3u);
  EXPECT_NE(*colours["P"].begin(), *colours["C"].begin());
  EXPECT_NE(*colours["P"].begin(), *colours["PR"].begin());
  EXPECT_NE(*colours["C"].begin(), *colours["PR"].begin());
}

TEST(Drawing, EscapesWhatFunctionsAreCalled) {
  ProgramBuilder b;
  Function f = mix();
  f.name = R"(x == '"' ? "\n" : x)";
  b.live_out(b.element(f, {b.live_in(kSpace0)}));
  const std::string text = draw(optimize(b.program, small_world(2).stats(), {}));
  EXPECT_NE(text.find(R"(x == '\"' ? \"\\n\" : x)"), std::string::npos) << text;
}

}  // namespace
}  // namespace kasen::optimizer::tests
