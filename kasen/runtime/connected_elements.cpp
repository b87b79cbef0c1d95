#include "kasen/runtime/connected_elements.h"

#include "kasen/runtime/fill.h"

namespace kasen::runtime {
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
}

void ConnectedElements::find(ThreadTeam& team) {
  _sets.separate();
  const auto threads = static_cast<std::uint32_t>(_shares.size() - 1);
  const auto unite = [&]<bool shared>(std::bool_constant<shared>, const Part& part) {
    for (LocalIndex i = part.first; i < part.end; ++i) {
      for (std::uint64_t entry = _matrix.pointer[i]; entry < _matrix.pointer[i + 1]; ++entry) {
        const LocalIndex j = _matrix.index[entry];
        if (j > i && j < _mirrored) continue;  // the other one is enough
        _sets.unite<shared>(i, j);
      }
    }
  };
  team.run(threads, [&](std::uint32_t thread) {
    for (std::size_t k = _shares[thread]; k < _shares[thread + 1]; ++k)
      threads > 1 ? unite(std::true_type(), _parts[k]) : unite(std::false_type(), _parts[k]);
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
