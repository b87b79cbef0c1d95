#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {
namespace {

class Scopes {
 public:
  explicit Scopes(const Program& program)
      : _known(program.variables.size()),
        _counters(static_cast<std::size_t>(program.counters)),
        _unmade(late_matrices(program)) {}

  bool block(const Block& block) {
    std::vector<std::size_t> made;
    const bool fine = statements(block, made);
    for (std::size_t variable : made) _known[variable] = false;
    return fine;
  }

 private:
  bool known(Place place) const { return place.variable >= 0 && _known[static_cast<std::size_t>(place.variable)]; }

  bool statements(const Block& block, std::vector<std::size_t>& made) {
    for (const Statement& s : block) {
      std::vector<Operand> operands = s.operands;
      operands.push_back(s.batch);
      for (const Operand& operand : operands) {
        if (operand.kind == Operand::Kind::place && !known(operand.place)) return false;
        if (operand.kind == Operand::Kind::counter && !_counters[static_cast<std::size_t>(operand.counter)]) {
          return false;
        }
      }
      if (s.kind == Statement::Kind::matrix) _unmade[static_cast<std::size_t>(s.matrix)] = false;
      if (s.kind == Statement::Kind::operation && s.matrix >= 0 && _unmade[static_cast<std::size_t>(s.matrix)]) {
        return false;
      }
      if (!nested(s)) return false;
      if (s.declares) {
        _known[static_cast<std::size_t>(s.target.variable)] = true;
        made.push_back(static_cast<std::size_t>(s.target.variable));
      } else if (s.target.variable >= 0 && !known(s.target)) {
        return false;
      }
    }
    return true;
  }

  bool nested(const Statement& s) {
    if (s.kind == Statement::Kind::loop) {
      std::vector<std::size_t> made;
      const bool fine = statements(s.condition, made) && known(s.test);
      for (std::size_t variable : made) _known[variable] = false;
      return fine && block(s.body);
    }
    if (s.kind == Statement::Kind::branch) return known(s.test) && block(s.body) && block(s.otherwise);
    if (s.kind == Statement::Kind::attempt) return block(s.body);
    if (s.kind != Statement::Kind::counted) return true;
    _counters[static_cast<std::size_t>(s.counter)] = true;
    const bool fine = block(s.body);
    _counters[static_cast<std::size_t>(s.counter)] = false;
    return fine;
  }

  std::vector<char> _known, _counters, _unmade;
};

}  // namespace

bool well_formed(const Program& program) { return Scopes(program).block(program.body); }

int count_statements(const Block& block) {
  int count = 0;
  for (const Statement& s : block) {
    count += 1 + count_statements(s.condition) + count_statements(s.body) + count_statements(s.otherwise);
  }
  return count;
}

void for_each_statement(const Block& block, const std::function<void(const Statement&, int)>& visit, int depth) {
  for (const Statement& s : block) {
    visit(s, depth);
    for (const Block* inner : {&s.condition, &s.body, &s.otherwise}) for_each_statement(*inner, visit, depth + 1);
  }
}

int height_of(const MatrixOf& all, const Program& program) {
  return program.spaces[static_cast<std::size_t>(all.rows)].length * all.batches + all.more;
}

std::vector<char> late_matrices(const Program& program) {
  std::vector<char> late(program.matrices.size());
  for_each_statement(program.body, [&](const Statement& s, int) {
    if (s.kind == Statement::Kind::matrix) late[static_cast<std::size_t>(s.matrix)] = true;
  });
  return late;
}

}  // namespace kasen::tests::fuzz
