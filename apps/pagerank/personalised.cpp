#include "apps/pagerank/personalised.h"

namespace apps {

using kasen::Shared, kasen::Vector;

PersonalRanks personalised_pagerank(const kasen::Matrix<kasen::Pattern>& G, std::span<const kasen::GlobalIndex> sources,
                                    double damping, bool redistribute, const Stopping& stopping) {
  const auto self = kasen::iota(G.rows());
  const auto degree = kasen::mxvt(kasen::first, kasen::plus, G, kasen::constant(G.columns(), 1.0));
  std::vector<Vector<double>> ranks;
  for (const kasen::GlobalIndex source : sources)
    ranks.push_back(kasen::map(KASEN_FN((auto v, auto s), kasen::select(v == s, 1.0, 0.0)), self, source));
  Shared<double> r = damping, change = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return stopping.goes_on(change, iteration); }), [&] {
    change = 0.0;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const auto share = kasen::zip_with(kasen::divides, ranks[k], degree);
      const auto sum = kasen::mxv(kasen::first, kasen::plus, G, share);
      auto back = 1.0 - r;  // what begins again at the source
      if (redistribute) {
        const auto lost = kasen::zip_with(KASEN_FN((auto p, auto d), d == 0 ? p : 0), ranks[k], degree);
        back = back + r * kasen::reduce(kasen::plus, lost);
      }
      const auto next =
          kasen::zip_with(KASEN_FN((auto x, auto v, auto q, auto b, auto s), q * x + kasen::select(v == s, b, 0.0)),
                          sum, self, r, back, sources[k]);
      const auto moved = kasen::zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), next, ranks[k]);
      change = kasen::apply(kasen::max, change, kasen::reduce(kasen::plus, moved));
      ranks[k] = next;
    }
    iteration = iteration + 1;
    kasen::track("change", change);
  });
  return {ranks, change};
}

}  // namespace apps
