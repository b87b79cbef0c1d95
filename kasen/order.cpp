/// @file
/// Sorting by regular samples (Shi and Schaeffer, Parallel sorting by regular sampling, 1992), and selection by counts
/// of digits. Elements are told apart by key and place, so that equal keys may be cut and the order is stable.
#include "kasen/order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <numeric>
#include <string>

#include "comm/agreement.h"
#include "comm/communicator.h"
#include "kasen/detail/operands.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/make_vector.h"
#include "kasen/recording/recorder.h"
#include "kasen/workers.h"

namespace kasen::detail {

namespace {

struct Keyed {
  std::uint64_t key, place;  ///< `place` in global order
  auto operator<=>(const Keyed&) const = default;
};

/// Of each worker: with P samples of each no part has more than twice the mean; beyond that many workers they would
/// grow with P squared, and a part may have P / kMostSamples times the mean more.
constexpr std::size_t kMostSamples = 256;

/// Collective. Where the others' parts begin: at even steps through regular samples of all workers.
std::vector<Keyed> cuts(const comm::Communicator& workers, const std::vector<Keyed>& in_order) {
  const auto parts = static_cast<std::size_t>(workers.size());
  const std::size_t count = in_order.empty() ? 0 : std::min(parts, kMostSamples);
  std::vector<Keyed> samples;
  for (std::size_t k = 0; k < count; ++k) samples.push_back(in_order[k * in_order.size() / count]);
  samples = workers.all_gather(std::span<const Keyed>(samples)).values;
  std::sort(samples.begin(), samples.end());
  std::vector<Keyed> cuts;
  for (std::size_t w = 1; w < parts && !samples.empty(); ++w) cuts.push_back(samples[w * samples.size() / parts]);
  return cuts;
}

/// Where the elements in order stand among those received, of which each worker's are in order: pairs of neighbouring
/// parts are merged until one part is left.
std::vector<std::uint64_t> merged(const comm::Received<Keyed>& received) {
  std::vector<std::uint64_t> places(received.values.size()), next(places.size()), ends = received.offsets;
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  const auto less = [&](std::uint64_t a, std::uint64_t b) { return received.values[a] < received.values[b]; };
  while (ends.size() > 2) {
    std::vector<std::uint64_t> fewer{0};
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
      const std::uint64_t end = ends[std::min(k + 2, ends.size() - 1)];
      const auto at = [&](std::uint64_t place) { return places.begin() + static_cast<std::ptrdiff_t>(place); };
      std::merge(at(ends[k]), at(ends[k + 1]), at(ends[k + 1]), at(end),
                 next.begin() + static_cast<std::ptrdiff_t>(ends[k]), less);
      fewer.push_back(end);
    }
    std::swap(places, next);
    ends = std::move(fewer);
  }
  return places;
}

std::vector<std::byte> in_order(std::span<const std::byte> elements, std::span<const std::uint64_t> from,
                                std::size_t bytes) {
  std::vector<std::byte> ordered(elements.size());
  for (std::size_t k = 0; k < from.size(); ++k) std::memcpy(&ordered[k * bytes], &elements[from[k] * bytes], bytes);
  return ordered;
}

}  // namespace

Sorted::Sorted(const recording::Handle& by, std::span<const std::uint64_t> keys, SourceLocation where)
    : MovedColumns(where), _space(space_of(by, where)) {
  const comm::Communicator& workers = workers::communicator();
  const std::uint64_t first = workers.exclusive_sum(keys.size());
  std::vector<Keyed> mine;
  comm::agree(workers, [&] {
    mine.resize(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) mine[k] = {keys[k], first + k};
    std::sort(mine.begin(), mine.end());
    _from.resize(mine.size());
    std::transform(mine.begin(), mine.end(), _from.begin(), [&](const Keyed& one) { return one.place - first; });
  });
  _offsets.push_back(0);
  for (const Keyed& cut : cuts(workers, mine))
    _offsets.push_back(static_cast<std::uint64_t>(std::lower_bound(mine.begin(), mine.end(), cut) - mine.begin()));
  _offsets.resize(static_cast<std::size_t>(workers.size()) + 1, mine.size());
  _offsets.back() = mine.size();
  const auto received = workers.all_to_all(std::span<const Keyed>(mine), std::span<const std::uint64_t>(_offsets));
  comm::agree(workers, [&] { _to = merged(received); });
}

