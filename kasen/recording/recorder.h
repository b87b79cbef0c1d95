/// @file
/// Class Recorder: turns calls of primitives and stores to handles into a Program in SSA form, with nested blocks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kasen/base/program.h"
#include "kasen/recording/function_key.h"
#include "kasen/recording/slot.h"
#include "kasen/runtime/kernel.h"

namespace kasen::recording {

/// A law that a functor declares: its reducer is known as a functor, not yet with an element type.
struct FunctorLaw {
  Law::Kind kind;
  FunctionKey over;  ///< as for intern_reducer
  std::uint8_t argument;
};

/// One call of a primitive, with types erased. Operands are slots in the order of the call. Each call in a program
/// makes one, so its special members are compiled once, in recorder.cpp.
struct Call {
  Call();
  Call(Call&& from) noexcept;
  Call& operator=(Call&&) = delete;
  ~Call();
  std::string_view name() const { return written.empty() ? primitive : written; }

  Op op{};
  std::string_view primitive;      ///< "mxvt"
  std::string_view written = {};   ///< "multiply": what the program calls, for messages; empty: the primitive
  std::string_view function = {};  ///< "divides"
  SourceLine where;
  std::span<const SlotId> vectors = {}, shareds = {};
  std::optional<SlotId> batch = {};      ///< of an MxV: the Shared that says which batch of its matrix it is of
  SpaceId space = kNone<SpaceId>;        ///< of a source, and of the result of an MxV or a keyed reduction
  SpaceId input_space = kNone<SpaceId>;  ///< an MxV's vector must be of this space
  std::uint32_t inputs = 0;              ///< as Statement::inputs: those behind them must be of the result's space
  Type out;
  runtime::Kernel kernel;
  FunctionKey key = {};          ///< of the kernel; none of a reduction, which its reducer describes
  FunctionKey combines = {};     ///< of element work on two vectors: of the reducer that it would be
  std::uint64_t user_types = 0;  ///< name_hash of the functions that the user gives
  std::span<const FunctorLaw> laws = {};
  ExpressionRef expression = {};
  Work work = {};                  ///< as declared, where there is no expression
  std::uint32_t alone = 0;         ///< operations of an application beside the function's, one after the other
  std::vector<Scalar> plain = {};  ///< the plain operands that are numbers
  MatrixId matrix = kNone<MatrixId>;
  ReducerId reducer = kNone<ReducerId>;
  const void* family = nullptr;  ///< a type_mark: of functions without state and of the types they work on
  bool reads_global = false;
  bool total = true;  ///< overridden by the expression of a white box
  bool effect = false;
  bool keeps_identity = false;  ///< as Statement::keeps_identity
  bool may_be_active = true;    ///< of an MxV: active elements of its vector may be looked for
  int returns = -1;             ///< as Statement::returns
  std::uint8_t wholes = 0;      ///< as Operation::wholes
};

/// A hash of the functions and plain values of a call, which must be equal on all workers.
struct GivenValue {
  std::uint64_t hash;
  SourceLine where;
};

/// The pending work: what has been recorded and not run.
struct Pending {
  Program program;
  std::vector<runtime::Kernel> kernels;          ///< by KernelId
  std::vector<std::shared_ptr<Stored>> live_in;  ///< parallel to program.live_in
  std::vector<GivenValue> given;                 ///< by all calls, in order
  // Numbers that stored values, functions and families have in the program.
  std::map<const Stored*, ValueId> value_of;
  std::map<FunctionKey, FunctionId> functions;
  std::map<const void*, std::uint64_t> families;
};

/// Gives the number of elements of a space, for messages.
using LengthOf = std::function<std::uint64_t(SpaceId)>;

class Recorder {
 public:
  /// @param reproducible see reproducible()
  explicit Recorder(LengthOf length_of, bool reproducible = false);

  /// Whether results are to have the same bits at any number of workers: what the calls of primitives record goes by
  /// it.
  bool reproducible() const { return _reproducible; }

  // ---- handles ----
  SlotId make_slot(SourceLine where);
  SlotId copy_slot(SlotId from, SourceLine where);
  /// A new slot that holds a stored value.
  SlotId stored_slot(std::shared_ptr<Stored> stored, SourceLine where);
  /// Stores the value of `from` in `to`. @throws ProgramError if there is no value to copy, or in a body if `to` had no
  /// value before it, has another length, or has escaped.
  void assign(SlotId to, SlotId from);
  void drop(SlotId slot);
  /// A call has read it, and nothing else will: it has no value any more until something is stored to it. What was made
  /// before the block around the call keeps its value, as the next iteration may read it.
  void forget(SlotId slot);
  void share(SlotId from, SlotId to);  ///< `to`, just made, gets the value of `from`

  // ---- primitives ----
  /// Records the call and gives a new slot with its result. @throws ProgramError with the call's line.
  SlotId record(Call call);
  /// The number of a reducer, by first appearance. `key` is of the functor, what it holds, and the element type;
  /// `content` is kept the first time.
  ReducerId intern_reducer(FunctionKey key, const runtime::Reducer& content);
  /// Of the value that a slot has: it is asked for, not read, so that the program stays as it is.
  SpaceId space_of(SlotId slot, SourceLine where) const;
  Type type_of(SlotId slot, SourceLine where) const;
  std::uint64_t length_of(SpaceId space) const { return _length_of(space); }
  SourceLine made_at(SlotId id) const { return id == kEndedSlot ? SourceLine() : slot(id).where; }

