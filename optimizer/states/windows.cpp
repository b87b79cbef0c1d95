#include "optimizer/states/windows.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::size_t kUnknown = ~std::size_t{0};
constexpr std::size_t kLargeRegion = 8;  // statements of a loop or branch that a margin ends at

void define(const std::vector<Statement>& statements, std::set<ValueId>& defined) {
  for (const Statement& statement : statements) {
    defined.insert(statement.out.begin(), statement.out.end());
    for (const Block& region : statement.regions) {
      defined.insert(region.arguments.begin(), region.arguments.end());
      define(region.statements, defined);
    }
  }
}

bool among_wholes(const Statement& statement, ValueId value) {
  const auto end = statement.in.begin() + statement.wholes;
  return std::find(statement.in.begin(), end, value) != end;
}

void rename(std::vector<ValueId>& values, const std::map<ValueId, ValueId>& names) {
  for (ValueId& value : values) value = names.at(value);
}

void rename(std::vector<Statement>& statements, const std::map<ValueId, ValueId>& names) {
  for (Statement& statement : statements) {
    for (auto* values : {&statement.in, &statement.shared, &statement.out}) rename(*values, names);
    for (Block& region : statement.regions) {
      for (auto* values : {&region.arguments, &region.condition_yields, &region.yields}) rename(*values, names);
      if (region.test != kNone<ValueId>) region.test = names.at(region.test);
      rename(region.statements, names);
    }
  }
}

}  // namespace

Windows::Windows(const Program& program)
    : _program(program),
      _made(program.values.size()),
      _readers(program.values.size()),
      _lives_on(program.values.size()) {
  for (const LiveOut& live : program.live_out) _lives_on[index_of(live.value)] = 1;
  visit(program.top, {}, 0);
}

void Windows::visit(const Block& block, const Spot& around, int loops) {
  const auto id = static_cast<std::uint32_t>(_blocks.size());
  _blocks.push_back({&block, around, loops, {}, {}, {}, {}, 0});
  for (ValueId value : block.arguments) _made[index_of(value)] = {id, Spot::kBegin};
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    const Statement& statement = block.statements[i];
    const std::size_t before = _size++;
    for (ValueId value : statement.out) _made[index_of(value)] = {id, i};
    for (ValueId value : statement.in) _readers[index_of(value)].push_back({{id, i}, kNone<ValueId>});
    for (std::size_t r = 0; r < statement.regions.size(); ++r) {
      const Block& region = statement.regions[r];
      const auto inner = static_cast<std::uint32_t>(_blocks.size());
      _regions[{id, i, r}] = inner;
      visit(region, {id, i}, loops + (statement.op == Op::while_ ? 1 : 0));
      const std::vector<ValueId>& as = statement.op == Op::while_ ? region.arguments : statement.out;
      for (std::size_t k = 0; k < region.yields.size(); ++k)
        _readers[index_of(region.yields[k])].push_back({{inner, region.statements.size()}, as[k]});
    }
    sizes.push_back(_size - before);
  }
  _blocks[id].steps.assign(sizes.size(), 0);
  _blocks[id].sizes = std::move(sizes);
}

const Statement* Windows::statement(const Spot& spot) const {
  const std::vector<Statement>& statements = _blocks[spot.block].block->statements;
  return spot.position < statements.size() ? &statements[spot.position] : nullptr;
}

bool Windows::any_loops() const {
  return std::any_of(_blocks.begin(), _blocks.end(), [](const BlockAt& at) { return at.loops > 0; });
}

void Windows::cut_by(const Plan& plan) {
  for (BlockAt& at : _blocks) std::fill(at.steps.begin(), at.steps.end(), kUnknown);
  note_steps(plan.steps, 0);
  for (BlockAt& at : _blocks) {  // what is made where it is read comes with what comes next
    std::size_t next = at.last_step;
    for (auto step = at.steps.rbegin(); step != at.steps.rend(); ++step)
      next = *step = *step == kUnknown ? next : *step;
    at.in_order.resize(at.steps.size());
    std::iota(at.in_order.begin(), at.in_order.end(), std::size_t{0});
    std::stable_sort(at.in_order.begin(), at.in_order.end(),
                     [&](std::size_t a, std::size_t b) { return at.steps[a] < at.steps[b]; });
    at.large.clear();
    for (std::size_t i : at.in_order) {
      if (at.sizes[i] >= kLargeRegion) at.large.push_back(at.steps[i]);
    }
  }
}

void Windows::note_steps(const std::vector<Step>& steps, std::uint32_t block) {
  BlockAt& at = _blocks[block];
  at.last_step = steps.empty() ? 0 : steps.size() - 1;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const auto note = [&](ValueId value) {
      if (index_of(value) >= _made.size()) return;
      const Spot& spot = _made[index_of(value)];
      if (spot.block == block && spot.position != Spot::kBegin && _blocks[block].steps[spot.position] == kUnknown)
        _blocks[block].steps[spot.position] = s;
    };
    const auto inner = [&](const std::vector<ValueId>& results, std::size_t region, const std::vector<Step>& body) {
      if (results.empty()) return;
      const Spot& spot = _made[index_of(results[0])];
      note_steps(body, _regions.at({spot.block, spot.position, region}));
    };
    if (const auto* sweep = std::get_if<Sweep>(&steps[s].what)) {
      for (const Launch& launch : sweep->launches) std::for_each(launch.out.begin(), launch.out.end(), note);
    } else if (const auto* scalar = std::get_if<ScalarWork>(&steps[s].what)) {
      note(scalar->out);
    } else if (const auto* loop = std::get_if<Loop>(&steps[s].what)) {
      std::for_each(loop->results.begin(), loop->results.end(), note);
      inner(loop->results, 0, loop->body);
    } else if (const auto* branch = std::get_if<Branch>(&steps[s].what)) {
      std::for_each(branch->results.begin(), branch->results.end(), note);
      inner(branch->results, 0, branch->then);
      inner(branch->results, 1, branch->otherwise);
    }
  }
}

