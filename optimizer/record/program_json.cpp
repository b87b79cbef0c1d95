#include "optimizer/record/program_json.h"

#include <iterator>
#include <set>

#include "optimizer/record/check_program.h"
#include "optimizer/record/expression_json.h"

namespace kasen::optimizer {
namespace {

constexpr const char* kKinds[] = {"vector", "shared"};
/// What a recorder writes; transitions are the optimizer's.
constexpr const char* kOps[] = {"source",        "element", "with_wholes", "take",  "reduce", "fold",
                                "reduce_by_key", "mxv",     "mxvt",        "apply", "while",  "if"};
constexpr const char* kLaws[] = {"exchange", "pushdown", "distributive", "affine"};
constexpr const char* kStates[] = {"partitioned", "consistent", "pre_reduced"};
constexpr const char* kSides[] = {"row", "column", "everywhere"};
constexpr const char* kReducers[] = {"other",      "plus",        "times",  "minimum", "maximum",
                                     "logical_or", "logical_and", "bit_or", "bit_and", "bit_xor"};

// ---- writing: what has its default is left out ----

template <class Id>
void put_id(Json& json, const char* key, Id id) {
  if (id != kNone<Id>) json[key] = index_of(id);
}

void put_ids(Json& json, const char* key, const std::vector<ValueId>& values) {
  if (values.empty()) return;
  Json& list = json[key] = Json::array();
  for (ValueId value : values) list.push_back(index_of(value));
}

Json to_json(const State& state) {
  Json json{{"kind", kStates[static_cast<std::size_t>(state.kind)]}};
  put_id(json, "reducer", state.reducer);
  if (!state.roles.empty()) json["roles"] = optimizer::to_json(state.roles);
  return json;
}

Json to_json(const Block& block);

/// Where it does not follow from an expression: of numbers, if that is known, and of a call.
Json to_json(const Work& work) {
  Json json{{"once",
             {{"arithmetic", work.once.arithmetic},
              {"divisions", work.once.divisions},
              {"transcendentals", work.once.transcendentals}}}};
  if (work.known) {
    json["arithmetic"] = work.arithmetic;
    json["divisions"] = work.divisions;
    json["transcendentals"] = work.transcendentals;
    json["integers"] = work.integers;
    if (work.whole) json["whole"] = true;
  }
  return json;
}

Json to_json(const Statement& statement) {
  const auto op = static_cast<std::size_t>(statement.op);
  if (op >= std::size(kOps)) throw InternalError("a program with transitions is not recorded");
  Json json{{"op", kOps[op]}};
  if (!statement.label.empty()) json["label"] = statement.label;
  put_ids(json, "in", statement.in);
  put_ids(json, "shared", statement.shared);
  put_ids(json, "out", statement.out);
  put_id(json, "matrix", statement.matrix);
  put_id(json, "kernel", statement.kernel);
  put_id(json, "function", statement.function);
  put_id(json, "reducer", statement.reducer);
  if (statement.family != 0) json["family"] = statement.family;
  if (statement.reads_global) json["reads_global"] = true;
  if (statement.likely) json["likely"] = true;
  if (!statement.total) json["total"] = false;
  if (statement.effect) json["effect"] = true;
  if (statement.keeps_identity) json["keeps_identity"] = true;
  if (statement.positive) json["positive"] = true;
  if (is_of_ends(statement)) json["inputs"] = statement.inputs;
  if (statement.returns >= 0) json["returns"] = statement.returns;
  if (statement.wholes > 0) json["wholes"] = statement.wholes;
  if (!statement.laws.empty()) json["laws"] = Json::array();
  for (const Law& law : statement.laws) {
    json["laws"].push_back({{"kind", kLaws[static_cast<std::size_t>(law.kind)]},
                            {"over", index_of(law.over)},
                            {"argument", law.argument}});
  }
  if (statement.expression) json["expression"] = optimizer::to_json(*statement.expression);
  const Work of_expression = statement.expression ? work_of(*statement.expression) : Work();
  if (statement.work != of_expression) json["work"] = to_json(statement.work);
  if (statement.affine) {
    Json& affine = json["affine"];
    affine = {{"scale_kernel", index_of(statement.affine.scale_kernel)},
              {"shift_kernel", index_of(statement.affine.shift_kernel)}};
    if (statement.affine.scale) affine["scale"] = optimizer::to_json(*statement.affine.scale);
    if (statement.affine.shift) affine["shift"] = optimizer::to_json(*statement.affine.shift);
  }
  if (statement.activity) {
    json["activity"] = {{"all", index_of(statement.activity.all)},
                        {"changed", index_of(statement.activity.changed)},
                        {"present", index_of(statement.activity.present)}};
  }
  if (statement.combines != kNone<ReducerId>) json["combines"] = index_of(statement.combines);
  // A further member of Statement is written here and read in statement(), as optional with its default.
  if (!statement.regions.empty()) json["regions"] = Json::array();
  for (const Block& region : statement.regions) json["regions"].push_back(to_json(region));
  if (statement.where.line != 0) {
    json["file"] = statement.where.file;
    json["line"] = statement.where.line;
  }
  return json;
}

Json to_json(const Block& block) {
  Json json = Json::object();
  put_ids(json, "arguments", block.arguments);
  json["statements"] = Json::array();
  for (const Statement& statement : block.statements) json["statements"].push_back(to_json(statement));
  if (block.condition_length != 0) json["condition_length"] = block.condition_length;
  put_id(json, "test", block.test);
  put_ids(json, "condition_yields", block.condition_yields);
  put_ids(json, "yields", block.yields);
  return json;
}

// ---- reading ----

/// Text that lives as long as the process: file names in SourceLine.
const char* lasting(const std::string& text) {
  static std::set<std::string> texts;
  return texts.insert(text).first->c_str();
}

class ProgramReader {
 public:
  explicit ProgramReader(const PlacementStats& stats) : _stats(stats) {}

