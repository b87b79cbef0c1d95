/// @file
/// Plain implementations of the queries, for --verify: the first worker reads the tables again, line by line, and goes
/// over all rows in loops; nothing of Kasen's readers, recorder or kernels is used.
#pragma once

#include <string>
#include <vector>

#include "apps/tables/queries.h"

namespace apps {

/// Collective. Whether the rows are those of the query over the tables in the folder: words, keys and counts are equal,
/// sums and means within 1e-9 of their size. @throws AgreedError if the tables cannot be read
bool holds_pricing_summary(const std::string& folder, const std::vector<PricingRow>& rows);
bool holds_revenue_forecast(const std::string& folder, double revenue);
/// Orders of equal revenue and day may change places.
bool holds_shipping_priority(const std::string& folder, const std::vector<UnshippedOrder>& rows);
bool holds_shipping_modes(const std::string& folder, const std::vector<ModeRow>& rows);

}  // namespace apps
