// Functions over double.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using R = double;

void add_maps(std::vector<Operation>& table) {
  // Any vector of integers, spread over small numbers of both signs.
  table.push_back(element<R, V<std::int64_t>>(
      KASEN_CODE([](std::int64_t i) { return static_cast<double>((i % 17 * 37 + 11) % 17) / 4 - 2; }),
      [](auto i) { return Real(static_cast<double>((i.value % 17 * 37 + 11) % 17) / 4 - 2); }));
  table.push_back(element<R, V<std::int32_t>>(KASEN_CODE([](std::int32_t i) { return i * 0.5; }),
                                              [](auto i) { return Real(i.value * 0.5, i.size * 0.5, 1); }));
  // What keeps numbers small.
  table.push_back(element<R, V<R>>(
      KASEN_CODE([](double x) { return x - 8 * std::floor(x / 8); }),
      [](auto x) {
        if (std::isinf(x.value)) throw OutOfBounds("infinite");
        return Real(x.value - 8 * std::floor(x.value / 8), 8, x.grain);
      },
      Suits::exact));
  table.push_back(element<R, V<R>>(
      KASEN_CODE([](double x) { return std::floor(8 * x); }),
      [](auto x) {
        if (std::isinf(x.value) || std::abs(x.value) > 0x1p20) throw OutOfBounds("too large");
        return Real(std::floor(8 * x.value), 8 * x.size + 1, 0);
      },
      Suits::exact));
  table.push_back(element<R, V<R>>(
      KASEN_CODE([](double x) { return x / (1 + kasen::abs(x)); }),
      [](auto x) {
        if (std::isinf(x.value)) throw OutOfBounds("infinite");
        return Real(x.value / (1 + std::abs(x.value)), 1 + x.size * 1e-3, -1);
      },
      Suits::rounded));
  table.push_back(element<R, V<R>>(KASEN_CODE(KASEN_FN((auto x), 2 * x + 1)), [](auto x) { return 2 * x + 1; }));
  table.push_back(element<R, V<R>>(KASEN_CODE(KASEN_FN((auto x), kasen::abs(x))), [](auto x) { return absolute(x); }));
  table.push_back(element<R, V<R>>(KASEN_CODE(KASEN_FN((auto x), kasen::select(x > 0.0, x, x * 0.5))),
                                   [](auto x) { return choose(x.value > 0, x, x * 0.5); }));
  table.push_back(
      element<R, V<R>>(KASEN_CODE(kasen::laws([](double x) { return -x; }, kasen::exchanges_with(kasen::plus))),
                       [](auto x) { return -x; }));
  table.push_back(
      element<R, V<R>>(KASEN_CODE(kasen::laws([](double x) { return x * 0.5; }, kasen::exchanges_with(kasen::plus),
                                              kasen::exchanges_with(kasen::min), kasen::exchanges_with(kasen::max))),
                       [](auto x) { return x * 0.5; }));
  table.push_back(
      element<R, V<R>>(KASEN_CODE(kasen::laws([](double x) { return x + 0.25; }, kasen::pushes_down_into(kasen::plus))),
                       [](auto x) { return x + 0.25; }));
  table.push_back(element<R, V<R>>(KASEN_CODE([](double x) { return x * x; }), [](auto x) { return x * x; }));
  table.push_back(element<R, V<R>>(
      KASEN_CODE(KASEN_FN((auto x), kasen::exp(-kasen::abs(x)))),
      [](auto x) { return smooth(std::exp(-std::abs(x.value)), x); }, Suits::rounded));
  table.push_back(element<R, V<R>>(
      KASEN_CODE(KASEN_FN((auto x), kasen::atan(x))), [](auto x) { return smooth(std::atan(x.value), x); },
      Suits::rounded));
  table.push_back(element<R, V<R>>(
      KASEN_CODE(KASEN_FN((auto x), kasen::sqrt(1 + kasen::abs(x)))),
      [](auto x) { return smooth(std::sqrt(1 + std::abs(x.value)), x); }, Suits::rounded));
  table.push_back(element<R, V<R>>(
      KASEN_CODE([](double x) { return 1 / (1 + x * x); }),
      [](auto x) { return smooth(1 / (1 + x.value * x.value), x); }, Suits::rounded));
  // Wrong: half of a sum is not the sum of what is left when one is taken from each.
  table.push_back(element<R, V<R>>(
      KASEN_CODE(kasen::laws([](double x) { return x - 1; }, kasen::exchanges_with(kasen::plus))),
      [](auto x) { return x - 1; }, Suits::defect));
}

