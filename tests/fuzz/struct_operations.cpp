// Functions over a struct.
#include "tests/fuzz/operation_makers.h"

namespace kasen::tests::fuzz {

void add_struct_operations(std::vector<Operation>& table) {
  using R = double;
  using I = std::int32_t;
  using P = Pair;
  table.push_back(element<P, V<R>, V<I>>(KASEN_CODE([](double x, std::int32_t n) {
                                           return Pair{x, n};
                                         }),
                                         [](auto x, auto n) {
                                           return PairOfNumbers{x, n};
                                         }));
  table.push_back(element<P, V<R>>(KASEN_CODE([](double x) {
                                     return Pair{x, 1};
                                   }),
                                   [](auto x) {
                                     return PairOfNumbers{x, 1};
                                   }));
  table.push_back(element<R, V<P>>(KASEN_CODE([](const Pair& p) { return p.x; }), [](const auto& p) { return p.x; }));
  table.push_back(element<I, V<P>>(KASEN_CODE([](const Pair& p) { return p.n; }), [](const auto& p) { return p.n; }));
  table.push_back(element<P, V<P>, S<R>>(KASEN_CODE(kasen::laws(
                                             [](const Pair& p, double s) {
                                               return Pair{p.x * s, p.n};
                                             },
                                             kasen::exchanges_with(pair_sum))),
                                         [](const auto& p, auto s) {
                                           return PairOfNumbers{p.x * s, p.n};
                                         }));
  table.push_back(
      element<P, V<P>, V<P>>(KASEN_CODE(kasen::laws(
                                 [](const Pair& p, const Pair& q) {
                                   return Pair{p.x + q.x, p.n + q.n};
                                 },
                                 kasen::pushes_down_into(pair_sum, 0), kasen::pushes_down_into(pair_sum, 1))),
                             [](const auto& p, const auto& q) {
                               return PairOfNumbers{p.x + q.x, p.n + q.n};
                             }));
  table.push_back(element<P, V<P>, V<P>>(KASEN_CODE(pair_least), pair_smaller));
  table.push_back(element<P, V<P>, V<R>, C<I>>(KASEN_CODE([](const Pair& p, double x, std::int32_t n) {
                                                 return Pair{p.x - x, p.n % 8 + n};
                                               }),
                                               [](const auto& p, auto x, auto n) {
                                                 return PairOfNumbers{p.x - x, Int(p.n.value % 8, 8, 0) + n};
                                               }));
  table.push_back(element<P, V<P>, S<P>>(KASEN_CODE([](const Pair& p, const Pair& q) {
                                           return Pair{q.x, p.n};
                                         }),
                                         [](const auto& p, const auto& q) {
                                           return PairOfNumbers{q.x, p.n};
                                         }));
}

}  // namespace kasen::tests::fuzz
