#include "optimizer/cost/symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "kasen/base/error.h"

namespace kasen::optimizer {

namespace {

/// Of storage for the outputs of one side.
const char* letter_of(Symbol::Kind kind) {
  if (kind == Symbol::Kind::stencil_runs) return "T";
  if (kind == Symbol::Kind::stencil_entries) return "K";
  return kind == Symbol::Kind::runs ? "R" : "L";
}

/// The number that the symbol stands for, of a matrix's storage for the outputs of one side; null of other symbols.
template <class Matrix>
auto* number_in_storage(const Symbol& symbol, Matrix& matrix) {
  const Role::Side side = symbol.roles.empty() ? Role::Side::row : symbol.roles.front().side;
  auto& blocks = matrix.blocks(side);
  auto& stencils = matrix.stencils(side);
  if (symbol.kind == Symbol::Kind::runs) return &blocks.runs;
  if (symbol.kind == Symbol::Kind::long_runs) return &blocks.long_runs;
  if (symbol.kind == Symbol::Kind::stencil_runs) return &stencils.runs;
  return symbol.kind == Symbol::Kind::stencil_entries ? &stencils.entries : nullptr;
}

}  // namespace

std::string name_of(const Symbol& symbol, const PlacementStats& stats) {
  const auto number = [](const auto& table, auto id) { return table.size() > 1 ? std::to_string(index_of(id)) : ""; };
  switch (symbol.kind) {
    case Symbol::Kind::masters:
      return "N" + number(stats.spaces, symbol.space);
    case Symbol::Kind::nonzeros:
      return "M" + number(stats.matrices, symbol.matrix);
    case Symbol::Kind::runs:
    case Symbol::Kind::long_runs:
    case Symbol::Kind::stencil_runs:
    case Symbol::Kind::stencil_entries: {
      const char* kind = letter_of(symbol.kind);
      const char* side = symbol.roles.front().side == Role::Side::row ? "_row" : "_col";
      return kind + number(stats.matrices, symbol.matrix) + side;
    }
    case Symbol::Kind::active:
      return "A";
    case Symbol::Kind::active_entries:
      return "E";
    case Symbol::Kind::worker_pairs:
      return "P(P-1)";
    case Symbol::Kind::one:
      return "1";
    case Symbol::Kind::replicas:
      break;
  }
  std::string name = "S" + number(stats.spaces, symbol.space);
  if (symbol.roles == stats.all_roles(symbol.space)) return name;
  for (const Role& role : symbol.roles) {
    if (role == kEverywhere) {
      name += "_all";
      continue;
    }
    name += fmt::format("_{}{}", role.side == Role::Side::row ? "row" : "col", number(stats.matrices, role.matrix));
  }
  return name;
}

std::uint64_t value_of(const Symbol& symbol, const PlacementStats& stats) {
  switch (symbol.kind) {
    case Symbol::Kind::masters:
      return stats.spaces.at(index_of(symbol.space)).masters;
    case Symbol::Kind::replicas:
      return stats.of(symbol.space, symbol.roles).replicas;
    case Symbol::Kind::nonzeros:
      return stats.matrices.at(index_of(symbol.matrix)).nonzeros;
    case Symbol::Kind::runs:
    case Symbol::Kind::long_runs:
    case Symbol::Kind::stencil_runs:
    case Symbol::Kind::stencil_entries:
      return *number_in_storage(symbol, stats.matrices.at(index_of(symbol.matrix)));
    case Symbol::Kind::active:
    case Symbol::Kind::active_entries:
      return 0;
    case Symbol::Kind::one:
      return 1;
    case Symbol::Kind::worker_pairs:
      break;
  }
  return std::uint64_t{stats.workers} * (stats.workers - 1);
}

std::vector<Symbol> symbols_of(const PlacementStats& stats) {
  std::vector<Symbol> symbols;
  for (std::size_t s = 0; s < stats.spaces.size(); ++s) {
    const auto space = static_cast<SpaceId>(s);
    symbols.push_back({Symbol::Kind::masters, space, kNone<MatrixId>, {}});
    for (const auto& entry : stats.spaces[s].roles)
      symbols.push_back({Symbol::Kind::replicas, space, kNone<MatrixId>, entry.roles});
  }
  for (std::size_t m = 0; m < stats.matrices.size(); ++m)
    symbols.push_back({Symbol::Kind::nonzeros, kNone<SpaceId>, static_cast<MatrixId>(m), {}});
  for (std::size_t m = 0; m < stats.matrices.size(); ++m) {
    for (const Role::Side side : {Role::Side::row, Role::Side::column}) {
      const auto matrix = static_cast<MatrixId>(m);
      const auto add = [&](Symbol::Kind a, Symbol::Kind b) {
        for (const auto kind : {a, b}) symbols.push_back({kind, kNone<SpaceId>, matrix, {Role{matrix, side}}});
      };
      if (stats.matrices[m].blocks(side).counted) add(Symbol::Kind::runs, Symbol::Kind::long_runs);
      if (stats.matrices[m].stencils(side).found) add(Symbol::Kind::stencil_runs, Symbol::Kind::stencil_entries);
    }
  }
  std::sort(symbols.begin(), symbols.end());
  return symbols;
}

void set_symbol(PlacementStats& stats, const std::string& name, std::uint64_t value) {
  std::string names;
  for (const Symbol& symbol : symbols_of(stats)) {
    const std::string known = name_of(symbol, stats);
    names += (names.empty() ? "" : ", ") + known;
    if (known != name) continue;
    if (symbol.kind == Symbol::Kind::masters) {
      stats.spaces[index_of(symbol.space)].masters = value;
    } else if (symbol.kind == Symbol::Kind::nonzeros) {
      stats.matrices[index_of(symbol.matrix)].nonzeros = value;
    } else if (symbol.matrix != kNone<MatrixId>) {
      *number_in_storage(symbol, stats.matrices[index_of(symbol.matrix)]) = value;
    } else {
      PlacementStats::Space& space = stats.spaces[index_of(symbol.space)];
      for (auto& entry : space.roles) {
        if (entry.roles == symbol.roles) entry.replicas = value;
      }
      if (symbol.roles == stats.all_roles(symbol.space)) space.replicas = value;
    }
    return;
  }
  throw UsageError(fmt::format("--set: there is no symbol '{}', only {}", name, names));
}

}  // namespace kasen::optimizer
