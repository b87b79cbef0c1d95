/// @file
/// The functions, and statements written one by one.
#include "tests/optimizer/program_builder.h"

#include <algorithm>
#include <utility>

namespace kasen::optimizer::tests {
namespace {

constexpr std::uint8_t kMostVectors = 3;

std::vector<Law> at_every_argument(Law::Kind kind, ReducerId over) {
  std::vector<Law> laws;
  for (std::uint8_t k = 0; k < kMostVectors; ++k) laws.push_back({kind, over, k});
  return laws;
}

}  // namespace

Number fold(ReducerId reducer, Number a, Number b) { return reducer == kPlus ? a + b : std::max(a, b); }

Number weighted(Number element, std::uint64_t row, std::uint64_t column) {
  return element * (1 + (3 * row * column + row + column) % 5);  // of a mirror image the same
}

Function mix() {
  return {"mix",
          [](const Numbers& in, const Numbers& shared) {
            Number x = 0x9e3779b97f4a7c15u;
            for (const Numbers* part : {&in, &shared}) {
              for (Number v : *part) x = (x ^ v ^ (x >> 29)) * 0xbf58476d1ce4e5b9u + 1;
            }
            return x ^ (x >> 31);
          },
          {}};
}
Function scale(Number c) {
  return {"scale",
          [c](const Numbers& in, const Numbers&) { return c * in[0]; },
          {{Law::Kind::exchange, kPlus, 0}},
          true,
          -1,
          "scale " + std::to_string(c)};
}
Function shift(Number c) {
  return {"shift",
          [c](const Numbers& in, const Numbers&) { return c + in[0]; },
          {{Law::Kind::pushdown, kPlus, 0}},
          true,
          -1,
          "shift " + std::to_string(c)};
}
Function scale_by_shared() {
  return {"scale",
          [](const Numbers& in, const Numbers& shared) { return shared[0] * in[0]; },
          {{Law::Kind::exchange, kPlus, 0}}};
}
Function affine(Number c, Number d) {
  return {"affine",
          [c, d](const Numbers& in, const Numbers&) { return c * in[0] + d; },
          {{Law::Kind::affine, kPlus, 0}},
          true,
          -1,
          "affine " + std::to_string(c) + " " + std::to_string(d),
          {scale(c), shift(d)}};
}
Function add() {
  return {"add",
          [](const Numbers& in, const Numbers&) {
            Number sum = 0;
            for (Number v : in) sum += v;
            return sum;
          },
          at_every_argument(Law::Kind::pushdown, kPlus)};
}
Function minus() {
  return {"minus", [](const Numbers& in, const Numbers&) { return in[0] - in[1]; }, {{Law::Kind::pushdown, kPlus, 0}}};
}
Function product() {
  return {"product",
          [](const Numbers& in, const Numbers&) {
            Number product = 1;
            for (Number v : in) product *= v;
            return product;
          },
          at_every_argument(Law::Kind::distributive, kPlus)};
}
Function larger() {
  return {"larger", [](const Numbers& in, const Numbers&) { return *std::max_element(in.begin(), in.end()); },
          at_every_argument(Law::Kind::pushdown, kMax)};
}
Function first() {
  return {"first", [](const Numbers& in, const Numbers& s) { return in.empty() ? s[0] : in[0]; }, {}, true, 0};
}
Function partial(Function f) {
  f.total = false;
  return f;
}

ValueId ProgramBuilder::add_value(Value value) {
  program.values.push_back(std::move(value));
  return static_cast<ValueId>(program.values.size() - 1);
}

KernelId ProgramBuilder::kernel(Function f) {
  functions.push_back(std::move(f));
  return static_cast<KernelId>(functions.size() - 1);
}

FunctionId ProgramBuilder::function(const std::string& key) {
  if (!knows_functions) return kNone<FunctionId>;
  return _function_ids.try_emplace(key, static_cast<FunctionId>(_function_ids.size())).first->second;
}

Statement& ProgramBuilder::push(Statement statement) {
  Block& block = _open.empty() ? program.top : *_open.back();
  block.statements.push_back(std::move(statement));
  return block.statements.back();
}

void ProgramBuilder::know_extrema() {
  _knows_extrema = true;
  program.reducers[index_of(kMax)].kind = ReducerKind::maximum;
}

void ProgramBuilder::know_what_combines() { _knows_what_combines = true; }

ValueId ProgramBuilder::live_in(SpaceId space, State state, bool dies, std::uint32_t bytes) {
  const ValueId value = add_value({Value::Kind::vector, space, {bytes, bytes}, "live"});
  program.live_in.push_back({value, std::move(state), dies});
  return value;
}

ValueId ProgramBuilder::live_shared() {
  const ValueId value = add_value({Value::Kind::shared, kNone<SpaceId>, {8, 8}, "live"});
  program.live_in.push_back({value, State::consistent({}), false});
  return value;
}

ValueId ProgramBuilder::source(SpaceId space, bool reads_global) {
  Statement statement;
  statement.op = Op::source;
  statement.label = reads_global ? "iota" : "constant";
  statement.reads_global = reads_global;
  statement.kernel = reads_global ? kernel({"iota", [](const Numbers& in, const Numbers&) { return in[0]; }, {}})
                                  : kernel({"constant", [](const Numbers&, const Numbers&) { return Number{5}; }, {}});
  statement.function = function(statement.label);
  statement.out = {add_value({Value::Kind::vector, space, {8, 8}, statement.label})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::element(Function f, std::vector<ValueId> in, std::vector<ValueId> shared, std::uint32_t bytes) {
  Statement statement;
  statement.op = Op::element;
  statement.label = f.name;
  statement.total = f.total;
  statement.returns = f.returns;
  for (const Law& law : f.laws) {
    if (law.argument < in.size()) statement.laws.push_back(law);
  }
  statement.function = function(f.key.empty() ? f.name : f.key);
  if (!f.parts.empty()) statement.affine = {kernel(f.parts[0]), kernel(f.parts[1]), {}, {}};
  if (_knows_extrema && f.name == "larger" && in.size() == 2) {
    ExpressionWriter writer;
    const auto element = [&](std::uint32_t k) { return writer.input(Operator::element, ScalarType::uint64, k); };
    const std::uint32_t a = element(0), b = element(1);
    statement.expression = writer.take(writer.apply(Operator::maximum, ScalarType::uint64, a, b));
    statement.work = work_of(*statement.expression);
  }
  if (_knows_what_combines && f.name == "larger" && in.size() == 2) statement.combines = kMax;
  statement.kernel = kernel(std::move(f));
  statement.out = {add_value({Value::Kind::vector, value(in[0]).space, {bytes, bytes}, statement.label})};
  statement.in = std::move(in);
  statement.shared = std::move(shared);
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::reduce(ReducerId op, ValueId vector) {
  Statement statement;
  statement.op = Op::reduce;
  statement.label = "reduce";
  statement.reducer = op;
  statement.in = {vector};
  statement.kernel = kernel({"reduce", {}, {}});
  statement.out = {add_value({Value::Kind::shared, kNone<SpaceId>, {8, 8}, "reduce"})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::fold(ReducerId op, Function f, std::vector<ValueId> in, std::vector<ValueId> shared,
                             std::uint32_t bytes) {
  Statement statement;
  statement.op = Op::fold;
  statement.label = "fold";
  statement.reducer = op;
  statement.total = f.total;
  statement.function = function(f.key.empty() ? f.name : f.key);
  statement.kernel = kernel(std::move(f));
  statement.in = std::move(in);
  statement.shared = std::move(shared);
  statement.out = {add_value({Value::Kind::shared, kNone<SpaceId>, {bytes, bytes}, "fold"})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::product_of(Op op, std::uint32_t matrix, ValueId vector, SpaceId out, ReducerId reducer,
                                   std::uint64_t family) {
  Statement statement;
  statement.op = op;
  statement.label = op == Op::mxv ? "mxv" : "mxvt";
  statement.matrix = static_cast<MatrixId>(matrix);
  statement.reducer = reducer;
  statement.family = family == 0 ? 0 : 2 * family + index_of(reducer);  // a family is of one reducer
  statement.in = {vector};
  statement.function = function("weighted");
  statement.kernel = kernel({statement.label, {}, {}});
  if ((_knows_extrema || _knows_what_combines) && reducer == kMax) {
    const auto active = [&](const char* name, Number (*f)(const Numbers&)) {
      return kernel({name, [f](const Numbers& in, const Numbers&) { return f(in); }, {}});
    };
    statement.activity = {active("all", [](const Numbers&) { return Number{1}; }),
                          active("changed", [](const Numbers& in) { return Number{in[0] != in[1]}; }),
                          active("present", [](const Numbers& in) { return Number{in[0] != 0}; })};
  }
  statement.out = {add_value({Value::Kind::vector, out, {8, 8}, statement.label})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::mxv(std::uint32_t matrix, ValueId vector, SpaceId out, ReducerId op, std::uint64_t family) {
  return product_of(Op::mxv, matrix, vector, out, op, family);
}
ValueId ProgramBuilder::mxvt(std::uint32_t matrix, ValueId vector, SpaceId out, ReducerId op, std::uint64_t family) {
  return product_of(Op::mxvt, matrix, vector, out, op, family);
}

ValueId ProgramBuilder::of_ends(Op op, std::uint32_t matrix, Function f, std::vector<ValueId> inputs,
                                std::vector<ValueId> outputs, SpaceId out, ReducerId reducer) {
  Statement statement;
  statement.op = op;
  statement.label = op == Op::mxv ? "mxv" : "mxvt";
  statement.matrix = static_cast<MatrixId>(matrix);
  statement.reducer = reducer;
  statement.inputs = static_cast<std::uint32_t>(inputs.size());
  statement.function = function("weighted " + f.name);
  statement.kernel = kernel(std::move(f));
  statement.in = std::move(inputs);
  statement.in.insert(statement.in.end(), outputs.begin(), outputs.end());
  statement.out = {add_value({Value::Kind::vector, out, {8, 8}, statement.label})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::take(ValueId vector, ValueId key) {
  Statement statement;
  statement.op = Op::take;
  statement.wholes = 1;
  statement.label = "take";
  statement.in = {vector, key};
  statement.total = false;
  statement.function = function("take");
  statement.kernel = kernel({"take", {}, {}});
  statement.out = {add_value({Value::Kind::vector, value(key).space, value(vector).type, "take"})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::with_wholes(Function f, std::vector<ValueId> wholes, std::vector<ValueId> in) {
  Statement statement;
  statement.op = Op::with_wholes;
  statement.wholes = static_cast<std::uint8_t>(wholes.size());
  statement.label = f.name;
  statement.in = std::move(wholes);
  statement.in.insert(statement.in.end(), in.begin(), in.end());
  statement.function = function("wholes of " + f.name);
  statement.kernel = kernel(std::move(f));
  statement.out = {add_value({Value::Kind::vector, value(in[0]).space, {8, 8}, "map"})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::reduce_by_key(ReducerId op, ValueId key, ValueId vector, SpaceId keys) {
  Statement statement;
  statement.op = Op::reduce_by_key;
  statement.label = "reduce_by_key";
  statement.reducer = op;
  statement.in = {key, vector};
  statement.total = false;
  statement.kernel = kernel({"reduce_by_key", {}, {}});
  statement.out = {add_value({Value::Kind::vector, keys, value(vector).type, "reduce_by_key"})};
  return push(std::move(statement)).out[0];
}

ValueId ProgramBuilder::apply(Function f, std::vector<ValueId> shared) {
  Statement statement;
  statement.op = Op::apply;
  statement.label = f.name;
  statement.returns = f.returns;
  statement.function = function(f.key.empty() ? f.name : f.key);
  statement.kernel = kernel(std::move(f));
  statement.shared = std::move(shared);
  statement.out = {add_value({Value::Kind::shared, kNone<SpaceId>, {8, 8}, "apply"})};
  return push(std::move(statement)).out[0];
}

ProgramBuilder::Values ProgramBuilder::loop(const Values& initial,
                                            const std::function<ValueId(Values& arguments)>& condition,
                                            const std::function<Values(const Values& arguments)>& body, bool likely) {
  Statement statement;
  statement.op = Op::while_;
  statement.label = likely ? "while(likely)" : "while";
  statement.likely = likely;
  statement.in = initial;
  statement.regions.resize(1);
  Block block;
  for (ValueId value : initial) block.arguments.push_back(like(value));
  Values current = block.arguments;
  _open.push_back(&block);
  block.test = condition(current);
  block.condition_length = block.statements.size();
  block.condition_yields = current;
  block.yields = body(current);
  _open.pop_back();
  for (ValueId value : initial) statement.out.push_back(like(value));
  statement.regions[0] = std::move(block);
  return push(std::move(statement)).out;
}

ProgramBuilder::Values ProgramBuilder::repeat(Number count, const Values& initial,
                                              const std::function<Values(const Values& arguments)>& body, bool likely) {
  const Function zero{"zero", [](const Numbers&, const Numbers&) { return Number{0}; }, {}};
  const Function next{"next", [](const Numbers&, const Numbers& s) { return s[0] + 1; }, {}};
  const Function below{"below", [count](const Numbers&, const Numbers& s) { return Number{s[0] < count}; },
                       {},      true,
                       -1,      "below " + std::to_string(count)};
  Values carried = initial;
  carried.push_back(apply(zero, {}));
  Values results = loop(
      carried, [&](Values& arguments) { return apply(below, {arguments.back()}); },
      [&](const Values& arguments) {
        Values yields = body({arguments.begin(), arguments.end() - 1});
        yields.push_back(apply(next, {arguments.back()}));
        return yields;
      },
      likely);
  results.pop_back();
  return results;
}

ProgramBuilder::Values ProgramBuilder::branch(ValueId test, const std::function<Values()>& then,
                                              const std::function<Values()>& otherwise) {
  Statement statement;
  statement.op = Op::if_;
  statement.label = "if";
  statement.shared = {test};
  for (const auto* side : {&then, &otherwise}) {
    Block block;
    _open.push_back(&block);
    block.yields = (*side)();
    _open.pop_back();
    statement.regions.push_back(std::move(block));
  }
  for (ValueId value : statement.regions[0].yields) statement.out.push_back(like(value));
  return push(std::move(statement)).out;
}

}  // namespace kasen::optimizer::tests
