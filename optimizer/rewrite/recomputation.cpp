#include "optimizer/rewrite/recomputation.h"

#include <set>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {

std::vector<bool> find_sources(const Program& program) {
  std::vector<bool> is_source(program.values.size(), false);
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      if (statement.op == Op::source) is_source[index_of(statement.out[0])] = true;
    }
  });
  return is_source;
}

bool cheaper_from_outside(const Program& program, const std::vector<bool>& is_source, const Block& block,
                          const std::vector<std::size_t>& members, const std::vector<bool>& leaves) {
  const std::set<std::size_t> member(members.begin(), members.end());
  std::set<ValueId> made_here, made_by_members, read_by_members, read_by_others, stored_anyway;
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    const Statement& statement = block.statements[i];
    made_here.insert(statement.out.begin(), statement.out.end());
    if (member.contains(i)) {
      made_by_members.insert(statement.out[0]);
      read_by_members.insert(statement.in.begin(), statement.in.end());
    } else if (is_element_op(statement.op)) {
      for (std::size_t k = 0; k < statement.in.size() && !leaves[i]; ++k)
        (reads_whole(statement, k) ? stored_anyway : read_by_others).insert(statement.in[k]);
    } else if (!leaves[i]) {
      for_each_read(statement, [&](ValueId value) { stored_anyway.insert(value); });
    }
  }
  stored_anyway.insert(block.condition_yields.begin(), block.condition_yields.end());
  stored_anyway.insert(block.yields.begin(), block.yields.end());

  const auto bytes = [&](ValueId value) { return std::uint64_t{program.values[index_of(value)].type.read_bytes()}; };
  std::uint64_t saved = 0, added = 0;
  for (ValueId value : read_by_members) {
    const bool from_outside = !made_here.contains(value) && !is_source[index_of(value)];
    if (from_outside && !read_by_others.contains(value)) saved += bytes(value);
  }
  for (ValueId value : made_by_members) {
    if (stored_anyway.contains(value)) saved += bytes(value);
    if (read_by_others.contains(value)) added += bytes(value);
  }
  return saved >= added;
}

}  // namespace kasen::optimizer
