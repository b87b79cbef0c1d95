/// @file
/// Sums by many keys, on each number of workers by three ways: reduce_by_key, for which every worker holds all keys; a
/// product with one_hot(), for which a worker has replicas of those that occur in its part; and by hand, a table of all
/// keys on every worker and MPI_Reduce_scatter. Where what is sent is not what the plan said, it ends with an error.
/// Run it by cluster-scripts/launch.sh.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/computed.h"
#include "bench/measure.h"
#include "comm/communicator.h"
#include "kasen/base/random.h"
#include "kasen/kasen.h"

namespace {

using Key = std::int32_t;

/// The key of an element: any of them is as likely as another; or where skew > 1 the k-th most frequent of them is by
/// Zipf's law, in its continuous form, with these spread over all keys.
Key key_of(kasen::GlobalIndex element, std::int64_t keys, double skew) {
  const double u = kasen::random_unit(1, static_cast<std::uint64_t>(element)), all = static_cast<double>(keys);
  const double at = skew == 0 ? u * all : std::pow(1 + u * (std::pow(all, 1 - skew) - 1), 1 / (1 - skew)) - 1;
  const auto rank = std::min(static_cast<std::int64_t>(at), keys - 1);
  constexpr std::int64_t kPrime = 2'654'435'761;
  return static_cast<Key>(rank * kPrime % keys);
}

struct Given {
  std::uint64_t elements = 10'000'000;
  std::int64_t keys = 10'000'000;
  double skew = 0;
  int repetitions = 3;
};

/// Elements of small whole numbers, so that sums are exact, and their keys.
struct Data {
  explicit Data(const Given& given) : space(given.elements) {
    const kasen::BlockRange mine = kasen::block_of(space);
    for (std::uint64_t k = 0; k < mine.count; ++k) {
      const auto element = mine.first + static_cast<kasen::GlobalIndex>(k);
      key_block.push_back(key_of(element, given.keys, given.skew));
      value_block.push_back(static_cast<double>(1 + element % 8));
    }
    key = kasen::make_vector(space, key_block);
    value = kasen::make_vector(space, value_block);
  }
  kasen::Space space;
  std::vector<Key> key_block;
  std::vector<double> value_block;
  kasen::Vector<Key> key;
  kasen::Vector<double> value;
};

double by_hand(const Data& data, std::int64_t keys, const kasen::comm::Communicator& workers) {
  std::vector<double> table(static_cast<std::size_t>(keys));
  for (std::size_t k = 0; k < data.key_block.size(); ++k)
    table[static_cast<std::size_t>(data.key_block[k])] += data.value_block[k];
  std::vector<int> counts;
  for (int w = 0; w < workers.size(); ++w)
    counts.push_back(static_cast<int>(keys * (w + 1) / workers.size() - keys * w / workers.size()));
  std::vector<double> mine(static_cast<std::size_t>(counts[static_cast<std::size_t>(workers.rank())]));
  MPI_Reduce_scatter(table.data(), mine.data(), counts.data(), MPI_DOUBLE, MPI_SUM, workers.native());
  double squares = 0;
  for (const double sum : mine) squares += sum * sum;
  return kasen::workers::sum(squares);
}

double squares_of(const kasen::Vector<double>& sums) {
  return kasen::reduce(kasen::plus, kasen::map(KASEN_FN((auto s), s * s), sums)).get();
}

void run(kasen::Session& session, const Given& given) {
  const Data data(given);
  const kasen::comm::Communicator& workers = kasen::workers::communicator();
  workers.barrier();
  const double start = MPI_Wtime();
  const kasen::Matrix<kasen::Pattern> of_key = kasen::one_hot(data.key, given.keys);
  bench::computed(kasen::mxv(kasen::first, kasen::plus, of_key, data.value));
  const double made = workers.max(MPI_Wtime() - start);

  struct Way {
    bench::Variant variant;
    double result = 0;
    std::uint64_t sent = 0;
  };
  std::vector<Way> ways(3);
  ways[0].variant = {"hand", [&] { ways[0].result = by_hand(data, given.keys, workers); }};
  ways[1].variant = {"reduce_by_key", [&] {
                       const auto sums = kasen::reduce_by_key(kasen::plus, data.key, data.value, given.keys);
                       ways[1].result = squares_of(sums);
                     }};
  ways[2].variant = {"one_hot",
                     [&] { ways[2].result = squares_of(kasen::mxv(kasen::first, kasen::plus, of_key, data.value)); }};
  for (int repetition = -1; repetition < given.repetitions; ++repetition) {
    for (Way& way : ways) {
      const kasen::RunCounts before = session.counts();
      workers.barrier();
      const double begin = MPI_Wtime();
      way.variant.run();
      const double seconds = workers.max(MPI_Wtime() - begin);
      const kasen::RunCounts after = session.counts();
      way.sent = after.measured.bytes_sent - before.measured.bytes_sent;
      const std::uint64_t predicted = after.predicted.bytes_sent - before.predicted.bytes_sent;
      if (repetition >= 0) way.variant.seconds.push_back(seconds);
      if (way.result != ways[0].result || way.sent != predicted) {
        std::fprintf(stderr, "error: %s: squares %.17g and %.17g, sent %llu and %llu\n", way.variant.name.c_str(),
                     way.result, ways[0].result, static_cast<unsigned long long>(way.sent),
                     static_cast<unsigned long long>(predicted));
        std::exit(1);
      }
    }
  }
  if (workers.rank() != 0) return;
  std::puts("keys,elements,distribution,workers,way,ms,beside_hand,megabytes_sent,making_ms");
  char law[32];
  std::snprintf(law, sizeof law, given.skew == 0 ? "uniform" : "Zipf %.2g", given.skew);
  for (const Way& way : ways) {
    std::printf("%lld,%llu,%s,%d,%s,%.1f,%.2f,%.1f,%.1f\n", static_cast<long long>(given.keys),
                static_cast<unsigned long long>(given.elements), law, workers.size(), way.variant.name.c_str(),
                1e3 * way.variant.median(), bench::ratio(way.variant, ways[0].variant),
                1e-6 * static_cast<double>(way.sent), &way == &ways[2] ? 1e3 * made : 0.0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sums by many keys, beside a loop by hand");
  Given given;
  app.add_option("--elements", given.elements, "on all workers")->capture_default_str();
  app.add_option("--keys", given.keys, "how many there are")->capture_default_str();
  app.add_option("--skew", given.skew, "exponent of Zipf's law, above 1; 0: none")->capture_default_str();
  app.add_option("--repetitions", given.repetitions)->capture_default_str();
  kasen::Session session(argc, argv, app);
  run(session, given);
}
