/// @file
/// select l_shipmode, sum(o_orderpriority in ('1-URGENT', '2-HIGH')), sum(o_orderpriority not in ('1-URGENT',
/// '2-HIGH')) from orders, lineitem where o_orderkey = l_orderkey and l_shipmode in modes and l_commitdate <
/// l_receiptdate and l_shipdate < l_commitdate
///   and l_receiptdate >= first and l_receiptdate < end
/// group by l_shipmode order by l_shipmode
#include "apps/tables/queries.h"

namespace apps {

using kasen::map;
using kasen::plus;
using kasen::reduce_by_key;
using kasen::take;
using kasen::zip_with;

std::vector<ModeRow> shipping_modes(const PrioritisedOrders& orders, const ShippedItems& items,
                                    const std::array<std::string, 2>& modes, std::int32_t first, std::int32_t end) {
  const kasen::Dictionary& words = items.mode.dictionary;
  const std::int32_t one = words.code_of(modes[0]), other = words.code_of(modes[1]);
  const auto late =
      zip_with(KASEN_FN((auto mode, auto shipped, auto committed, auto received, auto a, auto b, auto from, auto to),
                        (mode == a || mode == b) && shipped < committed && committed < received && received >= from &&
                            received < to),
               std::tie(items.mode.code, items.shipped, items.committed, items.received, one, other, first, end));
  const auto [key, mode] = kasen::compact(late, std::tie(items.order, items.mode.code));

  const kasen::Dictionary& priorities = orders.priority.dictionary;
  const auto urgent = map(KASEN_FN((auto code, auto a, auto b), kasen::cast<std::int64_t>(code == a || code == b)),
                          orders.priority.code, priorities.code_of("1-URGENT"), priorities.code_of("2-HIGH"));
  const auto order = kasen::index_of(key, orders.key);
  const auto group = zip_with(KASEN_FN((auto at, auto code), kasen::select(at < 0, -1, code)), order, mode);
  const auto is_high = take(urgent, order);
  const auto is_low = map(KASEN_FN((auto high), 1 - high), is_high);
  const auto high = reduce_by_key(plus, group, is_high, words.size());
  const auto low = reduce_by_key(plus, group, is_low, words.size());

  const auto high_of = high.get(), low_of = low.get();
  std::vector<ModeRow> rows;
  for (std::size_t code = 0; code < high_of.size(); ++code) {
    if (high_of[code] + low_of[code] == 0) continue;
    rows.push_back({std::string(words[static_cast<std::int32_t>(code)]), high_of[code], low_of[code]});
  }
  return rows;
}

}  // namespace apps
