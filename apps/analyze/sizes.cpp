#include "apps/analyze/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "kasen/base/error.h"
#include "kasen/base/program_tools.h"
#include "kasen/io/formats/partition_file.h"
#include "kasen/io/formats/read.h"
#include "optimizer/cost/symbols.h"
#include "partition/degrees.h"
#include "partition/estimate.h"
#include "partition/parts.h"

namespace apps {
namespace {

using kasen::optimizer::Symbol;

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 53;
constexpr std::uint32_t kMostEstimated = 4096;

/// The exact placement of a graph; every program must have just one matrix, and that square.
void place(const Sizes& sizes, const kasen::Options& options, const kasen::comm::Communicator& communicator,
           kasen::optimizer::RecordedRun& run) {
  for (const auto& program : run.programs) {
    const auto& matrices = program.stats.matrices;
    if (matrices.size() != 1 || matrices[0].rows != matrices[0].columns)
      throw kasen::UsageError("--graph: the program does not have exactly one matrix, with one space for both sides");
    for (std::size_t s = 0; s < program.stats.spaces.size(); ++s) {
      if (kasen::includes_roles(program.stats.all_roles(static_cast<kasen::SpaceId>(s)), {kasen::kEverywhere}))
        throw kasen::UsageError("--graph: the program follows keys, whose replicas a graph does not say");
    }
  }
  kasen::io::ReadOptions reading;
  reading.ignore_weights = true;  // where non-zeros lie is all that counts
  const kasen::io::SparseData list = kasen::io::read_graph(communicator, sizes.graph, reading);
  if (list.rows != list.columns) {
    throw kasen::InputError(fmt::format("{}: found a matrix of {} rows and {} columns, expected a square one: a graph",
                                        sizes.graph, list.rows, list.columns));
  }
  run.degrees = {
      kasen::partition::measure_degrees(communicator, list.entries, list.rows, list.columns, true, options.threshold)};
  for (auto& program : run.programs) {
    const std::uint32_t workers = sizes.workers.value_or(program.stats.workers);
    std::optional<kasen::partition::Assignment> owners;
    if (options.partition == kasen::Partition::file) {
      const auto parts = static_cast<int>(workers);
      const auto* names = list.ids.length() > 0 ? &list.ids : nullptr;
      owners = kasen::partition::Assignment::table(
          kasen::io::read_partition_file(communicator, options.partition_file, {list.rows, 0, names}, parts), parts);
    }
    kasen::partition::place_in_parts(list.entries, list.rows, list.columns, workers, options, program.stats,
                                     owners ? &*owners : nullptr);
  }
}

/// Of the matrices that a program multiplies by.
std::vector<kasen::PlacementStats::Matrix> walked_matrices(const kasen::optimizer::RecordedProgram& program) {
  std::set<kasen::MatrixId> walked;
  kasen::for_each_block(program.program.top, [&](const kasen::Block& block) {
    for (const kasen::Statement& statement : block.statements) {
      if (kasen::is_matrix_op(statement.op)) walked.insert(statement.matrix);
    }
  });
  std::vector<kasen::PlacementStats::Matrix> found;
  for (const kasen::MatrixId matrix : walked) found.push_back(program.stats.matrices[kasen::index_of(matrix)]);
  return found;
}

/// @throws kasen::UsageError where no plan could have the storage that is asked for
void check_storage(const Sizes& sizes, const kasen::Options& options, const kasen::optimizer::RecordedRun& run) {
  bool sparse = false, counted = false, found = false, dense = false;
  for (const auto& program : run.programs) {
    for (const auto& matrix : walked_matrices(program)) {
      dense = dense || matrix.dense;
      sparse = sparse || !(matrix.dense || matrix.in_batches());
      counted = counted || matrix.by_column.counted || matrix.by_row.counted;
      found = found || matrix.stencils_by_column.found || matrix.stencils_by_row.found;
    }
  }
  if (options.storage == kasen::Storage::blocked && sparse && !counted) {
    std::string reason = "the program was recorded without blocks: record it with --storage blocked";
    if (!sizes.graph.empty()) {
      reason = fmt::format("with more than {} vertices blocks depend on the local order, which --graph does not find",
                           options.block_edge);
    } else if (sizes.workers) {
      reason = "blocks are not estimated for other numbers of workers: --graph counts them";
    }
    throw kasen::UsageError("--storage blocked: " + reason);
  }
  if (options.storage == kasen::Storage::stencils && sparse && !found) {
    std::string reason = "the program was recorded without stencils: record it with --storage stencils";
    if (!sizes.graph.empty()) reason = "stencils depend on the local order, which --graph does not find";
    if (sizes.graph.empty() && sizes.workers)
      reason = "stencils are not estimated for other numbers of workers: record it on as many";
    throw kasen::UsageError("--storage stencils: " + reason);
  }
  if (options.storage == kasen::Storage::compressed && dense && sizes.graph.empty())
    throw kasen::UsageError(
        "--storage compressed: the program was recorded with a dense matrix: record it with "
        "--storage compressed");
}

/// What stencils plans may have: none where another storage is asked for, and where sums are kept in bins.
void keep_stencils(const kasen::Options& options, kasen::optimizer::RecordedRun& run) {
  const bool any = options.storage == kasen::Storage::automatic || options.storage == kasen::Storage::stencils;
  if (any && !options.reproducible) return;
  for (auto& program : run.programs) {
    for (auto& matrix : program.stats.matrices) matrix.stencils_by_column = matrix.stencils_by_row = {};
  }
}

/// A space without a name of its own is called by its length.
void rename_spaces(kasen::PlacementStats& stats, const kasen::PlacementStats& recorded) {
  for (std::size_t s = 0; s < stats.spaces.size(); ++s) {
    const auto called = [](std::uint64_t length) { return fmt::format("length {}", length); };
    if (stats.spaces[s].name == called(recorded.spaces[s].masters))
      stats.spaces[s].name = called(stats.spaces[s].masters);
  }
}

/// What the numbers that are given imply for those that are not: non-zeros grow with the elements of their rows, of a
/// dense matrix with both sides; all else as partition::scale_placement says.
void scale(const Settings& settings, const std::vector<kasen::Degrees>& degrees, kasen::PlacementStats& stats) {
  using Kind = Symbol::Kind;
  std::vector<std::uint64_t> masters, nonzeros;
  for (const auto& space : stats.spaces) masters.push_back(space.masters);
  std::vector<std::optional<std::uint64_t>> given(stats.matrices.size());
  for (const auto& symbol : kasen::optimizer::symbols_of(stats)) {
    const std::string name = name_of(symbol, stats);
    for (const auto& [setting, value] : settings) {
      if (setting != name) continue;
      if (symbol.kind == Kind::masters) masters[kasen::index_of(symbol.space)] = value;
      if (symbol.kind == Kind::nonzeros) given[kasen::index_of(symbol.matrix)] = value;
    }
  }
  for (std::size_t m = 0; m < stats.matrices.size(); ++m) {
    const auto& matrix = stats.matrices[m];
    const auto grown = [&](kasen::SpaceId space) {
      const std::uint64_t before = stats.spaces[kasen::index_of(space)].masters;
      return before == 0 ? 1 : static_cast<double>(masters[kasen::index_of(space)]) / static_cast<double>(before);
    };
    const double factor = grown(matrix.rows) * (matrix.dense ? grown(matrix.columns) : 1);
    const double follows = std::min(static_cast<double>(kMostElements), static_cast<double>(matrix.nonzeros) * factor);
    nonzeros.push_back(given[m].value_or(static_cast<std::uint64_t>(std::llround(follows))));
  }
  stats = kasen::partition::scale_placement(stats, degrees, masters, nonzeros);
}

/// What a symbol of this name is in the last program that has one.
Symbol symbol_of(const std::string& name, const kasen::optimizer::RecordedRun& run) {
  std::vector<std::string> known;
  for (auto program = run.programs.rbegin(); program != run.programs.rend(); ++program) {
    for (const Symbol& symbol : kasen::optimizer::symbols_of(program->stats)) {
      const std::string its_name = name_of(symbol, program->stats);
      if (its_name == name) return symbol;
      if (std::find(known.begin(), known.end(), its_name) == known.end()) known.push_back(its_name);
    }
  }
  throw kasen::UsageError(fmt::format("--set: there is no symbol '{}', only {}", name, fmt::join(known, ", ")));
}

/// What the settings say of the symbols of one program.
Settings settings_in(const kasen::PlacementStats& stats, const Settings& settings,
                     const kasen::optimizer::RecordedRun& run) {
  Settings its;
  for (const auto& [name, value] : settings) {
    const Symbol meant = symbol_of(name, run);
    for (const Symbol& symbol : kasen::optimizer::symbols_of(stats)) {
      if (symbol != meant) continue;
      const std::string its_name = name_of(symbol, stats);
      if (std::any_of(its.begin(), its.end(), [&](const auto& earlier) { return earlier.first == its_name; }))
        throw kasen::UsageError(fmt::format("--set: '{}={}' gives {} a second value", name, value, its_name));
      its.emplace_back(its_name, value);
    }
  }
  return its;
}

}  // namespace

void Sizes::set(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals);
  std::uint64_t value = 0;
  const char* const end = setting.data() + setting.size();
  const char* const begin = equals == std::string::npos ? end : setting.data() + equals + 1;
  const auto [stopped, error] = std::from_chars(begin, end, value);
  const std::uint64_t least = name == "P" ? 1 : 0, most = name == "P" ? kasen::optimizer::kMostWorkers : kMostElements;
  if (name.empty() || begin == end || error != std::errc() || stopped != end || value < least || value > most)
    throw kasen::UsageError(
        fmt::format("--set: '{}' is not SYMBOL=NUMBER with a whole number from {} to {}", setting, least, most));
  const bool twice = name == "P" ? workers.has_value()
                                 : std::any_of(settings.begin(), settings.end(),
                                               [&](const auto& earlier) { return earlier.first == name; });
  if (twice) throw kasen::UsageError(fmt::format("--set: '{}' gives {} a second value", setting, name));
  if (name == "P") {
    workers = static_cast<std::uint32_t>(value);
  } else {
    settings.emplace_back(name, value);
  }
}

