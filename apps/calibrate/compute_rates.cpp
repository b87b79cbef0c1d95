#include "apps/calibrate/compute_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "apps/calibrate/timed_product.h"
#include "apps/calibrate/timing.h"
#include "kasen/functors.h"
#include "kasen/runtime/element_kernel.h"

namespace kasen::calibrate {
namespace {

constexpr std::size_t kTile = 512;

/// Seconds of one launch of the kernel on `n` elements.
template <class F>
double seconds_of_launch(const comm::Communicator& communicator, const F& f, std::uint32_t n) {
  alignas(64) std::array<double, kTile> in{}, out{};
  in.fill(0.5);
  const runtime::ElementKernel kernel = runtime::element_kernel<double>(f, runtime::VectorOperand<double>{});
  const void* const operands[] = {in.data()};
  runtime::Tile tile;
  tile.in = operands;
  tile.out = out.data();
  tile.n = n;
  constexpr int kLaunches = 64;
  const double seconds = seconds_of(communicator, [&] {
    for (int k = 0; k < kLaunches; ++k) kernel.run(kernel.context.get(), tile);
  });
  keep(out[n - 1]);
  return seconds / kLaunches;
}

/// Seconds of a product whose outputs have these numbers of entries, all of one element.
double seconds_of_one(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths) {
  const std::uint64_t entries = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  const double in = 0.5;
  return seconds_of_product(communicator, lengths, std::vector<LocalIndex>(entries, 0), {&in, 1});
}

/// What an output costs beside its entries: as many entries in outputs of 4 beside outputs of 64.
double seconds_of_row(const comm::Communicator& communicator) {
  constexpr std::size_t kEntries = std::size_t{1} << 16, kShort = 4, kLong = 64;
  const double many = seconds_of_one(communicator, std::vector<std::uint64_t>(kEntries / kShort, kShort));
  const double few = seconds_of_one(communicator, std::vector<std::uint64_t>(kEntries / kLong, kLong));
  return std::max(many - few, 0.0) / static_cast<double>(kEntries / kShort - kEntries / kLong);
}

/// What an operation costs on entries of a sparse matrix, one by one: multiplying them by values of their own.
double seconds_of_entry_operation(const comm::Communicator& communicator) {
  constexpr std::size_t kEntries = std::size_t{1} << 11, kRow = 64;
  const std::vector<std::uint64_t> lengths(kEntries / kRow, kRow);
  const std::vector<LocalIndex> index(kEntries, 0);
  const std::vector<double> values(kEntries, 0.5);
  const std::span<const double> in(values.data(), 1);
  const double multiplying = seconds_of_product(communicator, lengths, index, in, values);
  const double without = seconds_of_product(communicator, lengths, index, in);
  return std::max(multiplying - without, 0.0) / kEntries;
}

/// What it costs that outputs have other numbers of entries than those before them: outputs of 0 to 15 entries, in
/// random order beside in ascending order, so many that no processor learns them.
double seconds_of_turn(const comm::Communicator& communicator) {
  constexpr std::size_t kOutputs = std::size_t{1} << 15;
  std::vector<std::uint64_t> lengths(kOutputs);
  std::uint64_t state = 1;
  for (std::uint64_t& length : lengths) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    length = state >> 60;
  }
  std::size_t turns = 0;
  for (std::size_t k = 1; k < kOutputs; ++k) turns += lengths[k] != lengths[k - 1];
  const double disordered = seconds_of_one(communicator, lengths);
  std::sort(lengths.begin(), lengths.end());
  const double ordered = seconds_of_one(communicator, lengths);
  return std::max(disordered - ordered, 0.0) / static_cast<double>(turns);
}

std::uint64_t picoseconds(double seconds) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(1e12 * seconds)));
}

}  // namespace

void measure_compute(const comm::Communicator& communicator, Profile& profile) {
  const auto copy = [](double x) { return x; };
  // Sixteen operations, each of which waits for the one before: elements beside it fill the gaps.
  const auto polynomial = [](double x) {
    double y = x;
    for (int k = 0; k < 8; ++k) y = y * x + 0.125;
    return y;
  };
  const auto quotients = [](double x) { return 1 / (1 + 1 / (1 + 1 / (1 + 1 / x))); };  // and three sums
  const double launching = seconds_of_launch(communicator, copy, 1);
  const double copying = seconds_of_launch(communicator, copy, kTile);
  const double computing = seconds_of_launch(communicator, polynomial, kTile);
  const double dividing = seconds_of_launch(communicator, quotients, kTile);
  const double exponentials = seconds_of_launch(
      communicator, [](double x) { return exp(x); }, kTile);
  profile.launch_picoseconds = picoseconds(launching);
  profile.entry_operation_picoseconds = picoseconds(seconds_of_entry_operation(communicator));
  profile.row_picoseconds = picoseconds(seconds_of_row(communicator));
  profile.turn_picoseconds = picoseconds(seconds_of_turn(communicator));
  profile.move_picoseconds = picoseconds(std::max(copying - launching, 0.0) / (2 * kTile));
  profile.flop_picoseconds = picoseconds((computing - copying) / (16 * kTile));
  profile.division_picoseconds = picoseconds((dividing - copying) / (4 * kTile));
  profile.transcendental_picoseconds = picoseconds((exponentials - copying) / kTile);
}

}  // namespace kasen::calibrate