  Program run(const JsonReader& json) {
    for (const JsonReader& entry : json.list_or_empty("reducers")) {
      _program.reducers.push_back({entry["name"].text(), entry["kind"].word<ReducerKind>(kReducers), type(entry),
                                   entry.boolean_or("exact", false)});
    }
    for (const JsonReader& entry : json["values"].list()) _program.values.push_back(value(entry));
    _program.top = block(json["top"]);
    for (const JsonReader& entry : json.list_or_empty("live_in")) {
      _program.live_in.push_back({id<ValueId>(entry["value"]), state(entry["state"]), entry.boolean_or("dies", false)});
    }
    for (const JsonReader& entry : json.list_or_empty("live_out")) {
      _program.live_out.push_back({id<ValueId>(entry["value"]), entry.boolean_or("partitioned", false)});
    }
    const std::string problem = problem_of(_program, _stats);
    if (!problem.empty()) json.fail(problem);
    return std::move(_program);
  }

 private:
  static constexpr std::uint64_t kMost32 = 0xffffffffu, kMostOperands = 0xffffu;

  Value value(const JsonReader& json) const {
    Value value;
    value.kind = json["kind"].word<Value::Kind>(kKinds);
    if (json.has("space")) value.space = json["space"].id<SpaceId>(_stats.spaces.size());
    value.type = type(json);
    value.name = json.text_or("name", "");
    return value;
  }

  static Type type(const JsonReader& json) {
    return {static_cast<std::uint32_t>(json["bytes"].number(kMost32)), json.number_or("type", 0),
            json.has("parts") ? static_cast<std::uint32_t>(json["parts"].number(kMost32)) : 1,
            json.boolean_or("row", false)};
  }

  static Work work_from_json(const JsonReader& json) {
    const auto count = [](const JsonReader& from, const char* key) {
      return static_cast<std::uint32_t>(from[key].number(kMost32));
    };
    const JsonReader& once = json["once"];
    Work work;
    work.once = {count(once, "arithmetic"), count(once, "divisions"), count(once, "transcendentals")};
    work.known = json.has("arithmetic");
    if (!work.known) return work;
    work.arithmetic = count(json, "arithmetic");
    work.divisions = count(json, "divisions");
    work.transcendentals = count(json, "transcendentals");
    work.integers = count(json, "integers");
    work.whole = json.boolean_or("whole", false);
    return work;
  }

  template <class Id>
  Id id(const JsonReader& json) const {
    return json.id<Id>(_program.values.size());
  }
  std::vector<ValueId> ids(const JsonReader& json, const char* key) const {
    std::vector<ValueId> values;
    for (const JsonReader& entry : json.list_or_empty(key)) values.push_back(id<ValueId>(entry));
    return values;
  }
  ReducerId reducer(const JsonReader& json) const { return json.id<ReducerId>(_program.reducers.size()); }

  State state(const JsonReader& json) const {
    State state;
    state.kind = json["kind"].word<State::Kind>(kStates);
    if (json.has("reducer")) state.reducer = reducer(json["reducer"]);
    if (json.has("roles")) state.roles = roles_from_json(json["roles"], _stats.matrices.size());
    return state;
  }

