/// @file
/// Dates as numbers: days since 1970-01-01, in the Gregorian calendar.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace kasen {

/// The number of a day. @pre it is a day of the calendar, of the years -32767 to 32767
constexpr std::int32_t day_of(int year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  return static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// The date of a day, as 1998-09-02. @pre of the years -32767 to 32767
inline std::string date_of(std::int32_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  char text[24];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace kasen
