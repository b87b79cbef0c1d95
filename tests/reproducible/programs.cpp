#include "tests/reproducible/programs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include "apps/common/known_values.h"
#include "apps/kmeans/kmeans.h"
#include "apps/lbfgs/lbfgs.h"
#include "kasen/base/hash.h"
#include "kasen/kasen.h"
#include "tests/support/graphs.h"

namespace kasen::tests {

/// Sums of a struct of one's own.
struct Moments {
  double n, x, xx;
  friend Moments operator+(const Moments& a, const Moments& b) { return {a.n + b.n, a.x + b.x, a.xx + b.xx}; }
};

}  // namespace kasen::tests

template <>
struct kasen::NumbersOf<kasen::tests::Moments> {
  using type = double;
};

namespace kasen::tests {
namespace {

/// A hash of results.
class Bits {
 public:
  template <class T>
  void add(const Vector<T>& v) {
    add_all(v.get());
  }
  template <class T>
  void add(const Rows<T>& rows) {
    add_all(rows.get());
  }
  template <class T>
  void add(const Shared<T>& shared) {
    add_all(std::vector<T>{shared.get()});
  }
  template <class... More>
  std::uint64_t of(const More&... more) {
    (add(more), ...);
    return _hash.value();
  }

 private:
  template <class T>
  void add_all(const std::vector<T>& all) {
    _hash.add(std::string_view(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T)));
  }
  Fnv1a _hash;
};

constexpr std::uint64_t kLength = 601;

/// Of either sign and of sizes between 10^-12 and 10^12, in no order.
Vector<double> numbers(Space space, std::uint64_t seed) {
  const auto spread = KASEN_FN((auto x, auto y), (x - 0.5) * kasen::exp(55 * (y - 0.5)));
  return zip_with(spread, random(space, seed), random(space, seed + 1));
}

/// The same entries for any number of workers. A pattern has some that are equal.
template <class T>
std::vector<Entry<T>> entries(std::uint64_t height, std::uint64_t width, std::uint64_t count, std::uint64_t seed) {
  const auto workers = static_cast<std::uint64_t>(workers::size()), rank = static_cast<std::uint64_t>(workers::rank());
  std::vector<Entry<T>> mine;
  for (std::uint64_t k = rank; k < count; k += workers) {
    Entry<T> entry{};
    entry.row = static_cast<GlobalIndex>(random_bits(seed, 3 * k) % height);
    entry.column = static_cast<GlobalIndex>(random_bits(seed, 3 * k + 1) % (k % 2 == 0 ? width : width / 8 + 1));
    if constexpr (!std::is_same_v<T, Pattern>) {
      const auto exponent = static_cast<int>(random_bits(seed, 3 * k + 2) % 60) - 30;
      entry.value = static_cast<T>(std::ldexp(random_unit(seed + 1, k) - 0.4, exponent));
    }
    mine.push_back(entry);
  }
  return mine;
}

template <class T>
Matrix<T> matrix(std::uint64_t height, std::uint64_t width, std::uint64_t count, std::uint64_t seed) {
  return make_matrix<T>(height, width, std::span<const Entry<T>>(entries<T>(height, width, count, seed)));
}

std::uint64_t reductions() {
  const auto v = numbers(kLength, 1);
  const auto f = map([](double x) { return static_cast<float>(x); }, v);
  const auto moments = map([](double x) { return Moments{1, x, x * x}; }, v);
  const auto rows = map([](double x) { return Row<double, 4>{x, 2 * x, 1 / x, x * x}; }, v);
  const auto of_sign = map([](double x) { return x > 0 ? 0.0 : -0.0; }, v);
  const auto or_nan = map([](double x) { return x > 1e9 ? std::copysign(std::sqrt(-1.0), x) : x; }, v);
  return Bits().of(reduce(plus, v), reduce(plus, f), reduce(plus, moments), reduce(plus, rows),
                   reduce(kasen::max, of_sign), reduce(kasen::min, of_sign), reduce(kasen::min, or_nan),
                   reduce(plus, map(KASEN_FN((auto x), x * x), v)), reduce(plus, or_nan), argmin(v), argmax(of_sign));
}

/// Each of them in vectors, and in what is left over at their ends.
std::uint64_t math() {
  const auto v = random(kLength, 3);
  const auto all =
      KASEN_FN((auto x), kasen::exp(x) + kasen::log(x) * kasen::sin(9 * x) - kasen::tanh(x) * kasen::erf(x) +
                             kasen::pow(x, 1.7) * kasen::cos(x) / kasen::atan(x));
  const auto of_floats = [](float x) { return kasen::exp(x) * kasen::log1p(x) - kasen::erfc(x); };
  const auto narrow = map(of_floats, map([](double x) { return static_cast<float>(x); }, v));
  const auto of_structs = map([](double x) { return Moments{kasen::exp(x), kasen::log(x), kasen::sin(x)}; }, v);
  return Bits().of(map(all, v), narrow, of_structs, random_normal(kLength, 4), random_exponential(kLength, 5));
}

std::uint64_t keys() {
  const auto v = numbers(kLength, 6);
  const auto key = map(KASEN_FN((auto i), kasen::cast<std::int32_t>(i * i % 11) - 1), iota(kLength));
  const auto row = [](double x, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = x / static_cast<double>(k + 1);
  };
  const auto X = map(row, v, width(5));
  const auto f = map([](double x) { return static_cast<float>(x); }, v);
  const auto moments = map([](double x) { return Moments{1, x, x * x}; }, v);
  const auto sums = reduce_by_key(plus, key, v, 10);
  return Bits().of(sums, reduce_by_key(plus, key, X, 10), reduce_by_key(plus, key, f, 10),
                   reduce_by_key(plus, key, moments, 10), reduce_by_key(kasen::max, key, v, 10),
                   reduce_by_key(kasen::min, key, X, 10), reduce(plus, zip_with(minus, v, take(sums, key))));
}

std::uint64_t scans() {
  const auto v = numbers(kLength, 24);
  const auto f = map([](double x) { return static_cast<float>(x); }, v);
  const auto of_sign = map([](double x) { return x > 0 ? 0.0 : -0.0; }, v);
  const auto in_order = sort(v, std::tie(v, f));
  Bits bits;
  for (const double x : quantiles(v, {0.1, 0.5, 0.999})) bits.of(Shared<double>(x));
  return bits.of(inclusive_scan(plus, v), exclusive_scan(plus, 1e-7, f), inclusive_scan(kasen::max, of_sign),
                 inclusive_scan(plus, std::get<0>(in_order)), std::get<1>(in_order));
}

std::uint64_t products() {
  const auto A = matrix<double>(140, 90, 1500, 7);
  const auto G = matrix<Pattern>(140, 90, 1500, 8);
  const auto x = numbers(A.columns(), 9), y = numbers(A.rows(), 10);
  const auto shifted = KASEN_FN((auto a, auto m), a * m + m);
  const auto black = [](double a, double m) { return kasen::exp(-std::abs(a)) * m - a * a; };
  const auto pairs = map([](double a) { return Row<double, 2>{a, 1 / a}; }, x);
  Bits bits;
  bits.of(multiply(A, x), multiply_transposed(A, y), mxvt(shifted, plus, A, x), mxv(black, plus, A, y),
          mxv(first, plus, G, y), mxvt(kasen::count, plus, G, x), mxv(times, kasen::min, A, y),
          mxvt(first, kasen::max, G, x), multiply(A, pairs));
  const auto floats = map([](double a) { return static_cast<float>(a); }, x);
  return bits.of(mxvt([](float a, double m) { return a * static_cast<float>(m); }, plus, A, floats));
}

/// Functions that add to products, which compilers may contract in one walk of a matrix and not in the next, where what
/// they make is not summed.
std::uint64_t least_of_rounded() {
  const auto A = matrix<double>(140, 140, 900, 21);
  const auto H = make_matrix(A.rows(), A.columns(), entries<float>(140, 140, 900, 22));
  const auto v = numbers(A.rows(), 23);
  const auto away = KASEN_FN((auto d, auto w), d * 0.3 + w);
  const auto nearest =
      laws([](const Row<double, 2>& a,
              const Row<double, 2>& b) { return b[0] < a[0] || (b[0] == a[0] && b[1] < a[1]) ? b : a; },
           in_any_order, idempotent);
  const auto far = with_identity(nearest, Row<double, 2>{infinity, infinity});
  const auto with_length = [](double a, double m) { return Row<double, 2>{a * 0.3 + m, m}; };
  const auto in_thousandths = [](double a, double m) {
    return static_cast<GlobalIndex>(std::fmod(std::abs(a * 0.3 + m) * 1e13, 1e9));
  };
  const auto apart = [](double a, double m, double b) { return a * m + b; };
  const auto N = matrix<std::int32_t>(140, 140, 900, 25);
  const auto of_integers = [](GlobalIndex a, std::int32_t m) { return double(a) * 0.3 + double(m) * 0.1; };
  Bits bits;
  bits.of(mxv(away, kasen::min, A, v), mxvt(away, kasen::max, A, v), mxv(with_length, far, A, v),
          mxvt(in_thousandths, plus, A, v), mxv(apart, kasen::min, A, v, v),
          mxv(of_integers, kasen::min, N, iota(N.rows())),
          mxv(KASEN_FN((auto d, auto w), d * 0.3f + w), kasen::min, H, map([](double x) { return float(x); }, v)));
  auto lengths = entries<double>(140, 140, 900, 24);
  for (auto& entry : lengths) entry.value = std::abs(entry.value);
  const auto G = make_matrix(A.rows(), A.columns(), lengths);
  const auto some = KASEN_FN((auto i), select(i % GlobalIndex{9} == GlobalIndex{0}, cast<double>(i) / 16.0, infinity));
  Vector<double> x = map(some, iota(A.rows()));
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto next = zip_with(kasen::min, x, mxv(away, kasen::min, G, x));
    changed =
        reduce(plus, zip_with(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0})), next, x));
    x = next;
  });
  return bits.of(x);
}

