/// @file
/// Class Pending: which statements of a block are still to be done, and which of them are ready.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/base/bit_set.h"
#include "kasen/base/program_tools.h"

namespace kasen::optimizer {

/// A statement is ready once all that it waits for is done. Every dependence is looked at once, when what it waits for
/// is done, however many sweeps the statements become.
class Pending {
 public:
  /// @param ddag has to outlive this. @param done those with nothing left to do.
  Pending(const Ddag& ddag, const BitSet& done);

  bool empty() const { return _left == 0; }
  bool done(std::size_t i) const { return _done.contains(i); }
  const BitSet& ready() const { return _ready; }
  const std::vector<std::size_t>& before(std::size_t i) const { return _ddag->before[i]; }
  /// Calls `visit` for every statement that waits for this one.
  template <class Visit>
  void for_each_after(std::size_t i, const Visit& visit) const {
    for (std::size_t k = _begin[i]; k < _begin[i + 1]; ++k) visit(_after[k]);
  }
  void finish(std::size_t i);

 private:
  const Ddag* _ddag;
  BitSet _done, _ready;
  std::size_t _left = 0;
  std::vector<std::uint32_t> _waits;          ///< by statement: for how many that are not done
  std::vector<std::uint32_t> _begin, _after;  ///< by statement, from _begin[i] on: who waits for it
};

}  // namespace kasen::optimizer
