#include "kasen/runtime/output_share.h"

#include <algorithm>
#include <cstddef>

#include "kasen/runtime/element_set.h"

namespace kasen::runtime {

namespace {

/// Inputs of so many entries are looked through, several entries at a time: it takes less than bisection.
constexpr std::uint64_t kShort = 64;

constexpr std::uint64_t kSample = 512;  ///< entries

/// Where the entries [begin, end), whose outputs ascend, lead to `bound` or further.
std::uint64_t entries_before(const std::uint32_t* index, std::uint64_t begin, std::uint64_t end, LocalIndex bound) {
  if (end - begin > kShort)
    return static_cast<std::uint64_t>(std::lower_bound(index + begin, index + end, bound) - index);
  std::uint32_t before = 0;
  for (std::uint64_t e = begin; e < end; ++e) before += index[e] < bound ? 1 : 0;
  return begin + before;
}

}  // namespace

void OutputShare::bind(MatrixTile& tile, const Compressed& matrix, LocalIndex first, std::uint32_t n) {
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint64_t begin = matrix.pointer[first + k], end = matrix.pointer[first + k + 1];
    _begins[k] = _first == 0 ? begin : entries_before(matrix.index, begin, end, _first);
    _ends[k] = _end == kNoEnd ? end : entries_before(matrix.index, _begins[k], end, _end);
  }
  _begins[n] = matrix.pointer[first + n];
  tile.matrix = {_begins.data(), matrix.index, matrix.value};
  tile.entry_end = _ends.data();
  tile.first = 0;
  tile.n = n;
}

std::vector<OutputShare> share_outputs(const Compressed& matrix, std::uint64_t entries, std::uint32_t threads) {
  std::vector<OutputShare> shares;
  if (threads == 1) return shares;
  shares.reserve(threads);
  std::vector<LocalIndex> sample;
  const std::uint64_t step = entries / kSample + 1;
  for (std::uint64_t e = step / 2; e < entries; e += step) sample.push_back(matrix.index[e]);
  std::sort(sample.begin(), sample.end());
  LocalIndex first = 0;
  for (std::uint32_t t = 1; t < threads; ++t) {
    const LocalIndex middle = sample.empty() ? 0 : sample[sample.size() * t / threads];
    const LocalIndex end = middle / ElementSet::kBits * ElementSet::kBits;
    shares.emplace_back(first, end);
    first = end;
  }
  shares.emplace_back(first, OutputShare::kNoEnd);
  return shares;
}

}  // namespace kasen::runtime