/// Zeros of both signs in what is connected, and less where they come to.
std::uint64_t connected() {
  const auto G = matrix<Pattern>(400, 400, 330, 31);
  const auto v = random(G.rows(), 32);
  Vector<double> x = map([](double u) { return u < 0.1 ? 0.0 : u < 0.2 ? -0.0 : -1 - u; }, v);
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto told = zip_with(kasen::max, mxv(first, kasen::max, G, x), mxvt(first, kasen::max, G, x));
    const auto next = zip_with(kasen::max, x, told);
    changed =
        reduce(plus, zip_with(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0})), next, x));
    x = next;
  });
  return Bits().of(x);
}

std::uint64_t ends() {
  const auto A = matrix<double>(120, 80, 1300, 11);
  const auto G = matrix<Pattern>(120, 80, 1300, 12);
  const auto v = numbers(A.rows(), 13), w = numbers(A.columns(), 14);
  const auto miss = [](double a, double m, double b) { return (m - a * b) * (m - a * b) + a; };
  const auto row = [](double a, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = a * static_cast<double>(k + 1);
  };
  const auto X = map(row, v, width(3)), Y = map(row, w, width(3));
  const auto pull = [](std::span<const double> a, double m, std::span<const double> b, std::span<double> out) {
    const double by = m - kasen::dot(a, b);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = by * a[k] + b[k];
  };
  return Bits().of(mxv(miss, plus, A, v, w), mxvt(miss, plus, A, w, v), reduce_entries(miss, plus, A, v, w),
                   reduce_entries(KASEN_FN((auto m), m * m), plus, A), mxv(pull, plus, A, X, Y, width(3)),
                   mxvt(pull, kasen::max, A, Y, X, width(3)), multiply(A, Y), multiply_transposed(A, X),
                   mxv(first, plus, G, X), mxv(KASEN_FN((auto a, auto b), a * b), kasen::min, G, v, w));
}