  // ---- blocks of statements; `condition` returns the slot of its result; each function is called once ----
  void record_while(const std::function<SlotId()>& condition, const std::function<void()>& body, bool likely,
                    SourceLine where);
  void record_if(SlotId test, const std::function<void()>& then, const std::function<void()>& otherwise,
                 SourceLine where);
  bool in_block() const { return _frames.size() > 1; }
  std::size_t depth() const { return _frames.size() - 1; }  ///< the number of blocks around
  /// Throws the ProgramError of something that was made before the innermost block, is assigned in it, and is no
  /// variable of the program.
  [[noreturn]] void refuse_assignment(std::string_view what) const;

  // ---- running ----
  /// Takes the program that computes what is pending, with all live handles' values as results, `read`, if any, with
  /// valid masters. Until one of the next three is called, handles refer to values of a program that is not here.
  Pending take(std::optional<SlotId> read);
  const Program& pending() const { return _pending.program; }  ///< as far as it is recorded
  /// After it has run: gives every slot with a value of it what was computed for that, which is among the `results`.
  void settle(std::span<const std::pair<ValueId, std::shared_ptr<Stored>>> results);
  /// If it could not start: makes it pending again, as if it had not been taken.
  void restore(Pending pending);
  /// If it failed: what it was to compute is lost, and reading that says `why`. Stored values remain.
  void lose(const char* why) noexcept;
  /// The slot's value if it is computed already and, if a vector, has valid masters; else null.
  const Stored* computed(SlotId slot) const;
  /// The slot's value, if it is computed; else null.
  std::shared_ptr<const Stored> stored(SlotId id) const { return slot(id).stored; }
  /// @throws ProgramError if a loop's body or a branch is being recorded, or the slot has no value.
  void require_readable(SlotId slot, std::string_view what, SourceLine where) const;
  std::span<const runtime::Reducer> reducers() const { return _reducers; }
  /// Calls `visit` for every stored value that a live handle refers to or pending work reads.
  void for_each_stored(const std::function<void(Stored&)>& visit);

 private:
  struct Argument {
    SlotId slot;
    ValueId argument, outer;
  };
  struct Frame {
    bool loop = false;
    Block block;
    std::map<SlotId, ValueId> current;  ///< values of slots that were read (loop) or stored in this block
    std::vector<SlotId> stored;         ///< in this block, of those from outside, in the order of the first stores
    std::vector<Argument> arguments;
    std::vector<SlotId> made;         ///< in the block, and not yet dropped
    std::optional<SourceLine> ended;  ///< where a handle from outside was made that was used and ended here
    SourceLine where;
  };

  Slot& slot(SlotId id) { return _slots[static_cast<std::size_t>(id)]; }
  const Slot& slot(SlotId id) const { return _slots[static_cast<std::size_t>(id)]; }
  ValueId new_value(const Value& value);
  const Value& about(ValueId value) const { return _pending.program.values[index_of(value)]; }
  const Value& about(SlotId id, SourceLine where) const;
  void require_value(SlotId id, SourceLine where) const;
  ValueId read(SlotId id, SourceLine where);
  ValueId read(SlotId id, std::size_t depth, SourceLine where);
  bool has_value(SlotId id, std::size_t depth) const;
  /// For messages: ", because ...", or nothing where it never had one.
  std::string why_without_value(SlotId id) const;
  void store(SlotId id, ValueId value);
  ValueId live_in(const std::shared_ptr<Stored>& stored);
  FunctionId intern_function(FunctionKey key);
  std::uint64_t intern_family(const void* family);
  Statement statement_of(Call& call);
  void look_into(const Call& call, Statement& statement);
  ActivityKernels activity_of(const Call& call);
  Value value_of(const Call& call, const Statement& statement) const;
  void check_spaces(const Call& call, const Statement& statement) const;
  /// Throws the ProgramError of an MxV whose vector is not of the space that its matrix needs.
  [[noreturn]] void refuse_product(const Call& call, SpaceId space) const;
  [[noreturn]] void refuse_end(const Call& call, std::size_t position, SpaceId space) const;
  void push(Statement statement);
  KernelId add_kernel(runtime::Kernel kernel);
  Frame pop_frame();
  void check_ends() const;
  void keep_given(const Call& call);
  void in_frame(bool loop, SourceLine where, const std::function<void()>& record_block);
  void close_loop(Frame frame, bool likely);

  LengthOf _length_of;
  bool _reproducible;
  std::vector<Slot> _slots;
  std::vector<SlotId> _free_slots;
  std::vector<SlotId> _dropped_in_block;  ///< not reused before the block ends, as its arguments refer to them
  std::vector<Frame> _frames;             ///< of the program, and of the blocks that are being recorded in each other
  Pending _pending;
  std::uint64_t _num_stored = 0;
  /// The reason for lost values when there is no memory for another text.
  std::shared_ptr<const std::string> _no_memory = std::make_shared<const std::string>("out of memory");
  std::vector<runtime::Reducer> _reducers;
  std::map<FunctionKey, ReducerId> _reducer_ids;
};

/// For sessions: the recorder of calls from now on; null: there is no session.
void set_recorder(Recorder* recorder);

/// Records a call with the current session's recorder. @throws ProgramError with the call's line, also without one.
SlotId record(Call call);

/// Throws ProgramError "FILE:LINE: [primitive] what"; without a line if it is not known.
[[noreturn]] void refuse(SourceLine where, std::string_view primitive, const std::string& what);
/// How a message that begins with `message` names the line `where`: "line 12", with the file if it is another one.
std::string line_for(SourceLine where, SourceLine message);

}  // namespace kasen::recording
