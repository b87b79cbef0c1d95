#include "kasen/base/program_tools.h"

#include <algorithm>

namespace kasen {
namespace {

void substitute(std::vector<ValueId>& values, const Substitution& substitution) {
  for (ValueId& value : values) value = substituted(substitution, value);
}

void define_fresh(Program& program, std::vector<ValueId>& values, Substitution& substitution) {
  for (ValueId& value : values) {
    const ValueId fresh = fresh_like(program, value);
    substitution[value] = fresh;
    value = fresh;
  }
}

void clone_into(Program& program, std::vector<Statement>& statements, Substitution& substitution) {
  for (Statement& statement : statements) {
    substitute(statement.in, substitution);
    substitute(statement.shared, substitution);
    for (Block& region : statement.regions) {
      define_fresh(program, region.arguments, substitution);
      clone_into(program, region.statements, substitution);
      if (region.test != kNone<ValueId>) region.test = substituted(substitution, region.test);
      substitute(region.condition_yields, substitution);
      substitute(region.yields, substitution);
    }
    define_fresh(program, statement.out, substitution);
  }
}

}  // namespace

ValueId fresh_like(Program& program, ValueId value) {
  program.values.push_back(program.values[index_of(value)]);
  return static_cast<ValueId>(program.values.size() - 1);
}

void substitute_reads(Block& block, const Substitution& substitution) {
  substitute_reads(block.statements, substitution);
  if (block.test != kNone<ValueId>) block.test = substituted(substitution, block.test);
  substitute(block.condition_yields, substitution);
  substitute(block.yields, substitution);
}

void substitute_reads(std::vector<Statement>& statements, const Substitution& substitution) {
  for (Statement& statement : statements) {
    substitute(statement.in, substitution);
    substitute(statement.shared, substitution);
    for (Block& region : statement.regions) substitute_reads(region, substitution);
  }
}

std::vector<Statement> clone(Program& program, const std::vector<Statement>& statements, Substitution& substitution) {
  std::vector<Statement> copy = statements;
  clone_into(program, copy, substitution);
  return copy;
}

void for_each_read(const Statement& statement, const std::function<void(ValueId)>& use) {
  for (ValueId value : statement.in) use(value);
  for (ValueId value : statement.shared) use(value);
  for (const Block& region : statement.regions) {
    std::set<ValueId> inside(region.arguments.begin(), region.arguments.end());
    const auto use_outside = [&](ValueId value) {
      if (value != kNone<ValueId> && !inside.contains(value)) use(value);
    };
    for (const Statement& nested : region.statements) {
      for_each_read(nested, use_outside);
      inside.insert(nested.out.begin(), nested.out.end());
    }
    use_outside(region.test);
    for (ValueId value : region.condition_yields) use_outside(value);
    for (ValueId value : region.yields) use_outside(value);
  }
}

std::vector<std::vector<std::size_t>> groups_by_value(std::vector<std::set<ValueId>> sets) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::set<ValueId>> touched;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    std::vector<std::size_t> group{i};
    std::set<ValueId>& values = sets[i];
    for (std::size_t g = groups.size(); g-- > 0;) {
      if (std::none_of(values.begin(), values.end(), [&](ValueId v) { return touched[g].contains(v); })) continue;
      group.insert(group.end(), groups[g].begin(), groups[g].end());
      values.merge(touched[g]);
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
      touched.erase(touched.begin() + static_cast<std::ptrdiff_t>(g));
    }
    groups.push_back(std::move(group));
    touched.push_back(std::move(values));
  }
  return groups;
}

bool has_effect(const Statement& statement) {
  return statement.effect || std::any_of(statement.regions.begin(), statement.regions.end(), [](const Block& region) {
           return std::any_of(region.statements.begin(), region.statements.end(), has_effect);
         });
}

bool has_active_products(const Block& block) {
  return std::any_of(block.statements.begin(), block.statements.end(),
                     [](const Statement& statement) { return is_of_active(statement); });
}

void for_each_block(Block& block, const std::function<void(Block&)>& visit) {
  visit(block);
  for (Statement& statement : block.statements) {
    for (Block& region : statement.regions) for_each_block(region, visit);
  }
}

void for_each_block(const Block& block, const std::function<void(const Block&)>& visit) {
  visit(block);
  for (const Statement& statement : block.statements) {
    for (const Block& region : statement.regions) for_each_block(region, visit);
  }
}

Ddag make_ddag(const Block& block) {
  Ddag ddag;
  ddag.before.resize(block.statements.size());
  constexpr std::size_t kNowhere = ~std::size_t{0};
  std::vector<std::size_t> defined, gathered;  // by ValueId: where in this block
  const auto note = [&](std::vector<std::size_t>& where, ValueId value, std::size_t i) {
    if (where.size() <= index_of(value)) where.resize(index_of(value) + 1, kNowhere);
    where[index_of(value)] = i;
  };
  const auto noted = [&](const std::vector<std::size_t>& where, ValueId value) {
    return index_of(value) < where.size() ? where[index_of(value)] : kNowhere;
  };
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    const Statement& statement = block.statements[i];
    for (ValueId value : statement.out) note(defined, value, i);
    if (statement.op == Op::gather) note(gathered, statement.in[0], i);
  }
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    for_each_read(block.statements[i], [&](ValueId value) {
      const std::size_t definition = noted(defined, value), gather = noted(gathered, value);
      if (definition != kNowhere) ddag.before[i].push_back(definition);
      if (gather != kNowhere && gather != i) ddag.before[gather].push_back(i);
    });
  }
  for (auto& list : ddag.before) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return ddag;
}

std::uint64_t count_operations(const Block& block) {
  std::uint64_t count = 0;
  for_each_block(block, [&](const Block& each) {
    for (const Statement& statement : each.statements) {
      const bool control = statement.op == Op::while_ || statement.op == Op::if_;
      count += control || statement.op == Op::apply ? 0 : 1;
    }
  });
  return count;
}

}  // namespace kasen
