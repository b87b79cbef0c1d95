/// @file
/// Functions of elements: KASEN_FN, declared laws, identities, and what primitives ask of a functor.
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/functors.h"
#include "kasen/recording/recorder.h"
#include "kasen/recording/type_name.h"

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

/// A function of one expression, known by its text: KASEN_FN((auto x, auto r), (1 - r) + r * x). Captures by value; for
/// what changes between calls pass Shareds or plain values as arguments instead.
#define KASEN_FN(parameters, ...) (::kasen::NamedFunction{[=] parameters { return __VA_ARGS__; }, #__VA_ARGS__})

/// The text belongs to the type.
template <class F>
struct recording::HeldBytes<NamedFunction<F>> {
  static bool append(std::string& to, const NamedFunction<F>& f) { return HeldBytes<F>::append(to, f.f); }
};

/// A law that a user declares for a function at one of its vector arguments.
template <class R, Obeys What>
struct DeclaredLaw {
  int argument = 0;
};
/// F(R(a,b)) = R(F(a),F(b)) for a map.
template <class R>
constexpr DeclaredLaw<R, Obeys::distributes> exchanges_with(R) {
  return {};
}
/// F(R(a,b),c) = R(F(a,c),F(b,c)) at `argument` of a zip_with.
template <class R>
constexpr DeclaredLaw<R, Obeys::distributes> distributes_over(R, int argument = 0) {
  return {argument};
}
/// F(R(a,b),..) = R(F(a,..),b) at `argument`.
template <class R>
constexpr DeclaredLaw<R, Obeys::pushes_down> pushes_down_into(R, int argument = 0) {
  return {argument};
}

template <class F, class... Laws>
struct LawfulFunction {
  F f;
  std::tuple<Laws...> declared;
  template <class... A>
  constexpr auto operator()(A&&... a) const -> decltype(f(std::forward<A>(a)...)) {
    return f(std::forward<A>(a)...);
  }
};
template <class F, class... Laws>
struct recording::HeldBytes<LawfulFunction<F, Laws...>> {
  static bool append(std::string& to, const LawfulFunction<F, Laws...>& f) { return HeldBytes<F>::append(to, f.f); }
};
/// `laws(f, exchanges_with(plus))`: f with laws its user vouches for.
template <class F, class R, Obeys What, class... More>
constexpr auto laws(F f, DeclaredLaw<R, What> law, More... more) {
  return LawfulFunction<F, DeclaredLaw<R, What>, More...>{f, {law, more...}};
}

/// A reducing function with the element it starts from.
template <class F, class T>
struct FunctionWithIdentity {
  F f;
  T element;
  constexpr T operator()(const T& a, const T& b) const { return f(a, b); }
};
template <class F, class T>
struct recording::HeldBytes<FunctionWithIdentity<F, T>> {
  static bool append(std::string& to, const FunctionWithIdentity<F, T>& f) {
    return HeldBytes<F>::append(to, f.f) && HeldBytes<T>::append(to, f.element);
  }
};
/// `with_identity(op, e)`: op, for reductions over T, with op(e, x) = x.
template <class F, class T>
constexpr FunctionWithIdentity<F, T> with_identity(F f, T e) {
  return {f, e};
}

namespace detail {

template <class F>
constexpr std::string_view name_of(const F& f) {
  if constexpr (requires { F::name; }) return F::name;
  if constexpr (requires { f.text; }) return f.text;
  if constexpr (requires { f.f; }) return name_of(f.f);
  return "function";
}

template <class F, class T>
constexpr std::optional<T> identity_of(const F& f) {
  if constexpr (requires { F::template identity<T>(); }) {
    return F::template identity<T>();
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
  if constexpr (requires { F::returns_first(arguments); }) return F::returns_first(arguments);
  return false;
}

/// Stateless, so that the functor's type says which function it is.
template <class F>
inline constexpr bool kIsReducer = std::is_empty_v<F>;
template <class F, class T>
inline constexpr bool kIsReducer<FunctionWithIdentity<F, T>> = kIsReducer<F>;
template <class F>
inline constexpr bool kIsReducer<NamedFunction<F>> = std::is_empty_v<F>;

/// The laws of a call with `vectors` vector arguments, the first of them at position 0.
class LawList {
 public:
  std::span<const recording::FunctorLaw> view() const { return {_laws.data(), _count}; }
  template <class R>
  void add(Obeys what, std::size_t argument, std::size_t vectors) {
    if (what == Obeys::nothing || argument >= vectors || _count == _laws.size()) return;
    const Law::Kind kind = what == Obeys::pushes_down ? Law::Kind::pushdown
                           : vectors == 1             ? Law::Kind::exchange
                                                      : Law::Kind::distributive;
    _laws[_count++] = {kind, recording::type_hash<R>(), static_cast<std::uint8_t>(argument)};
  }

 private:
  std::array<recording::FunctorLaw, 24> _laws{};
  std::size_t _count = 0;
};

template <class F, class T>
void add_known_laws(LawList& list, std::size_t vectors) {
  if constexpr (requires { F::template obeys<Plus, T>(0); }) {
    const auto add = [&]<class R>(R) {
      for (int k = 0; k < 2; ++k) list.add<R>(F::template obeys<R, T>(k), static_cast<std::size_t>(k), vectors);
    };
    add(Plus{}), add(Times{}), add(Min{}), add(Max{});
    if constexpr (std::is_integral_v<T>) {
      add(LogicalOr{}), add(LogicalAnd{}), add(BitOr{}), add(BitAnd{}), add(BitXor{});
    }
  }
}

template <class T, class F>
LawList laws_of(const F&, std::size_t vectors) {
  LawList list;
  add_known_laws<F, T>(list, vectors);
  return list;
}
template <class T, class F, class... Laws>
LawList laws_of(const LawfulFunction<F, Laws...>& f, std::size_t vectors) {
  LawList list;
  add_known_laws<F, T>(list, vectors);
  const auto add = [&]<class R, Obeys What>(DeclaredLaw<R, What> law) {
    list.add<R>(What, static_cast<std::size_t>(law.argument), vectors);
  };
  std::apply([&](const auto&... law) { (add(law), ...); }, f.declared);
  return list;
}

}  // namespace detail

}  // namespace kasen
