/// @file
/// Measurement of a step of an autoencoder's training beside one by hand, and beside the products alone by Eigen.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "apps/learn/autoencoder.h"
#include "bench/applications.h"
#include "bench/autoencoder_hand.h"
#include "comm/environment.h"
#include "kasen/base/random.h"

namespace {

struct Size {
  std::uint64_t batches = 16, batch = 512, columns = 784, h1 = 500, h2 = 2;
};

/// Numbers of this worker's samples, which are no larger than 1.
std::vector<double> samples_of(const Size& size) {
  const kasen::BlockRange block = kasen::block_of(kasen::Space(size.batches * size.batch));
  std::vector<double> mine(block.count * size.columns);
  for (std::uint64_t at = 0; at < mine.size(); ++at)
    mine[at] = kasen::random_unit(1, static_cast<std::uint64_t>(block.first) * size.columns + at);
  return mine;
}

/// The samples of the first batch, as apps::autoencoder sees them: in deviations, and behind them 1.
std::vector<double> first_batch(const Size& size, const std::vector<double>& samples, const apps::Scaling& by) {
  std::vector<double> some;
  for (std::uint64_t k = 0; k < size.batch; ++k) {
    for (std::uint64_t c = 0; c < size.columns; ++c)
      some.push_back((samples[k * size.batches * size.columns + c] - by.mean[c]) / by.deviation[c]);
    some.push_back(1);
  }
  return some;
}

void check(const apps::Weights& by_hand, const apps::Weights& found) {
  for (std::size_t l = 0; l < found.size(); ++l) {
    for (std::size_t at = 0; at < found[l].size(); ++at) {
      if (std::abs(by_hand[l][at] - found[l][at]) <= 1e-9) continue;
      std::fprintf(stderr, "error: variants disagree at %zu of layer %zu: %.17g and %.17g\n", at, l, found[l][at],
                   by_hand[l][at]);
      std::exit(1);
    }
  }
}

void compare(const Size& size, int repetitions) {
  const std::string name = std::to_string(size.batch) + "x" + std::to_string(size.columns) + "-" +
                           std::to_string(size.h1) + "-" + std::to_string(size.h2);
  std::vector<bench::Variant> variants = {{"hand", {}}, {"optimized", {}}, {"unoptimized", {}}, {"products", {}}};
  for (const bool optimized : {true, false}) {
    kasen::Options options = optimized ? kasen::Options{} : bench::unoptimized();
    options.quiet = true;
    kasen::Session session(options);
    const std::vector<double> mine = samples_of(size);
    const kasen::Rows<double> X = kasen::make_rows(kasen::Space(size.batches * size.batch), size.columns, mine);
    const apps::EncoderShape shape{{size.h1, size.h2}, apps::Activation::tanh};
    apps::Descent descent;
    descent.batch = size.batch, descent.step = 1e-3;
    const auto run = [&](std::uint64_t epochs) {
      descent.epochs = epochs;
      return apps::autoencoder(X, shape, descent);
    };
    // A batch as large as a worker's share of one is: what computes by hand does so on each worker alone.
    Size alone = size;
    alone.batch = mine.size() / size.columns / size.batches;
    descent.keeps_previous = optimized && session.workers() == 1 && size.batches == 1;  // to be checked
    const apps::Trained once = run(1);
    const bool checked = std::exchange(descent.keeps_previous, false);
    const std::vector<double> some = first_batch(alone, mine, once.scaling);
    if (checked) {
      bench::HandAutoencoder hand(once.previous, size.columns, size.h1, size.h2);
      hand.step(some.data(), size.batch, descent.step / static_cast<double>(size.batch), descent.momentum);
      check(hand.weights(), once.weights);
    }
    bench::HandAutoencoder hand(once.weights, size.columns, size.h1, size.h2);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (optimized) {
        variants[0].seconds.push_back(
            bench::seconds_of([&] { hand.step(some.data(), alone.batch, 1e-6, descent.momentum); }));
        variants[3].seconds.push_back(bench::seconds_of([&] {
          if (std::isnan(bench::autoencoder_products(some.data(), alone.batch, size.columns, size.h1, size.h2)))
            std::exit(1);
        }));
      }
      const double epoch = bench::seconds_per_iteration(run, 1);
      variants[optimized ? 1 : 2].seconds.push_back(epoch / static_cast<double>(size.batches));
    }
    const bench::ApplicationRow row = bench::application_row(session);
    if (session.rank() > 0) continue;
    bench::print_application_row("autoencoder " + name, variants[optimized ? 1 : 2].name, session.workers(), row);
    if (optimized) continue;
    bench::print_comparison("autoencoder", name, variants, 0, 0);
    bench::print_ratio("autoencoder", name, variants[1], variants[3]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "A step of an autoencoder's training beside one by hand, of whole batches, and the products alone by Eigen: "
      "seconds of computing, of the slowest worker; with one batch results are compared");
  Size size;
  int repetitions = 3;
  app.add_option("--batches", size.batches)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--batch", size.batch, "samples of each")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--columns", size.columns)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--first", size.h1, "numbers of the first layer")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--second", size.h2, "of the code")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--repetitions", repetitions, "runs of each variant")->capture_default_str();
  const kasen::comm::Environment environment;
  CLI11_PARSE(app, argc, argv);
  if (kasen::comm::Communicator().rank() == 0) bench::print_application_header();
  compare(size, repetitions);
  return 0;
}
