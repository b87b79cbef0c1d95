#include "apps/common/plain_sum.h"

#include <cstdint>
#include <span>

#include "comm/communicator.h"
#include "kasen/workers.h"

namespace apps {

std::vector<double> sum_over_workers(const std::vector<double>& mine) {
  const kasen::comm::Communicator& workers = kasen::workers::communicator();
  const auto parts = static_cast<std::uint64_t>(workers.size());
  std::vector<std::uint64_t> cut;
  for (std::uint64_t w = 0; w <= parts; ++w) cut.push_back(mine.size() * w / parts);
  const auto received = workers.all_to_all(std::span<const double>(mine), cut);
  const auto me = static_cast<std::size_t>(workers.rank());
  std::vector<double> block(cut[me + 1] - cut[me]);
  for (std::size_t i = 0; i < received.values.size(); ++i) block[i % block.size()] += received.values[i];
  return workers.all_gather(std::span<const double>(block)).values;
}

}  // namespace apps
