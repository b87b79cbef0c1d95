// Functions of vectors and keys, and those that make keys: none, or from 0 to their second operand less one.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {
namespace {

using R = double;
using I = std::int32_t;
using L = std::int64_t;

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto smaller = [](auto a, auto b) { return least(a, b); };

template <class Key, class From, class F>
Operation keys(Code<F> f) {
  Operation made = element<Key, V<From>, C<L>>(f, [](auto x, auto n) {
    const std::int64_t turn = n.value + 1;
    return Number<Key>(static_cast<Key>((static_cast<std::int64_t>(x.value) % turn + turn) % turn - 1),
                       static_cast<double>(turn), 0);
  });
  made.part = Part::key;
  return made;
}

template <class T, class Key, class F, class G>
Operation by_key(Code<F> op, G serial, Serial<T> identity, Suits suits = Suits::all) {
  Operation made = operation<T, V<Key>, V<T>>(Operation::Kind::keyed, op.text, suits);
  made.ordered = kOrdered<T, F>;
  made.fold = [serial](const Value& a, const Value& b) {
    return Value(Serial<T>(serial(std::get<Serial<T>>(a), std::get<Serial<T>>(b))));
  };
  made.identity = identity;
  made.record = [op = op.function](Machine& machine, const Statement& s) {
    const Vector<T> result = with_operands<V<Key>, V<T>>(machine, s, [&]<class K, class Given>(K&& key, Given&& v) {
      return kasen::reduce_by_key(op, std::forward<K>(key), std::forward<Given>(v), machine.space(s.space));
    });
    machine.store(s, result);
  };
  return made;
}

template <class T, class Key>
Operation taken() {
  Operation made = operation<T, V<T>, V<Key>, C<T>>(Operation::Kind::taken, "", Suits::all);
  made.record = [](Machine& machine, const Statement& s) {
    const Vector<T> result =
        with_operands<V<T>, V<Key>, C<T>>(machine, s, []<class W, class K>(W&& w, K&& key, T otherwise) {
          return kasen::take(std::forward<W>(w), std::forward<K>(key), otherwise);
        });
    machine.store(s, result);
  };
  return made;
}

/// Keyed sums by rows.
template <class Key>
Operation sums_by_rows() {
  Operation made = by_key<R, Key>(KASEN_CODE(kasen::plus), add, 0);
  made.instead = "sums_of_rows";
  made.record = [](Machine& machine, const Statement& s) {
    const Vector<R> result = sums_of_rows(machine.vector<Key>(s.operands[0].place),
                                          machine.vector<R>(s.operands[1].place), machine.space(s.space));
    machine.store(s, result);
  };
  return made;
}

/// A take by `call`.
template <class Key, class F>
Operation taken_by(const char* name, F call) {
  Operation made = taken<R, Key>();
  made.instead = name;
  made.record = [call](Machine& machine, const Statement& s) {
    const Vector<R> result = with_operands<V<R>, V<Key>, C<R>>(machine, s, call);
    machine.store(s, result);
  };
  return made;
}

}  // namespace

void add_key_operations(std::vector<Operation>& table) {
  table.push_back(
      keys<L, L>(KASEN_CODE([](std::int64_t x, std::int64_t n) { return (x % (n + 1) + n + 1) % (n + 1) - 1; })));
  table.push_back(keys<I, L>(KASEN_CODE(
      [](std::int64_t x, std::int64_t n) { return static_cast<std::int32_t>((x % (n + 1) + n + 1) % (n + 1) - 1); })));
  const double inf = std::numeric_limits<double>::infinity();
  table.push_back(by_key<R, L>(KASEN_CODE(kasen::plus), add, 0));
  table.push_back(by_key<R, I>(KASEN_CODE(kasen::plus), add, 0));
  table.push_back(by_key<R, I>(KASEN_CODE(kasen::min), smaller, inf));
  table.push_back(by_key<L, I>(KASEN_CODE(kasen::plus), add, 0));
  table.push_back(by_key<L, L>(
      KASEN_CODE(kasen::bit_xor), [](auto a, auto b) { return a ^ b; }, 0));
  table.push_back(by_key<Pair, I>(
      KASEN_CODE(pair_sum),
      [](const auto& p, const auto& q) {
        return PairOfNumbers{p.x + q.x, p.n + q.n};
      },
      PairOfNumbers{0, 0}));
  table.push_back(taken<R, L>());
  table.push_back(taken<R, I>());
  table.push_back(taken<L, I>());
  table.push_back(taken<std::uint16_t, I>());
  table.push_back(sums_by_rows<I>());
  table.push_back(taken_by<L>(KASEN_CALL(taken_from_rows)));
  table.push_back(taken_by<I>(KASEN_CALL(taken_from_whole)));
}

}  // namespace kasen::tests::fuzz
