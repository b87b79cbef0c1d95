/// @file
/// select l_orderkey, sum(l_extendedprice * (1 - l_discount)) as revenue, o_orderdate, o_shippriority
/// from customer, orders, lineitem
/// where c_mktsegment = segment and c_custkey = o_custkey and l_orderkey = o_orderkey and o_orderdate < day
///   and l_shipdate > day
/// group by l_orderkey, o_orderdate, o_shippriority order by revenue desc, o_orderdate limit 10
#include "apps/tables/queries.h"

namespace apps {

using kasen::map;
using kasen::take;
using kasen::zip_with;

std::vector<UnshippedOrder> shipping_priority(const CustomerSegments& customers, const PlacedOrders& orders,
                                              const OrderedItems& items, const std::string& segment, std::int32_t day) {
  const auto in_segment = map(KASEN_FN((auto code, auto wanted), code == wanted), customers.segment.code,
                              customers.segment.dictionary.code_of(segment));
  const auto customer = kasen::index_of(orders.customer, customers.key);
  const auto open = zip_with(KASEN_FN((auto wanted, auto placed, auto before), wanted && placed < before),
                             take(in_segment, customer, false), orders.placed, day);
  const auto [key, placed, priority] = kasen::compact(open, std::tie(orders.key, orders.placed, orders.priority));

  const auto order = zip_with(KASEN_FN((auto of, auto shipped, auto after),
                                       kasen::select(shipped > after, of, kasen::cast<kasen::GlobalIndex>(-1))),
                              kasen::index_of(items.order, key), items.shipped, day);
  const auto price = zip_with(KASEN_FN((auto full, auto discount), full * (1 - discount)), items.price, items.discount);
  const auto revenue = kasen::reduce_by_key(kasen::plus, order, price, key.length());
  const auto result = zip_with(
      [](double earned, std::int64_t of, std::int64_t first, std::int32_t on) {
        return UnshippedOrder{earned, of, first, on};
      },
      revenue, key, priority, placed);
  std::vector<UnshippedOrder> rows;
  for (const auto& [index, row] : kasen::top(result, 10)) {
    if (row.revenue > 0) rows.push_back(row);  // not the orders all of whose items were shipped
  }
  return rows;
}

}  // namespace apps
