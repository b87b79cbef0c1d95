// Functions of searches over flags, structs and other numbers, fewer for each type.
#include "tests/fuzz/search_operations.h"

namespace kasen::tests::fuzz {
namespace {

constexpr auto smaller = [](const auto& a, const auto& b) { return least(a, b); };
constexpr auto larger = [](const auto& a, const auto& b) { return largest(a, b); };

void add_flags(std::vector<Operation>& table) {
  KASEN_FUZZ_LARGER_FAMILY(
      bool, kasen::logical_or, [](bool a, bool b) { return a || b; }, false, k % 3 != 0, y, Suits::all);
  // A choice of flags is no choice in an expression, but a flag.
  family.add(Part::reached, element<bool, V<bool>>(KASEN_CODE(KASEN_FN((auto a), kasen::select(a, true, false))),
                                                   [](bool a) { return a; }));
  family.add(Part::frontier, element<bool, V<bool>, V<bool>>(
                                 KASEN_CODE(KASEN_FN((auto a, auto b), kasen::select(a && !b, true, false))),
                                 [](bool a, bool b) { return a && !b; }));
  family.add(Part::frontier, element<bool, V<bool>, V<bool>>(KASEN_CODE([](bool a, bool b) { return a && !b; }),
                                                             [](bool a, bool b) { return a && !b; }));
}
void add_all_flags(std::vector<Operation>& table) {
  KASEN_FUZZ_FAMILY(
      bool, kasen::logical_and, [](bool a, bool b) { return a && b; }, true, k % 3 == 0, y, KASEN_FN, kasen::select,
      Suits::all);
  KASEN_FUZZ_CHANGES(bool);
}
void add_all_bits(std::vector<Operation>& table) {
  KASEN_FUZZ_FAMILY(
      std::uint64_t, kasen::bit_and, [](const auto& a, const auto& b) { return a & b; }, ~std::uint64_t{0},
      ~(std::uint64_t{1} << (k & 63)), (y << 1) | (y >> 63), KASEN_FN, kasen::select, Suits::all);
  KASEN_FUZZ_CHANGES(std::uint64_t);
}
void add_real_maximum(std::vector<Operation>& table) {
  KASEN_FUZZ_FAMILY(double, kasen::max, larger, -kasen::infinity, k % 5 == 4 ? -0.0 : static_cast<double>(k % 40) - 10,
                    y == 0     ? -y
                    : y > -300 ? y - 0.5
                               : y,
                    KASEN_FN, kasen::select, Suits::exact);
  KASEN_FUZZ_CHANGES(double);
}
void add_narrow_minimum(std::vector<Operation>& table) {
  KASEN_FUZZ_FAMILY(float, kasen::min, smaller, std::numeric_limits<float>::infinity(),
                    static_cast<float>(k % 100) / 2 - 3, y < 300 ? y + 0.5f : y, KASEN_FN, kasen::select, Suits::exact);
  KASEN_FUZZ_CHANGES(float);
}
void add_short_maximum(std::vector<Operation>& table) {
  KASEN_FUZZ_FAMILY(std::uint16_t, kasen::max, larger, std::uint16_t{0}, static_cast<std::uint16_t>(1 + (k & 127)),
                    static_cast<std::uint16_t>(y == 1 ? 1 : y >> 1), KASEN_FN, kasen::select, Suits::all);
  KASEN_FUZZ_CHANGES(std::uint16_t);
}
void add_own_minimum(std::vector<Operation>& table) {
  KASEN_FUZZ_FAMILY(std::int64_t, whole_least, smaller, std::numeric_limits<std::int64_t>::max(), k % 1000,
                    y > 900 ? y : y + 1, KASEN_FN, kasen::select, Suits::all);
  KASEN_FUZZ_CHANGES(std::int64_t);
}
void add_structs(std::vector<Operation>& table) {
  KASEN_FUZZ_FAMILY(Pair, pair_least, pair_smaller, kNoPair, pair_at(k), pair_after(y), FUZZ_LAMBDA, pick, Suits::all);
}

}  // namespace

void add_other_searches(std::vector<Operation>& table) {
  add_flags(table);
  add_all_flags(table);
  add_all_bits(table);
  add_real_maximum(table);
  add_narrow_minimum(table);
  add_short_maximum(table);
  add_own_minimum(table);
  add_structs(table);
}

}  // namespace kasen::tests::fuzz
