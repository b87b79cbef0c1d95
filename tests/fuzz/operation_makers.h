/// @file
/// Makes entries of the table of operations from a function of Kasen's element types and a second one of the
/// interpreter's numbers.
#pragma once

#include <optional>
#include <utility>

#include "tests/fuzz/machine.h"
#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {

/// A function with its text.
template <class F>
struct Code {
  F function;
  const char* text;
};
template <class F>
Code(F, const char*) -> Code<F>;
#define KASEN_CODE(...) (::kasen::tests::fuzz::Code{__VA_ARGS__, #__VA_ARGS__})

template <class T>
using Serial = std::variant_alternative_t<static_cast<std::size_t>(kType<T>), Value>;

/// The smaller in x, among equal ones that in n.
inline constexpr auto pair_smaller = [](const PairOfNumbers& p, const PairOfNumbers& q) {
  const bool second = q.x < p.x || (q.x == p.x && q.n < p.n);
  return PairOfNumbers{choose(!second, p.x, q.x), choose(!second, p.n, q.n)};
};

// Parameters: a vector, a Shared, a plain value.
template <class T>
struct V {
  using Element = T;
  static Parameter parameter() { return {Parameter::Kind::vector, kType<T>}; }
  static const Vector<T>& fetch(Machine& machine, const Operand& operand) { return machine.vector<T>(operand.place); }
  /// What it is given as where it is given as a temporary: the variable that the result is stored to is moved.
  struct Given {
    Given(Machine& machine, const Statement& s, const Operand& operand) {
      Vector<T>& v = machine.vector<T>(operand.place);
      if (s.declares || operand.place != s.target) copy.emplace(v);
      of = copy ? &*copy : &v;
    }
    Vector<T>&& take() { return std::move(*of); }
    std::optional<Vector<T>> copy;
    Vector<T>* of;
  };
};
template <class T>
struct S {
  using Element = T;
  static Parameter parameter() { return {Parameter::Kind::shared, kType<T>}; }
  static const Shared<T>& fetch(Machine& machine, const Operand& operand) { return machine.shared<T>(operand.place); }
  struct Given {
    Given(Machine& machine, const Statement&, const Operand& operand) : of(fetch(machine, operand)) {}
    const Shared<T>& take() const { return of; }
    const Shared<T>& of;
  };
};
template <class T>
struct C {
  using Element = T;
  static Parameter parameter() { return {Parameter::Kind::plain, kType<T>}; }
  static T fetch(Machine& machine, const Operand& operand) { return machine.plain<T>(operand); }
  struct Given {
    Given(Machine& machine, const Statement&, const Operand& operand) : of(fetch(machine, operand)) {}
    T take() const { return of; }
    T of;
  };
};

/// Whether reducing by `Op` is refused with --reproducible.
template <class T, class Op>
inline constexpr bool kOrdered = kasen::detail::kReproduced<Op, T> == kasen::detail::Reproduced::never;

template <class... P, class G>
auto computing(G serial) {
  return [serial](std::span<const Value> in) -> Value {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return Value(serial(std::get<Serial<typename P::Element>>(in[K])...));
    }
    (std::index_sequence_for<P...>());
  };
}

template <class Out, class... P>
Operation operation(Operation::Kind kind, std::string text, Suits suits) {
  Operation made;
  made.kind = kind;
  made.text = std::move(text);
  made.parameters = {P::parameter()...};
  made.out = kType<Out>;
  made.suits = suits;
  return made;
}

/// Calls `call` with the operands of a statement, as variables or as temporaries.
template <class... P, class Call>
auto with_operands(Machine& machine, const Statement& s, const Call& call) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    if (!s.temporaries) return call(P::fetch(machine, s.operands[K])...);
    const auto with = [&](auto&&... given) { return call(given.take()...); };
    return with(typename P::Given(machine, s, s.operands[K])...);
  }
  (std::index_sequence_for<P...>());
}

/// map of one vector, zip_with of several.
template <class Out, class... P, class F, class G>
Operation element(Code<F> f, G serial, Suits suits = Suits::all) {
  Operation made = operation<Out, P...>(Operation::Kind::element, f.text, suits);
  made.compute = computing<P...>([serial](const auto&... in) { return Serial<Out>(serial(in...)); });
  made.record = [f = f.function](Machine& machine, const Statement& s) {
    const auto call = [&]<class... Given>(Given&&... operands) -> Vector<Out> {
      constexpr std::size_t vectors = (std::size_t{std::is_same_v<P, V<typename P::Element>>} + ...);
      if constexpr (vectors == 1) {
        return kasen::map(f, std::forward<Given>(operands)...);
      } else if constexpr (sizeof...(operands) > 6) {
        return kasen::zip_with(f, std::forward_as_tuple(std::forward<Given>(operands)...));
      } else {
        return kasen::zip_with(f, std::forward<Given>(operands)...);
      }
    };
    machine.store(s, with_operands<P...>(machine, s, call));
  };
  return made;
}

/// A map or zip_with by a lambda that captures: `maker` makes it out of the last operand, a plain value.
template <class Out, class A, class P, class F, class G>
Operation capturing(Code<F> maker, G serial, Suits suits = Suits::all) {
  Operation made = operation<Out, A, P>(Operation::Kind::element, maker.text, suits);
  made.made = true;
  made.compute = computing<A, P>([serial](const auto&... in) { return Serial<Out>(serial(in...)); });
  made.record = [maker = maker.function](Machine& machine, const Statement& s) {
    const auto f = maker(P::fetch(machine, s.operands[1]));
    const Vector<Out> result = s.temporaries ? kasen::map(f, typename A::Given(machine, s, s.operands[0]).take())
                                             : kasen::map(f, A::fetch(machine, s.operands[0]));
    machine.store(s, result);
  };
  return made;
}

