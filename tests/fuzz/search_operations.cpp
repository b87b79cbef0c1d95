// Functions of searches over numbers.
#include <algorithm>

#include "tests/fuzz/search_operations.h"

namespace kasen::tests::fuzz {
namespace {

constexpr auto smaller = [](const auto& a, const auto& b) { return least(a, b); };
constexpr auto larger = [](const auto& a, const auto& b) { return largest(a, b); };
constexpr auto unite = [](const auto& a, const auto& b) { return a | b; };

void add_long_minimum(std::vector<Operation>& table) {
  KASEN_FUZZ_LARGER_FAMILY(std::int64_t, kasen::min, smaller, std::numeric_limits<std::int64_t>::max(), k % 1000,
                           y > 900 ? y : y + 1, Suits::all);
  family.add(Part::product, product<L, I, L>(
                                KASEN_CODE(KASEN_FN((auto y, auto w), kasen::max(y, kasen::cast<std::int64_t>(w)))),
                                KASEN_CODE(kasen::min), [](const auto& y, auto w) { return largest(y, Long(w.value)); },
                                smaller, none));
}
void add_real_minimum(std::vector<Operation>& table) {
  KASEN_FUZZ_LARGER_FAMILY(double, kasen::min, smaller, kasen::infinity, static_cast<double>(k % 100) / 4 - 3,
                           y < 300 ? y + 0.5 : y, Suits::exact);
  // Ways, whose lengths improve more than once.
  family.add(
      Part::product,
      product<double, I, double>(
          KASEN_CODE(KASEN_FN((auto y, auto w), y + kasen::cast<double>(kasen::max(w, 1)))), KASEN_CODE(kasen::min),
          [](const auto& y, auto w) { return number_of(y.value + std::max(static_cast<double>(w.value), 1.0)); },
          smaller, none));
}
void add_byte_maximum(std::vector<Operation>& table) {
  KASEN_FUZZ_LARGER_FAMILY(std::int8_t, kasen::max, larger, std::numeric_limits<std::int8_t>::lowest(),
                           static_cast<std::int8_t>(k % 50 - 10), static_cast<std::int8_t>(y > -20 ? y - 1 : y),
                           Suits::all);
  family.add(
      Part::product,
      product<std::int8_t, I, std::int8_t>(
          KASEN_CODE(KASEN_FN((auto y, auto w), kasen::min(y, kasen::cast<std::int8_t>(w)))), KASEN_CODE(kasen::max),
          [](const auto& y, auto w) { return least(y, number_of(static_cast<std::int8_t>(w.value))); }, larger, none));
}
void add_bits(std::vector<Operation>& table) {
  KASEN_FUZZ_LARGER_FAMILY(std::uint64_t, kasen::bit_or, unite, std::uint64_t{0}, std::uint64_t{1} << (k & 63),
                           (y << 1) | (y >> 63), Suits::all);
}

}  // namespace

void add_searches_of_numbers(std::vector<Operation>& table) {
  add_long_minimum(table);
  add_real_minimum(table);
  add_byte_maximum(table);
  add_bits(table);
}

}  // namespace kasen::tests::fuzz
