#include "apps/calibrate/network_rates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

#include "apps/calibrate/timing.h"
#include "comm/exchange.h"
#include "kasen/functors.h"
#include "kasen/runtime/apply_kernel.h"

namespace kasen::calibrate {
namespace {

/// A boundary at which every worker's first `each * (workers - 1)` elements have replicas, `each` on every other
/// worker.
class Everybody {
 public:
  Everybody(const comm::Communicator& communicator, std::uint32_t each)
      : _data(2 * std::size_t{each} * static_cast<std::size_t>(communicator.size() - 1), 1.0) {
    const auto workers = static_cast<std::uint32_t>(communicator.size());
    const std::uint32_t masters = each * (workers - 1);
    _halo.master_offsets = _halo.replica_offsets = {0};
    for (std::uint32_t w = 0; w < workers; ++w) {
      if (static_cast<int>(w) != communicator.rank()) {
        const auto first = static_cast<std::uint32_t>(_halo.master_index.size());
        for (std::uint32_t k = 0; k < each; ++k) {
          _halo.master_index.push_back(first + k);
          _halo.replica_index.push_back(masters + first + k);
        }
      }
      _halo.master_offsets.push_back(_halo.master_index.size());
      _halo.replica_offsets.push_back(_halo.replica_index.size());
    }
    _halo.contiguous = true;
    _halo.largest_count = 2 * std::uint64_t{masters};
  }

  double seconds(const comm::Communicator& communicator) {
    comm::Exchange exchange(communicator,
                            {{comm::Transfer::Kind::broadcast_to_replicas, &_halo, _data.data(), sizeof(double), {}}},
                            {}, false);
    std::vector<std::byte> packing(exchange.packing_bytes());
    return seconds_of(communicator, [&] { exchange.run(packing); });
  }

 private:
  comm::Halo _halo;
  std::vector<double> _data;
};

std::uint64_t picoseconds(double seconds) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(1e12 * seconds)));
}

}  // namespace

bool measure_network(const comm::Communicator& communicator, Profile& profile) {
  if (communicator.size() == 1) return false;
  const auto others = static_cast<std::uint32_t>(communicator.size() - 1);
  const double alone = Everybody(communicator, 1).seconds(communicator);
  profile.message_picoseconds = picoseconds(alone / others);

  const std::uint32_t each = (1u << 20) / others;  // 8 MiB from every worker
  const double loaded = Everybody(communicator, each).seconds(communicator);
  const double bytes = sizeof(double) * static_cast<double>(each) * others;
  profile.network_bytes_per_second =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bytes / std::max(loaded - alone, 0.1 * loaded)));

  double value = 0;
  const runtime::Reducer sum = runtime::reducer<double>(plus, 0.0);
  comm::Exchange exchange(communicator, {}, {{&value, sizeof(value), sum.combine, true}}, false);
  const double reducing = seconds_of(communicator, [&] { exchange.run({}); });
  profile.reduction_picoseconds = picoseconds(reducing / std::bit_width(others));
  return true;
}

}  // namespace kasen::calibrate
