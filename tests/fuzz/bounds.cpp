#include "tests/fuzz/bounds.h"

#include <algorithm>
#include <string>

#include "tests/fuzz/interpreter.h"
#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {
namespace {

/// The function with this text.
int operation_named(const std::string& text) {
  const auto& all = operations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Operation& o) { return o.text == text; });
  return static_cast<int>(found - all.begin());
}

Statement* find(Block& block, const Statement* wanted) {
  for (Statement& s : block) {
    if (&s == wanted) return &s;
    for (Block* inner : {&s.condition, &s.body, &s.otherwise}) {
      if (Statement* found = find(*inner, wanted)) return found;
    }
  }
  return nullptr;
}

/// Makes a statement harmless: what it computed is a small constant.
bool replace(Program& program, Statement& s) {
  if (s.kind != Statement::Kind::operation || s.essential) return false;
  const Variable& target = program.variables[static_cast<std::size_t>(s.target.variable)];
  s.kind = target.vector ? Statement::Kind::constant : Statement::Kind::value;
  s.space = target.space;
  s.operands = {Operand::number(target.type == Type::flag ? 1 : 2)};
  return true;
}

/// Keeps what a statement makes small: a second one after it, in the same place.
bool shrink_after(Program& program, Block& block, const Statement* culprit, bool exact) {
  static const int wraps[] = {operation_named("[](double x) { return x - 8 * std::floor(x / 8); }"),
                              operation_named("[](double x) { return x / (1 + kasen::abs(x)); }"),
                              operation_named("[](std::int64_t x) { return x % 64; }"),
                              operation_named("[](std::int32_t x) { return x % 16; }")};
  for (std::size_t k = 0; k < block.size(); ++k) {
    Statement& s = block[k];
    if (&s == culprit) {
      // Its operands were too large: the last statement before that stored to one of them and is in this block.
      for (std::size_t before = k; before-- > 0;) {
        const Statement& stored = block[before];
        if (stored.kind != Statement::Kind::operation || stored.target.variable < 0) continue;
        const bool feeds = std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
          return operand.kind == Operand::Kind::place && operand.place.variable == stored.target.variable &&
                 operand.place.element == stored.target.element;
        });
        const Variable& about = program.variables[static_cast<std::size_t>(stored.target.variable)];
        const bool number = about.type == Type::real || about.type == Type::int64 || about.type == Type::int32;
        if (!feeds || !about.vector || !number) continue;
        Statement wrap;
        wrap.operation = about.type == Type::int64   ? wraps[2]
                         : about.type == Type::int32 ? wraps[3]
                                                     : wraps[exact ? 0 : 1];
        if (stored.operation == wrap.operation) return false;
        wrap.target = stored.target;
        wrap.operands = {Operand::of(stored.target)};
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(before) + 1, wrap);
        return true;
      }
      return false;
    }
    for (Block* inner : {&s.condition, &s.body, &s.otherwise}) {
      if (shrink_after(program, *inner, culprit, exact)) return true;
    }
  }
  return false;
}

}  // namespace

bool keep_within_bounds(Program& program) {
  constexpr int kMostChanges = 40;
  for (int change = 0; change < kMostChanges; ++change) {
    Interpreter interpreter(program);
    try {
      interpreter.run();
      return true;
    } catch (const OutOfBounds&) {
      const Statement* culprit = interpreter.culprit();
      if (change < kMostChanges / 2 && shrink_after(program, program.body, culprit, program.exact)) continue;
      Statement* statement = find(program.body, culprit);
      if (statement == nullptr || !replace(program, *statement)) return false;
    }
  }
  return false;
}

}  // namespace kasen::tests::fuzz
