/// @file
/// Measurement of stochastic gradient descent on batches of a sparse matrix, optimized and not, beside a loop written
/// by hand: a logistic regression on generated samples.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "bench/applications.h"
#include "bench/descent_hand.h"
#include "comm/environment.h"
#include "kasen/base/random.h"
#include "kasen/kasen.h"

namespace {

using Numbers = std::vector<double>;
using kasen::Matrix;
using kasen::Vector;

struct Size {
  std::uint64_t samples, features, each, batch;
};

constexpr double kRate = 0.01;

/// Entry e: samples have as many each, of features of which the first are more frequent.
kasen::Entry<double> entry(const Size& size, std::uint64_t e) {
  const double place = kasen::random_unit(1, e);
  return {static_cast<kasen::GlobalIndex>(e / size.each),
          static_cast<kasen::GlobalIndex>(place * place * static_cast<double>(size.features)),
          kasen::random_unit(2, e) - 0.5};
}
double label(std::uint64_t sample) { return kasen::random_unit(3, sample) < 0.5 ? -1.0 : 1.0; }

Matrix<double> matrix(const Size& size) {
  const kasen::BlockRange mine = kasen::block_of(size.samples);
  std::vector<kasen::Entry<double>> entries;
  for (std::uint64_t e = static_cast<std::uint64_t>(mine.first) * size.each, k = 0; k < mine.count * size.each; ++k)
    entries.push_back(entry(size, e + k));
  return kasen::make_matrix<double>(kasen::Space(size.samples), kasen::separate_space(size.features, "features"),
                                    entries, kasen::EqualEntries::meant);
}

/// By hand: every worker has a block of the samples of each batch, and all weights; nothing is sent.
class Hand {
 public:
  explicit Hand(const Size& size) : _size(size), _g(size.features) {
    const kasen::BlockRange mine = kasen::block_of(size.batch);
    const std::uint64_t count = size.samples / size.batch;
    for (std::uint64_t b = 0; b < count; ++b) {
      _first.push_back(_samples.label.size());
      for (std::uint64_t k = 0; k < mine.count; ++k) add((static_cast<std::uint64_t>(mine.first) + k) * count + b);
    }
    _first.push_back(_samples.label.size());
  }
  Numbers run(std::uint64_t steps) {
    Numbers w(_size.features);
    for (std::uint64_t s = 0; s < steps; ++s) {
      const std::size_t b = s % (_first.size() - 1);
      std::fill(_g.begin(), _g.end(), 0.0);
      bench::add_gradient(_samples, _first[b], _first[b + 1], w.data(), _g.data());
      bench::descend(kRate, _g.data(), w.data(), w.size());
    }
    return w;
  }

 private:
  void add(std::uint64_t sample) {
    for (std::uint64_t k = 0; k < _size.each; ++k) {
      const auto one = entry(_size, sample * _size.each + k);
      _samples.index.push_back(static_cast<std::uint32_t>(one.column));
      _samples.value.push_back(one.value);
    }
    _samples.pointer.push_back(_samples.index.size());
    _samples.label.push_back(label(sample));
  }

  Size _size;
  bench::SparseSamples _samples;
  std::vector<std::size_t> _first;  ///< sample of each batch
  Numbers _g;
};

Numbers descend(const kasen::Batches<Matrix<double>>& X, const kasen::Batches<Vector<double>>& y, std::uint64_t steps) {
  const auto slope = KASEN_FN((auto z, auto of_sample), -of_sample / (1 + kasen::exp(of_sample * z)));
  const auto down = KASEN_FN((auto at, auto g), at - kRate * g);
  Vector<double> w = kasen::constant(X.columns(), 0.0);
  kasen::Shared<std::uint64_t> step = 0;
  kasen::while_(kasen::likely([&] { return step < steps; }), [&] {
    const auto b = step % X.count();
    const Matrix<double> samples = kasen::batch(X, b);
    const Vector<double> slopes = kasen::zip_with(slope, kasen::multiply(samples, w), kasen::batch(y, b));
    w = kasen::zip_with(down, w, kasen::multiply_transposed(samples, slopes));
    ++step;
  });
  return w.get();
}

void check(const Numbers& kasen, const Numbers& hand) {
  for (std::size_t at = 0; at < hand.size(); ++at) {
    if (std::abs(kasen[at] - hand[at]) <= 1e-9 * (1 + std::abs(hand[at]))) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", at, kasen[at], hand[at]);
    std::exit(1);
  }
}

void compare(const Size& size, std::uint64_t steps, int repetitions) {
  const std::string name = std::to_string(size.samples) + "x" + std::to_string(size.features) + "-" +
                           std::to_string(size.each) + "-" + std::to_string(size.batch);
  std::vector<bench::Variant> variants = {{"hand", {}}, {"optimized", {}}, {"unoptimized", {}}};
  for (const bool optimized : {true, false}) {
    kasen::Options options = optimized ? kasen::Options{} : bench::unoptimized();
    options.quiet = true;
    kasen::Session session(options);
    const auto X = kasen::batches(matrix(size), size.batch);
    const kasen::BlockRange mine = kasen::block_of(size.samples);
    Numbers labels;
    for (std::uint64_t k = 0; k < mine.count; ++k) labels.push_back(label(static_cast<std::uint64_t>(mine.first) + k));
    const auto y = kasen::batches(kasen::make_vector<double>(kasen::Space(size.samples), labels), size.batch);
    std::optional<Hand> hand;
    const auto run = [&](std::uint64_t times) { return descend(X, y, times); };
    if (optimized) {
      hand.emplace(size);
      const Numbers found = run(3), by_hand = hand->run(3);
      if (session.workers() == 1) check(found, by_hand);
    }
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (optimized) {
        const auto by_hand = [&](std::uint64_t times) { return hand->run(times); };
        variants[0].seconds.push_back(bench::seconds_per_iteration(by_hand, steps));
      }
      variants[optimized ? 1 : 2].seconds.push_back(bench::seconds_per_iteration(run, steps));
    }
    const bench::ApplicationRow row = bench::application_row(session);
    if (session.rank() > 0) continue;
    bench::print_application_row("descent " + name, variants[optimized ? 1 : 2].name, session.workers(), row);
  }
  if (kasen::comm::Communicator().rank() == 0) bench::print_comparison("descent", name, variants, 1.2, 0);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "A step of stochastic gradient descent on a batch of sparse samples, beside a loop written by hand: seconds "
      "of computing, of the slowest worker");
  Size size{200'000, 50'000, 40, 1000};
  std::uint64_t steps = 400;
  int repetitions = 5;
  app.add_option("--samples", size.samples)->capture_default_str();
  app.add_option("--features", size.features)->capture_default_str();
  app.add_option("--each", size.each, "non-zeros of a sample")->capture_default_str();
  app.add_option("--batch", size.batch, "samples of a batch")->capture_default_str();
  app.add_option("--steps", steps, "of each run beside the first")->capture_default_str();
  app.add_option("--repetitions", repetitions, "runs of each variant")->capture_default_str();
  const kasen::comm::Environment environment;
  CLI11_PARSE(app, argc, argv);
  if (kasen::comm::Communicator().rank() == 0) bench::print_application_header();
  compare(size, steps, repetitions);
  return 0;
}