std::size_t Windows::step_of(const Spot& spot) const {
  const BlockAt& at = _blocks[spot.block];
  if (spot.position == Spot::kBegin) return 0;
  return spot.position < at.steps.size() ? at.steps[spot.position] : at.last_step;
}

std::vector<Window> Windows::around(const std::vector<Spot>& spots, std::size_t margin) const {
  std::vector<Window> windows;
  for (const Spot& spot : spots) windows.push_back({spot.block, step_of(spot), step_of(spot)});
  std::sort(windows.begin(), windows.end());
  std::vector<Window> merged;
  for (Window window : windows) {
    const BlockAt& at = _blocks[window.block];
    std::size_t first = window.first - std::min(window.first, margin);
    std::size_t last = std::min(window.last + margin, at.last_step);
    const auto before = std::lower_bound(at.large.begin(), at.large.end(), window.first);
    if (before != at.large.begin()) first = std::max(first, *(before - 1) + 1);
    const auto after = std::upper_bound(at.large.begin(), at.large.end(), window.last);
    if (after != at.large.end()) last = std::min(last, *after - 1);
    window.first = first;
    window.last = last;
    if (!merged.empty() && merged.back().block == window.block && window.first <= merged.back().last + 1) {
      merged.back().last = std::max(merged.back().last, window.last);
    } else {
      merged.push_back(window);
    }
  }
  std::erase_if(merged, [&](const Window& inner) {
    return std::any_of(merged.begin(), merged.end(), [&](const Window& outer) {
      if (outer.block == inner.block) return false;
      const std::size_t position = position_in(outer.block, {inner.block, Spot::kBegin});
      return position != Spot::kBegin && holds(outer, {outer.block, position});
    });
  });
  return merged;
}

bool Windows::holds(const Window& window, const Spot& spot) const {
  return spot.block == window.block && step_of(spot) >= window.first && step_of(spot) <= window.last;
}

std::size_t Windows::position_in(std::uint32_t block, Spot spot) const {
  while (spot.block != block && spot.block != 0) spot = _blocks[spot.block].around;
  return spot.block == block ? spot.position : Spot::kBegin;
}

std::span<const std::size_t> Windows::statements(const Window& window) const {
  const BlockAt& at = _blocks[window.block];
  const auto begin = std::partition_point(at.in_order.begin(), at.in_order.end(),
                                          [&](std::size_t i) { return at.steps[i] < window.first; });
  const auto end =
      std::partition_point(begin, at.in_order.end(), [&](std::size_t i) { return at.steps[i] <= window.last; });
  return {begin, end};
}

std::size_t Windows::size(const Window& window) const {
  std::size_t sum = 0;
  for (std::size_t i : statements(window)) sum += _blocks[window.block].sizes[i];
  return sum;
}

bool Windows::read_after(const Window& window, ValueId value) const {
  if (_lives_on[index_of(value)] != 0) return true;
  return std::any_of(readers(value).begin(), readers(value).end(), [&](const Reader& reader) {
    const std::size_t position = position_in(window.block, reader.spot);
    if (position == Spot::kBegin) return false;
    return position == _blocks[window.block].steps.size() || step_of({window.block, position}) > window.last;
  });
}

bool Windows::remade(ValueId value) const {
  const Statement* maker = statement(made(value));
  return maker != nullptr && maker->op == Op::source && _lives_on[index_of(value)] == 0 &&
         std::all_of(readers(value).begin(), readers(value).end(), [&](const Reader& reader) {
           const Statement* by = statement(reader.spot);
           return by != nullptr && is_element_op(by->op) && !among_wholes(*by, value);
         });
}

Windows::Piece Windows::piece(const Window& window) const {
  const BlockAt& at = _blocks[window.block];
  Piece piece;
  std::vector<Statement>& statements = piece.program.top.statements;
  const auto in_window = this->statements(window);
  std::vector<std::size_t> positions(in_window.begin(), in_window.end());
  std::sort(positions.begin(), positions.end());
  for (std::size_t i : positions) statements.push_back(at.block->statements[i]);
  std::set<ValueId> inside, all;
  define(statements, inside);
  all = inside;
  for (const Statement& statement : statements) for_each_read(statement, [&](ValueId value) { all.insert(value); });
  if (window.first == 0) all.insert(at.block->arguments.begin(), at.block->arguments.end());
  std::map<ValueId, ValueId> names;
  for (ValueId value : all) {
    const auto named = static_cast<ValueId>(piece.values.size());
    names[value] = named;
    piece.values.push_back(value);
    piece.program.values.push_back(_program.values[index_of(value)]);
    const bool at_begin = made(value).block == window.block && made(value).position == Spot::kBegin;
    piece.synchronised.push_back(inside.contains(value) || (at_begin && window.first == 0) ? 1 : 0);
    const bool lives_on = read_after(window, value) && !(inside.contains(value) && remade(value));
    const bool here = made(value).block == window.block;
    if (!inside.contains(value)) piece.program.live_in.push_back({named, {}, here && !lives_on});
    if (here && lives_on) piece.program.live_out.push_back({named, false});
  }
  if (window.block == 0) {
    for (LiveIn& live : piece.program.live_in) {
      const ValueId value = piece.values[index_of(live.value)];
      for (const LiveIn& given : _program.live_in) {
        if (given.value == value) live.dies = live.dies && given.dies;
      }
    }
  }
  rename(statements, names);
  piece.program.reducers = _program.reducers;
  return piece;
}

}  // namespace kasen::optimizer
