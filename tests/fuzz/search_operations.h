/// @file
/// Functions of searches (make_searches.cpp), for families of an element type and an idempotent reducer.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {

// ---- the interpreter's numbers, as those of programs, and back ----

template <class T>
T plain_of(const Number<T>& x) {
  return x.value;
}
inline bool plain_of(bool x) { return x; }
inline Pair plain_of(const PairOfNumbers& p) { return {p.x.value, p.n.value}; }

inline bool number_of(bool x) { return x; }
inline PairOfNumbers number_of(const Pair& p) { return {p.x, p.n}; }
template <class T>
Number<T> number_of(T x) {
  return x;
}

/// What is at most 1 away from a number, or may be.
template <class T>
Number<T> beside(const Number<T>& x, T value) {
  if (value == x.value) return x;
  if (std::is_unsigned_v<T>) return {value, x.size, 0};
  return Number<T>::checked(value, x.size + 1, Number<T>::coarser(x.grain, Number<T>::kReal ? 1 : 0));
}
inline bool beside(bool, bool value) { return value; }
inline PairOfNumbers beside(const PairOfNumbers& p, const Pair& value) {
  return {beside(p.x, value.x), beside(p.n, value.n)};
}

template <class X>
bool differ(const X& a, const X& b) {
  return plain_of(a) != plain_of(b);
}
inline bool chosen(bool first, bool a, bool b) { return first ? a : b; }
template <class T>
Number<T> chosen(bool first, const Number<T>& a, const Number<T>& b) {
  return choose(first, a, b);
}
inline PairOfNumbers chosen(bool first, const PairOfNumbers& p, const PairOfNumbers& q) {
  return {choose(first, p.x, q.x), choose(first, p.n, q.n)};
}

/// Adds operations of one family to the table.
class FamilyTable {
 public:
  FamilyTable(std::vector<Operation>& table, std::string family, Suits suits)
      : _table(table), _family(std::move(family)), _suits(suits) {}
  void add(Part part, Operation operation) {
    operation.family = _family;
    operation.part = part;
    operation.suits = _suits;
    _table.push_back(std::move(operation));
  }

 private:
  std::vector<Operation>& _table;
  std::string _family;
  Suits _suits;
};

// T: the type; R: the reducer, FOLD: as the interpreter has it, ID: its identity; VALUE: some value, by a number k;
// STEP: a value that differs from y, or y; FN, SELECT: KASEN_FN and kasen::select, or what black boxes have for it.
// Macros, for the texts. ID is where nothing is: what is reached is told by it.

