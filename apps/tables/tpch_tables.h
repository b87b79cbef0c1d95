/// @file
/// What the queries see of TPC-H's tables, read from a folder of them.
#pragma once

#include <string>

#include "apps/tables/queries.h"

namespace apps {

enum class TpchTable : std::uint8_t { customer, orders, lineitem };

/// The file of a table, and what its lines do not say.
struct TableFile {
  std::string path;
  kasen::TableNames names;
};
/// Local. lineitem.csv, or if there is none, lineitem.tbl as dbgen writes it, without a line of names.
TableFile table_file(const std::string& folder, TpchTable table);

/// Collective. Columns of the tables in a folder. @throws AgreedError
PricedItems read_priced_items(const std::string& folder);
DiscountedItems read_discounted_items(const std::string& folder);
CustomerSegments read_customer_segments(const std::string& folder);
PlacedOrders read_placed_orders(const std::string& folder);
OrderedItems read_ordered_items(const std::string& folder);
PrioritisedOrders read_prioritised_orders(const std::string& folder);
ShippedItems read_shipped_items(const std::string& folder);

}  // namespace apps
