#include "kasen/recording/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "kasen/base/error.h"
#include "kasen/base/hash.h"
#include "kasen/base/source_line.h"
#include "kasen/runtime/activity_kernels.h"
#include "kasen/runtime/affine_kernel.h"
#include "optimizer/laws/changes.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::recording {

void refuse(SourceLine where, std::string_view primitive, const std::string& what) {
  throw ProgramError(fmt::format("{}[{}] {}", prefix_of(where), primitive, what));
}

std::string line_for(SourceLine where, SourceLine message) {
  if (message.line != 0 && std::string_view(where.file) == message.file) return fmt::format("line {}", where.line);
  return fmt::format("{}:{}", where.file, where.line);
}

namespace {

constexpr const char* kEnded = "a handle of a session that has ended";
constexpr const char* kSeparate = "separate_space has made one of them a space of its own";

/// Whether a container of the standard library makes the copy: its line is none that a user could find.
bool in_standard_library(const SourceLine& where) {
  return std::string_view(where.file).find("/include/c++/") != std::string_view::npos;
}

}  // namespace

Recorder::Recorder(LengthOf length_of, bool reproducible)
    : _length_of(std::move(length_of)), _reproducible(reproducible), _frames(1) {}

// ---- handles ----

SlotId Recorder::make_slot(SourceLine where) {
  SlotId id = static_cast<SlotId>(_slots.size());
  if (_free_slots.empty()) {
    _slots.emplace_back();
  } else {
    id = _free_slots.back();
    _free_slots.pop_back();
  }
  slot(id) = Slot{true, false, depth(), where, kNone<ValueId>, nullptr, nullptr};
  _frames.back().made.push_back(id);
  return id;
}

SlotId Recorder::copy_slot(SlotId from, SourceLine where) {
  if (from == kEndedSlot) refuse(where, "scope", kEnded);
  const SlotId to = make_slot(in_standard_library(where) ? slot(from).where : where);
  if (has_value(from, depth())) {
    share(from, to);
  } else {
    slot(to).lost = slot(from).lost;
    slot(to).moved = slot(from).moved;
  }
  return to;
}

void Recorder::share(SlotId from, SlotId to) {
  if (slot(from).stored && depth() == 0) {
    slot(to).stored = slot(from).stored;
  } else {
    store(to, read(from, slot(to).where));
  }
}

SlotId Recorder::stored_slot(std::shared_ptr<Stored> stored, SourceLine where) {
  const SlotId id = make_slot(where);
  if (!stored->given) stored->number = ++_num_stored;
  if (depth() == 0) {
    slot(id).stored = std::move(stored);
  } else {
    _frames.back().current[id] = live_in(stored);
  }
  return id;
}

void Recorder::assign(SlotId to, SlotId from) {
  if (to == kEndedSlot) refuse(made_at(from), "scope", kEnded);
  if (from == kEndedSlot) refuse(made_at(to), "scope", kEnded);
  if (to == from) return;
  if (slot(to).escaped) {
    refuse(slot(from).where, "scope",
           fmt::format("what is made here is stored to a handle made in a recorded block (at {}) after the block",
                       line_for(slot(to).where, slot(from).where)));
  }
  if (depth() == 0 && slot(from).stored && !slot(from).escaped) {
    slot(to).stored = slot(from).stored;
    slot(to).value = kNone<ValueId>;
    slot(to).lost = nullptr;
    slot(to).moved = false;
    return;
  }
  store(to, read(from, slot(to).where));
}

void Recorder::drop(SlotId id) {
  for (std::size_t d = 1; d < _frames.size(); ++d) {
    Frame& frame = _frames[d];
    if (slot(id).depth < d && frame.current.contains(id)) frame.ended = slot(id).where;
  }
  for (Frame& frame : _frames) {
    frame.current.erase(id);
    std::erase(frame.made, id);
  }
  slot(id) = Slot{};
  (in_block() ? _dropped_in_block : _free_slots).push_back(id);
}

