/// @file
/// Measurement of alternating least squares on generated ratings, optimized and not, beside loops written by hand: with
/// a pass over the ratings for each step of conjugate gradients, as Kasen takes, and with all steps of a factor at
/// once.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "apps/learn/als.h"
#include "bench/als_hand.h"
#include "bench/applications.h"
#include "comm/environment.h"
#include "kasen/base/random.h"

namespace {

using Numbers = std::vector<double>;

struct Size {
  std::uint64_t users, items, ratings, rank;
};

constexpr double kPenalty = 0.5, kEnough = 1e-9;  // as apps/learn/als.cpp

/// Rating `e`: users have as many each, of items of which the first are rated more often.
kasen::Entry<double> rating(const Size& size, std::uint64_t e) {
  const double place = kasen::random_unit(1, e);
  return {static_cast<kasen::GlobalIndex>(e * size.users / size.ratings),
          static_cast<kasen::GlobalIndex>(place * place * static_cast<double>(size.items)),
          1 + std::floor(5 * kasen::random_unit(2, e))};
}

apps::Factoring factoring(const Size& size, std::uint64_t iterations) {
  apps::Factoring factoring;
  factoring.rank = size.rank;
  factoring.penalty = kPenalty;
  factoring.stopping.iterations = iterations;
  return factoring;
}

/// Those of a block of one end.
bench::RatingsOfEnd ratings_of(const Size& size, bool of_users, kasen::BlockRange block) {
  bench::RatingsOfEnd mine;
  mine.pointer.resize(block.count + 1);
  const auto place = [&](const kasen::Entry<double>& r) {
    return static_cast<std::uint64_t>((of_users ? r.row : r.column) - block.first);
  };
  for (std::uint64_t e = 0; e < size.ratings; ++e) {
    if (const std::uint64_t at = place(rating(size, e)); at < block.count) ++mine.pointer[at + 1];
  }
  for (std::size_t i = 0; i < block.count; ++i) mine.pointer[i + 1] += mine.pointer[i];
  mine.index.resize(mine.pointer.back());
  mine.value.resize(mine.pointer.back());
  std::vector<std::uint64_t> next = mine.pointer;
  for (std::uint64_t e = 0; e < size.ratings; ++e) {
    const auto r = rating(size, e);
    const std::uint64_t at = place(r);
    if (at >= block.count) continue;
    mine.index[next[at]] = static_cast<std::uint32_t>(of_users ? r.column : r.row);
    mine.value[next[at]++] = r.value;
  }
  return mine;
}

/// By hand: every worker has a block of users and one of items, and all factors that its ratings need; nothing is sent.
class Hand {
 public:
  explicit Hand(const Size& size)
      : _size(size),
        _users(kasen::block_of(size.users)),
        _items(kasen::block_of(size.items)),
        _of_users(ratings_of(size, true, _users)),
        _of_items(ratings_of(size, false, _items)) {}

  /// One iteration from the start. @return all factors of items, on one worker
  Numbers iteration(bool knows_rank) {
    const auto improve = [&](const bench::RatingsOfEnd& ratings, const Numbers& fixed, double* x) {
      if (knows_rank) {
        bench::improve_of_ten(ratings, fixed.data(), x, kPenalty, kEnough, _work);
      } else {
        bench::improve(ratings, fixed.data(), x, _size.rank, kPenalty, kEnough, _work);
      }
    };
    improve(_of_users, _v, &_u[static_cast<std::size_t>(_users.first) * _size.rank]);
    improve(_of_items, _u, &_v[static_cast<std::size_t>(_items.first) * _size.rank]);
    return _v;
  }
  void start() {
    _u = factors(_size.users, 1);
    _v = factors(_size.items, 2);
  }

 private:
  /// As apps::als begins with.
  Numbers factors(std::uint64_t count, std::uint64_t seed) const {
    Numbers all(count * _size.rank);
    for (std::size_t at = 0; at < all.size(); ++at) all[at] = kasen::random_unit(seed, at) - 0.5;
    return all;
  }