std::vector<kasen::PlacementStats> on_other_workers(const Settings& settings, const kasen::PlacementStats& unscaled,
                                                    const kasen::PlacementStats& stats,
                                                    const std::vector<kasen::Degrees>& degrees) {
  if (degrees.size() < stats.matrices.size()) return {stats};
  std::set<std::uint32_t> counts{stats.workers};
  for (std::uint32_t power = 1; power <= kMostEstimated; power *= 2) {
    counts.insert(power);
    if (power >= 2 && power < kMostEstimated) counts.insert(power + power / 2);
  }
  std::vector<kasen::PlacementStats> placements;
  for (const std::uint32_t workers : counts) {
    kasen::PlacementStats& placement = placements.emplace_back(stats);
    if (workers == stats.workers) continue;
    placement = kasen::partition::estimate_placement(unscaled, degrees, workers);
    scale(settings, degrees, placement);
    for (std::size_t m = 0; m < stats.matrices.size(); ++m)
      kasen::partition::estimate_blocks(stats, static_cast<kasen::MatrixId>(m), placement);
  }
  return placements;
}

Origin apply(const Sizes& sizes, const kasen::Options& options, const kasen::comm::Communicator& communicator,
             kasen::optimizer::RecordedRun& run) {
  Origin origin{"as recorded", {}, {}};
  const std::vector<kasen::optimizer::RecordedProgram> recorded = run.programs;
  if (!sizes.graph.empty()) {
    place(sizes, options, communicator, run);
    origin.text = sizes.graph + ", partitioned";
  } else if (sizes.workers) {
    for (auto& program : run.programs) {
      if (program.stats.workers == *sizes.workers) continue;
      const kasen::PlacementStats before = program.stats;
      program.stats = kasen::partition::estimate_placement(before, run.degrees, *sizes.workers);
      origin.text = "replicas estimated from the distribution of degrees, for hybrid-cut";
      std::optional<std::uint64_t> threshold;
      bool by_rows = false;
      for (std::size_t m = 0; m < before.matrices.size(); ++m) {
        const bool is_by_rows = kasen::partition::is_cut_by_rows(before, static_cast<kasen::MatrixId>(m));
        if (!is_by_rows && !threshold && m < run.degrees.size()) threshold = run.degrees[m].threshold;
        by_rows = by_rows || is_by_rows;
      }
      if (threshold) origin.text += fmt::format(" with a threshold of {}", *threshold);
      if (by_rows) origin.text += ", and of dense matrices and those in batches by rows";
    }
  }
  check_storage(sizes, options, run);
  keep_stencils(options, run);
  for (const auto& program : run.programs) origin.settings.push_back(settings_in(program.stats, sizes.settings, run));
  for (auto& program : run.programs) {
    const Settings& settings = origin.settings[origin.unscaled.size()];
    origin.unscaled.push_back(program.stats);
    scale(settings, run.degrees, program.stats);
    for (const auto& [name, value] : settings) kasen::optimizer::set_symbol(program.stats, name, value);
  }
  for (const auto& [name, value] : sizes.settings) origin.text += fmt::format("; {} = {} as given", name, value);
  if (!sizes.settings.empty()) origin.text += "; what is not given is in proportion";
  for (std::size_t k = 0; k < recorded.size(); ++k) rename_spaces(run.programs[k].stats, recorded[k].stats);
  return origin;
}

}  // namespace apps
