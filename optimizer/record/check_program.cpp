#include "optimizer/record/check_program.h"

#include <set>
#include <vector>

namespace kasen::optimizer {
namespace {

struct Problem {
  std::string text;
};

class Checker {
 public:
  Checker(const Program& program, const PlacementStats& stats) : _program(program), _stats(stats) {}

  void run() {
    for (std::size_t k = 0; k < _program.values.size(); ++k) value(k);
    std::set<ValueId> visible;
    for (std::size_t k = 0; k < _program.live_in.size(); ++k) {
      const LiveIn& live = _program.live_in[k];
      const std::string where = "live_in[" + std::to_string(k) + "]";
      define(where, live.value, visible);
      state(where, live);
    }
    for (ValueId argument : _program.top.arguments) refuse("top", "has an argument", argument);
    block("top", _program.top, visible, visible);
    for (const LiveOut& live : _program.live_out) {
      if (!visible.contains(live.value)) refuse("live_out", "is not made at the top", live.value);
    }
  }

 private:
  [[noreturn]] static void refuse(const std::string& where, const std::string& what) {
    throw Problem{where + ": " + what};
  }
  [[noreturn]] static void refuse(const std::string& where, const std::string& what, ValueId value) {
    refuse(where, "value " + std::to_string(index_of(value)) + " " + what);
  }

  const Value& about(ValueId value) const { return _program.values[index_of(value)]; }
  bool is_shared(ValueId value) const { return about(value).kind == Value::Kind::shared; }

  void value(std::size_t k) const {
    const Value& value = _program.values[k];
    const std::string where = "values[" + std::to_string(k) + "]";
    if (value.type.bytes == 0) refuse(where, "its elements have no bytes");
    if (value.type.parts == 0 || value.type.bytes % value.type.parts != 0)
      refuse(where, "its elements have no equal parts of whole bytes");
    const bool has_space = value.space != kNone<SpaceId>;
    if (has_space != (value.kind == Value::Kind::vector)) refuse(where, "a vector has a space, a shared has none");
  }

  void state(const std::string& where, const LiveIn& live) const {
    const State& state = live.state;
    const bool partial = state.kind == State::Kind::pre_reduced;
    if (partial != (state.reducer != kNone<ReducerId>)) refuse(where, "pre_reduced has a reducer, no other state has");
    if (is_shared(live.value)) {
      if (state != State::consistent({})) refuse(where, "a shared is consistent");
      return;
    }
    if (state.kind == State::Kind::partitioned && !state.roles.empty()) refuse(where, "partitioned has no roles");
    for (const Role& role : state.roles) {
      if (role == kEverywhere) {
        held_everywhere(where, live.value);
        continue;
      }
      const auto& matrix = _stats.matrices[index_of(role.matrix)];
      if ((role.side == Role::Side::row ? matrix.rows : matrix.columns) != about(live.value).space)
        refuse(where, "a role is of another space");
    }
    const SpaceId space = about(live.value).space;
    if (!state.roles.empty() && !_stats.tells_roles_apart(space) && state.roles != _stats.all_roles(space))
      refuse(where, "a space of so many roles has states of all of them only");
  }

  void held_everywhere(const std::string& where, ValueId value) const {
    if (!includes_roles(_stats.all_roles(about(value).space), {kEverywhere}))
      refuse(where, "is of a space that not every worker holds", value);
  }

  void define(const std::string& where, ValueId value, std::set<ValueId>& visible) {
    if (!_made.insert(value).second) refuse(where, "is made twice", value);
    visible.insert(value);
  }

  void read(const std::string& where, const std::vector<ValueId>& values, const std::set<ValueId>& visible) const {
    for (ValueId value : values) {
      if (!visible.contains(value)) refuse(where, "is read and not made before", value);
    }
  }