void add_maps_with_arguments(std::vector<Operation>& table) {
  const auto with_divisor = [](Operation operation) {
    operation.divides = true;
    return operation;
  };
  table.push_back(element<R, V<R>, S<R>>(KASEN_CODE(kasen::times), [](auto x, auto s) { return x * s; }));
  table.push_back(element<R, V<R>, S<R>>(KASEN_CODE(kasen::plus), [](auto x, auto s) { return x + s; }));
  table.push_back(element<R, V<R>, S<R>>(KASEN_CODE(kasen::minus), [](auto x, auto s) { return x - s; }));
  table.push_back(element<R, V<R>, S<R>>(KASEN_CODE(kasen::divides), [](auto x, auto s) { return x / s; }));
  table.push_back(element<R, V<R>, S<R>>(KASEN_CODE(kasen::min), [](auto x, auto s) { return least(x, s); }));
  table.push_back(element<R, V<R>, S<R>>(KASEN_CODE(kasen::max), [](auto x, auto s) { return largest(x, s); }));
  table.push_back(element<R, V<R>, C<R>>(KASEN_CODE(kasen::times), [](auto x, auto c) { return x * c; }));
  table.push_back(
      with_divisor(element<R, V<R>, C<R>>(KASEN_CODE(kasen::divides), [](auto x, auto c) { return x / c; })));
  table.push_back(element<R, V<R>, C<R>>(KASEN_CODE(kasen::plus), [](auto x, auto c) { return x + c; }));
  table.push_back(element<R, V<R>, S<R>>(
      KASEN_CODE(kasen::laws([](double x, double s) { return s * x; }, kasen::exchanges_with(kasen::plus))),
      [](auto x, auto s) { return s * x; }));
  table.push_back(element<R, V<R>, S<R>>(
      KASEN_CODE(kasen::laws([](double x, double s) { return x + s; }, kasen::pushes_down_into(kasen::plus))),
      [](auto x, auto s) { return x + s; }));
  table.push_back(element<R, V<R>, S<R>>(KASEN_CODE(KASEN_FN((auto x, auto r), (1 - r) + r * x)),
                                         [](auto x, auto r) { return (1 - r) + r * x; }));
  table.push_back(element<R, V<R>, S<R>, C<R>>(KASEN_CODE(KASEN_FN((auto x, auto a, auto b), a * x + b)),
                                               [](auto x, auto a, auto b) { return a * x + b; }));
  table.push_back(element<R, V<R>, S<R>, S<R>, C<std::int32_t>>(
      KASEN_CODE([](double x, double a, double b, std::int32_t n) { return n > 1 ? x - a : x - b; }),
      [](auto x, auto a, auto b, auto n) { return choose(n.value > 1, x - a, x - b); }));
  table.push_back(capturing<R, V<R>, C<R>>(KASEN_CODE([](double c) { return [c](double x) { return x + c; }; }),
                                           [](auto x, auto c) { return x + c; }));
  table.push_back(capturing<R, V<R>, C<R>>(KASEN_CODE([](double c) {
                                             return kasen::laws([c](double x) { return x * c; },
                                                                kasen::exchanges_with(kasen::plus));
                                           }),
                                           [](auto x, auto c) { return x * c; }));
}