template <class Out, class... P, class F, class G>
Operation applying(Code<F> f, G serial, Suits suits = Suits::all) {
  Operation made = operation<Out, P...>(Operation::Kind::apply, f.text, suits);
  made.compute = computing<P...>([serial](const auto&... in) { return Serial<Out>(serial(in...)); });
  made.record = [f = f.function](Machine& machine, const Statement& s) {
    const Shared<Out> result =
        with_operands<P...>(machine, s, [&](const auto&... operands) { return kasen::apply(f, operands...); });
    machine.store(s, result);
  };
  return made;
}

/// What is called with handles; `call` does so.
template <class Out, class... P, class F, class G>
Operation of_handles(Operation::Kind kind, const char* text, F call, G serial, Suits suits) {
  Operation made = operation<Out, P...>(kind, text, suits);
  made.compute = computing<P...>([serial](const auto&... in) { return Serial<Out>(serial(in...)); });
  made.record = [call](Machine& machine, const Statement& s) {
    const Shared<Out> result = with_operands<P...>(machine, s, call);
    machine.store(s, result);
  };
  return made;
}
/// An operator on Shareds.
template <class Out, class A, class B, class F, class G>
Operation infix(const char* symbol, F call, G serial, Suits suits = Suits::all) {
  return of_handles<Out, A, B>(Operation::Kind::infix, symbol, call, serial, suits);
}
/// A function of Shareds, by its name.
template <class Out, class... P, class F, class G>
Operation direct(const char* name, F call, G serial, Suits suits = Suits::all) {
  return of_handles<Out, P...>(Operation::Kind::direct, name, call, serial, suits);
}
#define KASEN_CALL(name) #name, [](const auto&... operands) { return name(operands...); }

template <class T, class F, class G>
Operation reduction(Code<F> op, G serial, std::optional<Serial<T>> identity, Suits suits = Suits::all) {
  Operation made = operation<T, V<T>>(Operation::Kind::reduce, op.text, suits);
  made.ordered = kOrdered<T, F>;
  made.fold = [serial](const Value& a, const Value& b) {
    return Value(Serial<T>(serial(std::get<Serial<T>>(a), std::get<Serial<T>>(b))));
  };
  if (identity) made.identity = *identity;
  made.record = [op = op.function](Machine& machine, const Statement& s) {
    const Shared<T> result = with_operands<V<T>>(
        machine, s, [&]<class Given>(Given&& v) { return kasen::reduce(op, std::forward<Given>(v)); });
    machine.store(s, result);
  };
  return made;
}

/// `serial` is the step, of numbers of the interpreter's.
template <class A, class... P, class F, class M, class G>
Operation folding(Code<A> init, Code<F> step, Code<M> merge, Serial<A> serial_init, G serial,
                  Suits suits = Suits::all) {
  Operation made =
      operation<A, P...>(Operation::Kind::fold, std::string(init.text) + ", " + step.text + ", " + merge.text, suits);
  made.ordered = !kasen::detail::kIsOfIntegers<A> && !kasen::detail::kIsInAnyOrder<M>;
  made.compute = [serial](std::span<const Value> in) {
    const auto of_elements = computing<P...>(
        [&](const auto&... elements) { return Serial<A>(serial(std::get<Serial<A>>(in[0]), elements...)); });
    return of_elements(in.subspan(1));
  };
  made.identity = serial_init;
  made.record = [=](Machine& machine, const Statement& s) {
    const Shared<A> result = with_operands<P...>(machine, s, [&]<class... Given>(Given&&... operands) {
      return kasen::fold(init.function, step.function, merge.function, std::forward<Given>(operands)...);
    });
    machine.store(s, result);
  };
  return made;
}

/// mxv and mxvt over a Matrix<E>, with a vector of T.
template <class Out, class E, class T, class Z, class R, class G, class H>
Operation product(Code<Z> f_z, Code<R> op, G serial_z, H serial_op, Serial<Out> identity, Suits suits = Suits::all) {
  Operation made = operation<Out, V<T>>(Operation::Kind::product, std::string(f_z.text) + ", " + op.text, suits);
  made.ordered = kOrdered<Out, R>;
  made.entries = kEntries<E>;
  if constexpr (std::is_same_v<E, Pattern>) {
    made.compute = computing<V<T>>([serial_z](const auto& v) { return Serial<Out>(serial_z(v)); });
  } else {
    made.compute =
        computing<V<T>, V<E>>([serial_z](const auto& v, const auto& m) { return Serial<Out>(serial_z(v, m)); });
  }
  made.fold = [serial_op](const Value& a, const Value& b) {
    return Value(Serial<Out>(serial_op(std::get<Serial<Out>>(a), std::get<Serial<Out>>(b))));
  };
  made.identity = identity;
  made.record = [f_z = f_z.function, op = op.function](Machine& machine, const Statement& s) {
    const Vector<T>& v = machine.vector<T>(s.operands[0].place);
    const Matrix<E> m = machine.matrix<E>(s);
    const Vector<Out> result = s.transposed ? kasen::mxvt(f_z, op, m, v) : kasen::mxv(f_z, op, m, v);
    machine.store(s, result);
  };
  return made;
}

}  // namespace kasen::tests::fuzz
