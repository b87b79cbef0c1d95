#include "tests/fuzz/shrink.h"

#include <algorithm>

namespace kasen::tests::fuzz {
namespace {

constexpr int kMostTries = 300;

enum class Change {
  drop,
  to_constant,
  to_first_batch,
  to_body,
  to_otherwise,
  to_names,
  fewer_rounds,
  to_one_element,
  to_source
};

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails)
      : _program(std::move(program)), _fails(fails) {}

  Program shrink() {
    drop_halves();
    int before = 0;
    do {
      before = size();
      change_statements();
      drop_entries();
      shorten_spaces();
    } while (size() < before && _tries < kMostTries);
    return std::move(_program);
  }

 private:
  int size() const {
    int size = 4 * count_statements(_program.body);
    for (const MatrixOf& matrix : _program.matrices) size += static_cast<int>(matrix.entries.size());
    for (const SpaceOf& space : _program.spaces) size += space.length;
    return size;
  }

  /// Takes a smaller program over if it still fails.
  bool take(Program smaller) {
    if (!well_formed(smaller) || ++_tries > kMostTries || !_fails(smaller)) return false;
    _program = std::move(smaller);
    return true;
  }

  /// Runs of top-level statements, the longest first.
  void drop_halves() {
    for (std::size_t length = _program.body.size() / 2; length >= 2; length /= 2) {
      for (std::size_t end = _program.body.size(); end >= length; end -= std::min(end, length)) {
        Program smaller = _program;
        const auto last = smaller.body.begin() + static_cast<std::ptrdiff_t>(end);
        smaller.body.erase(last - static_cast<std::ptrdiff_t>(length), last);
        take(std::move(smaller));
        end = std::min(end, _program.body.size());
        if (end == 0) break;
      }
    }
  }

  void change_statements() {
    for (int k = count_statements(_program.body); k-- > 0;) {
      for (const Change change :
           {Change::drop, Change::to_body, Change::to_otherwise, Change::to_names, Change::fewer_rounds,
            Change::to_constant, Change::to_first_batch, Change::to_one_element, Change::to_source}) {
        if (k >= count_statements(_program.body)) break;
        Program smaller = _program;
        int number = k;
        if (apply(smaller, smaller.body, number, change) && take(std::move(smaller)) && change == Change::drop) break;
      }
    }
  }

  /// Changes statement `number` in pre-order. @return whether there was anything to change.
  bool apply(const Program& program, Block& block, int& number, Change change) {
    for (std::size_t k = 0; k < block.size(); ++k) {
      if (number-- == 0) return apply(program, block, k, change);
      for (Block* inner : {&block[k].condition, &block[k].body, &block[k].otherwise}) {
        const int within = count_statements(*inner);
        if (number < within) return apply(program, *inner, number, change);
        number -= within;
      }
    }
    return false;
  }

  bool apply(const Program& program, Block& block, std::size_t k, Change change) {
    Statement& s = block[k];
    const auto at = block.begin() + static_cast<std::ptrdiff_t>(k);
    using Kind = Statement::Kind;
    switch (change) {
      case Change::drop:
        if (s.essential) return false;
        block.erase(at);
        return true;
      case Change::to_body:
      case Change::to_otherwise: {
        Block inner = change == Change::to_body ? s.body : s.otherwise;
        if (inner.empty()) return false;
        for (Statement& moved : inner) moved.essential = false;
        block.insert(block.erase(at), inner.begin(), inner.end());
        return true;
      }
      case Change::fewer_rounds:
        if (s.kind != Kind::counted || s.times < 2) return false;
        s.times = 1;
        return true;
      case Change::to_constant: {
        if (s.kind != Kind::operation && s.kind != Kind::copy && s.kind != Kind::random && s.kind != Kind::batch)
          return false;
        if (s.essential) return false;
        const Variable& target = program.variables[static_cast<std::size_t>(s.target.variable)];
        s.kind = target.vector ? Kind::constant : Kind::value;
        s.space = target.space;
        s.operands = {Operand::number(1)};
        return true;
      }
      case Change::to_names:
        if (!s.temporaries) return false;
        s.temporaries = false;
        return true;
      case Change::to_first_batch:
        if (s.batch.kind != Operand::Kind::place) return false;
        s.batch = Operand::number(0);
        return true;
      case Change::to_one_element: {
        if (s.kind != Kind::array) return false;
        const auto other = [&](const Operand& operand) { return operand.place != s.operands[0].place; };
        if (std::none_of(s.operands.begin(), s.operands.end(), other)) return false;
        s.operands.assign(s.operands.size(), Operand(s.operands[0]));
        return true;
      }
      case Change::to_source: {  // a copy of a copy
        if (s.kind != Kind::copy) return false;
        const Statement* const from = copy_into(program.body, s.operands[0].place);
        if (from == nullptr || from->operands[0].place == s.operands[0].place) return false;
        s.operands[0] = Operand(from->operands[0]);
        return true;
      }
    }
    return false;
  }

