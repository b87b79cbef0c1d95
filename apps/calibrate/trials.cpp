#include "apps/calibrate/trials.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "kasen/kasen.h"
#include "kasen/workers.h"

namespace kasen::calibrate {
namespace {

constexpr int kRounds = 10, kRuns = 3;
constexpr GlobalIndex kDegree = 16;

/// Runs kRounds rounds as one recorded loop, several times. @return predicted and least measured seconds of a round.
Trial repeat(std::string name, const std::function<void()>& round, const std::function<void()>& finish) {
  Trial trial{std::move(name), 0, std::numeric_limits<double>::infinity()};
  for (int run = 0; run < kRuns; ++run) {
    finish();
    const RunCounts before = Session::current().counts();
    Shared<int> k = 0;
    while_([&] { return k < kRounds; },
           [&] {
             round();
             k = k + 1;
           });
    finish();
    const RunCounts after = Session::current().counts();
    trial.predicted = (after.seconds_predicted - before.seconds_predicted) / kRounds;
    trial.measured = std::min(trial.measured, (after.seconds - before.seconds) / kRounds);
  }
  return trial;
}

/// Rounds that replace x, which is made of y too.
template <class Step>
Trial of_elements(std::string name, GlobalIndex n, const Step& step) {
  Vector<double> x = map(KASEN_FN((auto i), 1e-9 * i), iota(n));
  const Vector<double> y = map(KASEN_FN((auto i), 1 - 1e-9 * i), iota(n));
  return repeat(
      std::move(name), [&] { x = step(x, y); }, [&] { reduce(plus, x).get(); });
}

/// n rows of `degree` entries, or of any number up to twice that, with columns at random; each worker makes its share.
Matrix<Pattern> graph(GlobalIndex n, GlobalIndex degree, bool regular) {
  std::vector<Entry<Pattern>> entries;
  std::uint64_t state = 1 + static_cast<std::uint64_t>(Session::current().rank());
  const auto random = [&](GlobalIndex below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<GlobalIndex>((state >> 33) % static_cast<std::uint64_t>(below));
  };
  for (GlobalIndex row = Session::current().rank(); row < n; row += Session::current().workers()) {
    const GlobalIndex here = regular ? degree : random(2 * degree + 1);
    for (GlobalIndex e = 0; e < here; ++e) entries.push_back({row, random(n)});
  }
  return make_matrix<Pattern>(n, n, entries);
}

/// As PageRank does.
Trial of_products(std::string name, GlobalIndex n, GlobalIndex degree, bool regular) {
  const auto g = graph(n, degree, regular);
  Vector<double> x = constant(n, 1.0);
  return repeat(
      std::move(name), [&] { x = map(KASEN_FN((auto s), 0.15 + 0.01 * s), mxvt(first, plus, g, x)); },
      [&] { reduce(plus, x).get(); });
}

/// The same with integers.
Trial of_minima(std::string name, GlobalIndex n, GlobalIndex degree) {
  const auto g = graph(n, degree, true);
  Vector<GlobalIndex> x = iota(n);
  return repeat(
      std::move(name), [&] { x = map(KASEN_FN((auto s), s + 1), mxvt(first, min, g, x)); },
      [&] { reduce(plus, x).get(); });
}

/// Comparisons and choices of integers, and flags.
Trial of_integers(std::string name, GlobalIndex n) {
  Vector<GlobalIndex> x = iota(n);
  const Vector<GlobalIndex> y = map(KASEN_FN((auto i), 1 - i), iota(n));
  Shared<GlobalIndex> changed = 0;
  return repeat(
      std::move(name),
      [&] {
        const auto next = map(KASEN_FN((auto a), a + 1), zip_with(min, x, y));
        changed = reduce(
            plus, zip_with(KASEN_FN((auto a, auto b), kasen::select(a != b, GlobalIndex{1}, GlobalIndex{0})), next, x));
        x = next;
      },
      [&] {
        reduce(plus, x).get();
        changed.get();
      });
}

Trial of_dense(std::string name, GlobalIndex n) {
  std::vector<Entry<double>> entries;
  for (GlobalIndex row = Session::current().rank(); row < n; row += Session::current().workers()) {
    for (GlobalIndex column = 0; column < n; ++column) entries.push_back({row, column, 1 / static_cast<double>(n)});
  }
  const auto mean = make_matrix<double>(n, n, entries);
  Vector<double> x = constant(n, 1.0);
  return repeat(
      std::move(name), [&] { x = mxvt(times, plus, mean, x); }, [&] { reduce(plus, x).get(); });
}

Trial of_reductions(std::string name) {
  Vector<double> x = constant(1000, 1.0);
  Shared<double> sum = 0.0;
  return repeat(
      std::move(name),
      [&] {
        sum = reduce(plus, x);
        x = map(KASEN_FN((auto a, auto s), a / s), x, sum);
      },
      [&] { sum.get(); });
}

}  // namespace

void measure_steps(Profile& profile) {
  Options options;
  options.quiet = true;
  Session session(options);
  constexpr int kRepeated = 10'000, kSteps = 3;  // a sweep, and what counts and compares
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    Vector<double> x = constant(session.workers(), 1.0);
    Shared<int> k = 0;
    reduce(plus, x).get();
    const double before = session.counts().seconds;
    while_([&] { return k < kRepeated; },
           [&] {
             x = map(plus, x, 1.0);
             k = k + 1;
           });
    reduce(plus, x).get();
    least = std::min(least, (session.counts().seconds - before) / (kRepeated * kSteps));
  }
  profile.step_picoseconds = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(1e12 * least));
}

