#include "optimizer/search/fusion_space.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace kasen::optimizer {
namespace {

bool computes(const Statement& statement) { return is_matrix_op(statement.op) || is_element_op(statement.op); }

/// Only loops make a block deeper: each side of a branch counts once.
void add_blocks(const Block& block, int depth, const SweepMaker& maker, std::vector<FusionBlock>& blocks) {
  blocks.push_back({&block, depth, maker.ddag_of(block), maker.left_to_readers(block), {}, {}});
  for (const Statement& statement : block.statements) {
    for (const Block& region : statement.regions) {
      add_blocks(region, depth + (statement.op == Op::while_ ? 1 : 0), maker, blocks);
    }
  }
}

/// Indices of the block's statements, each after all it waits for; by index where it is free.
std::vector<std::size_t> in_order(const Ddag& ddag) {
  const std::size_t n = ddag.before.size();
  std::vector<std::size_t> order;
  std::vector<bool> placed(n);
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < n; ++i) {
      const auto& before = ddag.before[i];
      if (placed[i] || !std::all_of(before.begin(), before.end(), [&](std::size_t j) { return placed[j]; })) continue;
      order.push_back(i);
      placed[i] = found = true;
    }
  }
  return order;
}

void find_reach(FusionBlock& block, const std::vector<std::size_t>& order) {
  const std::size_t n = block.ddag.before.size();
  block.before.assign(n, BitSet(n));
  block.after.assign(n, BitSet(n));
  for (std::size_t i : order) {
    for (std::size_t j : block.ddag.before[i]) {
      block.before[i] |= block.before[j];
      block.before[i].insert(j);
    }
  }
  for (std::size_t j : order) block.before[j].for_each([&](std::size_t i) { block.after[i].insert(j); });
}

/// Whether one of the statements reads what the other makes, and has to wait until that is complete.
bool apart(const FusionBlock& block, std::size_t i, std::size_t j) {
  const std::vector<Statement>& statements = block.block->statements;
  const auto waits = [&](std::size_t reader, std::size_t maker) {
    const std::vector<std::size_t>& before = block.ddag.before[reader];
    return std::find(before.begin(), before.end(), maker) != before.end() &&
           SweepMaker::waits_for_all(statements[reader], statements[maker]);
  };
  return waits(i, j) || waits(j, i);
}

/// Whether some sweep could hold both of two statements alike: nothing of another kind lies between them.
bool fusible(const FusionBlock& block, const SweepMaker& maker, std::size_t i, std::size_t j) {
  const std::vector<Statement>& statements = block.block->statements;
  if (apart(block, i, j)) return false;
  if (block.before[i].contains(j)) std::swap(i, j);
  if (is_matrix_op(statements[i].op)) return !block.before[j].contains(i);
  BitSet between = block.after[i];
  between &= block.before[j];
  const auto other_kind = [&](std::size_t k) {
    return !computes(statements[k]) || !maker.alike(statements[i], statements[k]);
  };
  return between.find_first(other_kind) == BitSet::kNowhere;
}

/// A product and element work or a product in the other direction, over the space that the first makes: some mixed
/// sweep could hold both. A product pushes only beside one that pulls, but where it never does.
bool can_mix(const FusionBlock& block, const SweepMaker& maker, std::size_t i, std::size_t j) {
  if (apart(block, i, j)) return false;
  const std::vector<Statement>& statements = block.block->statements;
  const bool turned = !is_matrix_op(statements[i].op) || block.before[i].contains(j);
  if (turned && is_matrix_op(statements[j].op)) std::swap(i, j);
  const Statement &pull = statements[i], &other = statements[j];
  if (!is_matrix_op(pull.op) || block.before[i].contains(j) || is_of_active(pull) || is_of_active(other)) return false;
  if (only_pushes(pull)) return false;
  if (is_matrix_op(other.op) ? !are_of_one_matrix(other, pull) || other.op == pull.op : !is_element_op(other.op))
    return false;
  const SpaceId walked = maker.space_of(pull);
  const auto fits = [&](const Statement& statement) {
    return is_matrix_op(statement.op) ? maker.space_read(statement) == walked : maker.space_of(statement) == walked;
  };
  if (!fits(other)) return false;
  BitSet between = block.after[i];
  between &= block.before[j];
  const auto other_kind = [&](std::size_t k) { return !is_element_op(statements[k].op) || !fits(statements[k]); };
  return between.find_first(other_kind) == BitSet::kNowhere;
}