void Recorder::forget(SlotId id) {
  Slot& s = slot(id);
  if (s.depth != depth()) return;
  s.moved = true;
  if (in_block()) {
    _frames.back().current.erase(id);
  } else {
    s.value = kNone<ValueId>;
    s.stored = nullptr;
  }
}

// ---- values ----

ValueId Recorder::new_value(const Value& value) {
  _pending.program.values.push_back(value);
  return static_cast<ValueId>(_pending.program.values.size() - 1);
}

ValueId Recorder::live_in(const std::shared_ptr<Stored>& stored) {
  const auto [entry, added] = _pending.value_of.try_emplace(stored.get(), kNone<ValueId>);
  if (added) {
    entry->second = new_value(stored->about);
    _pending.program.live_in.push_back({entry->second, {}, false});
    _pending.live_in.push_back(stored);
  }
  return entry->second;
}

bool Recorder::has_value(SlotId id, std::size_t at_depth) const {
  for (std::size_t d = at_depth; d > 0; --d) {
    if (_frames[d].current.contains(id)) return true;
  }
  return slot(id).value != kNone<ValueId> || slot(id).stored;
}

std::string Recorder::why_without_value(SlotId id) const {
  const Slot& s = slot(id);
  if (s.moved) return ", because it was moved into a call";
  return s.lost ? fmt::format(", because the run that was to compute it failed: {}", *s.lost) : "";
}

void Recorder::require_value(SlotId id, SourceLine where) const {
  if (id == kEndedSlot) refuse(where, "scope", kEnded);
  const Slot& s = slot(id);
  if (s.escaped) {
    refuse(where, "scope",
           fmt::format("a handle made in a recorded block (at {}) is used after the block", line_for(s.where, where)));
  }
  if (!has_value(id, depth())) {
    const std::string why = why_without_value(id);
    refuse(where, "scope",
           fmt::format("a variable (made at {}) is read {}", line_for(s.where, where),
                       why.empty() ? "before it has a value" : "and has no value" + why));
  }
}

ValueId Recorder::read(SlotId id, SourceLine where) {
  require_value(id, where);
  return read(id, depth(), where);
}

ValueId Recorder::read(SlotId id, std::size_t at_depth, SourceLine where) {
  if (at_depth == 0) return slot(id).stored ? live_in(slot(id).stored) : slot(id).value;
  if (const auto found = _frames[at_depth].current.find(id); found != _frames[at_depth].current.end()) {
    return found->second;
  }
  const ValueId outer = read(id, at_depth - 1, where);
  Frame& frame = _frames[at_depth];
  if (!frame.loop || slot(id).depth >= at_depth) return outer;
  // Read before it is stored: an argument, through every enclosing loop.
  Value value = about(outer);
  value.name = "argument";
  const ValueId argument = new_value(value);
  frame.arguments.push_back({id, argument, outer});
  frame.current[id] = argument;
  return argument;
}

void Recorder::store(SlotId id, ValueId value) {
  Slot& s = slot(id);
  const Frame& frame = _frames.back();
  if (depth() == 0) {
    s.value = value;
    s.stored = nullptr;
    s.lost = nullptr;
    s.moved = false;
    return;
  }
  if (s.depth < depth()) {
    if (!has_value(id, depth() - 1)) {
      refuse(frame.where, frame.loop ? "while_" : "if_",
             fmt::format("the variable made at {} is stored in the block and has no value before it{}",
                         line_for(s.where, frame.where), why_without_value(id)));
    }
    const ValueId before = read(id, depth(), frame.where);
    if (about(before).space != about(value).space) {
      refuse(
          frame.where, frame.loop ? "while_" : "if_",
          fmt::format("the variable made at {} changes its index space in the block: from length {} to length {}",
                      line_for(s.where, frame.where), _length_of(about(before).space), _length_of(about(value).space)));
    }
    if (about(before).type != about(value).type) {  // which C++ allows for rows alone
      refuse(frame.where, frame.loop ? "while_" : "if_",
             fmt::format("the rows of the variable made at {} change their width in the block: from {} to {} bytes",
                         line_for(s.where, frame.where), about(before).type.bytes, about(value).type.bytes));
    }
    std::vector<SlotId>& stored = _frames.back().stored;
    if (std::find(stored.begin(), stored.end(), id) == stored.end()) stored.push_back(id);
  }
  if (s.depth == depth()) s.moved = false;
  _frames.back().current[id] = value;
}

