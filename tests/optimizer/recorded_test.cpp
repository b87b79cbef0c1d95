/// @file
/// What is not a recorded program: each is refused, by name of the file and place, and never reaches the optimizer.
/// (That programs survive writing and reading is checked wherever tests plan one, see expect_right.cpp.)
#include "optimizer/record/program_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "kasen/base/error.h"
#include "optimizer/optimize.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/same_program.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {
namespace {

using Json = nlohmann::ordered_json;
using Values = ProgramBuilder::Values;

/// All operations, laws, states; a loop and a branch.
Program example() {
  ProgramBuilder b;
  const ValueId sums = b.live_in(kSpace0, State::pre_reduced(kPlus, {row_role(0)}), true), s = b.live_shared();
  const ValueId twice = b.element(scale(2), {sums});
  const Values out = b.repeat(3, {b.source(kSpace0, true), twice}, [&](const Values& a) {
    const ValueId sum = b.mxvt(1, b.mxv(1, b.element(add(), {a[0], a[1]}, {s}), kSpace1), kSpace0);
    const Values chosen = b.branch(
        s, [&] { return Values{sum}; }, [&] { return Values{b.element(partial(mix()), {a[0]})}; });
    return Values{chosen[0], a[0]};
  });
  b.live_out(out[0], true);
  b.live_out(b.reduce(kMax, out[1]));
  b.live_out(b.fold(kPlus, mix(), {out[0], out[1]}, {s}, 24));
  b.live_out(b.of_ends(Op::mxv, 1, mix(), {out[0], out[1]}, {b.source(kSpace1)}, kSpace1));
  b.program.top.statements[0].where = {"a file.cpp", 12};
  b.program.top.statements[0].positive = true;
  for (Statement& statement : b.program.top.statements) {
    if (statement.op == Op::fold) statement.work = {true, 1, 2, 3, 7, true, {4, 5, 6}};
  }
  return b.program;
}

RecordedRun recorded() {
  Degrees degrees{100, {{1, 20}, {7, 3}}, {{101, 2}}, {}};
  return {"example", {{example(), small_world(3).stats(), 2}}, {degrees, degrees}};
}

/// X'f(Xv) of a batch of a matrix.
RecordedRun of_batch() {
  ProgramBuilder b;
  const ValueId number = b.live_shared(), v = b.live_in(kSpace1, State::partitioned());
  b.live_out(b.mxv(1, b.element(scale(2), {b.mxvt(1, v, kSpace0)}), kSpace1));
  for (Statement& statement : b.program.top.statements) {
    if (!is_matrix_op(statement.op)) continue;
    statement.shared = {number};
    statement.of_batch = true;
    statement.activity = {};
  }
  PlacementStats stats = small_world(3).stats();
  stats.matrices[1].batches = 5;
  stats.matrices[1].by_column = stats.matrices[1].by_row = {};
  return {"batch", {{b.program, stats, 2}}, {}};
}

std::string refusal(const std::string& text) {
  try {
    read_recorded(text, "FILE");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Recorded, IsReadAsWritten) {
  const RecordedRun run = recorded();
  expect_round_trip(run.programs[0].program, run.programs[0].stats);
  const RecordedRun read = read_recorded(write_recorded(run), "FILE");
  EXPECT_EQ(read.name, "example");
  EXPECT_EQ(read.degrees, run.degrees);
}

TEST(Recorded, KnowsDenseMatrices) {
  RecordedRun run = recorded();
  run.programs[0].stats.matrices[1].dense = true;
  const RecordedRun read = read_recorded(write_recorded(run), "FILE");
  EXPECT_FALSE(read.programs[0].stats.matrices[0].dense);
  EXPECT_TRUE(read.programs[0].stats.matrices[1].dense);
}

TEST(Recorded, KnowsSymmetricMatrices) {
  RecordedRun run = recorded();
  run.programs[0].stats.matrices[0].symmetric = true;
  const RecordedRun read = read_recorded(write_recorded(run), "FILE");
  EXPECT_TRUE(read.programs[0].stats.matrices[0].symmetric);
  EXPECT_FALSE(read.programs[0].stats.matrices[1].symmetric);
  const std::string why = "a matrix over one space, and not dense, is expected";
  run.programs[0].stats.matrices[0].dense = true;
  EXPECT_NE(refusal(write_recorded(run)).find(why), std::string::npos);
  run.programs[0].stats.matrices[0] = read.programs[0].stats.matrices[0];
  run.programs[0].stats.matrices[1].symmetric = true;
  EXPECT_NE(refusal(write_recorded(run)).find(why), std::string::npos);
}

TEST(Recorded, KnowsBatchesOfMatrices) {
  const RecordedRun run = of_batch();
  expect_round_trip(run.programs[0].program, run.programs[0].stats);
  RecordedRun wrong = run;
  wrong.programs[0].stats.matrices[1].batches = 0;
  EXPECT_NE(refusal(write_recorded(wrong)).find("has the wrong number of shareds"), std::string::npos);
  wrong = run;
  wrong.programs[0].program.top.statements[0].shared.clear();
  EXPECT_NE(refusal(write_recorded(wrong)).find("has the wrong number of shareds"), std::string::npos);
  wrong = run;
  wrong.programs[0].stats.matrices[1].dense = true;
  EXPECT_NE(refusal(write_recorded(wrong)).find("neither dense nor symmetric"), std::string::npos);
}

TEST(Recorded, KnowsParts) {
  RecordedRun run = recorded();
  ASSERT_EQ(run.programs[0].program.values[0].type.bytes, 8u);
  run.programs[0].program.values[0].type.parts = 4;
  const RecordedRun read = read_recorded(write_recorded(run), "FILE");
  EXPECT_EQ(read.programs[0].program.values[0].type, run.programs[0].program.values[0].type);
  EXPECT_EQ(read.programs[0].program.values[1].type.parts, 1u);
}

TEST(Recorded, KnowsRows) {
  RecordedRun run = recorded();
  run.programs[0].program.values[0].type.row = true;
  const RecordedRun read = read_recorded(write_recorded(run), "FILE");
  EXPECT_TRUE(read.programs[0].program.values[0].type.row);
  EXPECT_FALSE(read.programs[0].program.values[1].type.row);
}

TEST(Recorded, SharesPlacements) {
  RecordedRun run = recorded();
  run.programs.push_back(run.programs[0]);
  run.programs.push_back({example(), small_world(2).stats(), 1});
  const Json json = Json::parse(write_recorded(run));
  EXPECT_EQ(json["placements"].size(), 2u);
  const RecordedRun read = read_recorded(json.dump(2), "FILE");
  ASSERT_EQ(read.programs.size(), 3u);
  expect_same(read.programs[1].stats, run.programs[0].stats);
  expect_same(read.programs[2].stats, run.programs[2].stats);
}

TEST(Recorded, IsRefusedIfItIsNoJson) {
  const std::string text = write_recorded(recorded());
  EXPECT_EQ(refusal(""), "FILE: no JSON, or not all of it: byte 1");
  EXPECT_EQ(refusal("1 2\n2 3\n"), "FILE: no JSON, or not all of it: byte 3");
  for (const std::size_t length : {std::size_t{1}, text.size() / 2, text.size() - 3}) {
    EXPECT_EQ(refusal(text.substr(0, length)).find("FILE: no JSON, or not all of it: byte "), 0u) << length;
  }
}

TEST(Recorded, IsRefusedIfItIsSomethingElse) {
  EXPECT_EQ(refusal("[]"), "FILE: an object is expected");
  EXPECT_EQ(refusal("{}"), "FILE: 'format' is missing");
  EXPECT_EQ(refusal(R"({"format": "text"})"), "FILE: format: this is no recorded program of Kasen");
  Json json = Json::parse(write_recorded(recorded()));
  json["version"] = 7;
  EXPECT_EQ(refusal(json.dump()), "FILE: version: version 7 is not known, only version 2");
}

TEST(Recorded, NamesWhatIsWrong) {
  const Json good = Json::parse(write_recorded(recorded()));
  const std::string program = "/programs/0/program";
  const struct {
    std::string where;
    Json becomes;
    std::string message;
  } cases[] = {
      {"/programs/0/placement", 1, "programs[0].placement: there is no such placement"},
      {"/placements/0/workers", 0, "placements[0].workers: at least one worker is expected"},
      {"/placements/0/workers", -1, "placements[0].workers: a whole number from 0 is expected"},
      {"/placements/0/workers", 64,
       "placements[0].index_spaces[0].roles[0].pairs: runs of pairs of 64 workers are expected, ascending and apart"},
      {"/placements/0/matrices/0/rows", 2, "placements[0].matrices[0].rows: there is no number 2 among 2"},
      {"/placements/0/index_spaces/0/blocks", "no", "placements[0].index_spaces[0].blocks: true or false is expected"},
      {program + "/top/statements/0/op", "gather", "programs[0].program.top.statements[0].op: 'gather' is unknown"},
      {program + "/top/statements/0/in", {99}, "programs[0].program.top.statements[0].in[0]: there is no number 99"},
      {program + "/top/statements/0/in", {3}, "programs[0].program: top.statements[0]: value 3 is read and not made"},
      {program + "/top/statements/0/out", {0}, "programs[0].program: top.statements[0]: value 0 is made twice"},
      {program + "/top/statements/0/laws/0/argument", 1, "a law is about an argument that is not there"},
      {program + "/top/statements/0/kernel", "f", "kernel: a whole number from 0 is expected"},
      {program + "/top/statements/0/regions", Json::parse(R"([{"statements": []}])"),
       "only loops and branches have regions"},
      {program + "/live_in/0/state/kind", "lost", "programs[0].program.live_in[0].state.kind: 'lost' is unknown"},
      {program + "/live_in/0/state/roles", Json::parse(R"([{"matrix": 1, "side": "column"}])"),
       "programs[0].program: live_in[0]: a role is of another space"},
      {program + "/live_out/0/value", 6, "live_out"},
      {program + "/values/0/bytes", 0, "programs[0].program: values[0]: its elements have no bytes"},
      {program + "/values/0/parts", 3, "programs[0].program: values[0]: its elements have no equal parts"},
      {program + "/values/0/parts", 0, "programs[0].program: values[0]: its elements have no equal parts"},
      {program + "/values/0/kind", "shared", "programs[0].program: values[0]: a vector has a space, a shared has none"},
      {"/degrees/0/rows/0", {1, 2, 3}, "degrees[0].rows[0]: a degree and a number of elements are expected"},
  };
  for (const auto& wrong : cases) {
    Json json = good;
    json[Json::json_pointer(wrong.where)] = wrong.becomes;
    const std::string message = refusal(json.dump());
    EXPECT_EQ(message.find("FILE: "), 0u) << wrong.where << ": " << message;
    EXPECT_NE(message.find(wrong.message), std::string::npos) << wrong.where << ": " << message;
  }
}

/// Every place of the text, removed or replaced: it is refused, or it is a program that can be planned.
void expect_no_break(const RecordedRun& recorded, int least_accepted, int least_refused) {
  const Json good = Json::parse(write_recorded(recorded));
  const Json flat = good.flatten();
  std::mt19937 random(5);
  int accepted = 0, refused = 0;
  for (const auto& [path, content] : flat.items()) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      Json json = good;
      const Json::json_pointer pointer(path);
      if (attempt == 0 && !json[pointer.parent_pointer()].is_array()) {
        json[pointer.parent_pointer()].erase(pointer.back());
      } else if (content.is_number_unsigned()) {
        json[pointer] = random() % 20;
      } else {
        json[pointer] = nullptr;
      }
      try {
        const RecordedRun run = read_recorded(json.dump(), "FILE");
        for (const RecordedProgram& program : run.programs) optimize(program.program, program.stats, {});
        ++accepted;
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(accepted, least_accepted);
  EXPECT_GT(refused, least_refused);
}

TEST(Recorded, NeverBreaksTheOptimizer) {
  expect_no_break(recorded(), 50, 200);
  expect_no_break(of_batch(), 20, 50);
}

}  // namespace
}  // namespace kasen::optimizer::tests
