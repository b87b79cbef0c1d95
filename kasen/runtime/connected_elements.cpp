#include "kasen/runtime/connected_elements.h"

#include "kasen/runtime/fill.h"

namespace kasen::runtime {
namespace {

/// Where the sets take so many bytes it pays to fetch what later non-zeros lead to: at 4 MiB it saves a tenth of the
/// time, at 1 MiB nothing.
constexpr std::uint64_t kFarSets = std::uint64_t{2} << 20;

}  // namespace

ConnectedElements::ConnectedElements(LocalIndex elements, std::span<const std::byte> identity)
    : _identity(identity), _sets(elements), _best(std::size_t{elements} * identity.size()), _better(elements) {}

void ConnectedElements::prepare(const Compressed& matrix, LocalIndex mirrored,
                                std::span<const partition::Interval> inputs, std::uint64_t least,
                                std::uint32_t threads) {
  _matrix = matrix;
  _mirrored = mirrored;
  const auto entries = [&](LocalIndex first, LocalIndex end) { return matrix.pointer[end] - matrix.pointer[first]; };
  _parts = cut(inputs, entries, 1, least);
  _shares = share_out(_parts, threads);
  const std::uint64_t all = _parts.empty() ? 0 : matrix.pointer[_parts.back().end];
  const bool far = std::uint64_t{sizeof(LocalIndex)} * _sets.elements() > kFarSets;
  _prefetch_end = far && all > kWidePrefetchDistance ? all - kWidePrefetchDistance : 0;
}

template <class Uniting>
void ConnectedElements::unite(const Uniting sets, const Part& part) const {
  const std::uint64_t* const pointer = _matrix.pointer;
  const LocalIndex* const index = _matrix.index;
  const LocalIndex mirrored = _mirrored;
  const std::uint64_t prefetch_end = _prefetch_end;
  for (LocalIndex i = part.first; i < part.end; ++i) {
    std::uint64_t entry = pointer[i];
    const std::uint64_t end = pointer[i + 1];
    if (entry == end) continue;
    LocalIndex root = sets.root(i);
    for (; entry < end; ++entry) {
      if (entry < prefetch_end) sets.prefetch(index[entry + kWidePrefetchDistance]);
      const LocalIndex j = index[entry];
      if (j > i && j < mirrored) break;  // of this and those that follow the other one is enough, but for replicas
      root = sets.unite(root, j);
    }
    for (std::uint64_t last = end; last > entry && index[last - 1] >= mirrored; --last)
      root = sets.unite(root, index[last - 1]);
  }
}

void ConnectedElements::find(ThreadTeam& team) {
  _sets.separate();
  const auto threads = static_cast<std::uint32_t>(_shares.size() - 1);
  team.run(threads, [&](std::uint32_t thread) {
    for (std::size_t k = _shares[thread]; k < _shares[thread + 1]; ++k) {
      threads > 1 ? unite(_sets.uniting<true>(), _parts[k]) : unite(_sets.uniting<false>(), _parts[k]);
    }
  });
  fill(_best.data(), _identity, {0, _sets.number()});
  _better.clear();
  _found = true;
}

void ConnectedElements::spread() {
  if (_better.empty()) return;
  for (const auto& tell : _products) tell();
  _better.clear();
}

}  // namespace kasen::runtime
