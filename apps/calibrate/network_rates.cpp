#include "apps/calibrate/network_rates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "apps/calibrate/timing.h"
#include "comm/exchange.h"
#include "kasen/functors.h"
#include "kasen/runtime/apply_kernel.h"

namespace kasen::calibrate {
namespace {

/// What `exchange` takes as programs have it: after work that has taken the first-level cache and the processor's
/// memory of branches, and that the workers do not end at the same moment.
double seconds_between_work(const comm::Communicator& communicator, const std::function<void()>& exchange) {
  constexpr std::size_t kElements = std::size_t{1} << 14;
  std::vector<double> x(kElements, 0.5);
  const auto work = [&] {
    for (double& element : x) element = 1 / (0.5 + element);
    keep(x.back());
  };
  const double together = seconds_of(communicator, [&] {
    work();
    exchange();
  });
  return std::max(together - seconds_of(communicator, work), 0.0);
}

/// A boundary at which every worker's first `each * (workers - 1)` elements have replicas, `each` on every other
/// worker; in order, and replicas behind masters, or all of them anywhere.
class Everybody {
 public:
  Everybody(const comm::Communicator& communicator, std::uint32_t each, bool in_order)
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
    _halo.contiguous = in_order;
    if (!in_order) {
      std::mt19937 random(1);
      std::shuffle(_halo.master_index.begin(), _halo.master_index.end(), random);
      std::shuffle(_halo.replica_index.begin(), _halo.replica_index.end(), random);
    }
    _halo.largest_count = 2 * std::uint64_t{masters};
  }

  /// Seconds of an exchange.
  double seconds(const comm::Communicator& communicator) {
    comm::Exchange exchange = exchange_on(communicator);
    std::vector<std::byte> packing(exchange.packing_bytes());
    return seconds_of(communicator, [&] { exchange.run(packing); });
  }

  /// Seconds of an exchange between sweeps.
  double seconds_after_work(const comm::Communicator& communicator) {
    comm::Exchange exchange = exchange_on(communicator);
    std::vector<std::byte> packing(exchange.packing_bytes());
    return seconds_between_work(communicator, [&] { exchange.run(packing); });
  }

 private:
  comm::Exchange exchange_on(const comm::Communicator& communicator) {
    return {communicator,
            {{comm::Transfer::Kind::broadcast_to_replicas, &_halo, _data.data(), sizeof(double), {}}},
            {},
            false};
  }

  comm::Halo _halo;
  std::vector<double> _data;
};

}  // namespace

void measure_network(const comm::Communicator& communicator, Profile& profile) {
  if (communicator.size() == 1) return;
  const auto others = static_cast<std::uint32_t>(communicator.size() - 1);
  profile.message_picoseconds = picoseconds(Everybody(communicator, 1, true).seconds_after_work(communicator) / others);

  const std::uint32_t each = (1u << 20) / others;  // 8 MiB from every worker
  const double alone = Everybody(communicator, 1, true).seconds(communicator);
  const double loaded = Everybody(communicator, each, true).seconds(communicator);
  const double bytes = sizeof(double) * static_cast<double>(each) * others;
  profile.network_bytes_per_second =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bytes / std::max(loaded - alone, 0.1 * loaded)));

  const std::uint32_t few = std::max((1u << 12) / others, 1u);  // 32 KiB from every worker
  const double in_order = Everybody(communicator, few, true).seconds(communicator);
  const double anywhere = Everybody(communicator, few, false).seconds(communicator);
  profile.packing_picoseconds = picoseconds((anywhere - in_order) / (few * others));

  double value = 0;
  const runtime::Reducer sum = runtime::reducer<double>(plus, 0.0);
  comm::Exchange exchange(communicator, {}, {{&value, sizeof(value), sum.combine, true}}, false);
  const double reducing = seconds_between_work(communicator, [&] { exchange.run({}); });
  profile.reduction_picoseconds = picoseconds(reducing / std::bit_width(others));
}

}  // namespace kasen::calibrate
