/// @file
/// select sum(l_extendedprice * l_discount) from lineitem
/// where l_shipdate >= first and l_shipdate < end and l_discount between least and most and l_quantity < quantity
#include "apps/tables/queries.h"

namespace apps {

double revenue_forecast(const DiscountedItems& items, const ForecastRange& range) {
  const auto earned = KASEN_FN(
      (auto price, auto discount, auto quantity, auto day, auto first, auto end, auto least, auto most, auto below),
      kasen::select(day >= first && day < end && discount >= least && discount <= most && quantity < below,
                    price * discount, 0.0));
  // What each item earns has no name: it is never stored.
  return kasen::reduce(kasen::plus, kasen::zip_with(earned, std::tie(items.price, items.discount, items.quantity,
                                                                     items.shipped, range.first, range.end, range.least,
                                                                     range.most, range.quantity)))
      .get();
}

}  // namespace apps
