/// @file
/// select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)),
///        sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_quantity), avg(l_extendedprice),
///        avg(l_discount), count(*)
/// from lineitem where l_shipdate <= date group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus
#include <fmt/format.h>

#include <array>

#include "apps/tables/queries.h"

namespace apps {

namespace {

struct Sums {
  double quantity, price, discounted, charged, discount;
  std::int64_t count;
};
using Groups = std::array<Sums, 6>;  ///< a group for each pair of a flag and a status

constexpr auto kTakeUp = [](Groups& groups, double quantity, double price, double discount, double tax,
                            std::int32_t flag, std::int32_t status, std::int32_t shipped, std::int32_t last,
                            std::int32_t statuses) {
  if (shipped > last) return;
  const std::int32_t group = flag * statuses + status;
  Sums& sums = groups[static_cast<std::size_t>(group)];
  const double discounted = price * (1 - discount), charged = discounted * (1 + tax);
  sums.quantity += quantity;
  sums.price += price;
  sums.discounted += discounted;
  sums.charged += charged;
  sums.discount += discount;
  ++sums.count;
};
constexpr auto kMerge = [](Groups a, const Groups& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k].quantity += b[k].quantity;
    a[k].price += b[k].price;
    a[k].discounted += b[k].discounted;
    a[k].charged += b[k].charged;
    a[k].discount += b[k].discount;
    a[k].count += b[k].count;
  }
  return a;
};

}  // namespace

std::vector<PricingRow> pricing_summary(const PricedItems& items, std::int32_t last) {
  const auto [flags, statuses] = std::pair(items.flag.dictionary, items.status.dictionary);
  if (flags.size() * statuses.size() > std::tuple_size_v<Groups>) {
    throw kasen::InputError(fmt::format("found {} flags and {} statuses, expected at most {} groups of both",
                                        flags.size(), statuses.size(), std::tuple_size_v<Groups>));
  }
  const auto num_statuses = static_cast<std::int32_t>(statuses.size());
  const Groups groups = kasen::fold(Groups{}, kTakeUp, kMerge,
                                    std::tie(items.quantity, items.price, items.discount, items.tax, items.flag.code,
                                             items.status.code, items.shipped, last, num_statuses))
                            .get();
  std::vector<PricingRow> rows;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const Sums& sums = groups[k];
    if (sums.count == 0) continue;
    const auto flag = static_cast<std::int32_t>(k / statuses.size());
    const auto status = static_cast<std::int32_t>(k % statuses.size());
    const auto n = static_cast<double>(sums.count);
    rows.push_back({std::string(flags[flag]), std::string(statuses[status]), sums.quantity, sums.price, sums.discounted,
                    sums.charged, sums.quantity / n, sums.price / n, sums.discount / n, sums.count});
  }
  return rows;
}

}  // namespace apps
