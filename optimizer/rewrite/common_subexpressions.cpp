#include "optimizer/rewrite/common_subexpressions.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/recomputation.h"

namespace kasen::optimizer {
namespace {

class Merger {
 public:
  Merger(Program& program, const PlacementStats& stats)
      : _program(program), _stats(stats), _is_source(find_sources(program)) {
    for (std::size_t v = 0; v < program.values.size(); ++v) _equal_to.push_back(static_cast<ValueId>(v));
    find_stored();
  }

  /// @return whether a statement was dropped.
  bool run() {
    visit(_program.top);
    substitute_reads(_program.top, _merged);
    for (LiveOut& live : _program.live_out) live.value = substituted(_merged, live.value);
    return !_merged.empty();
  }

 private:
  using Key = std::vector<std::uint64_t>;
  /// Values that can be read at some point, by the first one equal to each and by whether it is stored (of sources).
  using Available = std::map<std::pair<ValueId, bool>, ValueId>;

  /// Values that something else than element work of a sweep reads.
  void find_stored() {
    _stored.assign(_program.values.size(), false);
    const auto store = [&](ValueId value) { _stored[index_of(value)] = true; };
    for (const LiveOut& live : _program.live_out) store(live.value);
    for_each_block(_program.top, [&](const Block& block) {
      for (const Statement& statement : block.statements) {
        for (std::size_t k = 0; k < statement.in.size(); ++k) {
          if (!is_element_op(statement.op) || reads_whole(statement, k)) store(statement.in[k]);
        }
      }
      for (const auto* yields : {&block.condition_yields, &block.yields}) {
        for (ValueId value : *yields) store(value);
      }
    });
  }

  static bool known_by_reducer(const Statement& statement) {
    return statement.op == Op::reduce || statement.op == Op::reduce_by_key;
  }

  static bool can_merge(const Statement& statement) {
    if (known_by_reducer(statement)) return true;  // its reducer says which function it is
    const bool computes =
        is_element_op(statement.op) || statement.op == Op::mxv || statement.op == Op::mxvt || statement.op == Op::apply;
    return computes && statement.function != kNone<FunctionId>;
  }

  bool goes_over_symmetric(const Statement& statement) const {
    return is_matrix_op(statement.op) && _stats.matrices.at(index_of(statement.matrix)).symmetric;
  }

  Key key_of(const Statement& statement) const {
    const Value& out = _program.values[index_of(statement.out[0])];
    const Op op = goes_over_symmetric(statement) ? Op::mxv : statement.op;
    Key key{static_cast<std::uint64_t>(op),
            index_of(statement.function),
            index_of(statement.matrix),
            index_of(statement.reducer),
            index_of(out.space),
            out.type.bytes,
            out.type.hash,
            statement.in.size(),
            statement.inputs};
    if (known_by_reducer(statement)) key[1] = 0;
    for (const auto* operands : {&statement.in, &statement.shared}) {
      for (ValueId value : *operands) key.push_back(index_of(_equal_to[index_of(value)]));
    }
    return key;
  }

  void visit(Block& block) {
    _scopes.emplace_back();
    std::vector<bool> dropped(block.statements.size(), false);
    for (std::size_t i = 0; i < block.statements.size(); ++i) {
      for (Block& region : block.statements[i].regions) visit(region);
      if (can_merge(block.statements[i])) dropped[i] = merge(block, i, dropped);
    }
    _scopes.pop_back();
    std::size_t kept = 0, condition_length = 0;
    for (std::size_t i = 0; i < block.statements.size(); ++i) {
      if (dropped[i]) continue;
      if (i < block.condition_length) ++condition_length;
      if (kept != i) block.statements[kept] = std::move(block.statements[i]);
      ++kept;
    }
    block.statements.resize(kept);
    block.condition_length = condition_length;
  }

  /// @return whether the statement is dropped for an equal one.
  bool merge(const Block& block, std::size_t i, const std::vector<bool>& dropped) {
    const Statement& statement = block.statements[i];
    const ValueId out = statement.out[0];
    const ValueId equal = _first.try_emplace(key_of(statement), out).first->second;
    _equal_to[index_of(out)] = equal;
    const std::pair at{equal, statement.op == Op::source && _stored[index_of(out)]};
    for (std::size_t depth = _scopes.size(); depth-- > 0;) {
      const auto found = _scopes[depth].find(at);
      if (found == _scopes[depth].end()) continue;
      if (depth + 1 < _scopes.size() && !worth_reading(block, i, dropped)) break;
      _merged[out] = found->second;
      return true;
    }
    _scopes.back().emplace(at, out);
    return false;
  }

  bool worth_reading(const Block& block, std::size_t i, const std::vector<bool>& dropped) const {
    const Op op = block.statements[i].op;
    if (op == Op::source) return false;
    return op != Op::element || cheaper_from_outside(_program, _is_source, block, {i}, dropped);
  }

  Program& _program;
  const PlacementStats& _stats;
  const std::vector<bool> _is_source;
  std::vector<bool> _stored;
  std::vector<ValueId> _equal_to;  ///< by ValueId: the first value known to be equal
  std::map<Key, ValueId> _first;
  std::vector<Available> _scopes;  ///< of the blocks around, the innermost last
  Substitution _merged;
};

}  // namespace

void merge_common_subexpressions(Program& program, const PlacementStats& stats) {
  // With statements that are gone, fewer sources are stored and fewer vectors read.
  while (Merger(program, stats).run()) continue;
}

}  // namespace kasen::optimizer
