#include "apps/graphs/hits.h"

#include <cmath>

namespace apps {

using kasen::Shared, kasen::Vector;

namespace {

Vector<double> normalised(const Vector<double>& v) {
  const auto squares = kasen::reduce(kasen::plus, kasen::map(KASEN_FN((auto x), x * x), v));
  const auto norm = kasen::apply([](double s) { return s > 0 ? std::sqrt(s) : 1.0; }, squares);
  return kasen::map(kasen::divides, v, norm);
}

Shared<double> difference(const Vector<double>& a, const Vector<double>& b) {
  return kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto x, auto y), kasen::abs(x - y)), a, b));
}

}  // namespace

Hits hits(const kasen::Matrix<kasen::Pattern>& G, const Stopping& stopping) {
  Vector<double> hub = kasen::constant(G.rows(), 1.0 / std::sqrt(static_cast<double>(G.rows().length())));
  Vector<double> authority = kasen::constant(G.rows(), 0.0);
  Shared<double> change = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return stopping.goes_on(change, iteration); }), [&] {
    const auto a = kasen::mxv(kasen::first, kasen::plus, G, hub);
    const auto h = kasen::mxvt(kasen::first, kasen::plus, G, a);
    const auto new_authority = normalised(a), new_hub = normalised(h);
    change = difference(new_authority, authority) + difference(new_hub, hub);
    kasen::track("change", change);
    authority = new_authority;
    hub = new_hub;
    iteration = iteration + 1;
  });
  return {hub, authority, change};
}

}  // namespace apps
