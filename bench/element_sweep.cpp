/// @file
/// Measurement of a fused element sweep, recorded and planned by Kasen, beside the best loop written by hand.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench/element_sweep_hand.h"
#include "bench/measure.h"
#include "kasen/kasen.h"
#include "kasen/runtime/buffer_pool.h"

namespace {

/// Elements that the iterations of one measured loop work on together.
constexpr std::uint64_t kElementsOfLoop = 2'000'000;

double start_sum(kasen::GlobalIndex i) { return 1 + static_cast<double>(i % 7); }
double start_degree(kasen::GlobalIndex i) { return 1 + static_cast<double>(i % 13); }

/// The element work of a PageRank iteration, the five operations of the paper's figure 2 (F4 is the assignment to
/// _rank): three vectors in, two out and a reduction.
class KasenSweep {
 public:
  explicit KasenSweep(std::uint64_t n)
      : _sum(kasen::map([](kasen::GlobalIndex i) { return start_sum(i); }, kasen::iota(n))),
        _rank(kasen::constant(n, 1.0)),
        _degree(kasen::map([](kasen::GlobalIndex i) { return start_degree(i); }, kasen::iota(n))) {}

  double run(const kasen::Shared<double>& r) { return iterate(r).get(); }

  /// As a recorded loop.
  double run(const kasen::Shared<double>& r, std::uint64_t iterations) {
    kasen::Shared<std::uint64_t> left = iterations;
    kasen::Shared<double> diff = 0.0;
    kasen::while_([&] { return left > std::uint64_t{0}; },
                  [&] {
                    diff = iterate(r);
                    left = left - std::uint64_t{1};
                  });
    return diff.get();
  }

  double sum_of_ranks() const { return kasen::reduce(kasen::plus, _rank).get(); }

 private:
  kasen::Shared<double> iterate(const kasen::Shared<double>& r) {
    auto next = kasen::map(KASEN_FN((auto x, auto q), (1 - q) + q * x), _sum, r);
    auto diff = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), _rank, next));
    _rank = next;
    _sum = kasen::zip_with(kasen::divides, next, _degree);
    return diff;
  }

  kasen::Vector<double> _sum, _rank, _degree;
};

/// Arrays from the pool that Kasen's vectors come from, for the loops written by hand.
struct Arrays {
  kasen::runtime::BufferRef sum, rank, degree;
  Arrays(kasen::runtime::BufferPool& pool, std::uint64_t n)
      : sum(pool.obtain(n, sizeof(double))),
        rank(pool.obtain(n, sizeof(double))),
        degree(pool.obtain(n, sizeof(double))) {
    for (std::uint64_t i = 0; i < n; ++i) {
      data(sum)[i] = start_sum(static_cast<kasen::GlobalIndex>(i));
      data(rank)[i] = 1;
      data(degree)[i] = start_degree(static_cast<kasen::GlobalIndex>(i));
    }
  }
  static double* data(const kasen::runtime::BufferRef& buffer) { return reinterpret_cast<double*>(buffer->data()); }
};

void run(std::uint64_t n, int repetitions) {
  const double r = 0.85;
  const kasen::Shared<double> shared_r = r;
  KasenSweep sweep(n), looped(n);
  kasen::runtime::BufferPool pool;
  const auto data = [](const kasen::runtime::BufferRef& buffer) { return Arrays::data(buffer); };
  const auto spare = [&] { return pool.obtain(n, sizeof(double)); };
  Arrays a(pool, n), b(pool, n), c(pool, n), d(pool, n);
  auto a_next = spare(), a_share = spare(), c_next = spare(), c_share = spare(), d_next = spare(), d_share = spare(),
       difference = spare();
  // What is recorded anew each time costs as much as some ten thousand elements do.
  const std::uint64_t iterations = std::max<std::uint64_t>(kElementsOfLoop / n, 1);
  double diff[6] = {};
  std::vector<bench::Variant> variants = {
      {"hand_double_buffered",
       [&] {
         diff[0] =
             bench::fused_double_buffered(data(a.sum), data(a.rank), data(a.degree), r, data(a_next), data(a_share), n);
         std::swap(a.rank, a_next);
         std::swap(a.sum, a_share);
       }},
      {"hand_in_place", [&] { diff[1] = bench::fused_in_place(data(b.sum), data(b.rank), data(b.degree), r, n); }},
      {"kasen", [&] { diff[2] = sweep.run(shared_r); }},
      {"hand_streaming",
       [&] {
         diff[3] = bench::fused_streaming(data(c.sum), data(c.rank), data(c.degree), r, data(c_next), data(c_share), n);
         std::swap(c.rank, c_next);
         std::swap(c.sum, c_share);
       }},
      {"five_loops",
       [&] {
         diff[4] = bench::five_loops(data(d.sum), data(d.rank), data(d.degree), r, data(d_next), data(difference),
                                     data(d_share), n);
         std::swap(d.sum, d_share);
       }},
      {"kasen_loop", [&] { diff[5] = looped.run(shared_r, iterations); }},
  };
  bench::measure(variants, repetitions);
  for (double& seconds : variants[5].seconds) seconds /= static_cast<double>(iterations);
  for (int k = 1; k < 5; ++k) bench::check(diff[k], diff[0]);
  Arrays e(pool, n);
  for (std::uint64_t k = 0; k < iterations * (static_cast<std::uint64_t>(repetitions) + 1); ++k)
    bench::fused_in_place(data(e.sum), data(e.rank), data(e.degree), r, n);
  bench::check(looped.sum_of_ranks(), std::accumulate(data(e.rank), data(e.rank) + n, 0.0));
  const std::string size = std::to_string(n);
  bench::print_rows("element_sweep", size, variants);
  bench::print_ratio("element_sweep", size, variants[2], variants[0], 0.95);
  bench::print_ratio("element_sweep", size, variants[2], variants[1], 1.05);
  bench::print_ratio("element_sweep", size, variants[2], variants[3]);
  bench::print_ratio("element_sweep", size, variants[2], variants[4]);
  bench::print_ratio("element_sweep", size, variants[5], variants[0], 1.3);
  bench::print_ratio("element_sweep", size, variants[5], variants[1]);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A fused element sweep beside loops written by hand, on one worker");
  std::vector<std::uint64_t> sizes = {20'000'000, 100'000'000};
  int repetitions = 9;
  app.add_option("--elements", sizes, "lengths of the vectors")->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  bench::print_header();
  for (const std::uint64_t n : sizes) run(n, repetitions);
  return 0;
}
