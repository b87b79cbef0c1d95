#include "optimizer/rewrite/semi_naive.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kasen/base/program_tools.h"
#include "kasen/base/scalar.h"
#include "optimizer/rewrite/identities.h"

namespace kasen::optimizer {
namespace {

constexpr Type kActive{1, 1};  // of bytes that are 1 or 0; no program has a vector of this type

/// A reducer that combines vectors: a built-in one, or one of the program's.
struct Combines {
  ReducerKind kind = ReducerKind::other;
  ReducerId id = kNone<ReducerId>;
  explicit operator bool() const { return kind != ReducerKind::other || id != kNone<ReducerId>; }
  bool operator==(const Combines&) const = default;
};

/// Whether the expression is a choice one side of which is the identity.
bool chooses_identity(const Expression& expression, ReducerKind kind) {
  const Node& choice = expression.result();
  if (choice.op != Operator::select) return false;
  const Scalar identity = identity_of(kind, choice.type);
  return std::any_of(choice.in.begin() + 1, choice.in.end(), [&](std::uint32_t side) {
    const Node& node = expression.nodes[side];
    return node.op == Operator::literal && node.bits == identity.bits;
  });
}

/// One loop in normal form.
class LoopRewriter {
 public:
  LoopRewriter(Program& program, Statement& loop) : _program(program), _loop(loop), _body(loop.regions[0]) {
    for (std::size_t i = 0; i < _body.statements.size(); ++i) {
      for (ValueId value : _body.statements[i].out) _definition[value] = i;
      std::set<ValueId> read;  // R(p, p) is one reader of p
      for_each_read(_body.statements[i], [&](ValueId value) { read.insert(value); });
      for (ValueId value : read) ++_reads[value];
    }
    for (ValueId value : _body.yields) ++_reads[value];
    for (std::size_t k = 0; k < _body.arguments.size(); ++k) _argument[_body.arguments[k]] = k;
  }

  /// @return what has to run before the loop.
  std::vector<Statement> run() {
    for (std::size_t k = 0, n = _body.arguments.size(); k < n; ++k) follow_changes(k);
    follow_frontiers();
    std::vector<Statement> statements;
    for (std::size_t i = 0; i < _body.statements.size(); ++i) {
      for (Statement& present : _present[i]) statements.push_back(std::move(present));
      statements.push_back(std::move(_body.statements[i]));
    }
    std::move(_after.begin(), _after.end(), std::back_inserter(statements));
    _body.statements = std::move(statements);
    return std::move(_before);
  }

 private:
  const Type& type_of(ValueId value) const { return _program.values[index_of(value)].type; }
  const Statement* definition(ValueId value) const {
    const auto found = _definition.find(value);
    return found == _definition.end() ? nullptr : &_body.statements[found->second];
  }

  static bool may_be_sparse(const Statement& statement) {
    return is_matrix_op(statement.op) && statement.activity && !is_of_active(statement);
  }

  // ---- x = R(x, products) ----

  void follow_changes(std::size_t k) {
    const ValueId x = _body.arguments[k], next = _body.yields[k];
    const Statement* const root = definition(next);
    if (root == nullptr) return;
    const Combines combines = combined_by(*root);
    if (!combines) return;
    std::set<std::size_t> products;
    bool keeps = false;
    std::vector<ValueId> open = root->in;
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (value == x) keeps = true;
      const Statement* const made_by = definition(value);
      if (made_by == nullptr || _reads.at(value) > 1) continue;  // others would miss what is left out
      if (combined_by(*made_by) == combines) open.insert(open.end(), made_by->in.begin(), made_by->in.end());
      const bool follows = may_be_sparse(*made_by) && reduces_by(combines, *made_by) && type_of(value) == type_of(x) &&
                           changes_with(made_by->in[0], k);
      if (follows) products.insert(_definition.at(value));
    }
    if (!keeps || products.empty()) return;

    const Statement& like = _body.statements[*products.begin()];
    const ValueId argument = new_mask(x), initial = new_mask(x), changed = new_mask(x);
    const bool begins_somewhere = std::all_of(products.begin(), products.end(), [&](std::size_t product) {
      const Statement& reader = _body.statements[product];
      return reader.in[0] == x && (gives_element(reader) || reader.keeps_identity);
    });
    _before.push_back(begins_somewhere
                          ? make(like, Op::element, like.activity.present, "present", {_loop.in[k]}, initial)
                          : make(like, Op::source, like.activity.all, "all", {}, initial));
    _after.push_back(make(like, Op::element, like.activity.changed, "changed", {next, x}, changed));
    carry(initial, argument, changed);
    for (const std::size_t product : products) _body.statements[product].in.push_back(argument);
  }

  /// The reducer by which the statement combines all of its vectors, and does nothing else.
  Combines combined_by(const Statement& statement) const {
    if (statement.op != Op::element) return {};
    const ReducerKind kind = optimizer::combined_by(statement);
    if (kind != ReducerKind::other || statement.combines == kNone<ReducerId>) return {kind, kNone<ReducerId>};
    const ReducerKind known = _program.reducers[index_of(statement.combines)].kind;
    return known != ReducerKind::other ? Combines{known, kNone<ReducerId>} : Combines{known, statement.combines};
  }
  bool reduces_by(const Combines& combines, const Statement& product) const {
    return combines.kind != ReducerKind::other ? kind_of(product) == combines.kind : product.reducer == combines.id;
  }
  ReducerKind kind_of(const Statement& product) const { return _program.reducers[index_of(product.reducer)].kind; }