  Size _size;
  kasen::BlockRange _users, _items;
  bench::RatingsOfEnd _of_users, _of_items;
  bench::EndWork _work;
  Numbers _u, _v;
};

kasen::Matrix<double> matrix(const Size& size) {
  const auto rank = static_cast<std::uint64_t>(kasen::workers::rank());
  const auto workers = static_cast<std::uint64_t>(kasen::workers::size());
  std::vector<kasen::Entry<double>> mine;
  for (std::uint64_t e = rank; e < size.ratings; e += workers) mine.push_back(rating(size, e));
  return kasen::make_matrix<double>(kasen::separate_space(size.users, "users"),
                                    kasen::separate_space(size.items, "items"), mine);
}

void check(const Numbers& kasen, const Numbers& hand) {
  for (std::size_t at = 0; at < hand.size(); ++at) {
    if (std::abs(kasen[at] - hand[at]) <= 1e-6 * (1 + std::abs(hand[at]))) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", at, kasen[at], hand[at]);
    std::exit(1);
  }
}

void compare(const Size& size, std::uint64_t iterations, int repetitions, bool also_unoptimized) {
  const std::string name = std::to_string(size.users) + "x" + std::to_string(size.items) + "-" +
                           std::to_string(size.ratings) + "-" + std::to_string(size.rank);
  std::vector<bench::Variant> variants = {{"hand", {}}, {"optimized", {}}, {"unoptimized", {}}, {"hand_of_ten", {}}};
  for (const bool optimized : {true, false}) {
    if (!optimized && !also_unoptimized) break;
    kasen::Options options = optimized ? kasen::Options{} : bench::unoptimized();
    options.quiet = true;
    kasen::Session session(options);
    const kasen::Matrix<double> X = matrix(size);
    std::optional<Hand> hand;
    if (optimized) hand.emplace(size);
    const auto run = [&](std::uint64_t times) { return apps::als(X, factoring(size, times)).items.get(); };
    if (optimized) {
      hand->start();
      const Numbers by_hand = hand->iteration(false), found = run(1);
      if (session.workers() == 1) check(found, by_hand);
    }
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (optimized) {
        for (const bool knows_rank : {false, true}) {
          if (knows_rank && size.rank != 10) continue;
          hand->start();
          variants[knows_rank ? 3 : 0].seconds.push_back(bench::seconds_of([&] { hand->iteration(knows_rank); }));
        }
      }
      variants[optimized ? 1 : 2].seconds.push_back(bench::seconds_per_iteration(run, iterations));
    }
    const bench::ApplicationRow row = bench::application_row(session);
    if (session.rank() > 0) continue;
    bench::print_application_row("als " + name, variants[optimized ? 1 : 2].name, session.workers(), row);
  }
  if (kasen::comm::Communicator().rank() > 0) return;
  if (size.rank != 10) variants.erase(variants.begin() + 3);
  if (!also_unoptimized) variants.erase(variants.begin() + 2);
  bench::print_rows("als", name, variants);
  bench::print_ratio("als", name, variants[1], variants[0], 1.2);
  if (size.rank == 10) bench::print_ratio("als", name, variants[1], variants.back());
  if (also_unoptimized) bench::print_ratio("als", name, variants[2], variants[1]);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Alternating least squares beside loops written by hand: seconds of computing per iteration, of the slowest "
      "worker");
  Size size{100'000, 20'000, 10'000'000, 10};
  std::uint64_t iterations = 2;
  int repetitions = 3;
  bool also_unoptimized = false;
  app.add_option("--users", size.users)->capture_default_str();
  app.add_option("--items", size.items)->capture_default_str();
  app.add_option("--ratings", size.ratings)->capture_default_str();
  app.add_option("--rank", size.rank)->capture_default_str();
  app.add_option("--iterations", iterations, "of each run beside the first")->capture_default_str();
  app.add_option("--repetitions", repetitions, "runs of each variant")->capture_default_str();
  app.add_flag("--unoptimized", also_unoptimized, "runs without fusion too");
  const kasen::comm::Environment environment;
  CLI11_PARSE(app, argc, argv);
  if (kasen::comm::Communicator().rank() == 0) bench::print_application_header();
  compare(size, iterations, repetitions, also_unoptimized);
  return 0;
}
