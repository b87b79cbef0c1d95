#include "apps/calibrate/timed_product.h"

#include "apps/calibrate/timing.h"
#include "kasen/base/cached_bytes.h"
#include "kasen/functors.h"
#include "kasen/runtime/matrix_kernel.h"

namespace kasen::calibrate {

double seconds_of_product(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                          const std::vector<LocalIndex>& index, std::span<const double> in,
                          std::span<const double> values) {
  std::vector<std::uint64_t> pointer{0};
  for (const std::uint64_t length : lengths) pointer.push_back(pointer.back() + length);
  std::vector<double> out(lengths.size());
  const runtime::MatrixKernel kernel = values.empty()
                                           ? runtime::matrix_kernel<double, double, void>(first, plus, 0.0)
                                           : runtime::matrix_kernel<double, double, double>(times, plus, 0.0);
  const void* const ins[] = {in.data()};
  void* const outs[] = {out.data()};
  runtime::MatrixTile tile;
  tile.matrix = {pointer.data(), index.data(), values.data()};
  tile.in = ins;
  tile.out = outs;
  tile.n = static_cast<std::uint32_t>(lengths.size());
  // The last entries, from which no prefetch would start, are too few to be seen.
  const bool prefetch = in.size_bytes() > kCachedBytes;
  if (prefetch) pointer.back() -= runtime::kPrefetchDistance;
  tile.prefetch_end = prefetch ? pointer.back() : 0;
  const double seconds = seconds_of(communicator, [&] { kernel.pull[0](kernel.context.get(), tile); });
  keep(out.back());
  return seconds;
}

}  // namespace kasen::calibrate