void Recorder::refuse_assignment(std::string_view what) const {
  const Frame& frame = _frames.back();
  refuse(
      frame.where, frame.loop ? "while_" : "if_",
      fmt::format("{0} that was made before the block is assigned in it, but is no variable of the program: it would "
                  "be the same in every run of the block. Make {0} in the block, as batch(all, number) of a Shared "
                  "number, which may be assigned",
                  what));
}

const Value& Recorder::about(SlotId id, SourceLine where) const {
  require_value(id, where);
  for (std::size_t d = depth(); d > 0; --d) {
    if (const auto found = _frames[d].current.find(id); found != _frames[d].current.end()) return about(found->second);
  }
  return slot(id).stored ? slot(id).stored->about : about(slot(id).value);
}

SpaceId Recorder::space_of(SlotId id, SourceLine where) const { return about(id, where).space; }

Type Recorder::type_of(SlotId id, SourceLine where) const { return about(id, where).type; }

// ---- primitives ----

// Functions, families and reducers are numbered by first appearance: which of them are equal, not what they are.

ReducerId Recorder::intern_reducer(FunctionKey key, const runtime::Reducer& content) {
  const auto [entry, added] = _reducer_ids.try_emplace(std::move(key), static_cast<ReducerId>(_reducers.size()));
  if (added) _reducers.push_back(content);
  runtime::Reducer& kept = _reducers[index_of(entry->second)];
  if (kept.combine.fold == nullptr) kept = content;  // until now known by laws only
  return entry->second;
}

FunctionId Recorder::intern_function(FunctionKey key) {
  if (key.type == nullptr) return kNone<FunctionId>;
  return _pending.functions.try_emplace(std::move(key), static_cast<FunctionId>(_pending.functions.size()))
      .first->second;
}

std::uint64_t Recorder::intern_family(const void* family) {
  if (family == nullptr) return 0;
  return _pending.families.try_emplace(family, _pending.families.size() + 1).first->second;
}

void Recorder::check_spaces(const Call& call, const Statement& statement) const {
  for (std::size_t k = 0; k < statement.in.size(); ++k) {
    const SpaceId space = about(statement.in[k]).space, first = about(statement.in[call.wholes]).space;
    if (k < call.wholes) continue;
    if (is_of_ends(statement)) {
      if (space != (is_at_outputs(statement, k) ? call.space : call.input_space)) refuse_end(call, k, space);
    } else if (call.input_space != kNone<SpaceId>) {
      if (space != call.input_space) refuse_product(call, space);
    } else if (space != first) {
      const std::uint64_t length = _length_of(space), needed = _length_of(first);
      refuse(call.where, call.name(),
             length != needed
                 ? fmt::format("lengths differ: vector 1 has {}, vector {} has {}", needed, k + 1 - call.wholes, length)
                 : fmt::format("index spaces differ: vectors 1 and {} both have length {}, but {}", k + 1 - call.wholes,
                               length, kSeparate));
    }
  }
}

void Recorder::refuse_product(const Call& call, SpaceId space) const {
  const bool by_rows = call.op == Op::mxv;
  const std::uint64_t length = _length_of(space), needed = _length_of(call.input_space);
  const std::uint64_t other = _length_of(call.space);
  std::string what = fmt::format("{} differ: the matrix is {} x {}, the vector has length {}, and ",
                                 length == needed ? "index spaces" : "lengths", by_rows ? needed : other,
                                 by_rows ? other : needed, length);
  if (length == needed) {
    what += kSeparate;
  } else {
    what += by_rows ? fmt::format("mxv, or multiply_transposed, takes one of length {}, a number per row", needed)
                    : fmt::format("mxvt, or multiply, takes one of length {}, a number per column", needed);
    if (space == call.space)
      what += by_rows ? "; mxvt, or multiply, would fit" : "; mxv, or multiply_transposed, would fit";
  }
  refuse(call.where, call.name(), what);
}

