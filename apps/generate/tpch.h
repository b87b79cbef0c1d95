/// @file
/// Tables of the TPC-H benchmark, as far as its queries 1, 3, 6 and 12 see them: rows, each a function of its number,
/// and their files. Sizes, ranges and dependencies are those of the specification (revision 3, clause 4.2); the random
/// numbers are not those of its own generator.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.h"

namespace apps::generate {

struct Tpch {
  double scale = 0.01;  ///< 1: 150,000 customers, 1.5 million orders and 6 million items; at least one order
  std::uint64_t seed = 1;
};

inline constexpr std::array<const char*, 3> kReturnFlags = {"A", "N", "R"};
inline constexpr std::array<const char*, 2> kLineStatus = {"F", "O"};
inline constexpr std::array<const char*, 7> kShipModes = {"REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"};
inline constexpr std::array<const char*, 5> kPriorities = {"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED",
                                                           "5-LOW"};
inline constexpr std::array<const char*, 5> kSegments = {"AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY",
                                                         "HOUSEHOLD"};

/// An item of an order. Dates are days (kasen/base/calendar.h), words are positions in the lists above.
struct Item {
  std::uint64_t number;          ///< in its order, from 1
  std::int64_t quantity, price;  ///< pieces; cents, for all of them
  std::int64_t discount, tax;    ///< hundredths of the price
  std::int32_t ship, commit, receipt;
  std::uint32_t return_flag, status, mode;
};

struct Order {
  std::uint64_t key, customer;
  std::int32_t date;
  std::uint32_t priority;
  std::vector<Item> items;  ///< one to seven
};

std::uint64_t num_customers(const Tpch& parameters);
std::uint64_t num_orders(const Tpch& parameters);
/// Local. Order `number`, from 0; the room of `order` is used again.
void make_order(const Tpch& parameters, std::uint64_t number, Order& order);

/// Collective. Writes customer.csv, orders.csv and lineitem.csv into a folder, which is made if it is not there: a line
/// of names, then a row a line, fields separated by commas; each worker writes a block of the customers and of the
/// orders. @return the rows of each table @throws AgreedError "PATH: reason"
struct TpchRows {
  std::uint64_t customers, orders, items;
};
TpchRows write_tpch(const kasen::comm::Communicator& communicator, const std::string& folder, const Tpch& parameters);

}  // namespace apps::generate
