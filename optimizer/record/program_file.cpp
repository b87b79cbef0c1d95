#include "optimizer/record/program_file.h"

#include <limits>

#include "optimizer/record/program_json.h"

namespace kasen::optimizer {
namespace {

using optimizer::to_json;

constexpr const char* kFormat = "kasen-program";

const char* blocks_name(Role::Side outputs) {
  return outputs == Role::Side::column ? "blocks_by_column" : "blocks_by_row";
}

const char* stencils_name(Role::Side outputs) {
  return outputs == Role::Side::column ? "stencils_by_column" : "stencils_by_row";
}

Json to_json(const PlacementStats& stats) {
  Json spaces = Json::array(), matrices = Json::array();
  for (const auto& space : stats.spaces) {
    Json roles = Json::array();
    for (const auto& entry : space.roles) {
      Json pairs = Json::array();
      for (const WorkerPairs::Run& run : entry.pairs.runs()) pairs.push_back({run.first, run.count});
      roles.push_back({{"roles", to_json(entry.roles)},
                       {"replicas", entry.replicas},
                       {"contiguous", entry.contiguous},
                       {"pairs", std::move(pairs)}});
    }
    spaces.push_back({{"name", space.name},
                      {"length", space.masters},
                      {"replicas", space.replicas},
                      {"blocks", space.blocks},
                      {"imbalance", space.imbalance},
                      {"roles", std::move(roles)}});
  }
  for (const auto& matrix : stats.matrices) {
    Json entry{{"rows", index_of(matrix.rows)},
               {"columns", index_of(matrix.columns)},
               {"nonzeros", matrix.nonzeros},
               {"value_bytes", matrix.value_bytes},
               {"imbalance", matrix.imbalance}};
    if (matrix.in_batches()) entry["batches"] = matrix.batches;
    if (matrix.dense) entry["dense"] = true;
    if (matrix.symmetric) entry["symmetric"] = true;
    for (const Role::Side side : {Role::Side::column, Role::Side::row}) {
      const auto& stencils = matrix.stencils(side);
      if (stencils.found) entry[stencils_name(side)] = {{"runs", stencils.runs}, {"entries", stencils.entries}};
      const auto& blocks = matrix.blocks(side);
      if (!blocks.counted) continue;
      entry[blocks_name(side)] = {{"runs", blocks.runs},   {"long_runs", blocks.long_runs},
                                  {"turns", blocks.turns}, {"cached", blocks.cached},
                                  {"ahead", blocks.ahead}, {"behind", blocks.behind}};
    }
    matrices.push_back(std::move(entry));
  }
  return {{"workers", stats.workers}, {"index_spaces", std::move(spaces)}, {"matrices", std::move(matrices)}};
}

WorkerPairs pairs_from_json(const JsonReader& json, std::uint32_t workers) {
  std::vector<WorkerPairs::Run> runs;
  for (const JsonReader& entry : json.list()) {
    const std::vector<JsonReader> run = entry.list();
    if (run.size() != 2) entry.fail("two numbers are expected");
    runs.push_back({run[0].number(), run[1].number()});
  }
  try {
    return {workers, std::move(runs)};
  } catch (const InputError& error) {
    json.fail(error.what());
  }
}

PlacementStats stats_from_json(const JsonReader& json) {
  constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
  PlacementStats stats;
  stats.workers = static_cast<std::uint32_t>(json["workers"].number(kMostWorkers));
  if (stats.workers == 0) json["workers"].fail("at least one worker is expected");
  const std::size_t spaces = json["index_spaces"].list().size(), matrices = json["matrices"].list().size();
  for (const JsonReader& entry : json["index_spaces"].list()) {
    PlacementStats::Space space;
    space.name = entry["name"].text();
    space.masters = entry["length"].number();
    space.replicas = entry["replicas"].number();
    space.blocks = entry["blocks"].boolean();
    if (entry.has("imbalance")) space.imbalance = entry["imbalance"].real();
    for (const JsonReader& role : entry["roles"].list()) {
      PlacementStats::Roles roles;
      roles.roles = roles_from_json(role["roles"], matrices);
      roles.replicas = role["replicas"].number();
      roles.contiguous = role["contiguous"].boolean();
      roles.pairs = pairs_from_json(role["pairs"], stats.workers);
      space.roles.push_back(std::move(roles));
    }
    stats.spaces.push_back(std::move(space));
  }
  for (const JsonReader& entry : json["matrices"].list()) {
    PlacementStats::Matrix matrix;
    matrix.rows = entry["rows"].id<SpaceId>(spaces);
    matrix.columns = entry["columns"].id<SpaceId>(spaces);
    matrix.nonzeros = entry["nonzeros"].number();
    matrix.value_bytes = static_cast<std::uint32_t>(entry["value_bytes"].number(kMost32));
    matrix.imbalance = entry["imbalance"].real();
    matrix.dense = entry.has("dense") && entry["dense"].boolean();
    if (entry.has("batches")) matrix.batches = static_cast<std::uint32_t>(entry["batches"].number(kMost32));
    matrix.symmetric = entry.has("symmetric") && entry["symmetric"].boolean();
    if (matrix.symmetric && (matrix.dense || matrix.rows != matrix.columns))
      entry["symmetric"].fail("a matrix over one space, and not dense, is expected");
    const bool in_blocks = entry.has(blocks_name(Role::Side::column)) || entry.has(blocks_name(Role::Side::row));
    if (matrix.in_batches() && (matrix.dense || matrix.symmetric || in_blocks))
      entry["batches"].fail("a matrix that is neither dense nor symmetric nor in blocks is expected");
    for (const Role::Side side : {Role::Side::column, Role::Side::row}) {
      if (entry.has(stencils_name(side))) {
        const JsonReader stencils = entry[stencils_name(side)];
        if (matrix.dense || matrix.in_batches())
          stencils.fail("a matrix that is neither dense nor in batches is expected");
        matrix.stencils(side) = {true, stencils["runs"].number(), stencils["entries"].number()};
      }
      if (!entry.has(blocks_name(side))) continue;
      const JsonReader blocks = entry[blocks_name(side)];
      using Blocks = PlacementStats::Matrix::Blocks;
      const auto part = [&](const char* name) { return blocks[name].number(Blocks::kPartsOf); };
      matrix.blocks(side) = {true,
                             blocks["runs"].number(),
                             blocks["long_runs"].number(),
                             blocks["turns"].number(),
                             blocks["cached"].number(Blocks::kCachedOf),
                             part("ahead"),
                             part("behind")};
    }
    stats.matrices.push_back(matrix);
  }
  return stats;
}

Json to_json(const Degrees::Histogram& histogram) {
  Json json = Json::array();
  for (const Degrees::Bin& bin : histogram) json.push_back({bin.degree, bin.elements});
  return json;
}

Degrees::Histogram histogram_from_json(const JsonReader& json) {
  Degrees::Histogram histogram;
  for (const JsonReader& bin : json.list()) {
    const std::vector<JsonReader> pair = bin.list();
    if (pair.size() != 2) bin.fail("a degree and a number of elements are expected");
    histogram.push_back({pair[0].number(), pair[1].number()});
  }
  return histogram;
}

Degrees degrees_from_json(const JsonReader& json) {
  return {json["threshold"].number(), histogram_from_json(json["rows"]), histogram_from_json(json["columns"]),
          histogram_from_json(json["both"])};
}

RecordedRun run_from_json(const JsonReader& json) {
  if (json["format"].text() != kFormat) json["format"].fail("this is no recorded program of Kasen");
  if (const std::uint64_t version = json["version"].number(); version != kRecordVersion) {
    json["version"].fail("version " + std::to_string(version) + " is not known, only version " +
                         std::to_string(kRecordVersion));
  }
  RecordedRun run;
  run.name = json["program"].text();
  std::vector<PlacementStats> placements;
  for (const JsonReader& entry : json["placements"].list()) placements.push_back(stats_from_json(entry));
  for (const JsonReader& entry : json["degrees"].list()) run.degrees.push_back(degrees_from_json(entry));
  for (const JsonReader& entry : json["programs"].list()) {
    RecordedProgram recorded;
    const std::uint64_t placement = entry["placement"].number();
    if (placement >= placements.size()) entry["placement"].fail("there is no such placement");
    recorded.stats = placements[placement];
    recorded.runs = entry["runs"].number();
    recorded.program = program_from_json(entry["program"], recorded.stats);
    run.programs.push_back(std::move(recorded));
  }
  return run;
}

}  // namespace

std::string write_recorded(const RecordedRun& run) {
  Json json{{"format", kFormat}, {"version", kRecordVersion}, {"program", run.name}};
  std::vector<Json> placements;
  Json programs = Json::array();
  for (const RecordedProgram& recorded : run.programs) {
    Json placement = to_json(recorded.stats);
    std::size_t number = 0;
    while (number < placements.size() && placements[number] != placement) ++number;
    if (number == placements.size()) placements.push_back(std::move(placement));
    programs.push_back({{"placement", number}, {"runs", recorded.runs}, {"program", to_json(recorded.program)}});
  }
  json["placements"] = placements;
  json["degrees"] = Json::array();
  for (const Degrees& degrees : run.degrees) {
    json["degrees"].push_back({{"threshold", degrees.threshold},
                               {"rows", to_json(degrees.rows)},
                               {"columns", to_json(degrees.columns)},
                               {"both", to_json(degrees.both)}});
  }
  json["programs"] = std::move(programs);
  return to_text(json) + "\n";
}

RecordedRun read_recorded(std::string_view text, const std::string& file) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw InputError(file + ": no JSON, or not all of it: byte " + std::to_string(error.byte));
  }
  try {
    return run_from_json(JsonReader(json, ""));
  } catch (const InputError& error) {
    throw InputError(file + ": " + error.what());
  }
}

}  // namespace kasen::optimizer
