// A program as a whole: its variables, its blocks, what it reads at the end.
#include "tests/fuzz/program_maker.h"

#include <algorithm>

namespace kasen::tests::fuzz {
namespace {

constexpr int kDeepest = 3;  // blocks within blocks

}  // namespace

Program ProgramMaker::make() {
  _kind.searches ? search_spaces() : spaces();
  _kind.searches ? search_matrices() : matrices();
  batches();
  Block& body = _program.body;
  for (int k = 0; k < static_cast<int>(_program.spaces.size()); ++k) inputs(body, k);
  for (const Type type : {Type::real, Type::real, Type::int64, Type::int32, Type::flag, Type::pair}) {
    value(body, type);
  }
  for (const Type type : other_types(2)) value(body, type);
  if (_kind.searches) {
    statements(body, _draw.below(3));
    searches(body);
    if (_draw.chance(30)) statements(body, _draw.below(3));
    if (_draw.chance(30)) searches(body);
    if (_draw.chance(70)) fixpoint(body);
  } else {
    statements(body, _draw.between(6, 18));
  }
  if (_draw.chance(25)) {
    results(body);
    statements(body, _draw.between(2, 6));
  }
  while (!_late.empty()) late_matrix(body);
  results(body);
  return std::move(_program);
}

int ProgramMaker::add(Variable variable) {
  _program.variables.push_back(variable);
  const int number = static_cast<int>(_program.variables.size()) - 1;
  _visible.push_back(number);
  return number;
}

std::vector<Place> ProgramMaker::vectors(Type type, int space) const {
  return places([&](const Variable& v) { return v.vector && v.type == type && (space < 0 || v.space == space); });
}

std::vector<Place> ProgramMaker::shareds(Type type) const {
  return places([&](const Variable& v) { return !v.vector && v.type == type; });
}

void ProgramMaker::set_target(Statement& s, Variable like) {
  const auto fitting = places([&](const Variable& v) {
    return v.vector == like.vector && v.type == like.type && v.space == like.space && !v.reserved;
  });
  s.declares = fitting.empty() || _draw.chance(_depth > 0 ? 35 : 50);
  s.target = s.declares ? Place{add(like), -1} : _draw.of(fitting);
  if (like.vector) _latest = s.target;
}

void ProgramMaker::statements(Block& block, int count) {
  for (int k = 0; k < count; ++k) {
    const int kind = _draw.below(100);
    if (kind < 34) {
      element(block);
    } else if (kind < 36) {
      if (_depth < kDeepest) spreading(block);
    } else if (kind < 49) {
      product(block);
    } else if (kind < 52) {
      of_ends(block);
    } else if (kind < 53) {
      reduce_entries(block);
    } else if (kind < 58) {
      reduce(block);
    } else if (kind < 61) {
      reduce_by_key(block);
    } else if (kind < 64) {
      take(block);
    } else if (kind < 66) {
      apply(block);
    } else if (kind < 69) {
      copy(block);
    } else if (kind < 72) {
      keep(block);
    } else if (kind < 76) {
      swap(block);
    } else if (kind < 78) {
      array(block);
    } else if (kind < 80) {
      _program.batches.empty() || _draw.chance(35) ? source(block, any_space()) : batch(block);
    } else if (kind < 85) {
      if (_depth < kDeepest) loop(block);
    } else if (kind < 87) {
      if (_depth < kDeepest) renaming_loop(block);
    } else if (kind < 88) {
      if (_depth < kDeepest) iteration(block);
    } else if (kind < 89) {
      if (_depth < kDeepest) _draw.chance(60) ? searches(block) : fixpoint(block);
    } else if (kind < 91) {
      if (_depth < kDeepest) carried_partials(block);
    } else if (kind < 93) {
      if (_depth < kDeepest) branch(block);
    } else if (kind < 96) {
      if (_depth == 0 && _recorded == 0 && !_late.empty()) late_matrix(block);
    } else if (kind < 98) {
      if (_recorded == 0) read(block, _draw.late_of(places([](const Variable&) { return true; })));
    } else if (_depth == 0 && _kind.errors) {
      attempt(block);
    }
  }
}

bool ProgramMaker::visible(Place place) const {
  return std::find(_visible.begin(), _visible.end(), place.variable) != _visible.end();
}

/// Half of the time beside a product that has just been made, and waits as partial results.
void ProgramMaker::late_matrix(Block& block) {
  const bool waits = _draw.chance(50) && waiting_product(block);
  const Place waiting = _latest;
  Statement s;
  s.kind = StatementKind::matrix;
  s.matrix = _late.back();
  _made.push_back(s.matrix);
  _late.pop_back();
  block.push_back(s);
  if (!waits) return;
  _latest = waiting;
  if (_draw.chance(50)) use_partial_results(block, _reducer);
  if (_draw.chance(70)) read(block, waiting);
}

std::vector<Place> ProgramMaker::assignable() const {
  return places([](const Variable& v) { return !v.reserved; });
}

void ProgramMaker::read(Block& block, Place place) {
  Statement s;
  s.kind = StatementKind::read;
  s.operands = {Operand::of(place)};
  block.push_back(s);
}

Block ProgramMaker::nested(bool recorded, int count) {
  const std::size_t visible = _visible.size();
  ++_depth;
  _recorded += recorded ? 1 : 0;
  Block block;
  statements(block, count);
  _recorded -= recorded ? 1 : 0;
  --_depth;
  _visible.resize(visible);
  return block;
}

void ProgramMaker::results(Block& block) {
  auto all = places([](const Variable&) { return true; });
  const int count = _draw.chance(50) ? static_cast<int>(all.size()) : _draw.between(3, 8);
  for (int k = 0; k < count; ++k) {
    const auto chosen = all.begin() + _draw.below(static_cast<int>(all.size()));
    read(block, k == 0 && visible(_latest) ? _latest : *chosen);
    all.erase(chosen);
    if (all.empty()) break;
  }
  for (int reads = _draw.chance(30) ? _draw.between(2, std::min(count, 8)) : 1; reads > 0; --reads) {
    const Statement again = block[block.size() - 1 - static_cast<std::size_t>(_draw.below(std::min(count, 8)))];
    block.push_back(again);
  }
}

}  // namespace kasen::tests::fuzz
