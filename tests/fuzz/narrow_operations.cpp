// Functions over numbers of 8 to 64 bits, few for each type.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using L = std::int64_t;

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto smaller = [](auto a, auto b) { return least(a, b); };
constexpr auto larger = [](auto a, auto b) { return largest(a, b); };
constexpr auto unite = [](auto a, auto b) { return a | b; };
constexpr auto same = [](auto v, auto...) { return v; };

// To and from other types, two vectors, a vector and a Shared; a macro, for the text. The sum as a black box.
#define KASEN_FUZZ_NUMBERS(T, suits)                                                                                  \
  table.push_back(element<T, V<L>>(KASEN_CODE([](std::int64_t i) { return static_cast<T>((i % 5 + 5) % 5); }),        \
                                   [](auto i) { return Number<T>(static_cast<T>((i.value % 5 + 5) % 5), 5, 0); }));   \
  table.push_back(element<L, V<T>>(                                                                                   \
      KASEN_CODE([](T x) { return static_cast<std::int64_t>(x) % 64; }),                                              \
      [](auto x) { return Long(static_cast<L>(x.value) % 64, 64, 0); }, suits));                                      \
  table.push_back(element<T, V<T>, V<T>>(                                                                             \
      KASEN_CODE(kasen::laws([](T a, T b) { return static_cast<T>(a + b); }, kasen::pushes_down_into(kasen::plus, 0), \
                             kasen::pushes_down_into(kasen::plus, 1))),                                               \
      [](auto a, auto b) { return a + b; }));                                                                         \
  table.push_back(element<T, V<T>, S<T>>(KASEN_CODE(kasen::max), [](auto x, auto s) { return largest(x, s); }))

void add_integers(std::vector<Operation>& table) {
  KASEN_FUZZ_NUMBERS(std::int8_t, Suits::all);
  table.push_back(product<std::int8_t, Pattern, std::int8_t>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::max), same,
                                                             larger, std::numeric_limits<std::int8_t>::lowest()));
  table.push_back(reduction<std::int8_t>(KASEN_CODE(kasen::max), larger, std::numeric_limits<std::int8_t>::lowest()));
  KASEN_FUZZ_NUMBERS(std::uint16_t, Suits::all);
  table.push_back(
      product<std::uint16_t, Pattern, std::uint16_t>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::plus), same, add, 0));
  table.push_back(reduction<std::uint16_t>(KASEN_CODE(kasen::plus), add, 0));
  KASEN_FUZZ_NUMBERS(std::uint32_t, Suits::all);
  table.push_back(product<std::uint32_t, Pattern, std::uint32_t>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::bit_or),
                                                                 same, unite, 0));
  table.push_back(reduction<std::uint32_t>(KASEN_CODE(kasen::bit_or), unite, 0));
  KASEN_FUZZ_NUMBERS(std::uint64_t, Suits::all);
  table.push_back(product<std::uint64_t, Pattern, std::uint64_t>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::min), same,
                                                                 smaller, std::numeric_limits<std::uint64_t>::max()));
  table.push_back(reduction<std::uint64_t>(KASEN_CODE(kasen::min), smaller, std::numeric_limits<std::uint64_t>::max()));
}

void add_floats(std::vector<Operation>& table) {
  KASEN_FUZZ_NUMBERS(float, Suits::exact);
  table.push_back(element<float, V<double>>(
      KASEN_CODE([](double x) { return static_cast<float>(std::floor(4 * x)); }),
      [](auto x) {
        if (std::isinf(x.value) || std::abs(x.value) > 0x1p16) {
          throw OutOfBounds("too large");
        }
        const auto value = static_cast<float>(std::floor(4 * x.value));
        return Real32(value, 4 * x.size + 1, 0);
      },
      Suits::exact));
  table.push_back(element<float, V<float>, S<float>>(KASEN_CODE(kasen::times), [](auto x, auto s) { return x * s; }));
  table.push_back(product<float, Pattern, float>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::plus), same, add, 0));
  table.push_back(reduction<float>(KASEN_CODE(kasen::plus), add, 0));
}

#undef KASEN_FUZZ_NUMBERS

}  // namespace

void add_narrow_operations(std::vector<Operation>& table) {
  add_integers(table);
  add_floats(table);
}

}  // namespace kasen::tests::fuzz
