#include "optimizer/rewrite/renames.h"

#include <algorithm>
#include <vector>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

template <class T>
void erase_at(std::vector<T>& list, std::size_t k) {
  if (!list.empty()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
}

class Renamer {
 public:
  void run(Program& program) {
    // A rename of an argument can make further ones: what is read is brought up to date between walks.
    do {
      _renamed.clear();
      visit(program.top);
      for (auto& [from, to] : _renamed) to = resolved(to);
      substitute_reads(program.top, _renamed);
      for (LiveOut& live : program.live_out) live.value = substituted(_renamed, live.value);
    } while (!_renamed.empty());
  }

 private:
  ValueId resolved(ValueId value) const {
    for (auto found = _renamed.find(value); found != _renamed.end(); found = _renamed.find(value)) {
      value = found->second;
    }
    return value;
  }
  bool same(ValueId a, ValueId b) const { return resolved(a) == resolved(b); }

  void visit(Block& block) {
    std::vector<Statement> kept;
    std::size_t condition_length = 0;
    for (std::size_t i = 0; i < block.statements.size(); ++i) {
      Statement& statement = block.statements[i];
      if (statement.returns >= 0) {
        const auto& operands = statement.op == Op::apply ? statement.shared : statement.in;
        _renamed[statement.out[0]] = operands[static_cast<std::size_t>(statement.returns)];
        continue;
      }
      for (Block& region : statement.regions) visit(region);
      if (statement.op == Op::while_) visit_loop(statement);
      if (statement.op == Op::if_) visit_branch(statement);
      if (i < block.condition_length) ++condition_length;
      kept.push_back(std::move(statement));
    }
    block.statements = std::move(kept);
    block.condition_length = condition_length;
  }

  void visit_loop(Statement& loop) {
    Block& body = loop.regions[0];
    const auto after_condition = [&](std::size_t k) {
      return body.condition_yields.empty() ? body.arguments[k] : body.condition_yields[k];
    };
    for (std::size_t k = 0; k < body.arguments.size();) {
      const ValueId argument = body.arguments[k];
      if (argument == body.test) {
        ++k;
        continue;
      }
      ValueId as = kNone<ValueId>, result = kNone<ValueId>;
      if (same(body.yields[k], argument) && same(after_condition(k), argument)) as = result = loop.in[k];
      for (std::size_t j = 0; j < k && as == kNone<ValueId>; ++j) {
        // The same history if the one may stand for the other.
        const auto becomes = [&](ValueId value) { return same(value, argument) ? body.arguments[j] : value; };
        const bool alike = same(loop.in[j], loop.in[k]) && same(body.yields[j], becomes(body.yields[k])) &&
                           same(after_condition(j), becomes(after_condition(k)));
        if (alike) as = body.arguments[j], result = loop.out[j];
      }
      if (as == kNone<ValueId>) {
        ++k;
        continue;
      }
      _renamed[argument] = as;
      _renamed[loop.out[k]] = result;
      for (auto* list : {&loop.in, &loop.out, &body.arguments, &body.yields, &body.condition_yields})
        erase_at(*list, k);
    }
  }

  void visit_branch(Statement& branch) {
    std::vector<ValueId>&then = branch.regions[0].yields, &otherwise = branch.regions[1].yields;
    for (std::size_t k = 0; k < branch.out.size();) {
      ValueId as = kNone<ValueId>;
      if (same(then[k], otherwise[k])) as = then[k];  // both sides see it, so it comes from outside
      for (std::size_t j = 0; j < k && as == kNone<ValueId>; ++j) {
        if (same(then[j], then[k]) && same(otherwise[j], otherwise[k])) as = branch.out[j];
      }
      if (as == kNone<ValueId>) {
        ++k;
        continue;
      }
      _renamed[branch.out[k]] = as;
      for (auto* list : {&branch.out, &then, &otherwise}) erase_at(*list, k);
    }
  }

  Substitution _renamed;
};

}  // namespace

void rename_copies(Program& program) { Renamer().run(program); }

}  // namespace kasen::optimizer
