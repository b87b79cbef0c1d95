/// @file
/// Hand-written loops of queries over tables, in a translation unit of their own, for comparison.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bench {

/// Columns of items, as many elements each.
struct ItemColumns {
  const std::int32_t *flag, *status, *shipped;
  const double *quantity, *price, *discount, *tax;
  std::size_t n;
};

struct GroupSums {
  double quantity = 0, price = 0, discounted = 0, charged = 0, discount = 0;
  std::int64_t count = 0;
};

/// Query 1 of TPC-H in one loop: the sums of the items of each flag and status that were shipped up to a day.
std::array<GroupSums, 6> pricing_summary(const ItemColumns& items, std::int32_t last);

/// Query 6 in one loop, which compilers vectorise.
double revenue_forecast(const ItemColumns& items, std::int32_t first, std::int32_t end, double least, double most,
                        double quantity);

}  // namespace bench
