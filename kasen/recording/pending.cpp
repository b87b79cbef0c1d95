// Taking of pending work from the recorder as a program that can run, and what becomes of it afterwards.
#include <fmt/format.h>

#include <new>
#include <set>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/recording/recorder.h"

namespace kasen::recording {

const Stored* Recorder::computed(SlotId id) const {
  const Stored* stored = slot(id).stored.get();
  return stored && stored->state.kind != State::Kind::pre_reduced ? stored : nullptr;
}

void Recorder::require_readable(SlotId id, std::string_view what, SourceLine where) const {
  if (id == kEndedSlot) refuse(where, what, "a handle of a session that has ended");
  if (in_block()) refuse(where, what, "not allowed in a recorded block: it is recorded before it runs");
  if (slot(id).escaped) refuse(where, what, "the handle was made in a recorded block and used after it");
  if (!has_value(id, 0)) {
    refuse(
        where, what,
        fmt::format("the variable made at {} has no value{}", line_for(slot(id).where, where), why_without_value(id)));
  }
}

Pending Recorder::take(std::optional<SlotId> wanted) {
  const ValueId read_now = wanted ? read(*wanted, slot(*wanted).where) : kNone<ValueId>;
  std::set<ValueId> live;
  for (const Slot& s : _slots) {
    if (!s.used || s.escaped) continue;
    if (s.value != kNone<ValueId>) live.insert(s.value);
    if (s.stored) {
      const auto found = _pending.value_of.find(s.stored.get());
      if (found != _pending.value_of.end()) live.insert(found->second);
    }
  }
  Program& program = _pending.program;
  program.live_out.clear(), program.reducers.clear();  // of a call that found no memory
  for (ValueId value : live) program.live_out.push_back({value, value == read_now});
  for (std::size_t k = 0; k < program.live_in.size(); ++k) {
    const std::shared_ptr<Stored>& stored = _pending.live_in[k];
    const bool sole = stored.use_count() == 1 && (!stored->value.buffer || stored->value.buffer.use_count() == 1);
    program.live_in[k].dies = sole;
    program.live_in[k].state = stored->state;  // a matrix that was added since may have changed it
  }
  for (const runtime::Reducer& reducer : _reducers) {
    program.reducers.push_back({reducer.name, reducer.kind, reducer.type, is_exact(reducer)});
  }
  return std::exchange(_pending, {});
}

void Recorder::restore(Pending pending) { _pending = std::move(pending); }

void Recorder::lose(const char* why) noexcept {
  std::shared_ptr<const std::string> message;
  try {
    message = std::make_shared<const std::string>(why);
  } catch (const std::bad_alloc&) {
    message = _no_memory;
  }
  for (Slot& s : _slots) {
    if (!s.used || s.value == kNone<ValueId>) continue;
    s.value = kNone<ValueId>;
    s.lost = message;
  }
}

void Recorder::settle(std::span<const std::pair<ValueId, std::shared_ptr<Stored>>> results) {
  // Slots refer to pending values by id; stored ones that took part were live-ins and are replaced by the caller, who
  // updates the Stored itself.
  std::map<ValueId, std::shared_ptr<Stored>> by_value(results.begin(), results.end());
  for (const auto& [value, stored] : results) {
    if (!stored->given && stored->number == 0) stored->number = ++_num_stored;
  }
  for (Slot& s : _slots) {
    if (!s.used || s.value == kNone<ValueId>) continue;
    const auto found = by_value.find(s.value);
    if (found == by_value.end()) throw InternalError("a live value was not computed");
    s.stored = found->second;
    s.value = kNone<ValueId>;
  }
}

void Recorder::for_each_stored(const std::function<void(Stored&)>& visit) {
  std::set<Stored*> seen;
  for (Slot& s : _slots) {
    if (s.stored && seen.insert(s.stored.get()).second) visit(*s.stored);
  }
  for (const auto& stored : _pending.live_in) {
    if (seen.insert(stored.get()).second) visit(*stored);
  }
}

}  // namespace kasen::recording
