#include "kasen/recording/handle.h"

#include <cstring>

#include "kasen/arrays.h"
#include "kasen/base/error.h"
#include "kasen/control.h"
#include "kasen/engine.h"
#include "kasen/gather.h"
#include "kasen/recording/recorder.h"
#include "kasen/session.h"

namespace kasen {

namespace recording {
namespace {

/// Null once no session is alive: handles may end after it.
Recorder* alive_recorder = nullptr;
std::uint32_t session_number = 0;

}  // namespace

void set_recorder(Recorder* recorder) {
  alive_recorder = recorder;
  ++session_number;
}

Recorder& recorder() {
  if (alive_recorder == nullptr) throw ProgramError("no kasen::Session is alive: make one first in main");
  return *alive_recorder;
}

Handle::Handle(SlotId slot) : _slot(slot), _session(session_number) {}

Handle::Handle(SourceLocation where) : Handle(recorder().make_slot(source_line(where))) {}

Handle::Handle(const Handle& other, SourceLocation where)
    : Handle(recorder().copy_slot(other._slot, source_line(where))) {}

Handle::Handle(std::vector<std::byte> shared, Type type, SourceLocation where) : _session(session_number) {
  Value about;
  about.kind = Value::Kind::shared;
  about.type = type;
  about.name = "value";
  auto stored = std::make_shared<Stored>(Stored{{nullptr, std::move(shared), true}, State::consistent({}), about});
  _slot = recorder().stored_slot(std::move(stored), source_line(where));
}

Handle::~Handle() {
  if (alive_recorder != nullptr && _session == session_number) alive_recorder->drop(_slot);
}

SourceLine Handle::made_at() const { return recorder().made_at(_slot); }

void Handle::store(const Handle& from) { recorder().assign(_slot, from._slot); }

void Handle::read_shared(void* into, std::size_t bytes, SourceLocation where) const {
  const Stored& stored = Session::current().engine().compute(_slot, "get", source_line(where));
  if (!stored.value.has) {
    refuse(source_line(where), "get", "the reduction of an empty vector by a function without identity has no value");
  }
  std::memcpy(into, stored.value.shared.data(), bytes);
}

void Handle::read_vector(void* into, std::size_t bytes, SourceLocation where) const {
  Engine& engine = Session::current().engine();
  const Stored& stored = engine.compute(_slot, "get", source_line(where));
  gather_everywhere(engine, stored, static_cast<std::byte*>(into), bytes);
}

std::uint64_t Handle::space_length(SourceLocation where) const {
  const SpaceId space = recorder().space_of(_slot, source_line(where));
  return Session::current().engine().placement().space(space).length();
}

void record_while(RecordCondition condition, void* condition_context, RecordBody body, void* body_context, bool likely,
                  SourceLine where) {
  recorder().record_while([&] { return condition(condition_context); }, [&] { body(body_context); }, likely, where);
}

void record_if(SlotId test, RecordBody then, void* then_context, RecordBody otherwise, void* otherwise_context,
               SourceLine where) {
  recorder().record_if(
      test, [&] { then(then_context); }, [&] { otherwise(otherwise_context); }, where);
}

SlotId keep(const Handle& handle) { return recorder().copy_slot(handle.slot(), handle.made_at()); }

}  // namespace recording

Space::Space(std::uint64_t length) : _id(Session::current().engine().placement().space(length)), _length(length) {}

Space separate_space(std::uint64_t length, const char* name) {
  return {Session::current().engine().placement().separate_space(length, name), length};
}

}  // namespace kasen
