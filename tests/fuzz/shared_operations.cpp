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
  table.push_back(reduction<L>(KASEN_CODE(kasen::max), larger, std::numeric_limits<L>::lowest()));
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
  table.push_back(infix<B, S<L>, C<L>>(
      ">", [](const auto& a, auto b) { return a > b; }, [](auto a, auto b) { return a > b; }));
  table.push_back(infix<L, S<L>, S<L>>(
      "+", [](const auto& a, const auto& b) { return a + b; }, add));
  table.push_back(infix<L, S<L>, C<L>>(
      "+", [](const auto& a, auto b) { return a + b; }, add));
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

/// With plain values; kasen/shared_math.h; compound assignment.
void add_conveniences(std::vector<Operation>& table) {
  table.push_back(applying<R, S<R>, C<R>>(KASEN_CODE([](double x, double y) { return x - y; }),
                                          [](auto x, auto y) { return x - y; }));
  table.push_back(applying<R, C<I>, S<R>, C<R>, S<R>>(
      KASEN_CODE(KASEN_FN((auto n, auto x, auto y, auto z), n > 0 ? x + y : z)),
      [](auto n, auto x, auto y, auto z) { return choose(n.value > 0, x + y, z); }));
  table.push_back(direct<R, S<R>>(KASEN_CALL(kasen::abs), [](auto x) { return absolute(x); }));
  table.push_back(direct<I, S<I>>(KASEN_CALL(kasen::abs), [](auto x) { return absolute(x); }));
  table.push_back(direct<R, S<R>, C<R>>(KASEN_CALL(kasen::min), smaller));
  table.push_back(direct<L, S<L>, S<L>>(KASEN_CALL(kasen::max), larger));
  table.push_back(
      direct<R, S<B>, S<R>, C<R>>(KASEN_CALL(kasen::select), [](bool f, auto a, auto b) { return choose(f, a, b); }));
  table.push_back(direct<R, S<R>>(
      KASEN_CALL(kasen::floor),
      [](auto x) {
        if (std::isinf(x.value)) throw OutOfBounds("infinite");
        return Real(std::floor(x.value), x.size + 1, 0);
      },
      Suits::exact));
  table.push_back(direct<R, S<R>>(
      KASEN_CALL(kasen::sin),
      [](auto x) {
        if (std::isinf(x.value)) throw OutOfBounds("infinite");
        return smooth(std::sin(x.value), x);
      },
      Suits::rounded));
  table.push_back(direct<R, S<R>>(
      KASEN_CALL(kasen::tanh), [](auto x) { return smooth(std::tanh(x.value), x); }, Suits::rounded));
  table.push_back(direct<R, S<R>>(
      KASEN_CALL(kasen::atan), [](auto x) { return smooth(std::atan(x.value), x); }, Suits::rounded));
  table.push_back(direct<R, S<R>, C<R>>(KASEN_CALL(added), add));
  table.push_back(direct<I, S<I>, S<I>>(KASEN_CALL(added), add));
  table.push_back(direct<R, S<R>, S<R>>(KASEN_CALL(multiplied), [](auto a, auto b) { return a * b; }));
  table.push_back(direct<R, S<Pair>>(KASEN_CALL(pair_x), [](const auto& p) { return p.x; }));
}

}  // namespace

void add_shared_operations(std::vector<Operation>& table) {
  add_applies(table);
  add_conveniences(table);
  add_reductions(table);
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> table = [] {
    std::vector<Operation> all;
    add_real_operations(all);
    add_integer_operations(all);
    add_struct_operations(all);
    add_products(all);
    add_functions_of_ends(all);
    add_key_operations(all);
    add_shared_operations(all);
    add_narrow_operations(all);
    add_row_operations(all);
    add_folds(all);
    add_first_twins(all);
    add_second_twins(all);
    add_searches_of_numbers(all);
    add_other_searches(all);
    return all;
  }();
  return table;
}

}  // namespace kasen::tests::fuzz
