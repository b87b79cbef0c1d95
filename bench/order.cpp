/// @file
/// Measurement of scans, sorting and quantiles, beside the algorithms of the standard library on one thread.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.h"
#include "kasen/base/random.h"
#include "kasen/kasen.h"

namespace {

void require_equal(const char* what, double a, double b) {
  if (a == b) return;
  std::fprintf(stderr, "error: variants disagree on %s: %.17g and %.17g\n", what, a, b);
  std::exit(1);
}

/// One row each: of the variants, and of Kasen's time over the library's.
void measure(const std::string& what, const std::string& size, std::vector<bench::Variant> variants, int repetitions) {
  bench::measure(variants, repetitions);
  bench::print_rows(what, size, variants);
  bench::print_ratio(what, size, variants[1], variants[0]);
}

void run(std::uint64_t elements, int repetitions) {
  const kasen::Space space(elements);
  std::vector<double> numbers(elements), result;
  for (std::uint64_t k = 0; k < elements; ++k) numbers[k] = kasen::random_unit(1, k) - 0.5;
  const kasen::Vector<double> v = kasen::make_vector(space, numbers);
  const kasen::Vector<kasen::GlobalIndex> index = kasen::iota(space);
  kasen::Vector<double> sums = v, sorted = v;
  kasen::Vector<kasen::GlobalIndex> places = index;
  double last = 0, last_by_hand = 0;
  const std::string size = std::to_string(elements);
  bench::print_header();

  measure("scan", size,
          {{"std",
            [&] {
              result.resize(elements);
              std::inclusive_scan(numbers.begin(), numbers.end(), result.begin());
              last_by_hand = result.back();
            }},
           {"kasen", [&] { sums = kasen::inclusive_scan(kasen::plus, v); }}},
          repetitions);
  last = kasen::block_values(sums).back();
  require_equal("the last sum", last, last_by_hand);
  measure("sort", size,
          {{"std",
            [&] {
              result = numbers;
              std::sort(result.begin(), result.end());
              last_by_hand = result[elements / 3];
            }},
           {"kasen", [&] { sorted = kasen::sort(v); }}},
          repetitions);
  last = kasen::block_values(sorted)[elements / 3];
  require_equal("an element in order", last, last_by_hand);
  measure("sort of places", size,
          {{"std",
            [&] {
              std::vector<kasen::GlobalIndex> by_hand(elements);
              std::iota(by_hand.begin(), by_hand.end(), kasen::GlobalIndex{0});
              std::stable_sort(by_hand.begin(), by_hand.end(), [&](kasen::GlobalIndex a, kasen::GlobalIndex b) {
                return numbers[static_cast<std::size_t>(a)] < numbers[static_cast<std::size_t>(b)];
              });
              last_by_hand = static_cast<double>(by_hand.back());
            }},
           {"kasen", [&] { places = kasen::sort(v, index); }}},
          repetitions);
  last = static_cast<double>(kasen::block_values(places).back());
  require_equal("the place of the largest element", last, last_by_hand);
  measure("median", size,
          {{"std",
            [&] {
              result = numbers;
              const auto middle = result.begin() + static_cast<std::ptrdiff_t>((elements - 1) / 2);
              std::nth_element(result.begin(), middle, result.end());
              last_by_hand = *middle;
            }},
           {"kasen", [&] { last = kasen::quantiles(v, {0.5})[0]; }}},
          repetitions);
  require_equal("the median", last, last_by_hand);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Scans, sorting and quantiles of a vector, beside the standard library's on one thread");
  std::uint64_t elements = 10'000'001;  // odd, so that the median is an element
  int repetitions = 7;
  app.add_option("--elements", elements, "an odd number")->capture_default_str();
  app.add_option("--repetitions", repetitions)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  kasen::Options options;
  options.quiet = true;
  const kasen::Session session(options);
  run(elements, repetitions);
}
