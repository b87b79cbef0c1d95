#include "bench/tpch_hand.h"

namespace bench {

std::array<GroupSums, 6> pricing_summary(const ItemColumns& items, std::int32_t last) {
  std::array<GroupSums, 6> groups;
  for (std::size_t k = 0; k < items.n; ++k) {
    if (items.shipped[k] > last) continue;
    GroupSums& sums = groups[static_cast<std::size_t>(items.flag[k] * 2 + items.status[k])];
    const double price = items.price[k], discounted = price * (1 - items.discount[k]);
    sums.quantity += items.quantity[k];
    sums.price += price;
    sums.discounted += discounted;
    sums.charged += discounted * (1 + items.tax[k]);
    sums.discount += items.discount[k];
    ++sums.count;
  }
  return groups;
}

double revenue_forecast(const ItemColumns& items, std::int32_t first, std::int32_t end, double least, double most,
                        double quantity) {
  const auto [flag, status, shipped, pieces, price, discount, tax, n] = items;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < n; ++k) {
    const bool taken = (shipped[k] >= first) & (shipped[k] < end) & (discount[k] >= least) & (discount[k] <= most) &
                       (pieces[k] < quantity);
    sum += taken ? price[k] * discount[k] : 0.0;
  }
  return sum;
}

}  // namespace bench