void measure_unhidden(std::uint64_t most_bytes, Profile& profile) {
  constexpr double kMille = 1000;
  constexpr std::size_t kVectors = 2;  // that are read
  Options options;
  options.quiet = true;
  Session session(options);
  const auto workers = static_cast<GlobalIndex>(session.workers());
  const auto step = [](const auto& x, const auto& y) {
    const auto sum = zip_with(KASEN_FN((auto a, auto b), 0.25 + a + b), x, y);
    return map(KASEN_FN((auto a, auto b), kasen::abs(a - b)), zip_with(divides, y, sum), 0.5);
  };
  const auto seconds_of_step = [&](GlobalIndex elements) { return of_elements("", elements * workers, step).measured; };
  // The same elements, in the first-level cache and elsewhere, without what a step takes whatever it does.
  const double entering = seconds_of_step(1);
  const auto seconds_of_element = [&](std::uint64_t bytes) {
    const auto elements = static_cast<GlobalIndex>(bytes / sizeof(double) / kVectors);
    return (seconds_of_step(elements) - entering) / static_cast<double>(elements);
  };
  const double computing = seconds_of_element(Profile::kWorkingSets[0]);
  profile.unhidden_per_mille[0] = 1;
  for (std::size_t k = 1; k < Profile::kSizes; ++k) {
    const std::uint64_t bytes = std::max(Profile::kWorkingSets[0], std::min(Profile::kWorkingSets[k], most_bytes / 4));
    const double element = sizeof(double);
    const double traffic = kVectors * element / static_cast<double>(profile.read_bytes_per_second[k]) +
                           element / static_cast<double>(profile.write_bytes_per_second);
    const double unhidden = (seconds_of_element(bytes) - std::max(computing, traffic)) / std::min(computing, traffic);
    profile.unhidden_per_mille[k] =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kMille * std::clamp(unhidden, 0.0, 1.0)));
  }
}

std::vector<Trial> try_profile(const std::string& path, const Profile& profile, std::uint64_t most_bytes) {
  Options options;
  options.profile = path;
  options.quiet = true;
  Session session(options);
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const auto numbers = [&](std::uint64_t bytes) {
    return static_cast<GlobalIndex>(std::max<std::uint64_t>(1'000, bytes / sizeof(double) * workers));
  };
  const GlobalIndex large = numbers(most_bytes / 8), small = numbers(profile.cache_bytes[1] / 8);
  const auto add = [](const auto& x, const auto& y) { return zip_with(KASEN_FN((auto a, auto b), a + 0.5 * b), x, y); };
  const auto chain = [](const auto& x, const auto& y) {
    const auto sum = zip_with(plus, x, y);
    const auto half = map(times, sum, 0.5);
    return zip_with(KASEN_FN((auto a, auto b), kasen::max(a, b)), half, x);
  };
  const auto divide = [](const auto& x, const auto& y) {
    return zip_with(KASEN_FN((auto a, auto b), a / (1 + b)), x, y);
  };
  const auto exponential = [](const auto& x, const auto& y) {
    return zip_with(KASEN_FN((auto a, auto b), b * kasen::exp(-a)), x, y);
  };
  const GlobalIndex vertices = large / (kDegree / 2);
  return {of_elements("sum of two vectors", large, add),
          of_elements("sum of two vectors, in the cache", small, add),
          of_elements("chain of three kernels, in the cache", small, chain),
          of_elements("division", large, divide),
          of_elements("exponential", large, exponential),
          of_products("product, rows of 16 at random", vertices, kDegree, true),
          of_products("product, rows of 0 to 32 at random", vertices, kDegree, false),
          of_products("product, rows of 16, in the cache", small / 8, kDegree, true),
          of_products("product, rows of 0 to 8, in the cache", small / 4, kDegree / 4, false),
          of_products("product, exchange of a short vector", 1'000, kDegree / 4, true),
          of_minima("least of integers, rows of 16, in the cache", small / 8, kDegree),
          of_integers("choices of integers, in the cache", small),
          of_dense("dense product", 1'500),
          of_reductions("reduction of a short vector")};
}

}  // namespace kasen::calibrate
