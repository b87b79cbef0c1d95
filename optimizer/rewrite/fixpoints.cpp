#include "optimizer/rewrite/fixpoints.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "kasen/base/program_tools.h"
#include "optimizer/laws/changes.h"
#include "optimizer/laws/obeyed.h"
#include "optimizer/rewrite/identities.h"

namespace kasen::optimizer {
namespace {

/// One loop in normal form.
class FixpointFinder {
 public:
  FixpointFinder(const Program& program, const PlacementStats& stats, Block& body)
      : _program(program), _stats(stats), _body(body) {
    for (std::size_t i = 0; i < body.statements.size(); ++i) {
      for (ValueId value : body.statements[i].out) _definition[value] = i;
    }
  }

  void run() {
    for (const Statement& statement : _body.statements) {
      if (!statement.regions.empty() || has_effect(statement)) return;
    }
    for (std::size_t k = 0; k < _body.arguments.size(); ++k) {
      const std::vector<Statement*> products = products_of(k);
      if (products.empty() || !ends_with(k) || !carries_nothing_else(k, products[0]->in[1])) continue;
      const bool connects = goes_both_ways(products);
      for (Statement* const product : products) {
        product->settles = true;
        product->connects = connects;
      }
    }
  }

 private:
  Statement* definition(ValueId value) const {
    const auto found = _definition.find(value);
    return found == _definition.end() ? nullptr : &_body.statements[found->second];
  }
  ReducerKind kind_of(ReducerId reducer) const { return _program.reducers[index_of(reducer)].kind; }

  /// The one or two products of argument x that are all that x is combined with; none if there is anything else.
  std::vector<Statement*> products_of(std::size_t k) {
    const ValueId x = _body.arguments[k];
    const Statement* const root = definition(_body.yields[k]);
    if (root == nullptr) return {};
    _kind = combined_by(*root);
    if (_kind == ReducerKind::other) return {};
    std::vector<Statement*> products;
    bool keeps = false;
    std::vector<ValueId> open = root->in;
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (value == x) {
        keeps = true;
        continue;
      }
      Statement* const made_by = definition(value);
      if (made_by == nullptr) return {};
      if (is_matrix_op(made_by->op)) {
        if (std::find(products.begin(), products.end(), made_by) == products.end()) products.push_back(made_by);
      } else if (combined_by(*made_by) == _kind) {
        open.insert(open.end(), made_by->in.begin(), made_by->in.end());
      } else {
        return {};
      }
    }
    const bool settle =
        keeps && products.size() <= 2 && std::all_of(products.begin(), products.end(), [&](const Statement* product) {
          return is_of_active(*product) && !product->frontier && product->in[0] == x &&
                 product->in[1] == products[0]->in[1] && kind_of(product->reducer) == _kind && product->expression &&
                 about(product->out[0]).space == about(x).space && about(product->out[0]).type == about(x).type &&
                 is_monotone(*product->expression);
        });
    return settle ? products : std::vector<Statement*>{};
  }
  /// Whether what one end of a non-zero has comes to the other end as it is, for both ends of all of them.
  bool goes_both_ways(const std::vector<Statement*>& products) const {
    const Statement& first = *products.front();
    if (_stats.matrices.at(index_of(first.matrix)).dense) return false;  // which are walked whole
    if (!std::all_of(products.begin(), products.end(), [](const auto* product) { return gives_element(*product); }))
      return false;
    if (products.size() == 1) return _stats.matrices.at(index_of(first.matrix)).symmetric;
    return first.matrix == products[1]->matrix && first.op != products[1]->op;
  }
  bool is_monotone(const Expression& f) const { return !approximates(f) && obeyed_over(_kind, f, 0).distributes; }
  const Value& about(ValueId value) const { return _program.values[index_of(value)]; }

  /// Whether the test is true exactly where the iteration has changed x; notes what says how much has changed.
  bool ends_with(std::size_t k) {
    const auto test = std::find(_body.arguments.begin(), _body.arguments.end(), _body.test);
    if (test == _body.arguments.end()) return false;
    _counted = _body.yields[static_cast<std::size_t>(test - _body.arguments.begin())];
    if (const Statement* const made_by = definition(_counted); made_by != nullptr && made_by->op == Op::apply) {
      if (!made_by->positive || made_by->shared.size() != 1) return false;
      _counted = made_by->shared[0];
    }
    const Statement* const counts = definition(_counted);
    return counts != nullptr && counts->op == Op::reduce && adds_up(*counts) && says_where_changed(counts->in[0], k);
  }

  /// Whether the reduction is more than 0, or true, where any of its elements is, none of which is less.
  bool adds_up(const Statement& reduction) const {
    const ReducerKind kind = kind_of(reduction.reducer);
    if (kind == ReducerKind::maximum || kind == ReducerKind::logical_or) return true;
    constexpr std::uint32_t kNeverFull = 8;  // bytes: smaller integers, added up, may come to 0
    return kind == ReducerKind::plus && about(reduction.out[0]).type.bytes == kNeverFull;
  }

  bool says_where_changed(ValueId vector, std::size_t k) const {
    const Statement* const made_by = definition(vector);
    if (made_by == nullptr || made_by->op != Op::element || !made_by->expression) return false;
    const auto is = [&](std::uint32_t position, ValueId value) { return made_by->in.at(position) == value; };
    return says_where_different(
        *made_by->expression, _kind, [&](std::uint32_t position) { return is(position, _body.arguments[k]); },
        [&](std::uint32_t position) { return is(position, _body.yields[k]); },
        [&](std::uint32_t position) { return says_where_changed(made_by->in.at(position), k); });
  }

  bool carries_nothing_else(std::size_t k, ValueId active) const {
    for (std::size_t j = 0; j < _body.arguments.size(); ++j) {
      const ValueId argument = _body.arguments[j], yield = _body.yields[j];
      const bool follows = j == k || argument == active || argument == _body.test || yield == _counted;
      if (!follows && yield != argument) return false;
    }
    return true;
  }

  const Program& _program;
  const PlacementStats& _stats;
  Block& _body;
  std::map<ValueId, std::size_t> _definition;  ///< positions in the body
  ReducerKind _kind = ReducerKind::other;
  ValueId _counted = kNone<ValueId>;
};

void find_in_block(const Program& program, const PlacementStats& stats, Block& block) {
  for (Statement& statement : block.statements) {
    for (Block& region : statement.regions) find_in_block(program, stats, region);
    if (statement.op == Op::while_) FixpointFinder(program, stats, statement.regions[0]).run();
  }
}

}  // namespace

void find_fixpoints(Program& program, const PlacementStats& stats) { find_in_block(program, stats, program.top); }

}  // namespace kasen::optimizer
