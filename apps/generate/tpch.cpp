/// @file
/// Rows of TPC-H's tables, and their lines.
#include "apps/generate/tpch.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "apps/generate/streams.h"
#include "comm/agreement.h"
#include "kasen/base/calendar.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/io/lines/text_output.h"
#include "partition/assignment.h"

namespace apps::generate {

namespace {

using kasen::comm::Communicator;
using kasen::io::append;

constexpr std::int32_t kFirstOrder = kasen::day_of(1992, 1, 1), kLastOrder = kasen::day_of(1998, 8, 2);
constexpr std::int32_t kToday = kasen::day_of(1995, 6, 17);

std::uint64_t scaled(double scale, double rows) {
  return static_cast<std::uint64_t>(std::max(1.0, std::round(scale * rows)));
}

/// The price of a piece, in cents.
std::int64_t retail_price(std::uint64_t part) {
  return static_cast<std::int64_t>(90000 + part / 10 % 20001 + 100 * (part % 1000));
}

void append_hundredths(std::string& text, std::int64_t number) {
  append(text, number / 100);
  text += '.';
  text += static_cast<char>('0' + number / 10 % 10);
  text += static_cast<char>('0' + number % 10);
}

void append_item(std::string& text, const Order& order, const Item& item) {
  append(text, order.key), text += ',';
  append(text, item.number), text += ',';
  append(text, item.quantity), text += ',';
  append_hundredths(text, item.price), text += ',';
  append_hundredths(text, item.discount), text += ',';
  append_hundredths(text, item.tax), text += ',';
  text += kReturnFlags[item.return_flag], text += ',';
  text += kLineStatus[item.status], text += ',';
  for (const std::int32_t day : {item.ship, item.commit, item.receipt}) text += kasen::date_of(day), text += ',';
  text += kShipModes[item.mode], text += '\n';
}

struct Range {
  std::uint64_t begin, count;
};

Range block_of(const Communicator& communicator, std::uint64_t rows) {
  const auto blocks = kasen::partition::Assignment::block(rows, communicator.size());
  const auto begin = blocks.block_begin(communicator.rank());
  return {static_cast<std::uint64_t>(begin),
          static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1) - begin)};
}

}  // namespace

std::uint64_t num_customers(const Tpch& parameters) { return scaled(parameters.scale, 150'000); }
std::uint64_t num_orders(const Tpch& parameters) { return scaled(parameters.scale, 1'500'000); }

void make_order(const Tpch& parameters, std::uint64_t number, Order& order) {
  const Stream orders(parameters.seed, 1), items(parameters.seed, 2);
  const auto draw = [&](std::uint64_t what, std::uint64_t limit) { return orders.below(limit, number * 8 + what); };
  // Of each 32 keys the first eight are used, and every third customer has no orders.
  order.key = number / 8 * 32 + number % 8 + 1;
  const std::uint64_t customers = num_customers(parameters), buyer = draw(0, customers - customers / 3);
  order.customer = buyer / 2 * 3 + buyer % 2 + 1;
  order.date = kFirstOrder + static_cast<std::int32_t>(draw(1, kLastOrder - kFirstOrder + 1));
  order.priority = static_cast<std::uint32_t>(draw(2, kPriorities.size()));
  const std::uint64_t count = 1 + draw(3, 7), parts = scaled(parameters.scale, 200'000);
  order.items.clear();
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto of_item = [&](std::uint64_t what, std::uint64_t limit) {
      return static_cast<std::int64_t>(items.below(limit, (number * 8 + k) * 16 + what));
    };
    Item item{};
    item.number = k + 1;
    item.quantity = 1 + of_item(0, 50);
    item.price = item.quantity * retail_price(1 + static_cast<std::uint64_t>(of_item(1, parts)));
    item.discount = of_item(2, 11);
    item.tax = of_item(3, 9);
    item.ship = order.date + 1 + static_cast<std::int32_t>(of_item(4, 121));
    item.commit = order.date + 30 + static_cast<std::int32_t>(of_item(5, 61));
    item.receipt = item.ship + 1 + static_cast<std::int32_t>(of_item(6, 30));
    const bool returned = of_item(7, 2) == 1;
    item.return_flag = item.receipt > kToday ? 1 : returned ? 2 : 0;
    item.status = item.ship > kToday ? 1 : 0;
    item.mode = static_cast<std::uint32_t>(of_item(8, kShipModes.size()));
    order.items.push_back(item);
  }
}

TpchRows write_tpch(const Communicator& communicator, const std::string& folder, const Tpch& parameters) {
  kasen::comm::agree(communicator, [&] {
    std::error_code error;
    if (communicator.rank() == 0) std::filesystem::create_directories(folder, error);
    if (error) throw kasen::InputError(folder + ": cannot be made: " + error.message());
  });
  const std::string customer = folder + "/customer.csv", orders = folder + "/orders.csv";
  const std::string lineitem = folder + "/lineitem.csv";
  kasen::io::require_outputs(communicator, {customer, orders, lineitem});

  TpchRows rows{num_customers(parameters), num_orders(parameters), 0};
  const Stream segments(parameters.seed, 3);
  const Range customers = block_of(communicator, rows.customers), mine = block_of(communicator, rows.orders);
  kasen::io::write_sections(communicator, customer, "c_custkey,c_mktsegment\n", 1, customers.count,
                            [&](std::uint64_t, std::uint64_t k, std::string& text) {
                              append(text, customers.begin + k + 1), text += ',';
                              text += kSegments[segments.below(kSegments.size(), customers.begin + k)];
                              text += '\n';
                            });
  Order order{};
  kasen::io::write_sections(communicator, orders, "o_orderkey,o_custkey,o_orderdate,o_orderpriority,o_shippriority\n",
                            1, mine.count, [&](std::uint64_t, std::uint64_t k, std::string& text) {
                              make_order(parameters, mine.begin + k, order);
                              append(text, order.key), text += ',';
                              append(text, order.customer), text += ',';
                              text += kasen::date_of(order.date), text += ',';
                              text += kPriorities[order.priority], text += ",0\n";
                            });
  kasen::io::write_sections(communicator, lineitem,
                            "l_orderkey,l_linenumber,l_quantity,l_extendedprice,l_discount,l_tax,l_returnflag,"
                            "l_linestatus,l_shipdate,l_commitdate,l_receiptdate,l_shipmode\n",
                            1, mine.count, [&](std::uint64_t, std::uint64_t k, std::string& text) {
                              make_order(parameters, mine.begin + k, order);
                              for (const Item& item : order.items) append_item(text, order, item);
                            });
  std::uint64_t items = 0;
  for (std::uint64_t k = 0; k < mine.count; ++k) {
    make_order(parameters, mine.begin + k, order);
    items += order.items.size();
  }
  rows.items = communicator.sum(items);
  return rows;
}

}  // namespace apps::generate
