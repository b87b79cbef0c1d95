#include "apps/learn/als.h"

#include <span>

#include "apps/learn/row_functions.h"

namespace apps {

using kasen::Rows, kasen::Shared, kasen::Vector, kasen::map, kasen::reduce, kasen::zip_with;

namespace {

using Factor = std::span<const double>;

/// Conjugate gradients end where the squared norm of what is left has fallen to this part of the first.
constexpr double kLeft = 1e-9;

/// Of a rating: what the factor that is fixed adds to the descent of the one at the other end ...
constexpr auto descent = [](Factor fixed, double rating, Factor at, std::span<double> out) {
  const double error = rating - kasen::dot(at, fixed);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = error * fixed[k];
};
/// ... and to the product of the system's matrix and a direction.
constexpr auto curvature = [](Factor fixed, double, Factor along, std::span<double> out) {
  const double product = kasen::dot(along, fixed);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = product * fixed[k];
};

/// The best factors at one end, x, while those at the other are fixed: each is the solution of a system of its own, of
/// as many equations as the rank, and all are improved at once. `sum_over_ratings` is of one end or of the other.
template <class Sum>
Rows<double> solved(const Sum& sum_over_ratings, const Rows<double>& fixed, Rows<double> x,
                    const Vector<double>& penalty) {
  const std::uint64_t rank = x.width();
  const auto row = kasen::width(rank);
  const auto negative = KASEN_FN((auto a), -a);
  Rows<double> left = zip_with(plus_multiple, sum_over_ratings(descent, fixed, x), x, map(negative, penalty), row);
  Rows<double> along = left;
  Vector<double> square = map(squared_norm, left);
  const Shared<double> first = reduce(kasen::plus, square);
  Shared<double> now = first;
  Shared<std::uint64_t> step = 0;
  kasen::while_([&] { return now > kLeft * first && step < rank; },
                [&] {
                  const Rows<double> product =
                      zip_with(plus_multiple, sum_over_ratings(curvature, fixed, along), along, penalty, row);
                  const auto length = [](double of_left, Factor d, Factor q) {
                    const double dq = kasen::dot(d, q);
                    return dq > 0 ? of_left / dq : 0.0;
                  };
                  const Vector<double> by = zip_with(length, square, along, product);
                  x = zip_with(plus_multiple, x, along, by, row);
                  left = zip_with(plus_multiple, left, product, map(negative, by), row);
                  const Vector<double> next = map(squared_norm, left);
                  const auto ratio = KASEN_FN((auto to, auto from), from > 0.0 ? to / from : 0.0);
                  along = zip_with(plus_multiple, left, along, zip_with(ratio, next, square), row);
                  square = next;
                  now = reduce(kasen::plus, square);
                  step = step + 1;
                });
  return x;
}

Rows<double> random_factors(kasen::Space space, std::uint64_t rank, std::uint64_t seed) {
  const auto fill = [seed](kasen::GlobalIndex i, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = kasen::random_unit(seed, static_cast<std::uint64_t>(i) * out.size() + k) - 0.5;
  };
  return map(fill, kasen::iota(space), kasen::width(rank));
}

/// Twice what the penalty adds to the loss.
Shared<double> penalised(const Rows<double>& factors, const Vector<double>& penalty) {
  return reduce(kasen::plus, zip_with([](Factor a, double by) { return by * kasen::dot(a, a); }, factors, penalty));
}

}  // namespace

std::uint64_t count_ratings(const kasen::Matrix<double>& ratings) {
  return kasen::reduce_entries([](double) { return std::uint64_t{1}; }, kasen::plus, ratings).get();
}

Shared<double> squared_errors(const kasen::Matrix<double>& ratings, const Rows<double>& users,
                              const Rows<double>& items) {
  const auto squared_error = [](Factor user, double rating, Factor item) {
    const double error = rating - kasen::dot(user, item);
    return error * error;
  };
  return kasen::reduce_entries(squared_error, kasen::plus, ratings, users, items);
}

Factors als(const kasen::Matrix<double>& X, const Factoring& factoring) {
  const auto row = kasen::width(factoring.rank);
  Vector<double> of_users = kasen::constant(X.rows(), factoring.penalty);
  Vector<double> of_items = kasen::constant(X.columns(), factoring.penalty);
  if (factoring.weighted) {
    const auto count = KASEN_FN((auto by, auto), by);
    const Vector<double> users = of_users, items = of_items;
    const auto or_one = KASEN_FN((auto sum, auto by), kasen::select(sum > 0.0, sum, by));  // of those without ratings
    of_users = map(or_one, kasen::mxvt(count, kasen::plus, X, items), factoring.penalty);
    of_items = map(or_one, kasen::mxv(count, kasen::plus, X, users), factoring.penalty);
  }
  const auto by_users = [&](auto f, const Rows<double>& fixed, const Rows<double>& at) {
    return kasen::mxvt(f, kasen::plus, X, fixed, at, row);
  };
  const auto by_items = [&](auto f, const Rows<double>& fixed, const Rows<double>& at) {
    return kasen::mxv(f, kasen::plus, X, fixed, at, row);
  };
  Rows<double> users = random_factors(X.rows(), factoring.rank, factoring.seed);
  Rows<double> items = random_factors(X.columns(), factoring.rank, factoring.seed + 1);
  const auto loss_of = [&](const Shared<double>& squares) {
    return 0.5 * (squares + penalised(users, of_users) + penalised(items, of_items));
  };
  Shared<double> squares = squared_errors(X, users, items), loss = loss_of(squares), change = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return factoring.stopping.goes_on(change, iteration); }), [&] {
    users = solved(by_users, items, users, of_users);
    items = solved(by_items, users, items, of_items);
    squares = squared_errors(X, users, items);
    const Shared<double> next = loss_of(squares);
    change = kasen::apply(KASEN_FN((auto from, auto to), from > 0.0 ? (from - to) / from : 0.0), loss, next);
    loss = next;
    iteration = iteration + 1;
    kasen::track("loss", loss);
    kasen::track("change", change);
  });
  return {users, items, loss, squares};
}

}  // namespace apps