void Recorder::refuse_end(const Call& call, std::size_t position, SpaceId space) const {
  const bool of_rows = (call.op == Op::mxv) == (position < call.inputs);
  const SpaceId rows = call.op == Op::mxv ? call.input_space : call.space;
  const SpaceId columns = call.op == Op::mxv ? call.space : call.input_space;
  const std::uint64_t length = _length_of(space);
  const bool apart = length == _length_of(of_rows ? rows : columns);
  refuse(call.where, call.name(),
         fmt::format("{} differ: the matrix is {} x {}, and a vector over its {} has length {}{}",
                     apart ? "index spaces" : "lengths", _length_of(rows), _length_of(columns),
                     of_rows ? "rows" : "columns", length, apart ? fmt::format(", but {}", kSeparate) : ""));
}

/// What bytes tell of them: of a source its parameters, of other calls the numbers among the plain operands. What a
/// function has captured may well differ, as the address of a table.
void Recorder::keep_given(const Call& call) {
  std::string bytes = call.op == Op::source ? call.key.bytes : std::string();
  for (const Scalar& scalar : call.plain) append_bytes(bytes, &scalar.bits, sizeof scalar.bits);
  if (call.user_types != 0) append_bytes(bytes, &call.user_types, sizeof call.user_types);
  if (call.reducer != kNone<ReducerId>) {
    const std::vector<std::byte>& identity = _reducers[index_of(call.reducer)].identity;
    append_bytes(bytes, identity.data(), identity.size());
  }
  if (!bytes.empty()) _pending.given.push_back({hash_of(bytes), call.where});
}

namespace {

/// White boxes that compute the same are one function, wherever they are written, in products of both directions too;
/// so are, by their types and what they hold, all others.
FunctionKey key_of(Call& call) {
  if (!call.expression) return std::move(call.key);
  static constexpr char kWhiteBox = 0;
  FunctionKey key{&kWhiteBox, {}};
  const auto append = [&](const auto&... number) { (append_bytes(key.bytes, &number, sizeof number), ...); };
  append(is_matrix_op(call.op) ? Op::mxv : call.op, call.reducer);
  for (const Node& node : call.expression->nodes) {
    append(node.op, node.type, node.position, node.bits);
    for (const std::uint32_t in : node.in) append(in);
    if (node.op == Operator::plain) append(call.plain.at(node.position).bits);
  }
  return key;
}

/// The position of the vector, or of apply the Shared, that a white box returns as it is; -1: it computes something.
int returned_operand(const Call& call) {
  if (!call.expression || call.effect) return -1;
  const Node& result = call.expression->result();
  const bool is_operand = (call.op == Op::element && result.op == Operator::element) ||
                          (call.op == Op::apply && result.op == Operator::shared);
  return is_operand ? static_cast<int>(result.position) : -1;
}

}  // namespace

Call::Call() = default;
Call::Call(Call&& from) noexcept = default;
Call::~Call() = default;

SlotId Recorder::record(Call call) {
  Statement statement = statement_of(call);
  if (call.expression) look_into(call, statement);
  if (call.batch) statement.total = false;  // there may be no such batch
  statement.work.once.arithmetic += call.alone;
  statement.activity = activity_of(call);
  const Value value = value_of(call, statement);
  for (const FunctorLaw& law : call.laws) {
    // Laws speak of the argument's own type: an operation that changes it obeys none that Table 1 could use.
    if (about(statement.in[law.argument]).type != call.out) continue;
    runtime::Reducer known;
    known.type = call.out;
    statement.laws.push_back({law.kind, intern_reducer(law.over, known), law.argument});
  }
  const ValueId result = new_value(value);
  statement.out = {result};
  push(std::move(statement));
  const SlotId id = make_slot(call.where);
  store(id, result);
  return id;
}