  Statement statement(const JsonReader& json) const {
    Statement statement;
    statement.op = json["op"].word<Op>(kOps);
    statement.label = json.text_or("label", "");
    statement.in = ids(json, "in");
    statement.shared = ids(json, "shared");
    statement.out = ids(json, "out");
    if (json.has("matrix")) statement.matrix = json["matrix"].id<MatrixId>(_stats.matrices.size());
    statement.of_batch = statement.matrix != kNone<MatrixId> && is_matrix_op(statement.op) &&
                         _stats.matrices[index_of(statement.matrix)].in_batches();
    if (json.has("kernel")) statement.kernel = static_cast<KernelId>(json["kernel"].number(kMost32));
    if (json.has("function")) statement.function = static_cast<FunctionId>(json["function"].number(kMost32));
    if (json.has("reducer")) statement.reducer = reducer(json["reducer"]);
    statement.family = json.number_or("family", 0);
    statement.reads_global = json.boolean_or("reads_global", false);
    statement.likely = json.boolean_or("likely", false);
    statement.total = json.boolean_or("total", true);
    statement.effect = json.boolean_or("effect", false);
    statement.keeps_identity = json.boolean_or("keeps_identity", false);
    statement.positive = json.boolean_or("positive", false);
    if (json.has("inputs")) statement.inputs = static_cast<std::uint32_t>(json["inputs"].number(kMostOperands));
    if (json.has("wholes")) statement.wholes = static_cast<std::uint8_t>(json["wholes"].number(0xff));
    if (json.has("returns")) statement.returns = static_cast<int>(json["returns"].number(kMostOperands));
    for (const JsonReader& entry : json.list_or_empty("laws")) {
      statement.laws.push_back({entry["kind"].word<Law::Kind>(kLaws), reducer(entry["over"]),
                                static_cast<std::uint8_t>(entry["argument"].number(0xff))});
    }
    if (json.has("expression")) {
      statement.expression = expression_from_json(json["expression"]);
      statement.work = work_of(*statement.expression);
    }
    if (json.has("work")) statement.work = work_from_json(json["work"]);
    if (json.has("affine")) {
      const JsonReader& affine = json["affine"];
      statement.affine.scale_kernel = static_cast<KernelId>(affine["scale_kernel"].number(kMost32));
      statement.affine.shift_kernel = static_cast<KernelId>(affine["shift_kernel"].number(kMost32));
      if (affine.has("scale")) statement.affine.scale = expression_from_json(affine["scale"]);
      if (affine.has("shift")) statement.affine.shift = expression_from_json(affine["shift"]);
    }
    if (json.has("activity")) {
      const JsonReader& activity = json["activity"];
      const auto kernel = [&](const char* key) { return static_cast<KernelId>(activity[key].number(kMost32)); };
      statement.activity = {kernel("all"), kernel("changed"), kernel("present")};
    }
    if (json.has("combines")) statement.combines = reducer(json["combines"]);
    for (const JsonReader& region : json.list_or_empty("regions")) statement.regions.push_back(block(region));
    if (json.has("line")) {
      statement.where = {lasting(json["file"].text()), static_cast<std::uint32_t>(json["line"].number(kMost32))};
    }
    return statement;
  }

  Block block(const JsonReader& json) const {
    Block block;
    block.arguments = ids(json, "arguments");
    for (const JsonReader& entry : json["statements"].list()) block.statements.push_back(statement(entry));
    block.condition_length = json.number_or("condition_length", 0);
    if (json.has("test")) block.test = id<ValueId>(json["test"]);
    block.condition_yields = ids(json, "condition_yields");
    block.yields = ids(json, "yields");
    return block;
  }

  const PlacementStats& _stats;
  Program _program;
};

}  // namespace

Json to_json(const RoleSet& roles) {
  Json json = Json::array();
  for (const Role& role : roles) {
    Json entry = Json::object();
    put_id(entry, "matrix", role.matrix);
    entry["side"] = kSides[static_cast<std::size_t>(role.side)];
    json.push_back(std::move(entry));
  }
  return json;
}

RoleSet roles_from_json(const JsonReader& json, std::size_t matrices) {
  RoleSet roles;
  for (const JsonReader& entry : json.list()) {
    const auto side = entry["side"].word<Role::Side>(kSides);
    if (side == Role::Side::everywhere) {
      insert_roles(roles, {kEverywhere});
    } else {
      insert_roles(roles, {{entry["matrix"].id<MatrixId>(matrices), side}});
    }
  }
  return roles;
}

Json to_json(const Program& program) {
  Json json = Json::object();
  json["reducers"] = Json::array();
  for (const ReducerInfo& reducer : program.reducers) {
    json["reducers"].push_back({{"name", reducer.name},
                                {"kind", kReducers[static_cast<std::size_t>(reducer.kind)]},
                                {"bytes", reducer.type.bytes},
                                {"type", reducer.type.hash},
                                {"exact", reducer.exact}});
  }
  json["values"] = Json::array();
  for (const Value& value : program.values) {
    Json entry{{"kind", kKinds[static_cast<std::size_t>(value.kind)]}};
    put_id(entry, "space", value.space);
    entry["bytes"] = value.type.bytes;
    entry["type"] = value.type.hash;
    if (value.type.parts != 1) entry["parts"] = value.type.parts;
    if (value.type.row) entry["row"] = true;
    if (!value.name.empty()) entry["name"] = value.name;
    json["values"].push_back(std::move(entry));
  }
  json["live_in"] = Json::array();
  for (const LiveIn& live : program.live_in) {
    Json entry{{"value", index_of(live.value)}, {"state", to_json(live.state)}};
    if (live.dies) entry["dies"] = true;
    json["live_in"].push_back(std::move(entry));
  }
  json["top"] = to_json(program.top);
  json["live_out"] = Json::array();
  for (const LiveOut& live : program.live_out) {
    Json entry{{"value", index_of(live.value)}};
    if (live.partitioned) entry["partitioned"] = true;
    json["live_out"].push_back(std::move(entry));
  }
  return json;
}

Program program_from_json(const JsonReader& json, const PlacementStats& stats) {
  return ProgramReader(stats).run(json);
}

}  // namespace kasen::optimizer