  /// The first statement that copies into this variable, if there is one.
  static const Statement* copy_into(const Block& block, const Place& place) {
    for (const Statement& s : block) {
      if (s.kind == Statement::Kind::copy && s.target == place) return &s;
      for (const Block* inner : {&s.condition, &s.body, &s.otherwise}) {
        if (const Statement* const found = copy_into(*inner, place)) return found;
      }
    }
    return nullptr;
  }

  void drop_entries() {
    for (std::size_t m = 0; m < _program.matrices.size(); ++m) {
      for (std::size_t length = (_program.matrices[m].entries.size() + 1) / 2; length >= 1; length /= 2) {
        for (std::size_t first = 0; first < _program.matrices[m].entries.size();) {
          Program smaller = _program;
          auto& entries = smaller.matrices[m].entries;
          const std::size_t last = std::min(first + length, entries.size());
          entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(first),
                        entries.begin() + static_cast<std::ptrdiff_t>(last));
          if (!take(std::move(smaller))) first += length;
          if (_tries > kMostTries) return;
        }
      }
    }
  }

  void shorten_spaces() {
    for (std::size_t k = 0; k < _program.spaces.size(); ++k) {
      for (const int shorter : {1, 2, 3, _program.spaces[k].length / 2}) {
        if (shorter >= _program.spaces[k].length) continue;
        const auto taken = [&](const SpaceOf& space) { return space.length == shorter; };
        Program smaller = _program;
        // One space told apart from all others stays so; others need a length of their own.
        if (std::any_of(smaller.spaces.begin(), smaller.spaces.end(), taken)) smaller.spaces[k].separate = true;
        const auto here = [&](const BatchesOf& all) { return all.space == static_cast<int>(k); };
        const auto in_batches = [&](const MatrixOf& matrix) {
          return matrix.batches > 0 && matrix.rows == static_cast<int>(k);
        };
        if ((shorter == 0 || smaller.spaces[k].separate) &&
            (std::any_of(smaller.batches.begin(), smaller.batches.end(), here) ||
             std::any_of(smaller.matrices.begin(), smaller.matrices.end(), in_batches)))
          continue;
        smaller.spaces[k].length = shorter;
        for (MatrixOf& matrix : smaller.matrices) {
          std::erase_if(matrix.entries, [&](const NonZero& entry) {
            return entry.row >= smaller.spaces[static_cast<std::size_t>(matrix.rows)].length ||
                   entry.column >= smaller.spaces[static_cast<std::size_t>(matrix.columns)].length;
          });
          // Their entries are in the first column.
          if (smaller.spaces[static_cast<std::size_t>(matrix.columns)].length == 0) matrix.more = 0;
        }
        if (take(std::move(smaller))) break;
      }
    }
  }

  Program _program;
  const std::function<bool(const Program&)>& _fails;
  int _tries = 0;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  return Shrinker(std::move(program), fails).shrink();
}

}  // namespace kasen::tests::fuzz
