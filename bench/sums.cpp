/// @file
/// Measurement of sums: of what an expression makes, asked for in that expression or in a statement of its own, of what
/// is chosen by bools, of squares, and of structs, and of the place of the largest element, beside loops written by
/// hand.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/sums_hand.h"
#include "kasen/kasen.h"
#include "kasen/runtime/buffer_pool.h"

namespace {

using kasen::Shared;
using kasen::Vector;

template <int N>
struct Powers {
  double of[N];
  Powers operator+(const Powers& other) const {
    Powers sum;
    for (int k = 0; k < N; ++k) sum.of[k] = of[k] + other.of[k];
    return sum;
  }
  double total() const {
    double sum = 0;
    for (const double power : of) sum += power;
    return sum;
  }
};
template <int N>
Powers<N> powers(double x) {
  Powers<N> all;
  double power = 1;
  for (int k = 0; k < N; ++k) all.of[k] = power *= x;
  return all;
}

/// All variants, of which the first is by hand, the others beside it.
struct Trial {
  std::string size;
  int repetitions;

  void operator()(const std::string& what, std::vector<bench::Variant> variants,
                  const std::vector<double>& results) const {
    for (bench::Variant& variant : variants) variant.name = what + "_" + variant.name;
    bench::measure(variants, repetitions);
    for (const double result : results) bench::check(result, results.front());
    bench::print_rows("sums", size, variants);
    for (std::size_t k = 1; k < variants.size(); ++k) bench::print_ratio("sums", size, variants[k], variants[0]);
  }
};

template <int N>
void of_structs(const Trial& trial, const Vector<double>& x, const double* by_hand, std::uint64_t n) {
  std::vector<double> last(3);
  const auto step = [](Powers<N> sum, double a) { return sum + powers<N>(a); };
  trial("powers_" + std::to_string(N),
        {{"hand", [&] { last[0] = bench::sum_of_powers(by_hand, n, N); }},
         {"sum",
          [&] {
            const auto of_one = [](double a) { return powers<N>(a); };
            last[1] = kasen::reduce(kasen::plus, kasen::map(of_one, x)).get().total();
          }},
         {"fold", [&] { last[2] = kasen::fold(Powers<N>{}, step, kasen::plus, x).get().total(); }}},
        last);
}

void run(std::uint64_t n, int repetitions) {
  const Trial trial{std::to_string(n), repetitions};
  const Vector<double> x = kasen::random(n, 1), y = kasen::random(n, 2);
  const Vector<bool> holds = kasen::map(KASEN_FN((auto a), a < 0.5), kasen::random(n, 3));
  // From the pool that Kasen's vectors come from.
  kasen::runtime::BufferPool pool;
  std::vector<kasen::runtime::BufferRef> buffers;
  const auto stored = [&]<class T>(const std::vector<T>& values) {
    buffers.push_back(pool.obtain(n, sizeof(T)));
    T* const to = reinterpret_cast<T*>(buffers.back()->data());
    std::copy(values.begin(), values.end(), to);
    return static_cast<const T*>(to);
  };
  const double *const a = stored(x.get()), *const b = stored(y.get());
  const bool* const chosen = stored(holds.get());
  const auto sum = [](const Shared<double>& of) { return of.get(); };
  std::vector<double> last(3);
  const auto dot = [&] { return kasen::reduce(kasen::plus, kasen::zip_with(kasen::times, x, y)); };
  trial("dot",
        {{"hand", [&] { last[0] = bench::dot(a, b, n); }},
         {"in_one", [&] { last[1] = kasen::reduce(kasen::plus, kasen::zip_with(kasen::times, x, y)).get(); }},
         {"in_two", [&] { last[2] = sum(dot()); }}},
        last);
  const auto size = KASEN_FN((auto d), kasen::abs(d));
  const auto distance = [&] {
    return kasen::reduce(kasen::plus,
                         kasen::map(size, kasen::zip_with(kasen::minus, kasen::map(kasen::times, x, 0.5), y)));
  };
  trial("distance",
        {{"hand", [&] { last[0] = bench::distance(a, b, n); }},
         {"in_one",
          [&] {
            last[1] =
                kasen::reduce(kasen::plus,
                              kasen::map(size, kasen::zip_with(kasen::minus, kasen::map(kasen::times, x, 0.5), y)))
                    .get();
          }},
         {"in_two", [&] { last[2] = sum(distance()); }}},
        last);
  last.resize(2);
  const auto choose = KASEN_FN((auto h, auto v), kasen::select(h, v, 0.0));
  trial("chosen",
        {{"hand", [&] { last[0] = bench::sum_of_chosen(chosen, a, n); }},
         {"kasen", [&] { last[1] = kasen::reduce(kasen::plus, kasen::zip_with(choose, holds, x)).get(); }}},
        last);
  const auto square = KASEN_FN((auto v), kasen::pow(v, 2));
  trial("squares",
        {{"hand", [&] { last[0] = bench::sum_of_squares(a, n); }},
         {"kasen", [&] { last[1] = kasen::reduce(kasen::plus, kasen::map(square, x)).get(); }}},
        last);
  trial("largest",
        {{"hand", [&] { last[0] = static_cast<double>(bench::largest(a, n)); }},
         {"kasen", [&] { last[1] = static_cast<double>(kasen::argmax(x).get().index); }}},
        last);
  of_structs<3>(trial, x, a, n);
  of_structs<5>(trial, x, a, n);
  of_structs<8>(trial, x, a, n);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sums beside loops written by hand, on one worker");
  std::uint64_t elements = 1'000'000;
  int repetitions = 101;
  app.add_option("--elements", elements, "length of the vectors")->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  bench::print_header();
  run(elements, repetitions);
  return 0;
}
