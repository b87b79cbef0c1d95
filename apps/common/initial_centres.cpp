#include "apps/common/initial_centres.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "apps/common/known_values.h"
#include "kasen/base/error.h"
#include "kasen/base/random.h"

namespace apps {

namespace {

using kasen::GlobalIndex;

/// Rows of a table, on every worker.
std::vector<double> rows_of(const kasen::Table& table, std::span<const GlobalIndex> rows) {
  const kasen::BlockRange block = kasen::block_of(table.rows());
  const std::uint64_t d = table.columns();
  std::vector<double> result;
  for (const GlobalIndex row : rows) {
    const std::uint64_t at = static_cast<std::uint64_t>(row - block.first);
    const bool here = row >= block.first && at < block.count;
    const auto mine = here ? table.block().subspan(at * d, d) : std::span<const double>();
    const std::vector<double> all = kasen::workers::all_gather(mine);
    result.insert(result.end(), all.begin(), all.end());
  }
  return result;
}

/// Of a point in the race for the next centre.
struct Entrant {
  double key;
  GlobalIndex point;
};
struct Winner {
  static constexpr const char* name = "winner";
  constexpr Entrant operator()(const Entrant& a, const Entrant& b) const {
    return a.key > b.key || (a.key == b.key && a.point < b.point) ? a : b;
  }
};

/// One point, with chances in proportion to `weight`: of log(u)/weight with u uniform in (0, 1] the largest is at each
/// point with that chance (P. Efraimidis, P. Spirakis, Weighted random sampling with a reservoir, 2006). Nothing is
/// summed, so that the choice does not depend on who adds in which order; nor on vectorised math, whose last bits
/// depend on the position.
GlobalIndex drawn(const kasen::Vector<double>& weight, const kasen::Vector<GlobalIndex>& index, std::uint64_t seed) {
  const auto enter = [](double w, GlobalIndex i, std::uint64_t s) {
    const double u = 1 - kasen::random_unit(s, static_cast<std::uint64_t>(i));
    return Entrant{w > 0 ? std::log(u) / w : -kasen::infinity, i};
  };
  return kasen::reduce(kasen::laws(Winner{}, kasen::in_any_order), kasen::zip_with(enter, weight, index, seed))
      .get()
      .point;
}

using Distances = std::function<kasen::Vector<double>(const std::vector<double>& centre)>;

std::vector<double> plus_plus(const kasen::Table& table, std::uint64_t k, std::uint64_t seed,
                              const Distances& squared_distances) {
  const kasen::Vector<GlobalIndex> index = kasen::iota(table.rows());
  kasen::Vector<double> least = kasen::constant(table.rows(), 1.0);
  std::vector<double> centres;
  for (std::uint64_t j = 0; j < k; ++j) {
    const GlobalIndex chosen = drawn(least, index, kasen::random_bits(seed, j));
    const std::vector<double> centre = rows_of(table, std::span(&chosen, 1));
    centres.insert(centres.end(), centre.begin(), centre.end());
    const auto distances = squared_distances(centre);
    least = j == 0 ? distances : kasen::zip_with(kasen::min, least, distances);
  }
  return centres;
}

}  // namespace

std::vector<double> chosen_centres(CentreChoice choice, const kasen::Table& table, std::uint64_t k, std::uint64_t seed,
                                   const kasen::Rows<double>* points, const kasen::Vector<double>* numbers) {
  if (choice == CentreChoice::plus_plus) {
    return plus_plus(table, k, seed, [&](const std::vector<double>& centre) {
      const auto squared_difference = [](double a, double b) { return (a - b) * (a - b); };
      if (numbers != nullptr) return kasen::map(squared_difference, *numbers, centre[0]);
      const auto distance = [](std::span<const double> x, std::span<const double> c) {
        return kasen::squared_distance(x, c);
      };
      return kasen::map(distance, *points, kasen::whole(known_vector(kasen::Space(centre.size()), centre)));
    });
  }
  std::vector<GlobalIndex> rows(k);
  for (std::uint64_t j = 0; j < k; ++j) rows[j] = static_cast<GlobalIndex>(j);
  if (choice == CentreChoice::random) {
    const auto best = kasen::top(kasen::random(table.rows(), seed), k);
    std::transform(best.begin(), best.end(), rows.begin(), [](const auto& entry) { return entry.index; });
  }
  return rows_of(table, rows);
}

std::vector<double> centres_of_file(const std::string& path, const kasen::io::ReadOptions& options,
                                    std::uint64_t columns) {
  const kasen::Table table = kasen::read_table(path, options);
  if (table.columns() != columns) {
    throw kasen::InputError(fmt::format("{}: expected centres of {} column{}, as the points have, found {}", path,
                                        columns, columns == 1 ? "" : "s", table.columns()));
  }
  if (table.rows().length() == 0) throw kasen::InputError(path + ": expected centres, found none");
  return kasen::workers::all_gather(table.block());
}

}  // namespace apps