void add_zips(std::vector<Operation>& table) {
  table.push_back(element<R, V<R>, V<R>>(KASEN_CODE(kasen::plus), [](auto x, auto y) { return x + y; }));
  table.push_back(element<R, V<R>, V<R>>(KASEN_CODE(kasen::minus), [](auto x, auto y) { return x - y; }));
  table.push_back(element<R, V<R>, V<R>>(KASEN_CODE(kasen::times), [](auto x, auto y) { return x * y; }));
  table.push_back(element<R, V<R>, V<R>>(KASEN_CODE(kasen::min), [](auto x, auto y) { return least(x, y); }));
  table.push_back(element<R, V<R>, V<R>>(
      KASEN_CODE(KASEN_FN((auto x, auto y), kasen::select(x < y, x, kasen::infinity))),
      [](auto x, auto y) { return choose(x.value < y.value, x, Real(kasen::infinity)); }, Suits::exact));
  table.push_back(element<R, V<R>, V<R>>(KASEN_CODE(kasen::max), [](auto x, auto y) { return largest(x, y); }));
  table.push_back(element<R, V<R>, V<R>>(KASEN_CODE(KASEN_FN((auto a, auto b), kasen::abs(a - b))),
                                         [](auto a, auto b) { return absolute(a - b); }));
  table.push_back(element<R, V<R>, V<R>>(KASEN_CODE([](double a, double b) { return a - 2 * b; }),
                                         [](auto a, auto b) { return a - 2 * b; }));
  table.push_back(element<R, V<R>, V<R>>(
      KASEN_CODE(kasen::laws([](double a, double b) { return a + b; }, kasen::pushes_down_into(kasen::plus, 0),
                             kasen::pushes_down_into(kasen::plus, 1))),
      [](auto a, auto b) { return a + b; }));
  table.push_back(element<R, V<R>, V<R>>(
      KASEN_CODE(kasen::laws([](double a, double b) { return a * b; }, kasen::distributes_over(kasen::plus, 0),
                             kasen::distributes_over(kasen::plus, 1))),
      [](auto a, auto b) { return a * b; }));
  table.push_back(
      element<R, V<R>, V<R>, V<R>>(KASEN_CODE(kasen::laws([](double a, double b, double c) { return a * b * c; },
                                                          kasen::distributes_over(kasen::plus, 0))),
                                   [](auto a, auto b, auto c) { return a * b * c; }));
  table.push_back(element<R, V<R>, V<R>, V<R>>(
      KASEN_CODE(kasen::laws([](double a, double b, double c) { return a + b - c; },
                             kasen::pushes_down_into(kasen::plus, 0), kasen::pushes_down_into(kasen::plus, 1))),
      [](auto a, auto b, auto c) { return a + b - c; }));
  table.push_back(element<R, V<R>, V<R>, S<R>>(KASEN_CODE(KASEN_FN((auto a, auto b, auto s), a + s * b)),
                                               [](auto a, auto b, auto s) { return a + s * b; }));
  table.push_back(
      element<R, V<R>, V<R>, V<R>, C<R>>(KASEN_CODE(KASEN_FN((auto a, auto b, auto c, auto d), a * b + c * d)),
                                         [](auto a, auto b, auto c, auto d) { return a * b + c * d; }));
  table.push_back(element<R, V<R>, V<R>, V<R>, V<R>>(
      KASEN_CODE([](double a, double b, double c, double d) { return (a - b) + (c - d); }),
      [](auto a, auto b, auto c, auto d) { return (a - b) + (c - d); }));
  table.push_back(element<R, V<R>, V<R>, V<std::int32_t>, V<bool>, S<R>, C<R>>(
      KASEN_CODE([](double a, double b, std::int32_t n, bool f, double s, double c) { return f ? a + s : b + n * c; }),
      [](auto a, auto b, auto n, bool f, auto s, auto c) {
        return choose(f, a + s, b + Real(n.value, n.size, 0) * c);
      }));
  table.push_back(
      element<R, V<bool>, V<R>, V<R>>(KASEN_CODE(KASEN_FN((auto f, auto a, auto b), kasen::select(f, a, b))),
                                      [](bool f, auto a, auto b) { return choose(f, a, b); }));
}

}  // namespace

void add_real_operations(std::vector<Operation>& table) {
  add_maps(table);
  add_maps_with_arguments(table);
  add_zips(table);
}

}  // namespace kasen::tests::fuzz
