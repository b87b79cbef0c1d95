#include "apps/learn/verify_als.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "apps/common/plain_sum.h"
#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {

FactoringError factoring_error(const std::string& ratings, const kasen::io::ReadOptions& options,
                               const Factoring& factoring, const Factors& factors) {
  const kasen::io::SparseData data =
      kasen::io::read_graph(kasen::workers::communicator(), ratings, options, {.stored = true});
  const std::vector<double> users = factors.users.get(), items = factors.items.get();
  const std::size_t rank = factoring.rank;
  std::vector<double> of_users(users.size() / rank), of_items(items.size() / rank);  // how many ratings they have
  double squares = 0, scale = 0;
  for (std::size_t e = 0; e < data.entries.row.size(); ++e) {
    double rating;
    std::memcpy(&rating, &data.entries.value[e * sizeof rating], sizeof rating);
    const auto i = static_cast<std::size_t>(data.entries.row[e]), j = static_cast<std::size_t>(data.entries.column[e]);
    double predicted = 0;
    for (std::size_t k = 0; k < rank; ++k) predicted += users[i * rank + k] * items[j * rank + k];
    squares += (rating - predicted) * (rating - predicted);
    scale += rating * rating;
    of_users[i] += 1;
    of_items[j] += 1;
  }
  squares = kasen::workers::sum(squares);
  scale = kasen::workers::sum(scale);
  of_users = sum_over_workers(of_users), of_items = sum_over_workers(of_items);
  double penalty = 0;
  const auto penalise = [&](const std::vector<double>& factor, const std::vector<double>& counts) {
    for (std::size_t at = 0; at < factor.size(); ++at)
      penalty +=
          factoring.penalty * (factoring.weighted ? std::max(counts[at / rank], 1.0) : 1) * factor[at] * factor[at];
  };
  penalise(users, of_users);
  penalise(items, of_items);
  const double loss = (squares + penalty) / 2;
  const auto relative = [](double found, double wanted, double to) {
    const double off = std::abs(found - wanted);
    return std::isnan(off) ? kasen::infinity : off == 0 ? 0 : off / to;
  };
  return {relative(factors.loss.get(), loss, loss), relative(factors.squares.get(), squares, scale)};
}

}  // namespace apps
