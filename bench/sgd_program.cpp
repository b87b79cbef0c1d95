#include "bench/sgd_program.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

using namespace kasen;  // NOLINT: of the program's parts

constexpr SpaceId kSamples{0}, kFeatures{1};
constexpr MatrixId kMatrix{0};
constexpr ReducerId kPlus{0};
constexpr Type kReal{8, 8};

PlacementStats two_workers() {
  const auto space = [](const char* name, std::uint64_t masters, std::uint64_t replicas, Role::Side side) {
    PlacementStats::Space made{name, masters, replicas, 1, true, {}};
    made.roles.push_back({{Role{kMatrix, side}}, replicas, true, WorkerPairs::nearest(2, 2)});  // of each other
    return made;
  };
  PlacementStats stats;
  stats.workers = 2;
  stats.spaces = {space("samples", 500, 120, Role::Side::row), space("features", 300, 250, Role::Side::column)};
  stats.matrices = {{kSamples, kFeatures, 3000, 8}};
  return stats;
}

class Writer {
 public:
  Program run(int steps) {
    _program.reducers = {{"plus", ReducerKind::plus, kReal}};
    const ValueId w0 = live_in(Value::Kind::vector, kFeatures), y = live_in(Value::Kind::vector, kSamples);
    const ValueId k0 = live_in(Value::Kind::shared, kNone<SpaceId>),
                  rate = live_in(Value::Kind::shared, kNone<SpaceId>);
    Statement loop;
    loop.op = Op::while_;
    loop.label = "while(likely)";
    loop.likely = true;
    loop.in = {w0, k0};
    Block body;
    ValueId w = value(Value::Kind::vector, kFeatures, "argument");
    const ValueId k = value(Value::Kind::shared, kNone<SpaceId>, "argument");
    body.arguments = body.condition_yields = {w, k};
    body.test = apply(body, {k});
    body.condition_length = body.statements.size();
    for (int step = 0; step < steps; ++step) {
      const ValueId z = product(body, Op::mxvt, w, kSamples);
      const ValueId u = zip(body, {z, y}, {}, kSamples);
      const ValueId g = product(body, Op::mxv, u, kFeatures);
      w = zip(body, {w, g}, {rate}, kFeatures);
    }
    body.yields = {w, apply(body, {k})};
    loop.out = {value(Value::Kind::vector, kFeatures, "while"), value(Value::Kind::shared, kNone<SpaceId>, "while")};
    loop.regions = {std::move(body)};
    _program.live_out = {{loop.out[0], true}};
    _program.top.statements = {std::move(loop)};
    return std::move(_program);
  }

 private:
  ValueId value(Value::Kind kind, SpaceId space, const char* name) {
    _program.values.push_back({kind, space, kReal, name});
    return static_cast<ValueId>(_program.values.size() - 1);
  }
  ValueId live_in(Value::Kind kind, SpaceId space) {
    const ValueId made = value(kind, space, "live");
    const bool shared = kind == Value::Kind::shared;
    _program.live_in.push_back({made, shared ? State::consistent({}) : State::partitioned(), false});
    return made;
  }
  ValueId push(Block& block, Statement statement, ValueId out) {
    statement.out = {out};
    statement.kernel = static_cast<KernelId>(_kernels++);
    statement.work = {true, 1, 0, 0};
    block.statements.push_back(std::move(statement));
    return out;
  }
  ValueId apply(Block& block, std::vector<ValueId> shared) {
    Statement statement;
    statement.op = Op::apply;
    statement.shared = std::move(shared);
    statement.label = "apply";
    return push(block, std::move(statement), value(Value::Kind::shared, kNone<SpaceId>, "apply"));
  }
  ValueId zip(Block& block, std::vector<ValueId> in, std::vector<ValueId> shared, SpaceId space) {
    Statement statement;
    statement.op = Op::element;
    statement.in = std::move(in);
    statement.shared = std::move(shared);
    statement.label = "zip_with(minus)";
    statement.laws.push_back({Law::Kind::pushdown, kPlus, 0});
    return push(block, std::move(statement), value(Value::Kind::vector, space, "zip_with"));
  }
  ValueId product(Block& block, Op op, ValueId vector, SpaceId out) {
    Statement statement;
    statement.op = op;
    statement.matrix = kMatrix;
    statement.reducer = kPlus;
    statement.family = 1;
    statement.in = {vector};
    statement.label = op == Op::mxv ? "mxv(times, plus)" : "mxvt(times, plus)";
    return push(block, std::move(statement), value(Value::Kind::vector, out, op == Op::mxv ? "mxv" : "mxvt"));
  }

  Program _program;
  std::uint32_t _kernels = 0;
};

}  // namespace

optimizer::RecordedProgram sgd_in_a_loop(int steps) { return {Writer().run(steps), two_workers(), 1}; }

}  // namespace bench