  /// Whether the vector is made element by element of argument `k` and of what does not change in the loop.
  bool changes_with(ValueId vector, std::size_t k) const {
    bool changes = false;
    std::vector<ValueId> open{vector};
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (const auto argument = _argument.find(value); argument != _argument.end()) {
        changes = changes || argument->second == k;
        if (argument->second != k && _body.yields[argument->second] != value) return false;
        continue;
      }
      const Statement* const made_by = definition(value);
      if (made_by == nullptr) continue;
      if (made_by->op != Op::element && made_by->op != Op::source) return false;
      open.insert(open.end(), made_by->in.begin(), made_by->in.end());
      open.insert(open.end(), made_by->shared.begin(), made_by->shared.end());
    }
    return changes;
  }

  // ---- frontiers ----

  void follow_frontiers() {
    std::map<std::pair<ValueId, ReducerId>, ValueId> masks;  // identities differ
    for (std::size_t i = 0; i < _body.statements.size(); ++i) {
      Statement& product = _body.statements[i];
      if (!may_be_sparse(product) || !is_frontier(product)) continue;
      const auto [mask, is_new] = masks.try_emplace({product.in[0], product.reducer}, kNone<ValueId>);
      if (is_new) mask->second = add_present(i);
      product.in.push_back(mask->second);
      product.frontier = true;
    }
  }

  /// The mask of a vector that is carried is carried with it, so that both travel together.
  ValueId add_present(std::size_t i) {
    const Statement& product = _body.statements[i];
    const ValueId vector = product.in[0], mask = new_mask(vector);
    const auto present = [&](ValueId of, ValueId out) {
      return make(product, Op::element, product.activity.present, "present", {of}, out);
    };
    const auto argument = _argument.find(vector);
    if (argument == _argument.end()) {
      _present[i].push_back(present(vector, mask));
      return mask;
    }
    const ValueId initial = new_mask(vector), next = new_mask(vector);
    _before.push_back(present(_loop.in[argument->second], initial));
    _after.push_back(present(_body.yields[argument->second], next));
    carry(initial, mask, next);
    return mask;
  }

  bool is_frontier(const Statement& product) const {
    const ValueId vector = product.in[0];
    if (product.keeps_identity) return type_of(vector) == type_of(product.out[0]) && changes(vector);
    if (!gives_element(product) || type_of(vector) != type_of(product.out[0]) || kind_of(product) == ReducerKind::other)
      return false;
    if (product.expression->result().type == ScalarType::boolean)
      return changes(vector);  // one of both is the identity
    const auto argument = _argument.find(vector);
    const Statement* const made_by = definition(argument == _argument.end() ? vector : _body.yields[argument->second]);
    return made_by != nullptr && made_by->op == Op::element && made_by->expression &&
           chooses_identity(*made_by->expression, kind_of(product));
  }

  bool changes(ValueId vector) const {
    const auto argument = _argument.find(vector);
    return argument == _argument.end() ? definition(vector) != nullptr : _body.yields[argument->second] != vector;
  }

  // ---- what is added ----

  ValueId new_mask(ValueId of) {
    _program.values.push_back({Value::Kind::vector, _program.values[index_of(of)].space, kActive, "active"});
    return static_cast<ValueId>(_program.values.size() - 1);
  }

  void carry(ValueId initial, ValueId argument, ValueId next) {
    _loop.in.push_back(initial);
    _loop.out.push_back(new_mask(argument));
    _body.arguments.push_back(argument);
    _body.yields.push_back(next);
  }

  static Statement make(const Statement& product, Op op, KernelId kernel, const char* label, std::vector<ValueId> in,
                        ValueId out) {
    Statement statement;
    statement.op = op;
    statement.kernel = kernel;
    statement.label = label;
    statement.in = std::move(in);
    statement.out = {out};
    statement.work.known = true;
    statement.work.arithmetic = 1;
    statement.where = product.where;
    return statement;
  }

  Program& _program;
  Statement& _loop;
  Block& _body;
  std::map<ValueId, std::size_t> _definition, _argument;  ///< positions in the body
  std::map<ValueId, int> _reads;
  std::map<std::size_t, std::vector<Statement>> _present;  ///< by the statement that they come before
  std::vector<Statement> _before, _after;
};

void find_in_block(Program& program, Block& block) {
  std::vector<Statement> statements;
  for (Statement& statement : block.statements) {
    for (Block& region : statement.regions) find_in_block(program, region);
    if (statement.op == Op::while_) {
      std::vector<Statement> before = LoopRewriter(program, statement).run();
      std::move(before.begin(), before.end(), std::back_inserter(statements));
    }
    statements.push_back(std::move(statement));
  }
  block.statements = std::move(statements);
}

}  // namespace

void find_active_elements(Program& program) { find_in_block(program, program.top); }

}  // namespace kasen::optimizer
