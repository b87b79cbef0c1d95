// Reductions, and functions of Shareds.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using R = double;
using I = std::int32_t;
using L = std::int64_t;
using B = bool;

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto smaller = [](auto a, auto b) { return least(a, b); };
constexpr auto larger = [](auto a, auto b) { return largest(a, b); };

void add_reductions(std::vector<Operation>& table) {
  const double inf = std::numeric_limits<double>::infinity();
  table.push_back(reduction<R>(KASEN_CODE(kasen::plus), add, 0));
  table.push_back(reduction<R>(KASEN_CODE(kasen::min), smaller, inf));
  table.push_back(reduction<R>(KASEN_CODE(kasen::max), larger, -inf));
  table.push_back(reduction<R>(KASEN_CODE([](double a, double b) { return a + b; }), add, std::nullopt));
  table.push_back(reduction<L>(KASEN_CODE(kasen::plus), add, 0));
  table.push_back(reduction<L>(KASEN_CODE(kasen::min), smaller, std::numeric_limits<L>::max()));
  table.push_back(reduction<L>(
      KASEN_CODE(kasen::bit_or), [](auto a, auto b) { return a | b; }, 0));
  table.push_back(reduction<L>(
      KASEN_CODE(kasen::bit_xor), [](auto a, auto b) { return a ^ b; }, 0));
  table.push_back(reduction<I>(KASEN_CODE(kasen::plus), add, 0));
  table.push_back(reduction<I>(KASEN_CODE(kasen::max), larger, std::numeric_limits<I>::lowest()));
  table.push_back(reduction<I>(
      KASEN_CODE([](std::int32_t a, std::int32_t b) { return a ^ b; }), [](auto a, auto b) { return a ^ b; },
      std::nullopt));
  table.push_back(reduction<B>(
      KASEN_CODE(kasen::logical_or), [](bool a, bool b) { return a || b; }, false));
  table.push_back(reduction<B>(
      KASEN_CODE(kasen::logical_and), [](bool a, bool b) { return a && b; }, true));
  table.push_back(reduction<Pair>(
      KASEN_CODE(pair_sum),
      [](const auto& p, const auto& q) {
        return PairOfNumbers{p.x + q.x, p.n + q.n};
      },
      PairOfNumbers{0, 0}));
}

void add_applies(std::vector<Operation>& table) {
  // What ends loops: generators look for these two by their text.
  table.push_back(infix<B, S<I>, C<I>>(
      "<", [](const auto& a, auto b) { return a < b; }, [](auto a, auto b) { return a < b; }));
  table.push_back(infix<I, S<I>, C<I>>(
      "+", [](const auto& a, auto b) { return a + b; }, add));
  table.push_back(infix<B, S<B>, S<B>>(
      "&&", [](const auto& a, const auto& b) { return a && b; }, [](bool a, bool b) { return a && b; }));
  table.push_back(infix<B, S<R>, C<R>>(
      "<", [](const auto& a, auto b) { return a < b; }, [](auto a, auto b) { return a < b; }, Suits::exact));
  table.push_back(infix<B, S<L>, S<L>>(
      ">", [](const auto& a, const auto& b) { return a > b; }, [](auto a, auto b) { return a > b; }));
  table.push_back(infix<R, S<R>, S<R>>(
      "-", [](const auto& a, const auto& b) { return a - b; }, [](auto a, auto b) { return a - b; }));
  table.push_back(infix<R, S<R>, C<R>>(
      "*", [](const auto& a, auto b) { return a * b; }, [](auto a, auto b) { return a * b; }));
  table.push_back(applying<R, S<R>>(
      KASEN_CODE([](double x) { return x - 4 * std::floor(x / 4); }),
      [](auto x) {
        if (std::isinf(x.value)) throw OutOfBounds("infinite");
        return Real(x.value - 4 * std::floor(x.value / 4), 4, x.grain);
      },
      Suits::exact));
  table.push_back(applying<R, S<R>>(
      KASEN_CODE([](double x) { return x / (1 + kasen::abs(x)); }),
      [](auto x) {
        if (std::isinf(x.value)) throw OutOfBounds("infinite");
        return Real(x.value / (1 + std::abs(x.value)), 1 + x.size * 1e-3, -1);
      },
      Suits::rounded));
  table.push_back(applying<R, S<R>, S<R>>(KASEN_CODE(kasen::max), larger));
  table.push_back(applying<R, S<R>, S<I>>(KASEN_CODE([](double x, std::int32_t n) { return x + n; }),
                                          [](auto x, auto n) { return x + Real(n.value, n.size, 0); }));
  table.push_back(applying<L, S<L>>(KASEN_CODE([](std::int64_t x) { return x % 32; }),
                                    [](auto x) { return Long(x.value % 32, 32, 0); }));
  table.push_back(applying<I, S<L>>(KASEN_CODE([](std::int64_t x) { return static_cast<std::int32_t>(x % 5); }),
                                    [](auto x) { return Int(static_cast<I>(x.value % 5), 5, 0); }));
  table.push_back(applying<B, S<I>>(KASEN_CODE([](std::int32_t n) { return n % 2 != 0; }),
                                    [](auto n) { return n.value % 2 != 0; }));
  table.push_back(applying<B, S<B>>(KASEN_CODE([](bool f) { return !f; }), [](bool f) { return !f; }));
  table.push_back(
      applying<R, S<Pair>>(KASEN_CODE([](const Pair& p) { return p.x; }), [](const auto& p) { return p.x; }));
  table.push_back(applying<R, S<B>, S<R>, S<R>>(KASEN_CODE([](bool f, double a, double b) { return f ? a : b; }),
                                                [](bool f, auto a, auto b) { return choose(f, a, b); }));
}

}  // namespace

void add_shared_operations(std::vector<Operation>& table) {
  add_applies(table);
  add_reductions(table);
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> table = [] {
    std::vector<Operation> all;
    add_real_operations(all);
    add_integer_operations(all);
    add_struct_operations(all);
    add_products(all);
    add_shared_operations(all);
    add_narrow_operations(all);
    add_row_operations(all);
    add_first_twins(all);
    add_second_twins(all);
    return all;
  }();
  return table;
}

}  // namespace kasen::tests::fuzz
