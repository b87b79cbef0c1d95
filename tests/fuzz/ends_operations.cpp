// Functions of both ends of non-zeros: of mxv, mxvt and reduce_entries.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using R = double;
using I = std::int32_t;
using L = std::int64_t;

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto smaller = [](auto a, auto b) { return least(a, b); };
constexpr auto larger = [](auto a, auto b) { return largest(a, b); };

/// `serial_z` gets the elements of both ends, with the entry between them. A vector of T is over the inputs, or the
/// rows, one of U over the outputs, or the columns.
template <class Out, class E, class T, class U, class G, class H>
Operation of_ends(Operation::Kind kind, std::string text, G serial_z, H serial_op, Serial<Out> identity) {
  Operation made = operation<Out, V<T>, V<U>>(kind, std::move(text), Suits::all);
  made.entries = kEntries<E>;
  if constexpr (std::is_same_v<E, Pattern>) {
    made.compute = computing<V<T>, V<U>>([serial_z](const auto&... in) { return Serial<Out>(serial_z(in...)); });
  } else {
    made.compute = computing<V<T>, V<E>, V<U>>([serial_z](const auto&... in) { return Serial<Out>(serial_z(in...)); });
  }
  made.fold = [serial_op](const Value& a, const Value& b) {
    return Value(Serial<Out>(serial_op(std::get<Serial<Out>>(a), std::get<Serial<Out>>(b))));
  };
  made.identity = identity;
  return made;
}

/// As mxv and mxvt, and as reduce_entries.
template <class Out, class E, class T, class U, class Z, class O, class G, class H>
void add_ends(std::vector<Operation>& table, Code<Z> f_z, Code<O> op, G serial_z, H serial_op, Serial<Out> identity) {
  const std::string text = std::string(f_z.text) + ", " + op.text;
  Operation product = of_ends<Out, E, T, U>(Operation::Kind::ends, text, serial_z, serial_op, identity);
  product.ordered = kOrdered<Out, O>;
  product.record = [f_z = f_z.function, op = op.function](Machine& machine, const Statement& s) {
    const Vector<T>& in = machine.vector<T>(s.operands[0].place);
    const Vector<U>& at = machine.vector<U>(s.operands[1].place);
    const Matrix<E> m = machine.matrix<E>(s);
    const Vector<Out> result = s.transposed ? kasen::mxvt(f_z, op, m, in, at) : kasen::mxv(f_z, op, m, in, at);
    machine.store(s, result);
  };
  table.push_back(std::move(product));
  Operation reduction = of_ends<Out, E, T, U>(Operation::Kind::entries, text, serial_z, serial_op, identity);
  reduction.ordered = kOrdered<Out, O>;
  reduction.record = [f_z = f_z.function, op = op.function](Machine& machine, const Statement& s) {
    const Shared<Out> result = kasen::reduce_entries(
        f_z, op, machine.matrix<E>(s), machine.vector<T>(s.operands[0].place), machine.vector<U>(s.operands[1].place));
    machine.store(s, result);
  };
  table.push_back(std::move(reduction));
}

/// A product of both ends by `call<transposed>` of the preamble, with rows or made entries.
#define KASEN_ENDS_BY(name) \
#name, [] < bool transposed>(const auto&... operands) { return name<transposed>(operands...); }

template <class E, class F, class Z, class O, class G, class H>
Operation by_call(const char* name, F call, Code<Z> f_z, Code<O> op, G serial_z, H serial_op, Serial<R> identity) {
  Operation made =
      of_ends<R, E, R, R>(Operation::Kind::ends, std::string(f_z.text) + ", " + op.text, serial_z, serial_op, identity);
  made.instead = name;
  made.ordered = kOrdered<R, O>;
  made.record = [call, f_z = f_z.function, op = op.function](Machine& machine, const Statement& s) {
    const Vector<R>& in = machine.vector<R>(s.operands[0].place);
    const Vector<R>& at = machine.vector<R>(s.operands[1].place);
    const Matrix<E> m = machine.matrix<E>(s);
    const Vector<R> result = s.transposed ? call.template operator()<true>(f_z, op, m, in, at)
                                          : call.template operator()<false>(f_z, op, m, in, at);
    machine.store(s, result);
  };
  return made;
}

