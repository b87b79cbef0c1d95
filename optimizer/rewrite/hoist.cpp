#include "optimizer/rewrite/hoist.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/recomputation.h"

namespace kasen::optimizer {
namespace {

bool is_control(Op op) { return op == Op::while_ || op == Op::if_; }

/// One loop's body: which statements are invariant, which of them leave.
class LoopHoister {
 public:
  LoopHoister(Program& program, std::vector<bool>& is_source, Statement& loop)
      : _program(program),
        _is_source(is_source),
        _likely(loop.likely),
        _body(loop.regions[0]),
        _leaves(_body.statements.size(), false) {}

  /// @return what now runs before the loop.
  std::vector<Statement> run() {
    find_invariants();
    std::vector<bool> wanted(_body.statements.size(), false);
    for (std::size_t i : _invariants) {
      const Op op = statement(i).op;
      if (op != Op::source && op != Op::element) wanted[i] = true;
    }
    take_along(wanted);
    const std::vector<bool> first_leaves = _leaves;
    for (const std::vector<std::size_t>& members : components()) {
      if (!cheaper_from_outside(_program, _is_source, _body, members, first_leaves)) continue;
      for (std::size_t i : members) wanted[i] = true;
    }
    take_along(wanted);
    return move_out(wanted);
  }

 private:
  const Statement& statement(std::size_t i) const { return _body.statements[i]; }

  void find_invariants() {
    std::set<ValueId> changing(_body.arguments.begin(), _body.arguments.end());
    const auto changes = [&](ValueId value) { return changing.contains(value); };
    for (std::size_t i = 0; i < _body.statements.size(); ++i) {
      const Statement& s = statement(i);
      const bool may_run = !s.effect && (i < _body.condition_length || (_likely && s.total));
      if (is_control(s.op) || !may_run || std::any_of(s.in.begin(), s.in.end(), changes) ||
          std::any_of(s.shared.begin(), s.shared.end(), changes)) {
        changing.insert(s.out.begin(), s.out.end());
        continue;
      }
      _definition[s.out[0]] = i;
      _invariants.push_back(i);
    }
  }

  /// What is wanted leaves, and with it all that it reads.
  void take_along(const std::vector<bool>& wanted) {
    for (auto i = _invariants.rbegin(); i != _invariants.rend(); ++i) {
      if (wanted[*i]) _leaves[*i] = true;
      if (!_leaves[*i]) continue;
      for (const auto* operands : {&statement(*i).in, &statement(*i).shared}) {
        for (ValueId value : *operands) {
          if (const auto found = _definition.find(value); found != _definition.end()) _leaves[found->second] = true;
        }
      }
    }
  }

  /// Invariant element work that hangs together: it reads or makes a vector in common, sources apart.
  std::vector<std::vector<std::size_t>> components() const {
    std::vector<std::size_t> elements;
    std::vector<std::set<ValueId>> touched;
    for (std::size_t i : _invariants) {
      if (statement(i).op != Op::element) continue;
      elements.push_back(i);
      touched.push_back({statement(i).out[0]});
      for (ValueId value : statement(i).in) {
        if (!_is_source[index_of(value)]) touched.back().insert(value);
      }
    }
    std::vector<std::vector<std::size_t>> found = groups_by_value(std::move(touched));
    for (std::vector<std::size_t>& members : found) {
      for (std::size_t& i : members) i = elements[i];
    }
    return found;
  }

  std::vector<Statement> move_out(const std::vector<bool>& wanted) {
    // From the end: what leaves only for others stays as a copy if something that stays reads it.
    std::set<ValueId> read_here(_body.yields.begin(), _body.yields.end());
    read_here.insert(_body.condition_yields.begin(), _body.condition_yields.end());
    read_here.insert(_body.test);
    std::vector<bool> copied(_body.statements.size(), false);
    for (std::size_t i = _body.statements.size(); i-- > 0;) {
      copied[i] = _leaves[i] && !wanted[i] && read_here.contains(statement(i).out[0]);
      if (_leaves[i] && !copied[i]) continue;
      for_each_read(statement(i), [&](ValueId value) { read_here.insert(value); });
    }
    std::vector<Statement> before, kept;
    std::size_t condition_length = 0;
    Substitution copies;
    for (std::size_t i = 0; i < _body.statements.size(); ++i) {
      Statement& s = _body.statements[i];
      if (_leaves[i]) before.push_back(s);
      if (_leaves[i] && !copied[i]) continue;
      if (copied[i]) {
        s.out[0] = copies[s.out[0]] = fresh_like(_program, s.out[0]);
        _is_source.push_back(s.op == Op::source);
      }
      if (i < _body.condition_length) ++condition_length;
      kept.push_back(std::move(s));
    }
    _body.statements = std::move(kept);
    _body.condition_length = condition_length;
    substitute_reads(_body, copies);
    return before;
  }

  Program& _program;
  std::vector<bool>& _is_source;  ///< by ValueId, copies included
  const bool _likely;
  Block& _body;
  std::vector<std::size_t> _invariants;  ///< positions, ascending
  std::map<ValueId, std::size_t> _definition;
  std::vector<bool> _leaves;
};

void hoist_block(Program& program, std::vector<bool>& is_source, Block& block) {
  std::vector<Statement> statements;
  std::size_t condition_length = 0;
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    Statement& statement = block.statements[i];
    for (Block& region : statement.regions) hoist_block(program, is_source, region);
    if (statement.op == Op::while_) {
      // What is left may hang together in smaller groups, which are judged anew.
      const auto move_out = [&] {
        std::vector<Statement> hoisted = LoopHoister(program, is_source, statement).run();
        std::move(hoisted.begin(), hoisted.end(), std::back_inserter(statements));
        return !hoisted.empty();
      };
      while (move_out()) continue;
    }
    statements.push_back(std::move(statement));
    if (i < block.condition_length) condition_length = statements.size();
  }
  block.statements = std::move(statements);
  block.condition_length = condition_length;
}

}  // namespace

void hoist_invariants(Program& program) {
  std::vector<bool> is_source = find_sources(program);
  hoist_block(program, is_source, program.top);
}

}  // namespace kasen::optimizer
