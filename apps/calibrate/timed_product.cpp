#include "apps/calibrate/timed_product.h"

#include <cstddef>
#include <limits>

#include "apps/calibrate/timing.h"
#include "kasen/base/cached_bytes.h"
#include "kasen/functors.h"
#include "kasen/runtime/matrix_kernel.h"

namespace kasen::calibrate {
namespace {

template <class T>
double seconds_of_kernel(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                         const std::vector<LocalIndex>& index, std::span<const T> in, const void* values,
                         const runtime::MatrixKernel& kernel) {
  std::vector<std::uint64_t> pointer{0};
  for (const std::uint64_t length : lengths) pointer.push_back(pointer.back() + length);
  std::vector<std::byte> out(lengths.size() * sizeof(T));
  const void* const ins[] = {in.data()};
  void* const outs[] = {out.data()};
  runtime::MatrixTile tile;
  tile.matrix = {pointer.data(), index.data(), values};
  tile.in = ins;
  tile.out = outs;
  tile.n = static_cast<std::uint32_t>(lengths.size());
  // The last rows, from which prefetching would go beyond the end, are too few to be seen.
  if (in.size_bytes() > kSharedCachedBytes) {
    while (tile.n > 0 && pointer[tile.n] + runtime::kPrefetchDistance > index.size()) --tile.n;
    tile.prefetch_end = pointer[tile.n];
  }
  tile.far = index.size() * (sizeof(LocalIndex) + (values == nullptr ? 0 : sizeof(T))) > kCachedBytes;
  const double seconds = seconds_of(communicator, [&] { kernel.pull[0](kernel.context.get(), tile); });
  keep(static_cast<double>(out.back()));
  return seconds;
}

}  // namespace

double seconds_of_product(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                          const std::vector<LocalIndex>& index, std::span<const double> in,
                          std::span<const double> values) {
  return seconds_of_kernel(communicator, lengths, index, in, values.data(),
                           values.empty() ? runtime::matrix_kernel<double, double, void>(first, plus, 0.0)
                                          : runtime::matrix_kernel<double, double, double>(times, plus, 0.0));
}

double seconds_of_minima(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                         const std::vector<LocalIndex>& index, std::span<const std::int64_t> in) {
  return seconds_of_kernel(
      communicator, lengths, index, in, nullptr,
      runtime::matrix_kernel<std::int64_t, std::int64_t, void>(first, min, std::numeric_limits<std::int64_t>::max()));
}

double seconds_of_flags(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                        const std::vector<LocalIndex>& index, std::span<const bool> in) {
  return seconds_of_kernel(communicator, lengths, index, in, nullptr,
                           runtime::matrix_kernel<bool, bool, void>(first, logical_or, false));
}

}  // namespace kasen::calibrate
