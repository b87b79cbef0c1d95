/// @file
/// Functions of elements: KASEN_FN, declared laws, identities, and what primitives ask of a functor: its name, laws and
/// expression.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/base/padding.h"
#include "kasen/base/rows_view.h"
#include "kasen/functors.h"
#include "kasen/recording/recorder.h"
#include "kasen/recording/trace_check.h"
#include "kasen/symbolic.h"

namespace kasen {

/// A function with its text, for printed plans. Made by KASEN_FN.
template <class F>
struct NamedFunction {
  F f;
  const char* text;
  template <class... A>
  constexpr auto operator()(A&&... a) const -> decltype(f(std::forward<A>(a)...)) {
    return f(std::forward<A>(a)...);
  }
};
template <class F>
NamedFunction(F, const char*) -> NamedFunction<F>;

/// A function of one expression, known by its text: KASEN_FN((auto x, auto r), (1 - r) + r * x). Over numbers and bool
/// it is a white box: its laws are derived from what it does to symbols. So its parameters are `auto`, and everything
/// in it is known for symbols (operators, kasen/math.h, built-in functors), or it does not compile; a plain lambda is
/// a black box. It captures nothing: what changes between calls is passed as an argument, a Shared or a plain value.
/// @code
/// v = map(KASEN_FN((auto x, auto r), (1 - r) + r * x), v, s);
/// @endcode
#define KASEN_FN(parameters, ...) \
  (::kasen::NamedFunction{[] parameters -> std::decay_t<decltype(__VA_ARGS__)> { return __VA_ARGS__; }, #__VA_ARGS__})

/// The text belongs to the type.
template <class F>
struct recording::HeldBytes<NamedFunction<F>> {
  static bool append(std::string& to, const NamedFunction<F>& f) { return HeldBytes<F>::append(to, f.f); }
};

/// A function of several statements that is to be a white box; made by traced(f).
template <class F>
struct TracedFunction {
  F f;
  template <class... A>
  constexpr auto operator()(A&&... a) const -> decltype(f(std::forward<A>(a)...)) {
    return f(std::forward<A>(a)...);
  }
};
template <class F>
struct recording::HeldBytes<TracedFunction<F>> {
  static bool append(std::string& to, const TracedFunction<F>& f) { return HeldBytes<F>::append(to, f.f); }
};
/// `traced([](auto x, auto d) { if (x < d) return x; return d; })`: as KASEN_FN, for any lambda without captures
/// whose parameters are all `auto`. What symbols cannot do in it is an error of the compiler; branches are followed
/// both ways, up to the limits of recording::Trace, beyond which the function is a black box.
/// @code
/// auto clip = traced([](auto x, auto most) {
///   if (x > most) return most;
///   return x;
/// });
/// v = map(clip, v, s);
/// @endcode
template <class F>
constexpr TracedFunction<F> traced(F f) {
  static_assert(std::is_empty_v<F>, "traced functions capture nothing: pass Shareds or plain values as arguments");
  return {f};
}

/// What a user can declare: F(R(a,b),..) = R(F(a,..),F(b,..)), or = R(F(a,..),b).
enum class Obeys : std::uint8_t { distributes, pushes_down };

/// A law that a user declares for a function at one of its vector arguments. With a vector at that argument and Shareds
/// or plain values elsewhere, `distributes` is the paper's exchange law (rule 10), with further vectors the
/// distributive law (rule 14); the other is the pushdown law (rules 11 and 15).
template <class R, Obeys What>
struct DeclaredLaw {
  R reducer;
  int argument = 0;
};
/// F(R(a,b)) = R(F(a),F(b)) for a map.
template <class R>
constexpr DeclaredLaw<R, Obeys::distributes> exchanges_with(R reducer) {
  return {reducer};
}
/// F(R(a,b),c) = R(F(a,c),F(b,c)) at `argument` of a zip_with: a position among its vectors, from 0. Of a call that has
/// fewer it says nothing.
template <class R>
constexpr DeclaredLaw<R, Obeys::distributes> distributes_over(R reducer, int argument = 0) {
  return {reducer, argument};
}
/// F(R(a,b),..) = R(F(a,..),b) at `argument`.
template <class R>
constexpr DeclaredLaw<R, Obeys::pushes_down> pushes_down_into(R reducer, int argument = 0) {
  return {reducer, argument};
}

/// Says of a function that it has a result for every argument: see laws, and likely.
struct DefinedEverywhere {};
inline constexpr DefinedEverywhere defined_everywhere;

/// Says of a reducing function f that f(x, x) is x, as of min and max: `with_identity(laws(f, idempotent), e)`. Loops
/// that spread values with it then follow what has changed (docs/loops.md, active elements). White boxes are looked
/// into.
struct Idempotent {};
inline constexpr Idempotent idempotent;

/// Says of a product's function f, `mxv(laws(f, keeps_identity), R, M, v)`, that of the reducer R's identity e it makes
/// e, whatever the entry: f(e, m) = e. In loops, elements of v that are e are then left out (docs/loops.md, active
/// elements). That of `first` is known.
struct KeepsIdentity {};
inline constexpr KeepsIdentity keeps_identity;

/// Says of a reducing function, or of what merges two accumulators, that it makes the same bits in any order and
/// grouping, as what chooses one of two by a total order: `laws(f, in_any_order)`. With --reproducible
/// (docs/reproducible.md) only such functions are taken, and those of which that is known.
struct InAnyOrder {};
inline constexpr InAnyOrder in_any_order;

/// Says of a black box what it computes, for predicted seconds (docs/predicted_time.md): of each number of 8 bytes of
/// the longest row or struct that it gets or makes, as a loop over them does, or where it has neither, in a call.
/// Additions, comparisons and the like; divisions and square roots; exponentials, logarithms and what takes as long. A
/// sum or an extremum along a row, which no vector computes, counts six. Of f in map, zip_with and MxVs, and of a
/// fold's step, of which the accumulator does not count; of others nothing is made of it. `map(laws(f,
/// PerNumber{.arithmetic = 3, .exponentials = 1}), rows, width(8))`. White boxes are looked into. Without it four
/// operations a number are taken for granted, of structs sixteen.
struct PerNumber {
  std::uint32_t arithmetic = 0, divisions = 0, exponentials = 0;
};
/// Beside that what it computes once in each call, such as the logarithm of a sum.
struct PerCall {
  std::uint32_t arithmetic = 0, divisions = 0, exponentials = 0;
};

template <class F, class... Laws>
struct LawfulFunction {
  F f;
  std::tuple<Laws...> declared;
  template <class... A>
  constexpr auto operator()(A&&... a) const -> decltype(f(std::forward<A>(a)...)) {
    return f(std::forward<A>(a)...);
  }
};
/// A reducing function with the element it starts from.
template <class F, class T>
struct FunctionWithIdentity {
  F f;
  T element;
  /// Of elements of whatever type they have, not of that in which the identity was written.
  template <class A>
  constexpr auto operator()(const A& a, const A& b) const -> decltype(f(a, b)) {
    return f(a, b);
  }
};
template <class F, class T>
struct recording::HeldBytes<FunctionWithIdentity<F, T>> {
  static bool append(std::string& to, const FunctionWithIdentity<F, T>& f) {
    return HeldBytes<F>::append(to, f.f) && HeldBytes<T>::append(to, f.element);
  }
};
namespace detail {
/// Whether F is declared to obey a law.
template <class F>
inline constexpr bool kDeclaresLaws = false;
template <class Law>
inline constexpr bool kIsDeclaredLaw = false;
template <class R, Obeys What>
inline constexpr bool kIsDeclaredLaw<DeclaredLaw<R, What>> = true;
/// Whether laws() takes it behind a function.
template <class Law>
inline constexpr bool kIsLaw =
    kIsDeclaredLaw<Law> || kIsOneOf<Law, DefinedEverywhere, Idempotent, KeepsIdentity, InAnyOrder, PerNumber, PerCall>;
template <class F, class... Laws>
inline constexpr bool kDeclaresLaws<LawfulFunction<F, Laws...>> = (kIsDeclaredLaw<Laws> || ...);
template <class F, class T>
inline constexpr bool kDeclaresLaws<FunctionWithIdentity<F, T>> = kDeclaresLaws<F>;

/// A function without its laws.
template <class F>
struct Lawless {
  using type = F;
};
template <class F, class... Laws>
struct Lawless<LawfulFunction<F, Laws...>> : Lawless<F> {};

/// Whatever the order in which a program says them, a function has all of its laws in one place, within its identity.
template <class F, class... Laws>
constexpr auto with_laws(const F& f, const std::tuple<Laws...>& declared) {
  return LawfulFunction<F, Laws...>{f, declared};
}
template <class F, class... Known, class... Laws>
constexpr auto with_laws(const LawfulFunction<F, Known...>& f, const std::tuple<Laws...>& declared) {
  return LawfulFunction<F, Known..., Laws...>{f.f, std::tuple_cat(f.declared, declared)};
}
template <class F, class T, class... Laws>
constexpr auto with_laws(const FunctionWithIdentity<F, T>& f, const std::tuple<Laws...>& declared) {
  auto lawful = with_laws(f.f, declared);
  return FunctionWithIdentity<decltype(lawful), T>{std::move(lawful), f.element};
}
}  // namespace detail
template <class F, class... Laws>
struct recording::HeldBytes<LawfulFunction<F, Laws...>> {
  static bool append(std::string& to, const LawfulFunction<F, Laws...>& f) { return HeldBytes<F>::append(to, f.f); }
};
/// `laws(f, exchanges_with(plus))`: f with laws its user vouches for, `defined_everywhere` among them. A black box over
/// integers or structs of one's own is taken for one that may divide by zero, and does not run ahead of a test, unless
/// its user says so; white boxes are looked into. Laws may be given several times, and before an identity or behind it.
/// @code
/// auto shifted = laws([](double x, double y) { return std::fma(2.0, y, x); }, pushes_down_into(plus));
/// v = zip_with(shifted, v, w);
/// @endcode
template <class F, class... Laws>
constexpr auto laws(F f, Laws... declared) {
  static_assert(!detail::kIsLaw<F>, "[laws] the function comes first: laws(f, idempotent)");
  static_assert(
      (detail::kIsLaw<Laws> && ...),
      "[laws] behind the function stand laws: exchanges_with(plus), distributes_over(plus), "
      "pushes_down_into(plus), defined_everywhere, idempotent, keeps_identity, in_any_order, PerNumber, PerCall");
  static_assert(std::is_copy_constructible_v<F>, "[laws] a function that cannot be copied cannot be recorded");
  return detail::with_laws(f, std::tuple<Laws...>(declared...));
}

/// The type of the numbers of T, which consists of nothing else, and whose + adds them one by one; void: none is known.
/// A program that adds up structs of its own says so, so that --reproducible takes them:
/// `template <> struct kasen::NumbersOf<Moments> { using type = double; };`
template <class T>
struct NumbersOf {
  using type = std::conditional_t<std::is_arithmetic_v<T>, T, void>;
};

/// `with_identity(op, e)`: op, for reductions of elements that e is one of, with op(e, x) = x.
/// @code
/// auto larger = with_identity([](double x, double y) { return std::max(x, y); }, -infinity);
/// v = mxv(times, larger, M, w);
/// @endcode
template <class F, class T>
constexpr FunctionWithIdentity<F, T> with_identity(F f, T e) {
  static_assert(!std::is_arithmetic_v<F>,
                "[with_identity] the function comes first, and then the element it starts from: with_identity(f, 0.0)");
  static_assert(std::is_copy_constructible_v<F>, "[with_identity] a function that cannot be copied cannot be recorded");
  return {f, e};
}
/// In place of the identity that it has.
template <class F, class Before, class T>
constexpr FunctionWithIdentity<F, T> with_identity(FunctionWithIdentity<F, Before> f, T e) {
  return {f.f, e};
}

namespace detail {

template <class F>
constexpr std::string_view name_of(const F& f) {
  if constexpr (requires { F::name; } && !kInherits<F>) return F::name;
  if constexpr (requires { f.text; }) return f.text;
  if constexpr (requires { f.f; }) return name_of(f.f);
  return "function";
}

template <class F, class T>
constexpr std::optional<T> identity_of(const F& f) {
  using Known = typename Lawless<F>::type;
  if constexpr (requires { Known::template identity<T>(); } && !kInherits<Known>) {
    return Known::template identity<T>();
  } else if constexpr (requires {
                         { f.element } -> std::convertible_to<T>;
                       }) {
    return f.element;
  } else {
    return std::nullopt;
  }
}

/// Called with so many arguments, `F` returns the first one, for certain.
template <class F>
constexpr bool returns_first(std::size_t arguments) {
  using Known = typename Lawless<F>::type;
  if constexpr (requires { Known::returns_first(arguments); } && !kInherits<Known>)
    return Known::returns_first(arguments);
  return false;
}

/// Stateless, so that the functor's type says which function it is.
template <class F>
inline constexpr bool kIsReducer = std::is_empty_v<F>;
template <class F, class T>
inline constexpr bool kIsReducer<FunctionWithIdentity<F, T>> = kIsReducer<F>;
template <class F>
inline constexpr bool kIsReducer<NamedFunction<F>> = std::is_empty_v<F>;
template <class F>
inline constexpr bool kIsReducer<TracedFunction<F>> = std::is_empty_v<F>;
template <class F, class... Laws>
inline constexpr bool kIsReducer<LawfulFunction<F, Laws...>> = kIsReducer<F> &&
                                                               ((std::is_empty_v<Laws> ||
                                                                 kIsOneOf<Laws, PerNumber, PerCall>)&&...);

/// What tells a reducing functor from others: its type, but of a built-in one, of which all is known, that without
/// laws.
template <class Op>
using ReducerType = std::conditional_t<kIsBuiltIn<typename Lawless<Op>::type>, typename Lawless<Op>::type, Op>;

/// The function of that type, which kernels are made for.
template <class Op>
constexpr ReducerType<Op> known_reducer(const Op& op) {
  if constexpr (std::is_same_v<ReducerType<Op>, Op>) {
    return op;
  } else {
    return op.f;
  }
}

/// The key of a reducing functor over elements of type T: its type, and the element it starts from if it holds one.
template <class T, class Op>
recording::FunctionKey reducer_key(const Op& op) {
  recording::FunctionKey key{&recording::type_mark<ReducerType<Op>, T>, {}};
  if constexpr (requires { op.element; }) {
    if (std::optional<T> identity = identity_of<Op, T>(op)) {
      clear_padding(*identity);
      recording::append_bytes(key.bytes, &*identity, sizeof(T));
    }
  }
  return key;
}

/// The laws that a user has declared, for a call with `vectors` vector arguments, the first of them at position 0.
class LawList {
 public:
  std::span<const recording::FunctorLaw> view() const { return _laws; }
  template <class T, class R>
  void add(Obeys what, const R& reducer, std::size_t argument, std::size_t vectors) {
    if (argument >= vectors) return;
    const Law::Kind kind = what == Obeys::pushes_down ? Law::Kind::pushdown
                           : vectors == 1             ? Law::Kind::exchange
                                                      : Law::Kind::distributive;
    _laws.push_back({kind, reducer_key<T>(reducer), static_cast<std::uint8_t>(argument)});
  }

 private:
  std::vector<recording::FunctorLaw> _laws;
};

/// What a function is declared to compute.
template <class F>
constexpr Work declared_work(const F&) {
  return {};
}
template <class F, class... Laws>
constexpr Work declared_work(const LawfulFunction<F, Laws...>& f) {
  const auto in_quarters = [](std::uint32_t exponentials) {
    return kQuartersOfExponential * std::min(exponentials, ~0u / kQuartersOfExponential);
  };
  Work work = declared_work(f.f);
  const auto add = [&]<class Law>(const Law& law) {
    if constexpr (std::is_same_v<Law, PerNumber>) {
      work.known = true;
      work.arithmetic = law.arithmetic;
      work.divisions = law.divisions;
      work.transcendentals = in_quarters(law.exponentials);
    } else if constexpr (std::is_same_v<Law, PerCall>) {
      work.once = {law.arithmetic, law.divisions, in_quarters(law.exponentials)};
    }
  };
  std::apply([&](const auto&... law) { (add(law), ...); }, f.declared);
  return work;
}

template <class F, class T>
constexpr Work declared_work(const FunctionWithIdentity<F, T>& f) {
  return declared_work(f.f);
}

/// Those of a call whose results, and the arguments that laws speak of, are of type T.
template <class T, class F>
LawList laws_of(const F&, std::size_t) {
  return {};
}
template <class T, class F, class... Laws>
LawList laws_of(const LawfulFunction<F, Laws...>& f, std::size_t vectors) {
  LawList list;
  const auto add = [&]<class R, Obeys What>(const DeclaredLaw<R, What>& law) {
    list.add<T>(What, law.reducer, static_cast<std::size_t>(law.argument), vectors);
  };
  const auto add_law = [&]<class Law>(const Law& law) {
    if constexpr (kIsDeclaredLaw<Law>) add(law);
  };
  std::apply([&](const auto&... law) { (add_law(law), ...); }, f.declared);
  return list;
}

template <class T, class F, class E>
LawList laws_of(const FunctionWithIdentity<F, E>& f, std::size_t vectors) {
  return laws_of<T>(f.f, vectors);
}

// ---- white boxes ----

/// May be called with symbols, or tried with them: what it cannot do makes it not invocable.
template <class F>
inline constexpr bool kIsWhite = kIsBuiltIn<F>;
template <class F>
inline constexpr bool kIsWhite<NamedFunction<F>> = std::is_empty_v<F>;
template <class F>
inline constexpr bool kIsWhite<TracedFunction<F>> = true;
template <class F, class... Laws>
inline constexpr bool kIsWhite<LawfulFunction<F, Laws...>> = kIsWhite<F>;

/// An operand of a function to be traced: an input of that kind with elements of type T.
template <Operator Kind, class T>
struct Traced {
  using Element = T;
  static constexpr Operator kKind = Kind;
};

/// Said to be a white box by whoever wrote it.
template <class F>
inline constexpr bool kIsSaidWhite = false;
template <class F>
inline constexpr bool kIsSaidWhite<NamedFunction<F>> = true;
template <class F>
inline constexpr bool kIsSaidWhite<TracedFunction<F>> = true;
/// F can be called with symbols of these operands.
template <class F, class... Operands>
inline constexpr bool kKnowsSymbols = std::is_invocable_v<const F&, const Symbolic<typename Operands::Element>&...>;

/// The node of what the function makes of symbols.
template <class Out, class F, class... Operands>
std::uint32_t traced_result(recording::Trace& trace, const void* f) {
  std::uint32_t position[4] = {};  // by kind of input, which are the first operators
  const auto symbol = [&]<Operator Kind, class T>(detail::Traced<Kind, T>) {
    std::uint32_t& next = position[static_cast<std::size_t>(Kind)];
    return Symbolic<T>::of(trace.input(Kind, *scalar_type_of<T>(), next++));
  };
  const auto symbols = std::tuple{symbol(Operands())...};
  return node_as<Out>(std::apply(*static_cast<const F*>(f), symbols));
}

/// The compiled function, of operands given as scalars.
template <class Out, class F, class... Operands>
Scalar compiled_result(const void* f, const Scalar* operands) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    const F& function = *static_cast<const F*>(f);
    return Scalar::of(static_cast<Out>(function(operands[K].template as<typename Operands::Element>()...)));
  }
  (std::index_sequence_for<Operands...>{});
}

/// What f computes from its operands; none if it is a black box. Traced once per function and types of operands, and
/// compared with the compiled function at each call: where a function does something else with symbols than with
/// numbers, or reads what has changed since, it is a black box.
template <class Out, class F, class... Operands>
ExpressionRef traced_expression([[maybe_unused]] const F& f, Operands...) {
  if constexpr (kIsWhite<F> && HasSymbol<Out> && (HasSymbol<typename Operands::Element> && ...)) {
    if constexpr (kKnowsSymbols<F, Operands...>) {
      using Traced = std::decay_t<std::invoke_result_t<const F&, const Symbolic<typename Operands::Element>&...>>;
      // Another type than that of the compiled function: not the same function.
      if constexpr (std::is_same_v<Native<Traced>, Out>) {
        static const ExpressionRef expression = recording::Trace::of(&traced_result<Out, F, Operands...>, &f);
        static constexpr recording::TracedOperand kinds[] = {
            {Operands::kKind, *scalar_type_of<typename Operands::Element>()}...};
        if (expression && recording::computes(*expression, kinds, &compiled_result<Out, F, Operands...>, &f))
          return expression;
      }
    }
  }
  return {};
}
template <class Out, class F, class... Laws, class... Operands>
ExpressionRef traced_expression(const LawfulFunction<F, Laws...>& f, Operands... operands) {
  return traced_expression<Out>(f.f, operands...);
}

// ---- totality ----

/// Defined for every argument, whatever its type.
template <class F>
inline constexpr bool kIsTotal = kIsOneOf<F, Identity, First, Count>;
template <class F, class... Laws>
inline constexpr bool kIsTotal<LawfulFunction<F, Laws...>> = kIsTotal<F> ||
                                                             (std::is_same_v<Laws, DefinedEverywhere> || ...);
template <class F, class T>
inline constexpr bool kIsTotal<FunctionWithIdentity<F, T>> = kIsTotal<F>;

/// Built-in, and defined for all numbers. On structs it calls what their author wrote.
template <class F>
inline constexpr bool kIsTotalOnNumbers = kIsBuiltIn<F> && !std::is_same_v<F, Divides>;
template <class F, class... Laws>
inline constexpr bool kIsTotalOnNumbers<LawfulFunction<F, Laws...>> = kIsTotalOnNumbers<F>;
template <class F, class T>
inline constexpr bool kIsTotalOnNumbers<FunctionWithIdentity<F, T>> = kIsTotalOnNumbers<F>;

/// Numbers, and structs of the library's that compute with their members as with numbers.
template <class T>
inline constexpr bool kActsAsNumber = std::is_arithmetic_v<T>;

/// What a black box may divide with by zero, which ends the program: floating-point numbers do not trap.
template <class T>
inline constexpr bool kMayTrap = !std::is_floating_point_v<T> && !std::is_same_v<T, bool>;
template <class T, std::size_t N>
inline constexpr bool kMayTrap<std::array<T, N>> = kMayTrap<T>;
template <class T>
inline constexpr bool kMayTrap<std::span<const T>> = kMayTrap<T>;
template <class T>
inline constexpr bool kMayTrap<RowsView<T>> = kMayTrap<T>;

/// Whether F is defined for every argument, as far as is known without looking into it; Types are those of its operands
/// and of its result.
template <class F, class... Types>
constexpr bool is_total() {
  return kIsTotal<F> || (kIsTotalOnNumbers<F> && (kActsAsNumber<Types> && ...)) || !(kMayTrap<Types> || ...);
}

// ---- reducers ----

/// The function of a reducer.
template <class Op>
struct ReducingFunction {
  using type = Op;
  static const Op& of(const Op& op) { return op; }
};
template <class F, class T>
struct ReducingFunction<FunctionWithIdentity<F, T>> {
  using type = F;
  static const F& of(const FunctionWithIdentity<F, T>& op) { return op.f; }
};

/// A functor without its identity and laws, which are within that.
template <class Op>
using Bare = Lawless<typename ReducingFunction<Op>::type>;

/// Which of the built-in functors a reducer is.
template <class F>
constexpr ReducerKind reducer_kind() {
  using Known = typename Lawless<F>::type;
  if constexpr (kIsBuiltIn<Known>) {
    if constexpr (requires { Known::kind; }) return Known::kind;
  }
  return ReducerKind::other;
}

/// Whether F is declared to be idempotent.
template <class F>
inline constexpr bool kIsIdempotent = false;
template <class F, class... Laws>
inline constexpr bool kIsIdempotent<LawfulFunction<F, Laws...>> = (std::is_same_v<Laws, Idempotent> || ...);

/// Whether F is known or declared to make the same bits in any order.
template <class F>
inline constexpr bool kIsInAnyOrder = false;
template <class F, class... Laws>
inline constexpr bool kIsInAnyOrder<LawfulFunction<F, Laws...>> = kIsInAnyOrder<F> || kIsIdempotent<F> ||
                                                                  (kIsOneOf<Laws, InAnyOrder, Idempotent> || ...);
template <class F, class T>
inline constexpr bool kIsInAnyOrder<FunctionWithIdentity<F, T>> = kIsInAnyOrder<F>;

/// Whether F is declared to make the identity of the identity.
template <class F>
inline constexpr bool kKeepsIdentity = false;
template <class F, class... Laws>
inline constexpr bool kKeepsIdentity<LawfulFunction<F, Laws...>> = (std::is_same_v<Laws, KeepsIdentity> || ...);
template <class F, class T>
inline constexpr bool kKeepsIdentity<FunctionWithIdentity<F, T>> = kKeepsIdentity<F>;

}  // namespace detail

}  // namespace kasen
