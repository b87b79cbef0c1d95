// Functions over integers and truth values.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using I = std::int32_t;
using L = std::int64_t;
using B = bool;

void add_longs(std::vector<Operation>& table) {
  table.push_back(element<L, V<L>>(KASEN_CODE([](std::int64_t x) { return x % 64; }),
                                   [](auto x) { return Long(x.value % 64, 64, 0); }));
  table.push_back(
      element<L, V<L>>(KASEN_CODE(kasen::laws([](std::int64_t x) { return -x; }, kasen::exchanges_with(kasen::plus))),
                       [](auto x) { return -x; }));
  table.push_back(
      element<L, V<L>>(KASEN_CODE(kasen::laws([](std::int64_t x) { return x >> 1; }, kasen::exchanges_with(kasen::min),
                                              kasen::exchanges_with(kasen::max))),
                       [](auto x) { return Long(x.value >> 1, x.size, 0); }));
  table.push_back(element<L, V<L>>(KASEN_CODE(KASEN_FN((auto x), 3 * x - 2)), [](auto x) { return 3 * x - Long(2); }));
  table.push_back(element<L, V<I>>(KASEN_CODE([](std::int32_t x) { return static_cast<std::int64_t>(x) * 3; }),
                                   [](auto x) { return Long(x.value) * 3; }));
  table.push_back(element<L, V<L>, V<L>>(KASEN_CODE(kasen::plus), [](auto x, auto y) { return x + y; }));
  table.push_back(element<L, V<L>, V<L>>(KASEN_CODE(kasen::minus), [](auto x, auto y) { return x - y; }));
  table.push_back(element<L, V<L>, V<L>>(KASEN_CODE(kasen::times), [](auto x, auto y) { return x * y; }));
  table.push_back(element<L, V<L>, V<L>>(KASEN_CODE(kasen::min), [](auto x, auto y) { return least(x, y); }));
  table.push_back(element<L, V<L>, V<L>>(KASEN_CODE(kasen::bit_and), [](auto x, auto y) { return x & y; }));
  table.push_back(element<L, V<L>, V<L>>(KASEN_CODE(kasen::bit_or), [](auto x, auto y) { return x | y; }));
  table.push_back(element<L, V<L>, V<L>>(KASEN_CODE(kasen::bit_xor), [](auto x, auto y) { return x ^ y; }));
  // A frontier: the identity of bit_or, mostly.
  table.push_back(
      element<L, V<L>, V<L>>(KASEN_CODE(KASEN_FN((auto x, auto y), kasen::select(x < y, x, std::int64_t{0}))),
                             [](auto x, auto y) { return choose(x.value < y.value, x, Long(0)); }));
  // What leaves one operand out.
  table.push_back(
      element<L, V<L>, V<L>>(KASEN_CODE(KASEN_FN((auto x, auto), x & 7)), [](auto x, auto) { return x & Long(7); }));
  table.push_back(
      element<L, V<L>, S<L>>(KASEN_CODE(KASEN_FN((auto, auto s), s | 4)), [](auto, auto s) { return s | Long(4); }));
  table.push_back(element<L, V<L>, S<L>>(KASEN_CODE(kasen::times), [](auto x, auto s) { return x * s; }));
  table.push_back(element<L, V<L>, S<L>>(KASEN_CODE(kasen::plus), [](auto x, auto s) { return x + s; }));
  table.push_back(element<L, V<L>, S<L>>(KASEN_CODE(kasen::bit_or), [](auto x, auto s) { return x | s; }));
  table.push_back(element<L, V<L>, C<L>>(KASEN_CODE(kasen::max), [](auto x, auto c) { return largest(x, c); }));
  table.push_back(element<L, V<L>, C<L>>(KASEN_CODE(kasen::divides), [](auto x, auto c) { return x / c; }));
  table.back().divides = true;
}

void add_ints(std::vector<Operation>& table) {
  table.push_back(element<I, V<L>>(KASEN_CODE([](std::int64_t i) { return static_cast<std::int32_t>(i % 7); }),
                                   [](auto i) { return Int(static_cast<I>(i.value % 7), 7, 0); }));
  table.push_back(element<I, V<I>>(KASEN_CODE([](std::int32_t x) { return x % 16; }),
                                   [](auto x) { return Int(x.value % 16, 16, 0); }));
  table.push_back(element<I, V<I>, V<I>>(KASEN_CODE(kasen::plus), [](auto x, auto y) { return x + y; }));
  table.push_back(element<I, V<I>, V<I>>(KASEN_CODE(kasen::max), [](auto x, auto y) { return largest(x, y); }));
  table.push_back(element<I, V<I>, V<I>>(KASEN_CODE(kasen::bit_or), [](auto x, auto y) { return x | y; }));
  table.push_back(element<I, V<I>, V<I>>(KASEN_CODE(KASEN_FN((auto x, auto y), x * y - y)),
                                         [](auto x, auto y) { return x * y - y; }));
  table.push_back(element<I, V<I>, S<I>>(KASEN_CODE(kasen::plus), [](auto x, auto s) { return x + s; }));
  table.push_back(element<I, V<I>, S<I>>(KASEN_CODE(kasen::times), [](auto x, auto s) { return x * s; }));
  table.push_back(element<I, V<I>, C<I>>(KASEN_CODE(kasen::minus), [](auto x, auto c) { return x - c; }));
  table.push_back(
      capturing<I, V<I>, C<I>>(KASEN_CODE([](std::int32_t c) { return [c](std::int32_t x) { return x ^ c; }; }),
                               [](auto x, auto c) { return x ^ c; }));
  table.push_back(
      element<I, V<B>>(KASEN_CODE([](bool f) { return f ? 3 : -1; }), [](bool f) { return f ? Int(3) : Int(-1); }));
}

void add_flags(std::vector<Operation>& table) {
  table.push_back(
      element<B, V<L>>(KASEN_CODE([](std::int64_t i) { return i % 3 == 0; }), [](auto i) { return i.value % 3 == 0; }));
  table.push_back(element<B, V<double>, S<double>>(
      KASEN_CODE(KASEN_FN((auto x, auto s), x < s)), [](auto x, auto s) { return x < s; }, Suits::exact));
  table.push_back(element<B, V<I>, V<I>>(KASEN_CODE([](std::int32_t x, std::int32_t y) { return x > y; }),
                                         [](auto x, auto y) { return x > y; }));
  table.push_back(element<B, V<B>, V<B>>(KASEN_CODE(kasen::logical_or), [](bool x, bool y) { return x || y; }));
  table.push_back(element<B, V<B>, V<B>>(KASEN_CODE(kasen::logical_and), [](bool x, bool y) { return x && y; }));
  table.push_back(element<B, V<B>, V<B>>(KASEN_CODE(KASEN_FN((auto x, auto y), kasen::select(x, y, false))),
                                         [](bool x, bool y) { return x && y; }));
  table.push_back(element<B, V<B>, S<B>>(KASEN_CODE(kasen::logical_and), [](bool x, bool s) { return x && s; }));
  table.push_back(element<B, V<B>>(KASEN_CODE([](bool x) { return !x; }), [](bool x) { return !x; }));
  table.push_back(element<B, V<B>, V<B>>(
      KASEN_CODE(kasen::laws([](bool x, bool y) { return x && y; }, kasen::distributes_over(kasen::logical_or, 0),
                             kasen::distributes_over(kasen::logical_or, 1))),
      [](bool x, bool y) { return x && y; }));
}

}  // namespace

void add_integer_operations(std::vector<Operation>& table) {
  add_longs(table);
  add_ints(table);
  add_flags(table);
}

}  // namespace kasen::tests::fuzz