std::uint64_t dense() {
  std::vector<Entry<double>> mine;
  const auto workers = static_cast<std::uint64_t>(workers::size()), rank = static_cast<std::uint64_t>(workers::rank());
  for (std::uint64_t i = rank; i < 70; i += workers) {
    for (std::uint64_t j = 0; j < 40; ++j)
      mine.push_back({static_cast<GlobalIndex>(i), static_cast<GlobalIndex>(j),
                      std::ldexp(random_unit(15, 40 * i + j) - 0.5, static_cast<int>((i * j) % 30))});
  }
  const auto A = make_matrix<double>(70, 40, std::span<const Entry<double>>(mine));
  const auto x = numbers(A.columns(), 16), y = numbers(A.rows(), 17);
  const auto row = [](double a, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = kasen::exp(-std::abs(a)) * static_cast<double>(k + 1);
  };
  const auto X = map(row, y, width(7));
  const auto squares = cross(X, X);
  return Bits().of(multiply(A, x), multiply_transposed(A, y), multiply_transposed(A, X), squares,
                   product(X, whole(squares)));
}

std::uint64_t pagerank() {
  const auto share = Share{workers::rank(), workers::size()};
  const Edges edges = rmat(8, 8, 18, share);
  std::vector<Entry<Pattern>> mine;
  for (std::size_t k = 0; k < edges.source.size(); ++k) mine.push_back({edges.source[k], edges.target[k]});
  const auto G = make_matrix<Pattern>(256, 256, std::span<const Entry<Pattern>>(mine), EqualEntries::meant);
  Shared<double> r = 0.85, diff = infinity;
  Shared<std::uint64_t> iteration = 0;
  Vector<double> pr = constant(G.rows(), 1.0);
  const auto degree = mxvt(first, plus, G, pr);
  while_(likely([&] { return diff > 1e-9 && iteration < std::uint64_t{60}; }), [&] {
    const auto sum = mxv(first, plus, G, zip_with(divides, pr, degree));
    const auto next = map(KASEN_FN((auto x, auto q), (1 - q) + q * x), sum, r);
    diff = reduce(plus, zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), pr, next));
    pr = next;
    iteration = iteration + std::uint64_t{1};
  });
  return Bits().of(pr, diff, iteration);
}

