#include "optimizer/rewrite/varying.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "kasen/base/evaluate.h"
#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/identities.h"

namespace kasen::optimizer {
namespace {

/// What is known of an element, or of a node of an expression, where products give nothing.
struct Known {
  std::optional<Scalar> value;
  bool varies = false;
};

class Marker {
 public:
  Marker(const Program& program, Block& body) : _program(program), _body(body) {}

  void run() {
    for (std::size_t k = 0; k < _body.arguments.size(); ++k) {
      if (_body.yields[k] != _body.arguments[k]) change(_body.arguments[k]);
    }
    for (const Statement& statement : _body.statements) {
      for (const ValueId out : statement.out) change(out);
    }
    mark();
    if (!matters()) return;
    _rests = true;
    mark();
  }

 private:
  void mark() {
    for (Statement& statement : _body.statements) {
      if (is_matrix_op(statement.op)) {
        see_product(statement);
      } else if (is_element_op(statement.op)) {
        Known known = known_of(statement);
        if (_rests && known.varies && rest(statement)) known = known_of(statement);
        statement.varies = known.varies;
        _known[statement.out[0]] = known;
        _made[statement.out[0]] = &statement;
      }
    }
  }

  /// Whether what varies is carried or reduced.
  bool matters() const {
    const auto is_varying = [&](ValueId value) { return known(value).varies; };
    return std::any_of(_body.yields.begin(), _body.yields.end(), is_varying) ||
           std::any_of(_body.statements.begin(), _body.statements.end(), [&](const Statement& statement) {
             return is_reduction(statement.op) && std::any_of(statement.in.begin(), statement.in.end(), is_varying);
           });
  }

  // ---- rests ----

  /// Finds a vector made in the body and a value of its elements at which the statement does not vary.
  bool rest(const Statement& statement) {
    if (!statement.expression) return false;
    const std::vector<Node>& nodes = statement.expression->nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
      if (node.op != Operator::element) return false;
      const ValueId vector = statement.in.at(node.position);
      const auto made = _made.find(vector);
      if (made == _made.end() || made->second->rest || known(vector).varies || known(vector).value) return false;
      const std::vector<Scalar> candidates = literals(nodes, node.type);
      return std::any_of(candidates.begin(), candidates.end(), [&](const Scalar& candidate) {
        _known[vector].value = candidate;
        const bool rests = !known_of(statement).varies;
        if (rests) {
          made->second->rest = candidate;
        } else {
          _known[vector].value.reset();
        }
        return rests;
      });
    });
  }

  /// Those of a type, and both values of bool.
  static std::vector<Scalar> literals(const std::vector<Node>& nodes, ScalarType type) {
    std::vector<Scalar> values;
    if (type == ScalarType::boolean) values = {Scalar::of(false), Scalar::of(true)};
    for (const Node& node : nodes) {
      if (node.op == Operator::literal && node.type == type) values.push_back({type, node.bits});
    }
    return values;
  }

  // ---- what is known ----

  void change(ValueId value) {
    if (_program.values[index_of(value)].kind == Value::Kind::shared) _changing.insert(value);
  }

  void see_product(const Statement& product) {
    if (!is_of_active(product) || !product.expression) return;
    const ReducerKind kind = _program.reducers[index_of(product.reducer)].kind;
    if (kind != ReducerKind::other) _known[product.out[0]] = {identity_of(kind, product.expression->result().type)};
  }

  Known known_of(const Statement& statement) const {
    if (statement.expression) return evaluated(statement);
    const bool reads_changing =
        std::any_of(statement.shared.begin(), statement.shared.end(), [&](ValueId v) { return _changing.contains(v); });
    const bool reads_varying =
        std::any_of(statement.in.begin(), statement.in.end(), [&](ValueId v) { return known(v).varies; });
    return {std::nullopt, reads_changing || reads_varying};
  }

  Known known(ValueId vector) const {
    const auto found = _known.find(vector);
    return found == _known.end() ? Known{} : found->second;
  }

  Known evaluated(const Statement& statement) const {
    std::vector<Known> nodes;
    for (const Node& node : statement.expression->nodes) nodes.push_back(evaluated(statement, node, nodes));
    return nodes.back();
  }

  Known evaluated(const Statement& statement, const Node& node, const std::vector<Known>& nodes) const {
    if (node.op == Operator::element) {
      const Known element = known(statement.in.at(node.position));
      return {element.value && element.value->type == node.type ? element.value : std::nullopt, element.varies};
    }
    if (node.op == Operator::shared) return {std::nullopt, _changing.contains(statement.shared.at(node.position))};
    if (node.op == Operator::literal) return {Scalar{node.type, node.bits}};
    if (node.op == Operator::plain || node.op == Operator::entry) return {};
    std::vector<Known> operands;
    for (const std::uint32_t in : node.in) {
      if (in != Node::kNothing) operands.push_back(nodes[in]);
    }
    if (node.op == Operator::select) return chosen(operands);
    if (const auto decided = decided_by_one(node.op, operands)) return {decided};
    const bool all = std::all_of(operands.begin(), operands.end(), [](const Known& k) { return k.value.has_value(); });
    if (!all) return {std::nullopt, any_varies(operands)};
    std::vector<Scalar> values;
    for (const Known& operand : operands) values.push_back(*operand.value);
    return {kasen::evaluate(node.op, node.type, values)};
  }

  static std::optional<Scalar> decided_by_one(Operator op, const std::vector<Known>& operands) {
    if (op != Operator::logical_and && op != Operator::logical_or) return std::nullopt;
    const Scalar decisive = Scalar::of(op == Operator::logical_or);
    const bool is_there =
        std::any_of(operands.begin(), operands.end(), [&](const Known& k) { return k.value == decisive; });
    return is_there ? std::optional(decisive) : std::nullopt;
  }

  /// A choice between equal values does not depend on the condition.
  static Known chosen(const std::vector<Known>& operands) {
    const Known &condition = operands.at(0), &then = operands.at(1), &otherwise = operands.at(2);
    if (condition.value) return condition.value->bits != 0 ? then : otherwise;
    if (then.value && then.value == otherwise.value) return then;
    return {std::nullopt, any_varies(operands)};
  }
  static bool any_varies(const std::vector<Known>& operands) {
    return std::any_of(operands.begin(), operands.end(), [](const Known& k) { return k.varies; });
  }

  const Program& _program;
  Block& _body;
  std::set<ValueId> _changing;          ///< Shareds
  std::map<ValueId, Known> _known;      ///< vectors that are made in the body
  std::map<ValueId, Statement*> _made;  ///< by element work
  bool _rests = false;                  ///< are looked for
};

}  // namespace

void mark_varying(Program& program) {
  for_each_block(program.top, [&](Block& block) {
    if (has_active_products(block)) Marker(program, block).run();
  });
}

}  // namespace kasen::optimizer
