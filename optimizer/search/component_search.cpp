#include "optimizer/search/component_search.h"

#include <algorithm>
#include <utility>

#include "optimizer/sweeps/sweep_maker.h"

namespace kasen::optimizer {

ComponentSearch::ComponentSearch(const FusionSpace& space, SweepCosts& costs, std::size_t component,
                                 SearchBudget& budget)
    : _space(space),
      _costs(costs),
      _number(component),
      _component(space.components[component]),
      _budget(budget),
      _written(space.blocks[_component.block].ddag.before.size()),
      _sweep_of(space.blocks[_component.block].ddag.before.size(), kElsewhere) {
  find_tails();
}

void ComponentSearch::find_tails() {
  const std::size_t n = _component.statements.size();
  const auto vector = [&](std::size_t position) -> const CostVector& {
    return _costs.vector(_component.block, _component.statements[position]);
  };
  _tail.resize(n + 1);
  std::map<ValueId, Ticks> inputs;  // from elsewhere, read at this position or later: what reading them costs at least
  std::map<ValueId, std::size_t> first;
  for (std::size_t k = 0; k < n; ++k) {
    for (const CostVector::Read& read : vector(k).reads) {
      if (read.maker != kElsewhere) continue;
      first.try_emplace(read.value, k);
      const auto [input, is_new] = inputs.try_emplace(read.value, read.ticks);
      if (!is_new) input->second = std::min(input->second, read.ticks);
    }
  }
  std::map<ValueId, std::size_t> accessed;  // by matrix products: where first
  const std::vector<Statement>& statements = _space.blocks[_component.block].block->statements;
  std::size_t first_product = n;
  for (std::size_t k = n; k-- > 0;) {
    const Statement& statement = statements[_component.statements[k]];
    if (!is_matrix_op(statement.op)) continue;
    accessed[statement.in[0]] = k;
    if (_component.kind == Template::mixed) first_product = k;
  }
  for (std::size_t k = n; k-- > 0;) {
    const CostVector& costs = vector(k);
    Tail& tail = _tail[k] = _tail[k + 1];
    tail.compute = sum_of(tail.compute, costs.compute);
    tail.launches = sum_of(tail.launches, costs.launches);
    if (costs.stored) tail.memory = sum_of(tail.memory, costs.write);
    for (const auto& [value, position] : first) {
      if (position == k) tail.memory = sum_of(tail.memory, inputs.at(value));
    }
    if (first_product == k) tail.memory = sum_of(tail.memory, costs.matrix);
    const Statement& statement = statements[_component.statements[k]];
    if (!is_matrix_op(statement.op)) {
      tail.random = sum_of(tail.random, costs.random);
      continue;
    }
    if (accessed.at(statement.in[0]) == k) tail.random = sum_of(tail.random, costs.random);
    tail.least = sum_of(tail.least, std::min(costs.write, costs.compute));
  }
}

Ticks ComponentSearch::bound(std::size_t position) const {
  const Tail& tail = _tail[position];
  if (_component.kind == Template::matrix) {
    Ticks sum = sum_of(tail.least, tail.random);
    for (const Begun& sweep : _sweeps) sum = sum_of(sum, sweep.least);
    return sum;
  }
  Ticks apart = 0, memory = tail.memory, compute = tail.compute;
  Ticks added = sum_of(tail.launches, tail.random);  // to whichever of these takes longest
  for (const Begun& sweep : _sweeps) {
    apart = sum_of(apart, sum_of(std::max(sweep.memory, sweep.compute), _costs.unhidden(sweep.memory, sweep.compute)));
    memory = sum_of(memory, sweep.memory);
    compute = sum_of(compute, sweep.compute);
    added = sum_of(added, sum_of(sweep.launches, sweep.random));
  }
  // Of all sweeps together no more can be hidden; of each, less than a tick is rounded away.
  const Ticks unhidden = _costs.unhidden(memory, compute), rounded = _component.statements.size();
  const Ticks together = sum_of(std::max(memory, compute), unhidden - std::min(unhidden, rounded));
  return sum_of(std::max(apart, together), added);
}

Ticks ComponentSearch::bound() const { return bound(0); }

bool ComponentSearch::run(const std::function<bool(Ticks)>& worthwhile,
                          const std::function<void(const Sweeps&, Ticks)>& found) {
  _worthwhile = &worthwhile;
  _found = &found;
  if (!_budget.spent()) next(0);
  return !_budget.spent();
}

void ComponentSearch::next(std::size_t position) {
  if (position == _component.statements.size()) return complete();
  const std::size_t statement = _component.statements[position];
  const std::vector<Begun> before = _sweeps;
  const std::vector<bool> written = _written;
  for (std::size_t k = 0; k <= before.size() && !_budget.spent(); ++k) {
    if (k < before.size() &&
        (before[k].members.count() >= kMostStatements || !_space.can_join(_component, before[k].members, statement))) {
      continue;
    }
    add(k, position);
    if ((*_worthwhile)(bound(position + 1))) {
      next(position + 1);
    } else {
      ++_budget.skipped;
    }
    _sweeps = before;
    _written = written;
    _sweep_of[statement] = kElsewhere;
  }
}

void ComponentSearch::add(std::size_t number, std::size_t position) {
  const std::size_t statement = _component.statements[position];
  if (number == _sweeps.size()) {
    _sweeps.emplace_back();
    _sweeps.back().members = BitSet(_written.size());
    _sweeps.back().launches = _costs.entering();
  }
  Begun& sweep = _sweeps[number];
  sweep.members.insert(statement);
  _sweep_of[statement] = number;
  if (_component.kind == Template::matrix) {
    sweep.least = _costs.sweep(_number, sweep.members).least;
    return;
  }
  const CostVector& costs = _costs.vector(_component.block, statement);
  sweep.compute = sum_of(sweep.compute, costs.compute);
  sweep.launches = sum_of(sweep.launches, costs.launches);
  for (const CostVector::Remade& remade : costs.remade) {
    if (std::find(sweep.remade.begin(), sweep.remade.end(), remade.value) != sweep.remade.end()) continue;
    sweep.remade.push_back(remade.value);
    sweep.compute = sum_of(sweep.compute, remade.compute);
    sweep.launches = sum_of(sweep.launches, remade.launches);
  }
  const auto write = [&](std::size_t maker) {
    if (_written[maker]) return;
    _written[maker] = true;
    Ticks& memory = _sweeps[_sweep_of[maker]].memory;
    memory = sum_of(memory, _costs.vector(_component.block, maker).write);
  };
  if (costs.stored) write(statement);
  const Statement& product = _space.blocks[_component.block].block->statements[statement];
  if (is_matrix_op(product.op)) {
    if (!std::exchange(sweep.products, true)) sweep.memory = sum_of(sweep.memory, costs.matrix);
    if (std::find(sweep.accessed.begin(), sweep.accessed.end(), product.in[0]) == sweep.accessed.end()) {
      sweep.accessed.push_back(product.in[0]);
      sweep.random = sum_of(sweep.random, costs.random);
    }
  } else {
    sweep.random = sum_of(sweep.random, costs.random);
  }
  for (const CostVector::Read& read : costs.reads) {
    if (read.maker != kElsewhere) {
      if (_sweep_of[read.maker] == number) continue;
      write(read.maker);
    }
    const auto known = std::find_if(sweep.reads.begin(), sweep.reads.end(),
                                    [&](const auto& other) { return other.first == read.value; });
    if (known == sweep.reads.end()) {
      sweep.reads.emplace_back(read.value, read.ticks);
      sweep.memory = sum_of(sweep.memory, read.ticks);
    } else if (known->second < read.ticks) {
      sweep.memory = sum_of(sweep.memory, read.ticks - known->second);
      known->second = read.ticks;
    }
  }
}

/// Whether two sweeps wait for each other, directly or through others.
bool ComponentSearch::circular() const {
  const FusionBlock& block = _space.blocks[_component.block];
  std::vector<bool> done(_sweeps.size());
  for (std::size_t round = 0; round < _sweeps.size(); ++round) {
    const auto waits = [&](std::size_t k) {
      return std::any_of(_component.statements.begin(), _component.statements.end(), [&](std::size_t i) {
        return _sweep_of[i] == k &&
               std::any_of(_component.statements.begin(), _component.statements.end(), [&](std::size_t j) {
                 return _sweep_of[j] != k && !done[_sweep_of[j]] && block.before[i].contains(j);
               });
      });
    };
    std::size_t free = 0;
    while (free < done.size() && (done[free] || waits(free))) ++free;
    if (free == done.size()) return true;
    done[free] = true;
  }
  return false;
}

void ComponentSearch::complete() {
  ++_budget.costed;
  if (circular()) return;
  Ticks sum = 0;
  Sweeps sweeps;
  for (const Begun& sweep : _sweeps) {
    const SweepCosts::Entry& entry = _costs.sweep(_number, sweep.members);
    if (!entry.possible) return;
    sum = sum_of(sum, entry.ticks);
    sweeps.push_back(sweep.members);
  }
  if ((*_worthwhile)(sum)) (*_found)(sweeps, sum);
}

}  // namespace kasen::optimizer