  /// Arguments of blocks are visible in `visible` already. `after` receives what the block's statements make.
  void block(const std::string& where, const Block& block, std::set<ValueId> visible, std::set<ValueId>& after) {
    if (block.condition_length > block.statements.size()) refuse(where, "the condition is longer than the block");
    const auto condition_ends = [&] {
      read(where + ".condition_yields", block.condition_yields, visible);
      if (block.test != kNone<ValueId>) read(where + ".test", {block.test}, visible);
    };
    for (std::size_t k = 0; k < block.statements.size(); ++k) {
      if (k == block.condition_length) condition_ends();
      const Statement& made = block.statements[k];
      const std::string here = where + ".statements[" + std::to_string(k) + "]";
      read(here, made.in, visible);
      read(here, made.shared, visible);
      statement(here, made, visible);
      for (ValueId value : made.out) define(here, value, visible);
    }
    if (block.condition_length == block.statements.size()) condition_ends();
    read(where + ".yields", block.yields, visible);
    after = std::move(visible);
  }

  void statement(const std::string& where, const Statement& statement, const std::set<ValueId>& visible) {
    const bool nested = statement.op == Op::while_ || statement.op == Op::if_;
    for (ValueId value : statement.shared) {
      if (!is_shared(value)) refuse(where, "is no shared", value);
    }
    for (const Law& law : statement.laws) {
      if (law.argument >= statement.in.size()) refuse(where, "a law is about an argument that is not there");
    }
    if (nested) {
      statement.op == Op::while_ ? loop(where, statement, visible) : branch(where, statement, visible);
      return;
    }
    if (!statement.regions.empty()) refuse(where, "only loops and branches have regions");
    if (statement.kernel == kNone<KernelId>) refuse(where, "has no kernel");
    if (statement.out.size() != 1) refuse(where, "makes one value");
    const bool makes_shared = is_reduction(statement.op) || statement.op == Op::apply;
    if (is_shared(statement.out[0]) != makes_shared) refuse(where, "is of the wrong kind", statement.out[0]);
    operands(where, statement);
  }

  void operands(const std::string& where, const Statement& statement) const {
    const std::size_t vectors = statement.in.size();
    const bool product = statement.op == Op::mxv || statement.op == Op::mxvt;
    const bool none = statement.op == Op::source || statement.op == Op::apply;
    const bool several = statement.op == Op::element || statement.op == Op::with_wholes || statement.op == Op::fold;
    const bool ends = is_of_ends(statement);
    const std::size_t wanted = none ? 0 : follows_keys(statement.op) ? 2 : 1;
    if (ends ? !product || vectors < statement.inputs : several ? vectors == 0 : vectors != wanted)
      refuse(where, "has the wrong number of vectors");
    if (ends && (statement.activity || statement.family != 0))
      refuse(where, "is of both ends and would be of active elements, or of a family");
    const bool some = statement.wholes > 0 && statement.wholes < vectors;
    if (reads_wholes(statement.op) ? !some : statement.wholes != 0)
      refuse(where, "reads the wrong number of vectors whole");
    for (std::size_t k = 0; k < statement.wholes; ++k) held_everywhere(where, statement.in[k]);
    for (ValueId value : statement.in) {
      if (is_shared(value)) refuse(where, "is no vector", value);
    }
    if ((product || is_any_reduction(statement.op)) && statement.reducer == kNone<ReducerId>)
      refuse(where, "has no reducer");
    const std::vector<ValueId>& operands = statement.op == Op::apply ? statement.shared : statement.in;
    if (statement.expression) {
      for (const Node& node : statement.expression->nodes) {
        if ((node.op == Operator::element && node.position >= statement.in.size()) ||
            (node.op == Operator::shared && node.position >= statement.shared.size()) ||
            (node.op == Operator::entry && !product && statement.op != Op::fold)) {
          refuse(where, "has an expression of an operand that it does not have");
        }
      }
    }
    if (statement.returns >= 0) {
      const auto returned = static_cast<std::size_t>(statement.returns);
      if (returned >= operands.size()) refuse(where, "returns an operand that it does not have");
      if (about(operands[returned]).type != about(statement.out[0]).type)
        refuse(where, "returns an operand of another type");
    }
    if (product) {
      if (statement.matrix == kNone<MatrixId>) refuse(where, "has no matrix");
      const auto& matrix = _stats.matrices[index_of(statement.matrix)];
      const bool transposed = statement.op == Op::mxvt;
      const SpaceId inputs = transposed ? matrix.columns : matrix.rows;
      const SpaceId outputs = transposed ? matrix.rows : matrix.columns;
      bool fit = about(statement.out[0]).space == outputs;
      for (std::size_t k = 0; k < vectors; ++k)
        fit = fit && about(statement.in[k]).space == (is_at_outputs(statement, k) ? outputs : inputs);
      if (!fit) refuse(where, "the vectors are not of the matrix's spaces");
      if (statement.shared.size() != (matrix.in_batches() ? 1 : 0))
        refuse(where, "has the wrong number of shareds: one says of which batch of a matrix it is");
      if (matrix.in_batches() && statement.activity) refuse(where, "is of a batch and would be of active elements");
    } else if (follows_keys(statement.op)) {
      const bool takes = statement.op == Op::take;
      if (!takes) held_everywhere(where, statement.out[0]);
      if (about(statement.in[1]).space != about(takes ? statement.out[0] : statement.in[0]).space)
        refuse(where, "the keys are of another space");
      if (about(statement.in[takes ? 0 : 1]).type != about(statement.out[0]).type)
        refuse(where, "makes elements of another type");
    } else if (several) {
      const SpaceId space = about(statement.op == Op::fold ? statement.in[0] : statement.out[0]).space;
      for (std::size_t k = statement.wholes; k < vectors; ++k) {
        if (about(statement.in[k]).space != space) refuse(where, "is of another space", statement.in[k]);
      }
    }
  }