void add_components(const FusionBlock& block, std::size_t number, const std::vector<std::size_t>& order,
                    const SweepMaker& maker, bool mixed, std::vector<FusionComponent>& components) {
  const std::vector<Statement>& statements = block.block->statements;
  std::vector<std::size_t> joined_to(statements.size());
  std::iota(joined_to.begin(), joined_to.end(), std::size_t{0});
  std::vector<std::size_t> members;
  for (std::size_t i : order) {
    if (!block.left.contains(i) && computes(statements[i])) members.push_back(i);
  }
  for (std::size_t i : members) {
    for (std::size_t j : members) {
      if (j == i) break;
      if (joined_to[i] == joined_to[j]) continue;
      const bool together = maker.alike(statements[j], statements[i]) ? fusible(block, maker, j, i)
                                                                      : mixed && can_mix(block, maker, j, i);
      if (!together) continue;
      const std::size_t joined = joined_to[i];
      for (std::size_t& c : joined_to) {
        if (c == joined) c = joined_to[j];
      }
    }
  }
  std::map<std::size_t, std::size_t> component_of;
  for (std::size_t i : members) {
    const auto [found, is_new] = component_of.emplace(joined_to[i], components.size());
    if (is_new) {
      const bool matrix = is_matrix_op(statements[i].op);
      components.push_back({number, matrix ? Template::matrix : Template::elements, {}});
    }
    FusionComponent& component = components[found->second];
    if (!component.statements.empty() && !maker.alike(statements[component.statements[0]], statements[i]))
      component.kind = Template::mixed;
    component.statements.push_back(i);
  }
}

}  // namespace

bool FusionSpace::can_join(const FusionComponent& component, const BitSet& sweep, std::size_t statement) const {
  const FusionBlock& block = blocks[component.block];
  if (component.kind == Template::mixed && !mixes(block, sweep, statement)) return false;
  for (std::size_t member : component.statements) {
    if (!sweep.contains(member)) continue;
    if (apart(block, member, statement)) return false;
    if (component.kind == Template::matrix) {
      if (block.before[statement].contains(member) || block.after[statement].contains(member)) return false;
      continue;
    }
    BitSet between = block.after[member];
    between &= block.before[statement];
    if (!between.within(sweep)) return false;
    between = block.before[member];
    between &= block.after[statement];
    if (!between.within(sweep)) return false;
  }
  return true;
}

/// One matrix, one space of element work, which all products touch; what makes something in the sweep pulls, what reads
/// something made in it pushes.
bool FusionSpace::mixes(const FusionBlock& block, const BitSet& sweep, std::size_t statement) const {
  const std::vector<Statement>& statements = block.block->statements;
  BitSet all = sweep;
  all.insert(statement);
  std::vector<const Statement*> products, elements;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (!all.contains(i)) continue;
    (is_matrix_op(statements[i].op) ? products : elements).push_back(&statements[i]);
    if (!is_matrix_op(statements[i].op)) continue;
    const bool pushes = block.before[i].meets(all), pulls = block.after[i].meets(all);
    if (pushes && pulls) return false;
  }
  if (products.empty() || elements.empty()) {
    const Statement& first = products.empty() ? *elements.front() : *products.front();
    return std::all_of(products.begin(), products.end(),
                       [&](const Statement* product) { return are_of_one_matrix(*product, first); }) &&
           std::all_of(elements.begin(), elements.end(),
                       [&](const Statement* element) { return _maker->alike(first, *element); });
  }
  const SpaceId walked = _maker->space_of(*elements.front());
  return std::all_of(elements.begin(), elements.end(),
                     [&](const Statement* element) { return _maker->space_of(*element) == walked; }) &&
         std::all_of(products.begin(), products.end(), [&](const Statement* product) {
           const bool touches = _maker->space_of(*product) == walked || _maker->space_read(*product) == walked;
           return are_of_one_matrix(*product, *products.front()) && touches;
         });
}

FusionSpace make_fusion_space(const StatedProgram& stated, const SweepMaker& maker, bool mixed) {
  FusionSpace space;
  space._maker = &maker;
  add_blocks(stated.program.top, 0, maker, space.blocks);
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    const std::vector<std::size_t> order = in_order(space.blocks[b].ddag);
    find_reach(space.blocks[b], order);
    add_components(space.blocks[b], b, order, maker, mixed, space.components);
  }
  return space;
}

std::vector<ValueId> materialisation_points(const StatedProgram& stated) {
  const FusionOptions options;
  const SweepMaker maker(stated, options, nullptr);
  std::set<ValueId> held;
  for (const Result& result : stated.results) held.insert(result.held);
  std::vector<ValueId> points;
  for (const FusionBlock& block : make_fusion_space(stated, maker).blocks) {
    const std::vector<Statement>& statements = block.block->statements;
    std::map<ValueId, std::vector<std::size_t>> readers;
    for (ValueId value : block.block->yields) held.insert(value);
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const Statement& statement = statements[i];
      for_each_read(statement, [&](ValueId value) {
        if (statement.op != Op::element && !is_reduction(statement.op)) held.insert(value);
        if (readers[value].empty() || readers[value].back() != i) readers[value].push_back(i);
      });
    }
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (statements[i].op != Op::element) continue;
      const ValueId out = statements[i].out[0];
      const std::vector<std::size_t>& by = readers[out];
      const bool partial = stated.states[index_of(out)].kind == State::Kind::pre_reduced;
      if (by.size() < 2 || held.contains(out) || partial) continue;
      bool together = true;
      for (std::size_t a : by) {
        together &= fusible(block, maker, i, a);
        for (std::size_t b : by) together &= a == b || fusible(block, maker, a, b);
      }
      if (!together) points.push_back(out);
    }
  }
  return points;
}

}  // namespace kasen::optimizer
