/// @file
/// What Vector and Shared have in common: a slot of the current session's recorder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/base/program.h"
#include "kasen/base/source_location.h"
#include "kasen/recording/slot.h"

namespace kasen::recording {

class Recorder;

/// The recorder of the current session. @throws ProgramError without a session.
Recorder& recorder();

inline SourceLine source_line(const SourceLocation& where) { return {where.file_name(), where.line()}; }

/// A slot just made for a primitive's result, on its way into a handle.
template <class T>
struct Result {
  SlotId slot;
};

class Handle {
 public:
  SlotId slot() const { return _slot; }
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

 private:
  SlotId _slot;
  std::uint32_t _session;  ///< a handle that outlives its session leaves the next one alone
};

}  // namespace kasen::recording