  /// The values can stand for each other.
  void alike(const std::string& where, const std::vector<ValueId>& some, const std::vector<ValueId>& others) const {
    if (some.size() != others.size()) refuse(where, "carries and yields different numbers of values");
    for (std::size_t k = 0; k < some.size(); ++k) {
      const Value &one = about(some[k]), &other = about(others[k]);
      if (one.kind != other.kind || one.space != other.space || one.type != other.type)
        refuse(where, "is not what value " + std::to_string(index_of(some[k])) + " is", others[k]);
    }
  }

  void loop(const std::string& where, const Statement& statement, std::set<ValueId> visible) {
    if (statement.regions.size() != 1 || !statement.shared.empty()) refuse(where, "a loop has one region, no shareds");
    const Block& body = statement.regions[0];
    if (body.test == kNone<ValueId> || !is_shared(body.test)) refuse(where, "the test is no shared");
    for (const auto* values : {&body.arguments, &body.condition_yields, &body.yields, &statement.out})
      alike(where, statement.in, *values);
    for (ValueId argument : body.arguments) define(where, argument, visible);
    std::set<ValueId> after;
    block(where + ".regions[0]", body, std::move(visible), after);
  }

  void branch(const std::string& where, const Statement& statement, const std::set<ValueId>& visible) {
    if (statement.regions.size() != 2 || statement.shared.size() != 1 || !statement.in.empty())
      refuse(where, "a branch has two regions and one shared");
    for (std::size_t side = 0; side < 2; ++side) {
      const Block& region = statement.regions[side];
      if (!region.arguments.empty() || region.test != kNone<ValueId>) refuse(where, "a side has no arguments, no test");
      alike(where, statement.out, region.yields);
      std::set<ValueId> after;
      block(where + ".regions[" + std::to_string(side) + "]", region, visible, after);
    }
  }

  const Program& _program;
  const PlacementStats& _stats;
  std::set<ValueId> _made;
};

}  // namespace

std::string problem_of(const Program& program, const PlacementStats& stats) {
  try {
    Checker(program, stats).run();
  } catch (const Problem& problem) {
    return problem.text;
  }
  return {};
}

}  // namespace kasen::optimizer