/// What the call says of itself, with its operands, once they have been found to fit.
Statement Recorder::statement_of(Call& call) {
  Statement statement;
  statement.op = call.op;
  statement.wholes = call.wholes;
  for (SlotId id : call.vectors) statement.in.push_back(read(id, call.where));
  for (SlotId id : call.shareds) statement.shared.push_back(read(id, call.where));
  if (call.batch) {
    statement.shared.push_back(read(*call.batch, call.where));
    statement.of_batch = true;
  }
  statement.inputs = call.inputs;
  check_spaces(call, statement);
  keep_given(call);
  statement.matrix = call.matrix;
  statement.function = intern_function(key_of(call));
  statement.reducer = call.reducer;
  if (const auto known = _reducer_ids.find(call.combines); known != _reducer_ids.end())
    statement.combines = known->second;
  statement.family = intern_family(call.family);
  statement.reads_global = call.reads_global;
  statement.total = call.total;
  statement.effect = call.effect;
  statement.keeps_identity = call.keeps_identity;
  statement.returns = call.returns;
  statement.work = call.work;
  statement.where = call.where;
  statement.label =
      call.function.empty() ? std::string(call.primitive) : fmt::format("{}({})", call.primitive, call.function);
  statement.kernel = add_kernel(std::move(call.kernel));
  return statement;
}

/// What a white box computes, and what follows from that alone.
void Recorder::look_into(const Call& call, Statement& statement) {
  const Expression& expression = *call.expression;
  if (const int operand = returned_operand(call); operand >= 0) statement.returns = operand;
  statement.positive = call.op == Op::apply && optimizer::is_positive(expression, call.plain);
  statement.work = work_of(expression);
  statement.total = call.total && is_total(expression);
  if (call.op == Op::element && call.vectors.size() == 1) {
    if (const auto parts = optimizer::affine_parts(expression)) {
      statement.affine = {add_kernel(runtime::affine_kernel(Operator::multiply, parts->factor, call.plain)),
                          add_kernel(runtime::affine_kernel(Operator::add, parts->offset, call.plain)), parts->scale,
                          parts->shift};
    }
  }
  // With --reproducible what is only approximated obeys no law: its bits would be others.
  if (!_reproducible || !optimizer::approximates(expression)) statement.expression = call.expression;
}

/// The kernels that say which elements of a product's vector are active, where they may be asked for.
ActivityKernels Recorder::activity_of(const Call& call) {
  if (!is_matrix_op(call.op) || !call.may_be_active || call.batch) return {};
  const runtime::Reducer& reducer = _reducers[index_of(call.reducer)];
  if (!reducer.idempotent || reducer.identity.empty()) return {};
  return {add_kernel(runtime::all_active()), add_kernel(runtime::changed_elements(call.out.bytes)),
          add_kernel(runtime::elements_unlike(reducer.identity))};
}

/// What the call makes.
Value Recorder::value_of(const Call& call, const Statement& statement) const {
  Value value;
  value.kind = is_reduction(call.op) || call.op == Op::apply ? Value::Kind::shared : Value::Kind::vector;
  if (value.kind == Value::Kind::vector)
    value.space = call.space != kNone<SpaceId> ? call.space : about(statement.in.back()).space;
  value.type = call.out;
  value.name = std::string(call.primitive);
  return value;
}

KernelId Recorder::add_kernel(runtime::Kernel kernel) {
  _pending.kernels.push_back(std::move(kernel));
  return static_cast<KernelId>(_pending.kernels.size() - 1);
}

void Recorder::push(Statement statement) {
  Block& block = depth() == 0 ? _pending.program.top : _frames.back().block;
  block.statements.push_back(std::move(statement));
}

}  // namespace kasen::recording
