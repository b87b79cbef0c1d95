#include "optimizer/states/insert_transitions.h"

#include <utility>
#include <vector>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

using Kind = State::Kind;

/// Rewrites a program: transitions become statements, and every reader reads the form it asks for.
class Inserter {
 public:
  Inserter(const Program& program, FoundStates found)
      : _found(std::move(found)),
        _partitioned(program.values.size(), kNone<ValueId>),
        _consistent(program.values.size(), kNone<ValueId>) {
    _out.program = program;
    for (std::size_t v = 0; v < program.values.size(); ++v)
      _out.states.push_back(_found.state(static_cast<ValueId>(v)));
    _out.choice = std::move(_found.choice);
  }

  StatedProgram run() {
    std::vector<ValueId> live_in;
    for (const LiveIn& live : _out.program.live_in) live_in.push_back(live.value);
    rewrite(_out.program.top, live_in);
    for (const LiveOut& live : _out.program.live_out) {
      const ValueId held = final_value(live);
      _out.results.push_back({live.value, held, state(held)});
    }
    return std::move(_out);
  }

 private:
  State& state(ValueId value) { return _out.states[index_of(value)]; }
  bool is_vector(ValueId value) const { return _out.program.values[index_of(value)].kind == Value::Kind::vector; }

  ValueId transition(std::vector<Statement>& statements, Op op, ValueId value, State to, ReducerId reducer) {
    const ValueId result = fresh_like(_out.program, value);
    _out.states.push_back(std::move(to));
    _out.choice.push_back({});
    Statement statement;
    statement.op = op;
    statement.in = {value};
    statement.out = {result};
    statement.reducer = reducer;
    statements.push_back(std::move(statement));
    return result;
  }

  /// Appends the transitions of a value that has just been defined.
  void synchronise(std::vector<Statement>& statements, ValueId value) {
    if (!is_vector(value)) {
      if (state(value).kind == Kind::pre_reduced) {
        const ReducerId reducer = state(value).reducer;
        _partitioned[index_of(value)] = transition(statements, Op::all_reduce, value, State::consistent({}), reducer);
      }
      return;
    }
    ValueId masters = value;
    if (_found.gathered[index_of(value)] != 0) {
      const ReducerId reducer = state(value).reducer;
      masters = _partitioned[index_of(value)] =
          transition(statements, Op::gather, value, State::partitioned(), reducer);
    }
    if (const RoleSetId roles = _found.scattered[index_of(value)]; roles != kNoRoles) {
      _consistent[index_of(value)] =
          transition(statements, Op::scatter, masters, State::consistent(_found.roles(roles)), kNone<ReducerId>);
    }
  }

  ValueId read_as(ValueId value, Kind kind) const {
    if (!is_vector(value)) return found_or(_partitioned, value, value);
    if (kind == Kind::pre_reduced) return value;
    const ValueId masters = found_or(_partitioned, value, value);
    return kind == Kind::consistent ? found_or(_consistent, value, masters) : masters;
  }

  static ValueId found_or(const std::vector<ValueId>& forms, ValueId value, ValueId fallback) {
    const ValueId form = forms[index_of(value)];
    return form == kNone<ValueId> ? fallback : form;
  }

  ValueId final_value(const LiveOut& live) const {
    return is_vector(live.value) ? read_as(live.value, Kind::consistent) : read_as(live.value, Kind::partitioned);
  }

  void rewrite(Block& block, const std::vector<ValueId>& defined_before) {
    std::vector<Statement> statements;
    for (ValueId value : defined_before) synchronise(statements, value);
    for (Statement& statement : block.statements) {
      rewrite_reads(statement);
      for (Block& region : statement.regions) rewrite(region, region.arguments);
      for (std::size_t r = 0; r < statement.regions.size(); ++r) rewrite_yields(statement, r);
      const std::vector<ValueId> outs = statement.out;
      if (statement.op == Op::element && _out.choice[index_of(outs[0])].rule == kAffineRule) {
        statements.push_back(split(statement));
      }
      statements.push_back(std::move(statement));
      for (ValueId out : outs) synchronise(statements, out);
    }
    block.statements = std::move(statements);
  }

  /// Splits `statement`: it keeps its pushdown part, which reads the exchange part that is returned.
  Statement split(Statement& statement) {
    const ReducerId reducer = state(statement.out[0]).reducer;
    Statement scale = statement;
    scale.kernel = statement.affine.scale_kernel;
    scale.expression = statement.affine.scale;
    scale.laws = {{Law::Kind::exchange, reducer, 0}};
    scale.label += ", c*x";
    scale.out = {fresh_like(_out.program, statement.out[0])};
    _out.states.push_back(state(statement.in[0]));
    _out.choice.push_back({kExchangeRule, 0});
    statement.kernel = statement.affine.shift_kernel;
    statement.expression = statement.affine.shift;
    statement.laws = {{Law::Kind::pushdown, reducer, 0}};
    statement.label += ", + d";
    statement.in = scale.out;
    _out.choice[index_of(statement.out[0])] = {kPushdownRule, 0};
    for (Statement* part : {&scale, &statement}) {
      part->work = part->expression ? work_of(*part->expression) : Work{};
      part->affine = {};
      part->function = kNone<FunctionId>;
    }
    return scale;
  }

  void rewrite_reads(Statement& statement) {
    for (ValueId& value : statement.shared) value = read_as(value, Kind::consistent);
    for (std::size_t k = 0; k < statement.in.size(); ++k) {
      const Kind kind = statement.op == Op::while_ ? state(statement.regions[0].arguments[k]).kind
                                                   : read_kind(statement, _out.choice[index_of(statement.out[0])], k);
      statement.in[k] = read_as(statement.in[k], kind);
    }
  }

  void rewrite_yields(Statement& statement, std::size_t region) {
    Block& block = statement.regions[region];
    if (block.test != kNone<ValueId>) block.test = read_as(block.test, Kind::consistent);
    for (std::size_t k = 0; k < block.yields.size(); ++k) {
      const ValueId kept_as = statement.op == Op::while_ ? block.arguments[k] : statement.out[k];
      block.yields[k] = read_as(block.yields[k], state(kept_as).kind);
    }
  }

  StatedProgram _out;
  FoundStates _found;
  std::vector<ValueId> _partitioned, _consistent;  ///< by ValueId: its gathered (or reduced), its scattered form
};

}  // namespace

StatedProgram insert_transitions(const Program& program, FoundStates found) {
  return Inserter(program, std::move(found)).run();
}

}  // namespace kasen::optimizer