#define KASEN_FUZZ_FAMILY(T, R, FOLD, ID, VALUE, STEP, FN, SELECT, SUITS)                                             \
  using L = std::int64_t;                                                                                             \
  using I = std::int32_t;                                                                                             \
  FamilyTable family(table, #T ", " #R, SUITS);                                                                       \
  const auto none = number_of(T(ID));                                                                                 \
  const auto step = [](const auto& x) {                                                                               \
    const T y = plain_of(x);                                                                                          \
    return beside(x, T(STEP));                                                                                        \
  };                                                                                                                  \
  const auto value = [](std::int64_t k) { return number_of(T(VALUE)); };                                              \
  const auto same = [](const auto& y, const auto&...) { return y; };                                                  \
  family.add(Part::product, product<T, Pattern, T>(KASEN_CODE(kasen::first), KASEN_CODE(R), same, FOLD, none));       \
  family.add(Part::product,                                                                                           \
             product<T, I, T>(                                                                                        \
                 KASEN_CODE([](T y, std::int32_t w) -> T { return w > 1 ? T(STEP) : y; }), KASEN_CODE(R),             \
                 [=](const auto& y, auto w) { return w.value > 1 ? step(y) : y; }, FOLD, none));                      \
  family.add(Part::join, element<T, V<T>, V<T>>(KASEN_CODE(R), FOLD));                                                \
  family.add(Part::total, reduction<T>(KASEN_CODE(R), FOLD, none));                                                   \
  family.add(Part::source, element<T, V<L>, C<L>>(                                                                    \
                               KASEN_CODE([](std::int64_t k, std::int64_t at) -> T { return k == at ? VALUE : ID; }), \
                               [=](auto k, auto at) { return k == at ? value(k.value) : none; }));                    \
  family.add(Part::moving_source,                                                                                     \
             element<T, V<L>, S<L>>(                                                                                  \
                 KASEN_CODE([](std::int64_t k, std::int64_t at) -> T { return k % 24 == at ? VALUE : ID; }),          \
                 [=](auto k, auto at) { return k.value % 24 == at.value ? value(k.value) : none; }));                 \
  family.add(Part::everywhere, element<T, V<L>>(KASEN_CODE([](std::int64_t k) -> T { return VALUE; }),                \
                                                [=](auto k) { return value(k.value); }));                             \
  family.add(                                                                                                         \
      Part::next_value,                                                                                               \
      applying<T, S<T>, S<L>>(                                                                                        \
          KASEN_CODE([](T s, std::int64_t k) -> T { return s == ID || k % 3 == 0 ? VALUE : s; }),                     \
          [=](const auto& s, auto k) { return chosen(!differ(s, none) || k.value % 3 == 0, value(k.value), s); }));   \
  family.add(Part::frontier,                                                                                          \
             element<T, V<T>, V<T>>(KASEN_CODE(FN((auto a, auto b), SELECT(a != b, a, ID))),                          \
                                    [=](const auto& a, const auto& b) { return chosen(differ(a, b), a, none); }));    \
  family.add(Part::reached,                                                                                           \
             element<T, V<T>>(KASEN_CODE(FN((auto a), SELECT(a != ID, a, ID))), [](const auto& a) { return a; }));    \
  family.add(Part::reached,                                                                                           \
             element<T, V<T>, V<T>>(KASEN_CODE(FN((auto a, auto b), SELECT(b == ID, a, ID))),                         \
                                    [=](const auto& a, const auto& b) { return chosen(differ(b, none), none, a); })); \
  family.add(Part::reached,                                                                                           \
             element<T, V<T>, V<T>, S<T>>(                                                                            \
                 KASEN_CODE(FN((auto a, auto, auto s), SELECT(a != ID, s, ID))),                                      \
                 [=](const auto& a, const auto&, const auto& s) { return chosen(differ(a, none), s, none); }));       \
  family.add(Part::change,                                                                                            \
             element<T, V<T>>(KASEN_CODE([](T y) -> T { return STEP; }), [=](const auto& y) { return step(y); }));    \
  family.add(Part::change,                                                                                            \
             element<T, V<T>, V<T>>(KASEN_CODE(FN((auto a, auto b), SELECT(b != ID, b, a))),                          \
                                    [=](const auto& a, const auto& b) { return chosen(differ(b, none), b, a); }));    \
  family.add(Part::change,                                                                                            \
             element<T, V<T>, V<T>, S<T>>(                                                                            \
                 KASEN_CODE(FN((auto l, auto a, auto d), SELECT(a != ID, d, l))),                                     \
                 [=](const auto& l, const auto& a, const auto& d) { return chosen(differ(a, none), d, l); }));        \
  family.add(Part::following,                                                                                         \
             element<T, V<T>, V<T>, S<T>>(                                                                            \
                 KASEN_CODE([](T l, T a, T d) -> T { return a != ID ? d : l; }),                                      \
                 [=](const auto& l, const auto& a, const auto& d) { return chosen(differ(a, none), d, l); }));        \
  family.add(Part::changes, element<L, V<T>, V<T>>(KASEN_CODE([](T a, T b) { return std::int64_t{a != b}; }),         \
                                                   [](const auto& a, const auto& b) { return Long(differ(a, b)); }))

/// What white boxes say of changes, of all types but structs.
#define KASEN_FUZZ_CHANGES(T)                                                                                     \
  family.add(Part::changes,                                                                                       \
             element<L, V<T>, V<T>>(                                                                              \
                 KASEN_CODE(KASEN_FN((auto a, auto b), kasen::select(a != b, std::int64_t{1}, std::int64_t{0}))), \
                 [](const auto& a, const auto& b) { return Long(differ(a, b)); }));                               \
  family.add(Part::any_changes, element<bool, V<T>, V<T>>(KASEN_CODE(KASEN_FN((auto a, auto b), a != b)),         \
                                                          [](const auto& a, const auto& b) { return differ(a, b); }))

#define KASEN_FUZZ_LARGER_FAMILY(T, R, FOLD, ID, VALUE, STEP, SUITS)                                                   \
  KASEN_FUZZ_FAMILY(T, R, FOLD, ID, VALUE, STEP, KASEN_FN, kasen::select, SUITS);                                      \
  KASEN_FUZZ_CHANGES(T);                                                                                               \
  const auto if_differ = [](const auto& a, const auto& b, const auto& then, const auto& otherwise) {                   \
    return chosen(differ(a, b), then, otherwise);                                                                      \
  };                                                                                                                   \
  family.add(                                                                                                          \
      Part::product,                                                                                                   \
      product<T, I, T>(                                                                                                \
          KASEN_CODE(kasen::laws([](T y, std::int32_t w) -> T { return y != ID && w > 0 ? T(STEP) : ID; },             \
                                 kasen::keeps_identity)),                                                              \
          KASEN_CODE(R),                                                                                               \
          [=](const auto& y, auto w) { return w.value > 0 ? if_differ(y, none, step(y), none) : none; }, FOLD, none)); \
  family.add(                                                                                                          \
      Part::entered,                                                                                                   \
      element<T, V<T>, V<L>>(KASEN_CODE(KASEN_FN((auto a, auto v), kasen::select(v % std::int64_t{5} == 0, ID, a))),   \
                             [=](const auto& a, auto v) { return chosen(v.value % 5 == 0, none, a); }));               \
  family.add(                                                                                                          \
      Part::entered,                                                                                                   \
      element<T, V<T>, V<L>>(KASEN_CODE(kasen::laws([](T y, std::int64_t v) -> T { return v % 7 == 3 ? ID : STEP; },   \
                                                    kasen::defined_everywhere)),                                       \
                             [=](const auto& a, auto v) { return chosen(v.value % 7 == 3, none, step(a)); }));         \
  family.add(Part::frontier,                                                                                           \
             element<T, V<T>, V<T>>(KASEN_CODE(KASEN_FN((auto a, auto b), kasen::select(a != b, b, ID))),              \
                                    [=](const auto& a, const auto& b) { return if_differ(a, b, b, none); }));          \
  family.add(Part::frontier,                                                                                           \
             element<T, V<T>, V<T>, V<T>>(                                                                             \
                 KASEN_CODE(KASEN_FN((auto a, auto b, auto c), kasen::select(a != b, c, ID))),                         \
                 [=](const auto& a, const auto& b, const auto& c) { return if_differ(a, b, c, none); }));              \
  family.add(Part::frontier,                                                                                           \
             element<T, V<T>, V<T>>(                                                                                   \
                 KASEN_CODE(KASEN_FN((auto a, auto b), kasen::select(a != ID, kasen::select(a != b, a, ID), ID))),     \
                 [=](const auto& a, const auto& b) { return if_differ(a, none, if_differ(a, b, a, none), none); }));   \
  family.add(Part::reached,                                                                                            \
             element<T, V<T>, V<T>>(KASEN_CODE(KASEN_FN((auto a, auto b), kasen::select(a != ID, b, ID))),             \
                                    [=](const auto& a, const auto& b) { return if_differ(a, none, b, none); }));       \
  family.add(Part::marked,                                                                                             \
             element<T, V<T>, V<L>>(KASEN_CODE(KASEN_FN((auto a, auto c), kasen::select(c > std::int64_t{0}, a, ID))), \
                                    [=](const auto& a, auto c) { return chosen(c.value > 0, a, none); }));             \
  family.add(Part::change,                                                                                             \
             element<T, V<T>, V<T>>(KASEN_CODE([](T a, T y) -> T { return a != y ? STEP : a; }),                       \
                                    [=](const auto& a, const auto& y) { return if_differ(a, y, step(y), a); }));       \
  family.add(Part::change,                                                                                             \
             element<T, V<T>, V<T>, S<T>>(                                                                             \
                 KASEN_CODE(KASEN_FN((auto l, auto a, auto d), kasen::select(a == ID, l, d))),                         \
                 [=](const auto& l, const auto& a, const auto& d) { return if_differ(a, none, d, l); }));              \
  family.add(Part::following,                                                                                          \
             element<T, V<T>, V<T>, S<T>>(                                                                             \
                 KASEN_CODE(KASEN_FN((auto l, auto a, auto d), kasen::select(a != ID, l, d))),                         \
                 [=](const auto& l, const auto& a, const auto& d) { return if_differ(a, none, l, d); }));              \
  family.add(Part::count, element<L, V<T>, V<L>>(                                                                      \
                              KASEN_CODE(KASEN_FN((auto a, auto v), kasen::select(a != ID, v, std::int64_t{0}))),      \
                              [=](const auto& a, auto v) { return choose(differ(a, none), v, Long(0)); }));            \
  family.add(                                                                                                          \
      Part::least,                                                                                                     \
      element<L, V<T>, V<L>>(                                                                                          \
          KASEN_CODE(KASEN_FN((auto a, auto v), kasen::select(a != ID, v, std::numeric_limits<std::int64_t>::max()))), \
          [=](const auto& a, auto v) { return choose(differ(a, none), v, Long(std::numeric_limits<L>::max())); }));    \
  family.add(Part::most, element<L, V<T>, V<L>>(                                                                       \
                             KASEN_CODE(KASEN_FN((auto a, auto v), kasen::select(a != ID, v, std::int64_t{-5}))),      \
                             [=](const auto& a, auto v) { return choose(differ(a, none), v, Long(-5)); }));            \
  family.add(Part::count,                                                                                              \
             element<L, V<T>, V<L>, S<L>>(                                                                             \
                 KASEN_CODE(KASEN_FN((auto a, auto v, auto r), kasen::select(a != ID, v + r, std::int64_t{0}))),       \
                 [=](const auto& a, auto v, auto r) { return choose(differ(a, none), v + r, Long(0)); }));             \
  family.add(Part::chance,                                                                                             \
             element<L, V<T>, V<double>>(                                                                              \
                 KASEN_CODE(KASEN_FN((auto a, auto u),                                                                 \
                                     kasen::select(a != ID, kasen::cast<std::int64_t>(u * 100), std::int64_t{0}))),    \
                 [=](const auto& a, auto u) {                                                                          \
                   return choose(differ(a, none), Long(static_cast<L>(u.value * 100), 100, 0), Long(0));               \
                 }));                                                                                                  \
  family.add(Part::mark,                                                                                               \
             element<L, V<L>>(KASEN_CODE(KASEN_FN((auto c), kasen::max(c - std::int64_t{1}, std::int64_t{0}))),        \
                              [](auto c) { return largest(c - Long(1), Long(0)); }));                                  \
  family.add(                                                                                                          \
      Part::mark,                                                                                                      \
      element<L, V<L>, V<T>>(                                                                                          \
          KASEN_CODE(KASEN_FN((auto c, auto a), kasen::select(a != ID, std::int64_t{4},                                \
                                                              kasen::max(c - std::int64_t{1}, std::int64_t{0})))),     \
          [=](auto c, const auto& a) { return choose(differ(a, none), Long(4), largest(c - Long(1), Long(0))); }));    \
  family.add(Part::mark, element<L, V<L>, V<T>, S<L>>(                                                                 \
                             KASEN_CODE(KASEN_FN((auto c, auto a, auto d), kasen::select(a != ID, c + d, c))),         \
                             [=](auto c, const auto& a, auto d) { return choose(differ(a, none), c + d, c); }))

}  // namespace kasen::tests::fuzz
