// Functions of mxv and mxvt.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using R = double;
using I = std::int32_t;
using L = std::int64_t;

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto smaller = [](auto a, auto b) { return least(a, b); };
constexpr auto larger = [](auto a, auto b) { return largest(a, b); };
constexpr auto same = [](auto v, auto...) { return v; };
constexpr auto pair_add = [](const auto& p, const auto& q) { return PairOfNumbers{p.x + q.x, p.n + q.n}; };

/// A product by rows, number by number.
template <class E, class Z, class O, class G, class H>
Operation by_rows(Code<Z> f_z, Code<O> op, G serial_z, H serial_op, Serial<R> identity) {
  Operation made = product<R, E, R>(f_z, op, serial_z, serial_op, identity);
  made.instead = "product_by_rows";
  made.record = [f_z = f_z.function, op = op.function](Machine& machine, const Statement& s) {
    const Vector<R>& v = machine.vector<R>(s.operands[0].place);
    const Matrix<E> m = machine.matrix<E>(s);
    const Vector<R> result =
        s.transposed ? product_by_rows<true>(f_z, op, m, v) : product_by_rows<false>(f_z, op, m, v);
    machine.store(s, result);
  };
  return made;
}

void add_by_rows(std::vector<Operation>& table) {
  const double inf = std::numeric_limits<double>::infinity();
  table.push_back(by_rows<Pattern>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::plus), same, add, 0));
  table.push_back(by_rows<R>(
      KASEN_CODE(kasen::times), KASEN_CODE(kasen::plus), [](auto v, auto m) { return v * m; }, add, 0));
  table.push_back(by_rows<R>(
      KASEN_CODE(kasen::plus), KASEN_CODE(kasen::min), [](auto v, auto m) { return v + m; }, smaller, inf));
}

void add_over_patterns(std::vector<Operation>& table) {
  const double inf = std::numeric_limits<double>::infinity();
  table.push_back(product<R, Pattern, R>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::plus), same, add, 0));
  table.push_back(product<R, Pattern, R>(KASEN_CODE(kasen::times), KASEN_CODE(kasen::plus), same, add, 0));
  table.push_back(product<R, Pattern, R>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::min), same, smaller, inf));
  table.push_back(product<R, Pattern, R>(
      KASEN_CODE(KASEN_FN((auto x), 0.5 * x + 1)), KASEN_CODE(kasen::plus), [](auto x) { return 0.5 * x + 1; }, add,
      0));
  table.push_back(product<L, Pattern, L>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::plus), same, add, 0));
  table.push_back(product<L, Pattern, L>(
      KASEN_CODE(kasen::first), KASEN_CODE(kasen::bit_or), same, [](auto a, auto b) { return a | b; }, 0));
  table.push_back(product<L, Pattern, L>(
      KASEN_CODE(kasen::first), KASEN_CODE(kasen::bit_xor), same, [](auto a, auto b) { return a ^ b; }, 0));
  table.push_back(product<L, Pattern, L>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::min), same, smaller,
                                         std::numeric_limits<L>::max()));
  table.push_back(product<I, Pattern, I>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::max), same, larger,
                                         std::numeric_limits<I>::lowest()));
  table.push_back(product<I, Pattern, R>(
      KASEN_CODE(kasen::count), KASEN_CODE(kasen::plus), [](auto) { return Int(1); }, add, 0));
  table.push_back(product<bool, Pattern, bool>(
      KASEN_CODE(kasen::first), KASEN_CODE(kasen::logical_or), same, [](bool a, bool b) { return a || b; }, false));
  table.push_back(product<Pair, Pattern, Pair>(KASEN_CODE(kasen::first), KASEN_CODE(pair_sum), same, pair_add,
                                               PairOfNumbers{0, 0}));
}

void add_over_values(std::vector<Operation>& table) {
  const double inf = std::numeric_limits<double>::infinity();
  table.push_back(product<R, R, R>(
      KASEN_CODE(kasen::times), KASEN_CODE(kasen::plus), [](auto v, auto m) { return v * m; }, add, 0));
  table.push_back(product<R, R, R>(
      KASEN_CODE(kasen::plus), KASEN_CODE(kasen::min), [](auto v, auto m) { return v + m; }, smaller, inf));
  table.push_back(product<R, R, R>(
      KASEN_CODE(kasen::times), KASEN_CODE(kasen::max), [](auto v, auto m) { return v * m; }, larger, -inf));
  table.push_back(product<R, R, R>(
      KASEN_CODE([](double v, double m) { return v - m; }), KASEN_CODE(kasen::plus),
      [](auto v, auto m) { return v - m; }, add, 0));
  table.push_back(product<Pair, R, Pair>(
      KASEN_CODE([](const Pair& p, double m) {
        return Pair{p.x + m, p.n};
      }),
      KASEN_CODE(pair_least),
      [](const auto& p, auto m) {
        return PairOfNumbers{p.x + m, p.n};
      },
      pair_smaller, PairOfNumbers{inf, std::numeric_limits<I>::max()}));
  table.push_back(product<L, I, L>(
      KASEN_CODE(kasen::times), KASEN_CODE(kasen::plus), [](auto v, auto m) { return v * Long(m.value, m.size, 0); },
      add, 0));
  table.push_back(product<I, I, I>(
      KASEN_CODE([](std::int32_t v, std::int32_t m) { return v ^ m; }), KASEN_CODE(kasen::bit_xor),
      [](auto v, auto m) { return v ^ m; }, [](auto a, auto b) { return a ^ b; }, 0));
  table.push_back(product<I, I, I>(KASEN_CODE(kasen::first), KASEN_CODE(kasen::plus), same, add, 0));
  table.push_back(product<bool, I, I>(
      KASEN_CODE([](std::int32_t v, std::int32_t m) { return v > m; }), KASEN_CODE(kasen::logical_and),
      [](auto v, auto m) { return v > m; }, [](bool a, bool b) { return a && b; }, true));
}

}  // namespace

void add_products(std::vector<Operation>& table) {
  add_over_patterns(table);
  add_over_values(table);
  add_by_rows(table);
}

}  // namespace kasen::tests::fuzz
