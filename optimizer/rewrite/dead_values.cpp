#include "optimizer/rewrite/dead_values.h"

#include <algorithm>
#include <set>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

template <class T>
void keep_only(std::vector<T>& list, const std::vector<bool>& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (keep[i]) list[kept++] = list[i];
  }
  list.resize(kept);
}

class Marker {
 public:
  void mark(const Program& program) {
    for (const LiveOut& live : program.live_out) _live.insert(live.value);
    mark(program.top);
  }
  bool live(ValueId value) const { return _live.contains(value); }

 private:
  void mark(const Block& block) {
    for (auto statement = block.statements.rbegin(); statement != block.statements.rend(); ++statement)
      mark(*statement);
  }

  void mark(const Statement& statement) {
    const bool read = std::any_of(statement.out.begin(), statement.out.end(), [&](ValueId out) { return live(out); });
    if (!read && !has_effect(statement)) return;
    switch (statement.op) {
      case Op::while_:
        return mark_loop(statement);
      case Op::if_:
        _live.insert(statement.shared[0]);
        for (const Block& region : statement.regions) {
          for (std::size_t k = 0; k < statement.out.size(); ++k) {
            if (live(statement.out[k])) _live.insert(region.yields[k]);
          }
          mark(region);
        }
        return;
      default:
        _live.insert(statement.in.begin(), statement.in.end());
        _live.insert(statement.shared.begin(), statement.shared.end());
    }
  }

  // An argument is live if the body reads it or the result is live; a live argument makes its yields live, which may
  // make further arguments live: iterate to the fixed point.
  void mark_loop(const Statement& statement) {
    const Block& body = statement.regions[0];
    _live.insert(body.test);
    std::size_t before = 0;
    do {
      before = _live.size();
      for (std::size_t k = 0; k < body.arguments.size(); ++k) {
        const bool condition_read = !body.condition_yields.empty() && live(body.condition_yields[k]);
        if (live(statement.out[k]) || live(body.arguments[k]) || condition_read) {
          _live.insert(body.arguments[k]);
          _live.insert(body.yields[k]);
          if (!body.condition_yields.empty()) _live.insert(body.condition_yields[k]);
          _live.insert(statement.in[k]);
        }
      }
      mark(body);
    } while (_live.size() != before);
  }

  std::set<ValueId> _live;
};

void sweep(Block& block, const Marker& marker) {
  std::vector<Statement> kept;
  std::size_t condition_length = 0;
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    Statement& statement = block.statements[i];
    std::vector<bool> keep;
    for (ValueId out : statement.out) keep.push_back(marker.live(out));
    if (std::find(keep.begin(), keep.end(), true) == keep.end() && !has_effect(statement)) continue;
    if (statement.op == Op::while_) {
      Block& body = statement.regions[0];
      for (std::size_t k = 0; k < keep.size(); ++k) keep[k] = marker.live(body.arguments[k]);
      keep_only(statement.in, keep);
      keep_only(body.arguments, keep);
      keep_only(body.yields, keep);
      if (!body.condition_yields.empty()) keep_only(body.condition_yields, keep);
      keep_only(statement.out, keep);
    } else if (statement.op == Op::if_) {
      for (Block& region : statement.regions) keep_only(region.yields, keep);
      keep_only(statement.out, keep);
    }
    for (Block& region : statement.regions) sweep(region, marker);
    if (i < block.condition_length) ++condition_length;
    kept.push_back(std::move(statement));
  }
  block.statements = std::move(kept);
  block.condition_length = condition_length;
}

}  // namespace

void remove_dead_values(Program& program) {
  Marker marker;
  marker.mark(program);
  sweep(program.top, marker);
}

}  // namespace kasen::optimizer
