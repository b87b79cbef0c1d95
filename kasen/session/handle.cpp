#include "kasen/recording/handle.h"

#include <cstring>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/base/error.h"
#include "kasen/control.h"
#include "kasen/detail/operands.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/running.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"
#include "kasen/session/gather.h"

namespace kasen {

namespace recording {
namespace {

/// The recorder; null if no session is alive, as handles may end after it.
Recorder* alive_recorder = nullptr;
std::uint32_t number = 0;  ///< of the session

}  // namespace

void set_recorder(Recorder* recorder) {
  alive_recorder = recorder;
  ++number;
}

Recorder& recorder(SourceLine where) {
  if (alive_recorder == nullptr) refuse_without_session(where);
  return *alive_recorder;
}

SlotId record(Call call) {
  if (runtime::running.label != nullptr)
    refuse(call.where, call.name(), "not allowed in a function of elements: it runs on one element");
  Recorder& alive = recorder(call.where);
  return alive.record(std::move(call));
}

std::uint32_t session_number() { return number; }

void require_session(std::uint32_t of, std::string_view primitive, SourceLine where) {
  if (alive_recorder == nullptr) refuse_without_session(where);
  if (of != number) refuse(where, primitive, "a space or matrix of a session that has ended");
}

std::size_t block_depth() { return alive_recorder == nullptr ? 0 : alive_recorder->depth(); }

void require_made_in_block(std::size_t depth, std::string_view what) {
  if (alive_recorder != nullptr && depth < alive_recorder->depth()) alive_recorder->refuse_assignment(what);
}

Handle::Handle(SlotId slot) : _slot(slot) {}

Handle::Handle(SourceLocation where) : Handle(recorder(source_line(where)).make_slot(source_line(where))) {}

Handle::Handle(const Handle& other, SourceLocation where)
    : Handle(recorder(source_line(where)).copy_slot(other.slot(), source_line(where))) {}

Handle::Handle(std::vector<std::byte> shared, Type type, SourceLocation where) {
  Value about;
  about.kind = Value::Kind::shared;
  about.type = type;
  about.name = "value";
  auto stored =
      std::make_shared<Stored>(Stored{{nullptr, std::move(shared), true}, State::consistent({}), about, true});
  _slot = recorder(source_line(where)).stored_slot(std::move(stored), source_line(where));
}

Handle::~Handle() {
  if (alive_recorder != nullptr && _session == number) alive_recorder->drop(_slot);
}

SourceLine Handle::made_at() const { return recorder().made_at(slot()); }

void Handle::store(const Handle& from) { recorder().assign(slot(), from.slot()); }

void Handle::read_shared(void* into, std::size_t bytes, SourceLocation where) const {
  const Stored& stored = Session::current(where).engine().compute(slot(), "get", source_line(where));
  if (!stored.value.has) {
    refuse(source_line(where), "get", "the reduction of an empty vector by a function without identity has no value");
  }
  std::memcpy(into, stored.value.shared.data(), bytes);
}

void Handle::read_vector(void* into, std::size_t bytes, SourceLocation where) const {
  Engine& engine = Session::current(where).engine();
  const Stored& stored = engine.compute(slot(), "get", source_line(where));
  gather_everywhere(engine, stored, static_cast<std::byte*>(into), bytes, source_line(where));
}

std::uint64_t Handle::space_length(SourceLocation where) const {
  const SpaceId space = recorder(source_line(where)).space_of(slot(), source_line(where));
  return Session::current().engine().placement().space(space).length();
}

std::uint64_t Handle::element_bytes(SourceLocation where) const {
  return recorder(source_line(where)).type_of(slot(), source_line(where)).bytes;
}

std::uint64_t Handle::element_parts(SourceLocation where) const {
  return recorder(source_line(where)).type_of(slot(), source_line(where)).parts;
}

void record_while(RecordCondition condition, void* condition_context, RecordBody body, void* body_context, bool likely,
                  SourceLine where) {
  recorder(where).record_while([&] { return condition(condition_context); }, [&] { body(body_context); }, likely,
                               where);
}

void record_if(SlotId test, RecordBody then, void* then_context, RecordBody otherwise, void* otherwise_context,
               SourceLine where) {
  recorder(where).record_if(
      test, [&] { then(then_context); }, [&] { otherwise(otherwise_context); }, where);
}

SlotId keep(const Handle& handle) { return recorder().copy_slot(handle.slot(), handle.made_at()); }

}  // namespace recording

std::uint64_t detail::length_of(recording::SlotId slot, SourceLine where) {
  const SpaceId space = recording::recorder(where).space_of(slot, where);
  return Session::current().engine().placement().space(space).length();
}

Space detail::space_of(const recording::Handle& v, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  return {recording::recorder(line).space_of(v.slot(), line), length_of(v.slot(), line)};
}

Space Space::of_length(std::int64_t length, const std::string& as_given, SourceLocation where) {
  partition::Placement& placement = Session::current(where).engine().placement();
  if (length < 0) recording::refuse(recording::source_line(where), "Space", as_given + " is no length");
  return {placement.space(static_cast<std::uint64_t>(length)), static_cast<std::uint64_t>(length)};
}

Space separate_space(std::uint64_t length, const std::string& name, SourceLocation where) {
  partition::Placement& placement = Session::current(where).engine().placement();
  if (!std::in_range<std::int64_t>(length))
    recording::refuse(recording::source_line(where), "separate_space",
                      std::to_string(static_cast<std::int64_t>(length)) + " is no length");
  return {placement.separate_space(length, name), length};
}

}  // namespace kasen
