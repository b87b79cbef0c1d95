#include "optimizer/sweeps/waiting_work.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace kasen::optimizer {
namespace {

/// The sweep that would begin with the ready statements of a space.
class SweepAhead {
 public:
  SweepAhead(const StatedProgram& stated, const Block& block, const Pending& pending, const SweepMaker& maker,
             SpaceId space)
      : _stated(stated),
        _block(block),
        _pending(pending),
        _maker(maker),
        _space(space),
        _joined(block.statements.size()),
        _waits(block.statements.size()) {}

  void join(std::size_t i) {
    _joined.insert(i);
    _members.push_back(i);
  }

  void find_waiting(BitSet& waiting) {
    join_what_becomes_ready();
    find_what_may_wait();
    for (const std::vector<std::size_t>& group : groups()) {
      if (bytes_added(group) > bytes_saved(group)) continue;
      for (std::size_t i : group) waiting.insert(i);
    }
  }

 private:
  const Statement& statement(std::size_t i) const { return _block.statements[i]; }
  std::uint64_t bytes(ValueId value) const { return _stated.program.values[index_of(value)].type.read_bytes(); }

  /// Whether a sweep can hold both, a reader of a member's result and the member.
  bool fits(std::size_t reader, std::size_t member) const {
    return is_element_op(statement(reader).op) && _maker.space_of(statement(reader)) == _space &&
           !SweepMaker::waits_for_all(statement(reader), statement(member));
  }

  void join_what_becomes_ready() {
    for (std::size_t k = 0; k < _members.size(); ++k) {
      _pending.for_each_after(_members[k], [&](std::size_t reader) {
        const std::vector<std::size_t>& before = _pending.before(reader);
        const bool fitting = std::all_of(before.begin(), before.end(), [&](std::size_t j) {
          return _pending.done(j) || (_joined.contains(j) && fits(reader, j));
        });
        if (fitting && !_joined.contains(reader)) join(reader);
      });
    }
    std::sort(_members.begin(), _members.end());
  }

  /// From the end: what somebody reads, and all readers of which wait.
  void find_what_may_wait() {
    for (auto i = _members.rbegin(); i != _members.rend(); ++i) {
      bool read = false, wait = true;
      _pending.for_each_after(*i, [&](std::size_t reader) {
        read = true;
        wait = wait && (_joined.contains(reader) ? _waits.contains(reader) : fits(reader, *i));
      });
      if (read && wait) _waits.insert(*i);
    }
  }

  /// What may wait, by vectors that it reads or makes in common, sources apart.
  std::vector<std::vector<std::size_t>> groups() const {
    std::vector<std::size_t> waiting;
    std::vector<std::set<ValueId>> touched;
    for (std::size_t i : _members) {
      if (!_waits.contains(i)) continue;
      waiting.push_back(i);
      touched.push_back({statement(i).out[0]});
      for_each_vector(i, [&](ValueId value) { touched.back().insert(value); });
    }
    std::vector<std::vector<std::size_t>> groups = groups_by_value(std::move(touched));
    for (std::vector<std::size_t>& group : groups) {
      for (std::size_t& i : group) i = waiting[i];
    }
    return groups;
  }

  /// Calls `visit` for each vector of memory that the statement reads element by element.
  template <class Visit>
  void for_each_vector(std::size_t i, const Visit& visit) const {
    for (std::size_t k = 0; k < statement(i).in.size(); ++k) {
      const ValueId value = statement(i).in[k];
      if (!reads_whole(statement(i), k) && !_maker.made_where_read(value)) visit(value);
    }
  }

  /// Writing and reading, an element each, of what readers outside of the sweep read.
  std::uint64_t bytes_saved(const std::vector<std::size_t>& group) const {
    std::uint64_t saved = 0;
    for (std::size_t i : group) {
      bool read_later = false;
      _pending.for_each_after(i, [&](std::size_t reader) { read_later |= !_joined.contains(reader); });
      if (read_later) saved += 2 * bytes(statement(i).out[0]);
    }
    return saved;
  }

  /// Reading again what is at hand: what the rest of the sweep reads or makes, which then is written as well, and what
  /// several statements read, as they may be in several sweeps later.
  std::uint64_t bytes_added(const std::vector<std::size_t>& group) const {
    std::set<ValueId> made, at_hand;
    std::map<ValueId, std::uint64_t> readers;
    for (std::size_t i : group) made.insert(statement(i).out[0]);
    for (std::size_t i : group) {
      for_each_vector(i, [&](ValueId value) { readers[value] += made.contains(value) ? 0 : 1; });
    }
    std::uint64_t added = 0;
    for (std::size_t i : _members) {
      const ValueId out = statement(i).out[0];
      if (made.contains(out)) continue;
      for_each_vector(i, [&](ValueId value) { at_hand.insert(value); });
      if (readers.contains(out) && at_hand.insert(out).second) added += bytes(out);
    }
    for (const auto& [value, count] : readers) {
      if (count > 0) added += (count - (at_hand.contains(value) ? 0 : 1)) * bytes(value);
    }
    return added;
  }

  const StatedProgram& _stated;
  const Block& _block;
  const Pending& _pending;
  const SweepMaker& _maker;
  const SpaceId _space;
  BitSet _joined, _waits;
  std::vector<std::size_t> _members;
};

}  // namespace

BitSet waiting_work(const StatedProgram& stated, const Block& block, const Pending& pending, const SweepMaker& maker) {
  BitSet waiting(block.statements.size());
  std::map<SpaceId, std::vector<std::size_t>> ready;
  pending.ready().for_each([&](std::size_t i) {
    const Statement& statement = block.statements[i];
    if (is_element_op(statement.op)) ready[maker.space_of(statement)].push_back(i);
  });
  for (const auto& [space, statements] : ready) {
    SweepAhead sweep(stated, block, pending, maker, space);
    for (std::size_t i : statements) sweep.join(i);
    sweep.find_waiting(waiting);
  }
  return waiting;
}

}  // namespace kasen::optimizer
