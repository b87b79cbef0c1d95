// Functions over structs of 3 and of 64 bytes.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

constexpr auto unite = [](const Color& a, const Color& b) {
  return Color{static_cast<std::uint8_t>(a.r | b.r), static_cast<std::uint8_t>(a.g | b.g),
               static_cast<std::uint8_t>(a.b | b.b)};
};
constexpr auto add = [](const auto& a, const auto& b) {
  WideOfNumbers sum;
  for (std::size_t k = 0; k < 8; ++k) sum.x[k] = a.x[k] + b.x[k];
  return sum;
};
const WideOfNumbers kNothing{};

void add_colors(std::vector<Operation>& table) {
  table.push_back(element<Color, V<std::int64_t>>(
      KASEN_CODE([](std::int64_t i) {
        const auto low = static_cast<std::uint8_t>(i & 7);
        return Color{low, 1, static_cast<std::uint8_t>(i % 2 == 0)};
      }),
      [](auto i) {
        return Color{static_cast<std::uint8_t>(i.value & 7), 1, static_cast<std::uint8_t>(i.value % 2 == 0)};
      }));
  table.push_back(element<std::int32_t, V<Color>>(
      KASEN_CODE([](const Color& c) { return static_cast<std::int32_t>(c.r + 2 * c.b); }),
      [](const Color& c) { return Int(c.r + 2 * c.b, 2048, 0); }));
  table.push_back(product<Color, Pattern, Color>(
      KASEN_CODE(kasen::first), KASEN_CODE(color_union), [](const Color& c) { return c; }, unite, Color{0, 0, 0}));
  table.push_back(reduction<Color>(KASEN_CODE(color_union), unite, Color{0, 0, 0}));
}

void add_wide(std::vector<Operation>& table) {
  table.push_back(element<Wide, V<double>>(KASEN_CODE([](double x) { return wide_of(x); }), [](auto x) {
    return WideOfNumbers{{x, -x, 2 * x, 0, x, x, 4 * x, x}};
  }));
  table.push_back(element<double, V<Wide>>(KASEN_CODE([](const Wide& w) { return w.x[2] + w.x[1]; }),
                                           [](const auto& w) { return w.x[2] + w.x[1]; }));
  table.push_back(element<Wide, V<Wide>, S<double>>(KASEN_CODE(kasen::laws(
                                                        [](const Wide& w, double s) {
                                                          Wide result{};
                                                          for (int k = 0; k < 8; ++k) result.x[k] = w.x[k] * s;
                                                          return result;
                                                        },
                                                        kasen::exchanges_with(wide_sum))),
                                                    [](const auto& w, auto s) {
                                                      WideOfNumbers result;
                                                      for (std::size_t k = 0; k < 8; ++k) result.x[k] = w.x[k] * s;
                                                      return result;
                                                    }));
  table.push_back(product<Wide, Pattern, Wide>(
      KASEN_CODE(kasen::first), KASEN_CODE(wide_sum), [](const auto& w) { return w; }, add, kNothing));
  table.push_back(reduction<Wide>(KASEN_CODE(wide_sum), add, kNothing));
}

}  // namespace

void add_row_operations(std::vector<Operation>& table) {
  add_colors(table);
  add_wide(table);
}

}  // namespace kasen::tests::fuzz
