/// @file
/// select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)),
///        sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_quantity), avg(l_extendedprice),
///        avg(l_discount), count(*)
/// from lineitem where l_shipdate <= date group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus
#include "apps/tables/queries.h"

namespace apps {

using kasen::plus;
using kasen::reduce_by_key;
using kasen::zip_with;

namespace {

struct Sums {
  double quantity, price, discounted, charged, discount;
  std::int64_t count;
};

/// By flag and status: a group for each pair of words. What is computed on the way ends with this function, and is
/// never stored.
kasen::Vector<Sums> sums_of_groups(const PricedItems& items, std::int32_t last) {
  const auto statuses = static_cast<std::int32_t>(items.status.dictionary.size());
  const kasen::Space groups = items.flag.dictionary.size() * items.status.dictionary.size();
  const auto group = zip_with(KASEN_FN((auto flag, auto status, auto shipped, auto n, auto until),
                                       kasen::select(shipped <= until, flag * n + status, -1)),
                              items.flag.code, items.status.code, items.shipped, statuses, last);
  const auto discounted =
      zip_with(KASEN_FN((auto price, auto discount), price * (1 - discount)), items.price, items.discount);
  const auto charged = zip_with(KASEN_FN((auto price, auto tax), price * (1 + tax)), discounted, items.tax);
  const auto one = kasen::constant(items.price.length(), std::int64_t{1});
  return zip_with([](double quantity, double price, double less, double charge, double discount,
                     std::int64_t count) { return Sums{quantity, price, less, charge, discount, count}; },
                  reduce_by_key(plus, group, items.quantity, groups), reduce_by_key(plus, group, items.price, groups),
                  reduce_by_key(plus, group, discounted, groups), reduce_by_key(plus, group, charged, groups),
                  reduce_by_key(plus, group, items.discount, groups), reduce_by_key(plus, group, one, groups));
}

}  // namespace

std::vector<PricingRow> pricing_summary(const PricedItems& items, std::int32_t last) {
  const auto [flags, statuses] = std::pair(items.flag.dictionary, items.status.dictionary);
  const std::vector<Sums> groups = sums_of_groups(items, last).get();
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
