#include "apps/learn/als_recommend.h"

#include <algorithm>
#include <array>

namespace apps {

using kasen::GlobalIndex, kasen::Rows, kasen::Vector;

namespace {

using Factor = std::span<const double>;

constexpr std::size_t kAtOnce = 16;

void recommend_some(const kasen::Matrix<double>& X, const Factors& factors, std::span<const GlobalIndex> users,
                    std::size_t most, std::vector<Recommendation>& all) {
  std::array<GlobalIndex, kAtOnce> asked;
  asked.fill(-1);
  std::copy(users.begin(), users.end(), asked.begin());
  const auto place_of = [asked](GlobalIndex user) {
    const auto found = std::find(asked.begin(), asked.end(), user);
    return static_cast<std::int32_t>(found == asked.end() ? -1 : found - asked.begin());
  };
  const Vector<std::int32_t> place = kasen::map(place_of, kasen::iota(X.rows()));
  const Rows<double> of_users = kasen::reduce_by_key(kasen::plus, place, factors.users, kAtOnce);
  const auto mark = [](std::int32_t at, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<std::int32_t>(k) == at ? 1 : 0;
  };
  const Rows<double> rated = kasen::mxv(kasen::first, kasen::max, X, kasen::map(mark, place, kasen::width(kAtOnce)));
  const auto predict = [](Factor item, Factor by, const kasen::RowsView<double>& of, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = by[k] > 0 ? -kasen::infinity : kasen::dot(item, of[k]);
  };
  const Rows<double> predicted =
      kasen::zip_with(predict, factors.items, rated, kasen::whole(of_users), kasen::width(kAtOnce));
  for (const GlobalIndex user : users) {
    const auto at = static_cast<std::size_t>(place_of(user));  // the first, of one that is asked for twice
    const Vector<double> of_one = kasen::map([at](Factor ratings) { return ratings[at]; }, predicted);
    for (const auto& [item, rating] : kasen::top(of_one, most)) {
      if (rating > -kasen::infinity) all.push_back({user, item, rating});
    }
  }
}

}  // namespace

std::vector<Recommendation> recommend(const kasen::Matrix<double>& ratings, const Factors& factors,
                                      std::span<const GlobalIndex> users, std::size_t most) {
  std::vector<Recommendation> all;
  for (std::size_t from = 0; from < users.size(); from += kAtOnce)
    recommend_some(ratings, factors, users.subspan(from, std::min(kAtOnce, users.size() - from)), most, all);
  return all;
}

}  // namespace apps
