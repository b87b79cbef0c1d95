#include "apps/calibrate/memory_rates.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "apps/calibrate/timed_product.h"
#include "apps/calibrate/timing.h"
#include "kasen/base/steady_time.h"
#include "kasen/runtime/buffer_pool.h"
#include "optimizer/cost/part_times.h"

namespace kasen::calibrate {
namespace {

constexpr std::size_t kClearedAtLeast = std::size_t{4} << 20;  // bytes; of fewer the system may not hear
constexpr double kLeastShare = 0.05;  // of the time of rewriting: what is too little to be seen

/// Workers on this one's machine.
int neighbours(const comm::Communicator& communicator) {
  char name[256] = {};
  ::gethostname(name, sizeof(name) - 1);
  const std::size_t mine = std::hash<std::string>{}(name);
  const std::vector<std::size_t> all = communicator.all_gather(mine);
  return static_cast<int>(std::count(all.begin(), all.end(), mine));
}

std::uint64_t system_value(int name, std::uint64_t otherwise) {
  const long value = ::sysconf(name);
  return value > 0 ? static_cast<std::uint64_t>(value) : otherwise;
}

double* array(const runtime::BufferRef& buffer) { return reinterpret_cast<double*>(buffer->data()); }

/// The vectors of a sweep: three, because hardware follows several streams faster than one.
struct Streams {
  double *a, *b;
  const double* c;
  std::size_t n;
};

double read(const Streams& streams) {
  const double *a = streams.a, *b = streams.b, *c = streams.c;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < streams.n; ++k) sum += a[k] + b[k] + c[k];
  return sum;
}

/// Reads all three and writes two where they were, as outputs do that take over a dying input.
void rewrite(const Streams& streams) {
  double *a = streams.a, *b = streams.b;
  const double* c = streams.c;
#pragma omp simd
  for (std::size_t k = 0; k < streams.n; ++k) {
    const double change = c[k] - a[k];
    a[k] = b[k];
    b[k] = change;
  }
}

/// Seconds that it takes longer to write to memory which the system has just given than to write there again; the
/// median of some times, of the slowest worker.
double seconds_of_clearing(const comm::Communicator& communicator, std::size_t n) {
  constexpr int kTimes = 5;
  std::vector<double> seconds;
  for (int k = 0; k < kTimes; ++k) {
    runtime::BufferPool given;  // which gives it back
    const runtime::BufferRef buffer = given.obtain(n, sizeof(double));
    const auto write = [&] {
      communicator.barrier();
      const double start = now();
      std::fill_n(array(buffer), n, 0.25);
      keep(*array(buffer));
      return now() - start;
    };
    const double first = write(), again = write();
    seconds.push_back(communicator.max(std::max(first - again, kLeastShare * first)));
  }
  std::nth_element(seconds.begin(), seconds.begin() + kTimes / 2, seconds.end());
  return seconds[kTimes / 2];
}

std::vector<LocalIndex> random_indices(std::size_t count, std::uint64_t below) {
  std::vector<LocalIndex> index(count);
  std::uint64_t state = 1;
  for (LocalIndex& i : index) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    i = static_cast<LocalIndex>((state >> 33) % below);
  }
  return index;
}

std::uint64_t per_second(double bytes, double seconds) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bytes / seconds));
}

}  // namespace

void measure_memory(const comm::Communicator& communicator, std::uint64_t most_bytes, Profile& profile) {
  const auto workers_here = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(neighbours(communicator)));
  const std::uint64_t memory = system_value(_SC_PHYS_PAGES, 1) * system_value(_SC_PAGESIZE, 4096) / workers_here;
  profile.cache_bytes[0] = system_value(_SC_LEVEL1_DCACHE_SIZE, profile.cache_bytes[0]);
  profile.cache_bytes[1] = system_value(_SC_LEVEL2_CACHE_SIZE, profile.cache_bytes[1]);
  for (std::uint64_t& bytes : profile.cache_bytes) bytes = communicator.min(bytes);

  const std::uint64_t most = communicator.min(std::min(memory / 4, most_bytes));
  runtime::BufferPool pool;
  const std::size_t n = std::max<std::uint64_t>(1 << 16, most / sizeof(double) / 4);  // of three, and indices
  const runtime::BufferRef buffers[] = {pool.obtain(n, sizeof(double)), pool.obtain(n, sizeof(double)),
                                        pool.obtain(n, sizeof(double))};
  for (const runtime::BufferRef& buffer : buffers) std::fill_n(array(buffer), n, 0.25);
  for (std::size_t k = 0; k < Profile::kSizes; ++k) {
    const std::size_t of_three = std::min<std::size_t>(Profile::kWorkingSets[k] / sizeof(double) / 3, n);
    const Streams streams{array(buffers[0]), array(buffers[1]), array(buffers[2]), of_three};
    const auto vector = static_cast<double>(of_three * sizeof(double));
    const double reading = seconds_of(communicator, [&] { keep(read(streams)); });
    profile.read_bytes_per_second[k] = per_second(3 * vector, reading);
    if (k + 1 < Profile::kSizes) continue;
    const double rewriting = seconds_of(communicator, [&] { rewrite(streams); });
    profile.write_bytes_per_second = per_second(2 * vector, std::max(rewriting - reading, kLeastShare * rewriting));
  }
  if (n * sizeof(double) >= kClearedAtLeast)
    profile.fresh_bytes_per_second =
        per_second(static_cast<double>(n * sizeof(double)), seconds_of_clearing(communicator, n));
  constexpr std::size_t kRow = 64;  // entries: so many that rows cost nothing
  // Entries an element, as of usual matrices: the more an element's vector leaves of the caches, the more of its matrix
  // comes from behind them, and both have to share what a core can have under way.
  constexpr std::size_t kDegree = 16, kMostEntries = std::size_t{1} << 24;
  for (std::size_t k = 0; k < Profile::kSizes; ++k) {
    const std::size_t elements = std::min<std::size_t>(Profile::kWorkingSets[k] / sizeof(double), n);
    const std::size_t entries = std::min({kDegree * elements, kMostEntries, std::max(elements, most / kDegree)});
    const auto index = random_indices(entries, elements);
    const std::vector<std::uint64_t> rows(index.size() / kRow, kRow);
    const double seconds = seconds_of_product(communicator, rows, index, {array(buffers[2]), elements});
    // The indices are read as all else: what a plan counts for them is no part of the access.
    const double indices = static_cast<double>(index.size()) * sizeof(LocalIndex);
    const std::uint64_t rate = optimizer::at_working_set(
        static_cast<std::uint64_t>(indices) + elements * sizeof(double), profile.read_bytes_per_second);
    const double access = std::max(seconds - indices / static_cast<double>(rate), seconds / 2);
    const auto picoseconds =
        static_cast<std::uint64_t>(std::llround(1e12 * access / static_cast<double>(index.size())));
    profile.random_access_picoseconds[k] = std::max<std::uint64_t>(1, picoseconds);
  }
}

}  // namespace kasen::calibrate
