#include "apps/pagerank/pagerank.h"

#include <cstdint>

namespace apps {
namespace {

/// Algorithm 1 of the paper: ranks sum to the number of vertices while no rank is lost at vertices without out-edges,
/// which pass nothing on.
Ranks rank_as_in_paper(const kasen::Matrix<kasen::Pattern>& G, const RankDefinition& definition,
                       const Stopping& stopping) {
  kasen::Shared<double> r = definition.damping, diff = kasen::infinity;
  kasen::Shared<std::uint64_t> iteration = 0;

  kasen::Vector<double> pr = kasen::constant(G.rows(), 1.0);
  auto degree = kasen::mxvt(kasen::first, kasen::plus, G, pr);  // out-degrees

  kasen::while_(kasen::likely([&] { return stopping.goes_on(diff, iteration); }), [&] {
    auto share = kasen::zip_with(kasen::divides, pr, degree);
    auto sum = kasen::mxv(kasen::first, kasen::plus, G, share);
    auto new_pr = kasen::map(KASEN_FN((auto x, auto q), (1 - q) + q * x), sum, r);
    diff = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), pr, new_pr));
    kasen::track("change", diff);
    pr = new_pr;
    iteration = iteration + 1;
  });
  return {pr, diff};
}

/// The textbook's: ranks sum to `total`; what vertices without out-edges hold is spread over all vertices, or lost.
Ranks rank_as_in_textbook(const kasen::Matrix<kasen::Pattern>& G, const RankDefinition& definition,
                          const Stopping& stopping) {
  const double total = definition.normalize ? 1.0 : static_cast<double>(G.rows().length());
  const double mean = total / static_cast<double>(G.rows().length());
  kasen::Shared<double> r = definition.damping, diff = kasen::infinity;
  kasen::Shared<std::uint64_t> iteration = 0;
  const double spread = definition.redistribute ? 1.0 / static_cast<double>(G.rows().length()) : 0.0;

  kasen::Vector<double> pr = kasen::constant(G.rows(), mean);
  auto degree = kasen::mxvt(kasen::first, kasen::plus, G, kasen::constant(G.columns(), 1.0));
  kasen::Shared<double> lost =
      kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto p, auto d), d == 0 ? p : 0), pr, degree));

  kasen::while_(kasen::likely([&] { return stopping.goes_on(diff, iteration); }), [&] {
    auto share = kasen::zip_with(kasen::divides, pr, degree);
    auto sum = kasen::mxv(kasen::first, kasen::plus, G, share);
    auto base = kasen::apply([mean, spread](double q, double l) { return (1 - q) * mean + q * l * spread; }, r, lost);
    auto new_pr = kasen::map(KASEN_FN((auto x, auto q, auto b), b + q * x), sum, r, base);
    lost = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto p, auto d), d == 0 ? p : 0), new_pr, degree));
    diff = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), pr, new_pr));
    kasen::track("change", diff);
    pr = new_pr;
    iteration = iteration + 1;
  });
  return {pr, diff};
}

}  // namespace

Ranks pagerank(const kasen::Matrix<kasen::Pattern>& G, const RankDefinition& definition, const Stopping& stopping) {
  const bool textbook = definition.normalize || definition.redistribute;
  return textbook ? rank_as_in_textbook(G, definition, stopping) : rank_as_in_paper(G, definition, stopping);
}

}  // namespace apps
