#include "apps/calibrate/compute_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

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
  const double copying = seconds_of_launch(communicator, copy, kTile);
  const double computing = seconds_of_launch(communicator, polynomial, kTile);
  const double exponentials = seconds_of_launch(
      communicator, [](double x) { return exp(x); }, kTile);
  profile.flop_picoseconds = picoseconds((computing - copying) / (16 * kTile));
  profile.transcendental_picoseconds = picoseconds((exponentials - copying) / kTile);
  profile.launch_picoseconds = picoseconds(seconds_of_launch(communicator, copy, 1));
}

}  // namespace kasen::calibrate
