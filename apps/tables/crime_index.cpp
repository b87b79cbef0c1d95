#include "apps/tables/crime_index.h"

namespace apps {

using kasen::map;
using kasen::plus;
using kasen::reduce;
using kasen::Shared;
using kasen::zip_with;

CrimeIndex crime_index(const Cities& cities, double most_of_small) {
  const auto score_of =
      KASEN_FN((auto people, auto adults, auto robberies), (people + 2.0 * adults - 2000.0 * robberies) / 100000.0);
  const auto index_of = KASEN_FN(
      (auto score, auto people, auto most),
      kasen::select(people > most, kasen::select(score > 0.02, 0.032, kasen::select(score < 0.01, 0.005, score)), 0.0));
  const auto is_large = KASEN_FN((auto people, auto most), kasen::cast<std::int64_t>(people > most));
  // No handle of scores is left when the sums are asked for: they are never stored.
  const Shared<double> total =
      reduce(plus, zip_with(index_of, zip_with(score_of, std::tie(cities.population, cities.adults, cities.robberies)),
                            cities.population, most_of_small));
  const Shared<std::int64_t> large = reduce(plus, map(is_large, cities.population, most_of_small));
  return {large.get(), total.get()};
}

}  // namespace apps
