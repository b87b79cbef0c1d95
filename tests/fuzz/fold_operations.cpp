// Folds: of numbers, white boxes and black ones, and of structs that a step returns or changes in place.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using R = double;
using I = std::int32_t;
using L = std::int64_t;

void add_folds_of_numbers(std::vector<Operation>& table) {
  table.push_back(folding<L, V<L>>(KASEN_CODE(std::int64_t{0}), KASEN_CODE(KASEN_FN((auto sum, auto x), sum + 3 * x)),
                                   KASEN_CODE(kasen::plus), 0, [](auto sum, auto x) { return sum + 3 * x; }));
  table.push_back(folding<L, V<bool>, C<L>>(
      KASEN_CODE(std::int64_t{0}), KASEN_CODE([](std::int64_t n, bool f, std::int64_t c) { return f ? n + c : n; }),
      KASEN_CODE(kasen::plus), 0, [](auto n, bool f, auto c) { return f ? n + c : n; }));
  table.push_back(folding<R, V<R>, V<I>>(
      KASEN_CODE(0.0), KASEN_CODE([](double& sum, double x, std::int32_t n) { sum += n % 4 * x; }),
      KASEN_CODE(kasen::plus), 0, [](auto sum, auto x, auto n) { return sum + Real(n.value % 4) * x; }));
  table.push_back(folding<I, V<I>, S<I>>(KASEN_CODE(std::numeric_limits<std::int32_t>::lowest()),
                                         KASEN_CODE(KASEN_FN((auto most, auto x, auto s), kasen::max(most, x + s))),
                                         KASEN_CODE(kasen::max), std::numeric_limits<I>::lowest(),
                                         [](auto most, auto x, auto s) { return largest(most, x + s); }));
}

void add_folds_of_structs(std::vector<Operation>& table) {
  table.push_back(folding<Pair, V<R>, V<I>, S<R>>(
      KASEN_CODE(kNoPair), KASEN_CODE([](const Pair& least, double x, std::int32_t n, double s) {
        return pair_least(least, Pair{x - s, n});
      }),
      KASEN_CODE(pair_least), PairOfNumbers{infinity, std::numeric_limits<I>::max()},
      [](const auto& least, auto x, auto n, auto s) {
        return pair_smaller(least, PairOfNumbers{x - s, n});
      },
      Suits::exact));
  // Eight sums, and which of them an element is added to depends on another one.
  table.push_back(folding<Wide, V<R>, V<L>>(
      KASEN_CODE(Wide{}), KASEN_CODE([](Wide& sums, double x, std::int64_t k) { sums.x[k & 7] += x; }),
      KASEN_CODE(wide_sum), WideOfNumbers{}, [](auto sums, auto x, auto k) {
        Real& sum = sums.x[static_cast<std::size_t>(k.value & 7)];
        sum = sum + x;
        return sums;
      }));
  table.push_back(folding<Color, V<L>>(KASEN_CODE(Color{0, 0, 0}), KASEN_CODE([](Color& c, std::int64_t k) {
                                         c.r = static_cast<std::uint8_t>(c.r | (k & 255));
                                         c.b = static_cast<std::uint8_t>(c.b | (k % 3 == 0));
                                       }),
                                       KASEN_CODE(color_union), Color{0, 0, 0}, [](auto c, auto k) {
                                         c.r = static_cast<std::uint8_t>(c.r | (k.value & 255));
                                         c.b = static_cast<std::uint8_t>(c.b | (k.value % 3 == 0));
                                         return c;
                                       }));
}

}  // namespace

void add_folds(std::vector<Operation>& table) {
  add_folds_of_numbers(table);
  add_folds_of_structs(table);
}

}  // namespace kasen::tests::fuzz
