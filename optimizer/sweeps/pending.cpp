#include "optimizer/sweeps/pending.h"

namespace kasen::optimizer {

Pending::Pending(const Ddag& ddag, const BitSet& done)
    : _ddag(&ddag),
      _done(done),
      _ready(ddag.before.size()),
      _waits(ddag.before.size()),
      _begin(ddag.before.size() + 1) {
  const std::size_t n = ddag.before.size();
  for (const auto& before : ddag.before) {
    for (std::size_t j : before) ++_begin[j + 1];
  }
  for (std::size_t i = 0; i < n; ++i) _begin[i + 1] += _begin[i];
  _after.resize(_begin[n]);
  std::vector<std::uint32_t> end(_begin.begin(), _begin.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j : ddag.before[i]) {
      _after[end[j]++] = static_cast<std::uint32_t>(i);
      _waits[i] += _done.contains(j) ? 0 : 1;
    }
    if (_done.contains(i)) continue;
    ++_left;
    if (_waits[i] == 0) _ready.insert(i);
  }
}

void Pending::finish(std::size_t i) {
  if (_done.contains(i)) return;
  _done.insert(i);
  _ready.erase(i);
  --_left;
  for_each_after(i, [&](std::size_t later) {
    if (--_waits[later] == 0 && !_done.contains(later)) _ready.insert(later);
  });
}

}  // namespace kasen::optimizer
