#include "optimizer/rewrite/varying.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "kasen/base/evaluate.h"
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
    for (Statement& statement : _body.statements) {
      if (is_matrix_op(statement.op)) {
        see_product(statement);
      } else if (is_element_op(statement.op)) {
        const Known known = known_of(statement);
        statement.varies = known.varies;
        _known[statement.out[0]] = known;
      }
    }
  }

 private:
  void change(ValueId value) {
    if (_program.values[index_of(value)].kind == Value::Kind::shared) _changing.insert(value);
  }

  void see_product(const Statement& product) {
    if (product.in.size() < 2 || !product.expression) return;
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
    const bool all = std::all_of(operands.begin(), operands.end(), [](const Known& k) { return k.value.has_value(); });
    if (!all) return {std::nullopt, any_varies(operands)};
    std::vector<Scalar> values;
    for (const Known& operand : operands) values.push_back(*operand.value);
    return {kasen::evaluate(node.op, node.type, values)};
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
  std::set<ValueId> _changing;      ///< Shareds
  std::map<ValueId, Known> _known;  ///< vectors that are made in the body
};

}  // namespace

void mark_varying(const Program& program, Block& body) { Marker(program, body).run(); }

}  // namespace kasen::optimizer
