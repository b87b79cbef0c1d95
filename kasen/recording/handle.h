/// @file
/// Class Handle, the base of Vector and Shared, which refers to a slot of the current session's recorder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kasen/base/program.h"
#include "kasen/base/source_location.h"
#include "kasen/recording/slot.h"

namespace kasen::recording {

class Recorder;

/// The recorder of the current session. @throws ProgramError without a session, with the line if there is one.
Recorder& recorder(SourceLine where = {});

/// Throws the ProgramError of a call without a session.
[[noreturn]] void refuse_without_session(SourceLine where);

/// The number of the current session, which no other session has had; without one, that of the time since the last.
std::uint32_t session_number();
/// Does nothing if the current session has this number. @throws ProgramError otherwise, or without a session.
void require_session(std::uint32_t number, std::string_view primitive, SourceLine where);

/// The number of recorded blocks around this call; 0 without a session.
std::size_t block_depth();
/// @throws ProgramError with the block's line if there are more, for something that is assigned and no variable of the
/// program. @param what "a Matrix"
void require_made_in_block(std::size_t depth, std::string_view what);

inline SourceLine source_line(const SourceLocation& where) { return {where.file_name(), where.line()}; }

/// A slot that was made for a primitive's result, on its way into a handle.
template <class T>
struct Result {
  SlotId slot;
};

class Handle {
 public:
  /// The slot; kEndedSlot once the handle's session has ended.
  SlotId slot() const { return _session == session_number() ? _slot : kEndedSlot; }
  SourceLine made_at() const;  ///< where the variable was made

 protected:
  explicit Handle(SourceLocation where);
  explicit Handle(SlotId slot);
  Handle(const Handle& other, SourceLocation where);
  Handle(std::vector<std::byte> shared, Type type, SourceLocation where);
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();

  void store(const Handle& from);
  void read_shared(void* into, std::size_t bytes, SourceLocation where) const;
  void read_vector(void* into, std::size_t bytes, SourceLocation where) const;
  std::uint64_t space_length(SourceLocation where) const;
  std::uint64_t element_bytes(SourceLocation where) const;
  std::uint64_t element_parts(SourceLocation where) const;

 private:
  SlotId _slot;
  std::uint32_t _session = session_number();  ///< so that a handle which outlives its session leaves the next one alone
};

}  // namespace kasen::recording