template <class T>
std::uint64_t lbfgs() {
  const auto X = matrix<double>(150, 25, 1500, 19);
  const auto spread = [](double x) { return apps::spread<T>(x); };
  const auto sign = map(KASEN_FN((auto u), kasen::select(u < 0.4, -1.0, 1.0)), random(X.rows(), 20));
  const apps::Problem<T> problem{
      X, map(spread, sign), map(spread, constant(X.rows(), 0.0)), apps::Loss::logistic, 0, 0.1, true};
  apps::Settings settings;
  settings.stopping.iterations = 12;
  const apps::Fit<T> fit = apps::lbfgs(problem, settings);
  return Bits().of(fit.weights.features, fit.objective, fit.gradient);
}

std::uint64_t kmeans() {
  const auto place = [](double u, double v, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = u * static_cast<double>(k + 1) + v * v;
  };
  const auto X = zip_with(place, random(kLength, 21), random(kLength, 22), width(3));
  apps::Stopping stopping;
  stopping.iterations = 8;
  std::vector<double> centres;
  for (int k = 0; k < 15; ++k) centres.push_back(0.25 * k);
  const apps::Clustering of_rows = apps::kmeans_of_rows(X, centres, stopping);
  const apps::Clustering of_numbers = apps::kmeans_of_numbers(random(kLength, 23), {0.1, 0.4, 0.8}, stopping);
  Bits bits;
  for (const apps::Clustering* found : {&of_rows, &of_numbers}) {
    bits.of(found->labels, found->inertia, found->shift);
    for (const double x : found->centres) bits.of(Shared<double>(x));
  }
  return bits.of();
}

}  // namespace

std::vector<ReproducibleProgram> reproducible_programs() {
  return {{"reductions", reductions}, {"math", math},           {"keys", keys},
          {"scans", scans},           {"products", products},   {"least_of_rounded", least_of_rounded},
          {"connected", connected},   {"ends", ends},           {"dense", dense},
          {"pagerank", pagerank},     {"lbfgs", lbfgs<double>}, {"lbfgs-of-several", lbfgs<apps::Several>},
          {"kmeans", kmeans}};
}

}  // namespace kasen::tests
