#include "apps/calibrate/compute_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
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
template <class T = double, class F>
double seconds_of_launch(const comm::Communicator& communicator, const F& f, std::uint32_t n) {
  alignas(64) std::array<T, kTile> in{}, out{};
  in.fill(static_cast<T>(0.5));
  const runtime::ElementKernel kernel = runtime::element_kernel<T>(f, runtime::VectorOperand<T>{});
  const void* const operands[] = {in.data()};
  runtime::Tile tile;
  tile.in = operands;
  tile.out = out.data();
  tile.n = n;
  constexpr int kLaunches = 64;
  const double seconds = seconds_of(communicator, [&] {
    for (int k = 0; k < kLaunches; ++k) kernel.run(kernel.context.get(), tile);
  });
  keep(static_cast<double>(out[n - 1]));
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
  constexpr std::size_t kMany = kEntries / kShort, kFew = kEntries / kLong;
  const double many = seconds_of_one(communicator, std::vector<std::uint64_t>(kMany, kShort));
  const double few = seconds_of_one(communicator, std::vector<std::uint64_t>(kFew, kLong));
  return std::max(many - few, 0.0) / static_cast<double>(kMany - kFew);
}

/// What operations cost on entries of a sparse matrix, one by one: multiplying them by values of their own; and what
/// reducing integers and truth values takes longer than reducing doubles.
void measure_entries(const comm::Communicator& communicator, Profile& profile) {
  constexpr std::size_t kEntries = std::size_t{1} << 11, kRow = 64;
  const std::vector<std::uint64_t> lengths(kEntries / kRow, kRow);
  std::vector<LocalIndex> index(kEntries);
  std::iota(index.begin(), index.end(), 0);
  const std::vector<double> values(kEntries, 0.5);
  const std::vector<std::int64_t> integers(kEntries, 1);
  const auto flags = std::make_unique<bool[]>(kEntries);
  const double sums = seconds_of_product(communicator, lengths, index, values);
  const auto beyond_sums = [&](double seconds) { return picoseconds((seconds - sums) / kEntries); };
  profile.entry_operation_picoseconds = beyond_sums(seconds_of_product(communicator, lengths, index, values, values));
  profile.integer_entry_picoseconds = beyond_sums(seconds_of_minima(communicator, lengths, index, integers));
  profile.byte_entry_picoseconds = beyond_sums(seconds_of_flags(communicator, lengths, index, {flags.get(), kEntries}));
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

}  // namespace

void measure_compute(const comm::Communicator& communicator, Profile& profile) {
  const auto copy = [](double x) { return x; };
  // Sixteen operations, each of which waits for the one before: elements beside it fill the gaps.
  const auto polynomial = [](double x) {
    double y = x;
    for (int k = 0; k < 8; ++k) y = y * x + 0.125;
    return y;
  };
  const auto choices = [](std::int64_t x) {  // of four operations each
    std::int64_t y = x + 1;
    for (int k = 0; k < 8; ++k) y = y < 5 ? y + x : y ^ x;
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
  measure_entries(communicator, profile);
  profile.row_picoseconds = picoseconds(seconds_of_row(communicator));
  profile.turn_picoseconds = picoseconds(seconds_of_turn(communicator));
  profile.move_picoseconds = picoseconds((copying - launching) / (2 * kTile));
  profile.flop_picoseconds = picoseconds((computing - copying) / (16 * kTile));
  profile.integer_picoseconds =
      picoseconds((seconds_of_launch<std::int64_t>(communicator, choices, kTile) - copying) / (32 * kTile));
  profile.division_picoseconds = picoseconds((dividing - copying) / (4 * kTile));
  profile.transcendental_picoseconds = picoseconds((exponentials - copying) / kTile);
}

}  // namespace kasen::calibrate
