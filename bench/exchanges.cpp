/// @file
/// Time of exchanges in which each worker has something for a few others alone: by one call of all workers, and by
/// messages to these neighbours (comm/messages.h). A row for each number of neighbours; seconds of the slowest worker.
/// Run it by mpirun with as many workers as are of interest, also with more than cores (cluster-scripts/launch.sh).
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/measure.h"
#include "comm/environment.h"
#include "comm/exchange.h"

namespace {

using kasen::comm::Communicator;
using kasen::comm::Exchange;
using kasen::comm::Halo;
using kasen::comm::Route;
using kasen::comm::Transfer;

/// A halo in which each worker has replicas of `each` masters of the `neighbours` workers after it.
Halo ring(const Communicator& workers, std::uint64_t neighbours, std::uint32_t each) {
  Halo halo;
  const auto size = static_cast<std::uint64_t>(workers.size()), rank = static_cast<std::uint64_t>(workers.rank());
  halo.largest_count = (neighbours + 1) * each;
  for (std::uint64_t w = 0; w < size; ++w) {
    halo.master_offsets.push_back(halo.master_index.size());
    halo.replica_offsets.push_back(halo.replica_index.size());
    const std::uint64_t before = (rank + size - w) % size, after = (w + size - rank) % size;
    for (std::uint32_t k = 0; k < each && before >= 1 && before <= neighbours; ++k) halo.master_index.push_back(k);
    for (std::uint32_t k = 0; k < each && after >= 1 && after <= neighbours; ++k) {
      halo.replica_index.push_back(static_cast<std::uint32_t>(halo.replica_index.size()) + each);
    }
  }
  halo.master_offsets.push_back(halo.master_index.size());
  halo.replica_offsets.push_back(halo.replica_index.size());
  return halo;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint32_t elements = 32;
  int calls = 20, repetitions = 11;
  std::vector<std::uint64_t> neighbours{1, 2, 16};
  CLI::App app("Exchanges between neighbours, by one call of all workers and by messages");
  app.add_option("--elements", elements, "of 8 bytes, for each neighbour")->capture_default_str();
  app.add_option("--neighbours", neighbours, "of each worker")->delimiter(',')->capture_default_str();
  app.add_option("--calls", calls, "exchanges of one measurement")->capture_default_str();
  app.add_option("--repetitions", repetitions, "measurements, of which the median is taken")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const kasen::comm::Environment environment;
  const Communicator workers;
  if (workers.rank() == 0) std::puts("workers,neighbours,bytes,all_to_all_us,neighbours_us,ratio");
  for (const std::uint64_t each_has : neighbours) {
    if (each_has >= static_cast<std::uint64_t>(workers.size())) continue;
    const Halo halo = ring(workers, each_has, elements);
    std::vector<double> vector((each_has + 1) * elements, 1.0);
    const Transfer transfer{Transfer::Kind::broadcast_to_replicas, &halo, vector.data(), sizeof(double), {}};
    std::vector<Exchange> exchanges;
    for (const Route route : {Route::all_to_all, Route::neighbours}) {
      exchanges.emplace_back(workers, std::vector{transfer}, std::vector<kasen::comm::SharedReduction>{}, false, route);
    }
    std::vector<std::byte> packing(exchanges[0].packing_bytes());
    std::vector<bench::Variant> variants{{"all-to-all", {}}, {"neighbours", {}}};
    for (int k = 0; k < repetitions; ++k) {
      for (std::size_t v = 0; v < variants.size(); ++v) {
        workers.barrier();
        const double start = MPI_Wtime();
        for (int call = 0; call < calls; ++call) exchanges[v].run(packing);
        variants[v].seconds.push_back(workers.max(MPI_Wtime() - start) / calls);
      }
    }
    if (workers.rank() != 0) continue;
    fmt::print("{},{},{},{:.1f},{:.1f},{:.2f}\n", workers.size(), each_has, elements * sizeof(double),
               1e6 * variants[0].median(), 1e6 * variants[1].median(), bench::ratio(variants[1], variants[0]));
    std::fflush(stdout);
  }
}