void add_made_entries(std::vector<Operation>& table) {
  const double inf = std::numeric_limits<double>::infinity();
  table.push_back(by_call<Pattern>(
      KASEN_ENDS_BY(product_of_made), KASEN_CODE(kasen::minus), KASEN_CODE(kasen::plus),
      [](auto x, auto y) { return x - y; }, add, 0));
  table.push_back(by_call<R>(
      KASEN_ENDS_BY(product_of_made), KASEN_CODE([](double x, double m, double y) { return x - m * y; }),
      KASEN_CODE(kasen::plus), [](auto x, auto m, auto y) { return x - m * y; }, add, 0));
  table.push_back(by_call<R>(
      KASEN_ENDS_BY(product_of_made), KASEN_CODE([](double x, double m, double y) { return x + m + y; }),
      KASEN_CODE(kasen::max), [](auto x, auto m, auto y) { return x + m + y; }, larger, -inf));
}

void add_rows_of_ends(std::vector<Operation>& table) {
  const double inf = std::numeric_limits<double>::infinity();
  table.push_back(by_call<Pattern>(
      KASEN_ENDS_BY(product_by_rows), KASEN_CODE(kasen::minus), KASEN_CODE(kasen::plus),
      [](auto x, auto y) { return x - y; }, add, 0));
  table.push_back(by_call<R>(
      KASEN_ENDS_BY(product_by_rows), KASEN_CODE([](double x, double m, double y) { return x - m * y; }),
      KASEN_CODE(kasen::plus), [](auto x, auto m, auto y) { return x - m * y; }, add, 0));
  table.push_back(by_call<R>(
      KASEN_ENDS_BY(product_of_rows), KASEN_CODE([](double x, double m, double y) { return x + m + y; }),
      KASEN_CODE(kasen::min), [](auto x, auto m, auto y) { return x + m + y; }, smaller, inf));
}

}  // namespace

void add_functions_of_ends(std::vector<Operation>& table) {
  const double inf = std::numeric_limits<double>::infinity();
  add_ends<R, Pattern, R, R>(
      table, KASEN_CODE(kasen::minus), KASEN_CODE(kasen::plus), [](auto x, auto y) { return x - y; }, add, 0);
  add_ends<R, Pattern, R, R>(
      table, KASEN_CODE(kasen::plus), KASEN_CODE(kasen::min), [](auto x, auto y) { return x + y; }, smaller, inf);
  add_ends<I, Pattern, L, L>(
      table, KASEN_CODE([](std::int64_t x, std::int64_t y) { return x < y ? 1 : 0; }), KASEN_CODE(kasen::plus),
      [](auto x, auto y) { return Int(x < y ? 1 : 0); }, add, 0);
  add_ends<Pair, Pattern, R, I>(
      table, KASEN_CODE([](double x, std::int32_t n) {
        return Pair{x, n};
      }),
      KASEN_CODE(pair_least),
      [](auto x, auto n) {
        return PairOfNumbers{x, n};
      },
      pair_smaller, PairOfNumbers{inf, std::numeric_limits<I>::max()});
  add_ends<R, R, R, R>(
      table, KASEN_CODE(KASEN_FN((auto x, auto m, auto y), x - m * y)), KASEN_CODE(kasen::plus),
      [](auto x, auto m, auto y) { return x - m * y; }, add, 0);
  add_ends<R, R, R, Pair>(
      table, KASEN_CODE([](double x, double m, const Pair& p) { return x + m + p.x; }), KASEN_CODE(kasen::max),
      [](auto x, auto m, const auto& p) { return x + m + p.x; }, larger, -inf);
  add_ends<L, I, L, L>(
      table, KASEN_CODE([](std::int64_t x, std::int32_t m, std::int64_t y) { return x ^ (m + y); }),
      KASEN_CODE(kasen::bit_xor), [](auto x, auto m, auto y) { return x ^ (Long(m.value, m.size, 0) + y); },
      [](auto a, auto b) { return a ^ b; }, 0);
  add_rows_of_ends(table);
  add_made_entries(table);
}

}  // namespace kasen::tests::fuzz