recording::SlotId Sorted::moved(const recording::Handle& v, Type type) const {
  const SourceLine line = recording::source_line(_where);
  require_column_of(_space, v, "sort", "the key", _where);
  const comm::Communicator& workers = workers::communicator();
  const std::vector<std::byte> block = block_bytes(v, line, "sort");
  std::vector<std::byte> sent, ordered(_to.size() * type.bytes);
  comm::agree(workers, [&] { sent = in_order(block, _from, type.bytes); });
  const std::vector<std::uint64_t> counts = workers.incoming_counts(_offsets, _from.size());
  std::vector<std::uint64_t> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), std::uint64_t{0});
  std::vector<std::byte> received(ordered.size());
  workers.all_to_all(sent.data(), _offsets, type.bytes, received.data(), counts, begins);
  comm::agree(workers, [&] { ordered = in_order(received, _to, type.bytes); });
  ordered = io::to_row_blocks(workers, std::move(ordered), type.bytes);
  return make_vector(_space, std::span<const std::byte>(ordered), type, _where);
}

namespace {

constexpr unsigned kDigitBits = 8, kBits = 64;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

/// An element that is looked for by its place in order, as far as its bits are known.
struct Wanted {
  std::uint64_t high_bits = 0;  ///< those that are known, from the right
  std::uint64_t place;          ///< among the elements that begin with them
};

/// Collective. The bits of the elements at these places in order. @param bits of this worker's elements
std::vector<std::uint64_t> select(std::vector<std::uint64_t> bits, std::vector<Wanted> wanted) {
  std::vector<std::uint64_t> begun{0};  // what elements begin with that are still counted, ascending
  for (unsigned low = kBits - kDigitBits;; low -= kDigitBits) {
    std::vector<std::uint64_t> counts(begun.size() * kDigits);
    const auto group_of = [&](std::uint64_t value) {
      const std::uint64_t high = low + kDigitBits == kBits ? 0 : value >> (low + kDigitBits);
      const auto found = std::lower_bound(begun.begin(), begun.end(), high);
      return found != begun.end() && *found == high ? static_cast<std::size_t>(found - begun.begin()) : begun.size();
    };
    std::erase_if(bits, [&](std::uint64_t value) {
      const std::size_t group = group_of(value);
      if (group == begun.size()) return true;
      ++counts[group * kDigits + ((value >> low) & (kDigits - 1))];
      return false;
    });
    workers::sum(std::span<std::uint64_t>(counts));
    std::vector<std::uint64_t> next;
    for (Wanted& one : wanted) {
      const auto group = std::lower_bound(begun.begin(), begun.end(), one.high_bits) - begun.begin();
      const std::uint64_t* count = &counts[static_cast<std::size_t>(group) * kDigits];
      std::uint64_t digit = 0;
      for (; one.place >= count[digit]; ++digit) one.place -= count[digit];
      one.high_bits = one.high_bits << kDigitBits | digit;
      next.push_back(one.high_bits);
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    begun = std::move(next);
    if (low == 0) break;
  }
  std::vector<std::uint64_t> found;
  for (const Wanted& one : wanted) found.push_back(one.high_bits);
  return found;
}

}  // namespace

std::vector<double> quantiles(std::vector<std::uint64_t> bits, std::span<const double> shares, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  const std::uint64_t length = workers::sum(static_cast<std::uint64_t>(bits.size()));
  if (length == 0) recording::refuse(line, "quantiles", "there are none of no elements");
  std::vector<Wanted> wanted{{0, length - 1}};  // the last one is NaN if any is
  std::vector<double> beyond;                   // the lower one of each pair, on the way to the upper one
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1))
      recording::refuse(line, "quantiles", std::to_string(share) + " is no share: those are from 0 to 1");
    const double at = static_cast<double>(length - 1) * share;
    const auto lower = std::min(static_cast<std::uint64_t>(at), length - 1);
    beyond.push_back(at - static_cast<double>(lower));
    wanted.push_back({0, lower});
    wanted.push_back({0, std::min(lower + 1, length - 1)});
  }
  const std::vector<std::uint64_t> found = select(std::move(bits), std::move(wanted));
  std::vector<double> values(shares.size(), double_of_ordered(found[0]));
  if (found[0] == kLastBits) return values;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double lower = double_of_ordered(found[2 * k + 1]), upper = double_of_ordered(found[2 * k + 2]);
    const bool is_lower = beyond[k] == 0 || lower == upper || (std::isinf(lower) && std::isfinite(upper));
    values[k] = is_lower ? lower : std::lerp(lower, upper, beyond[k]);
  }
  return values;
}

}  // namespace kasen::detail
