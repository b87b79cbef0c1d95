/// @file
/// The program that the recorder writes and the optimizer reads: SSA values, statements, nested blocks of statements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/expression.h"
#include "kasen/base/ids.h"
#include "kasen/base/scalar.h"
#include "kasen/base/source_line.h"
#include "kasen/base/state.h"

namespace kasen {

/// An element type; `hash` is its number, made from its name: equal for equal types, and on all workers.
struct Type {
  std::uint32_t bytes = 0;
  std::uint64_t hash = 0;
  std::uint32_t parts = 1;  ///< equal ones that an element has; what reads an element reads one of them
  bool row = false;         ///< of a Rows: numbers, or as many in each part; what makes a Type of another copies it
  /// Bytes that are touched where an element is read.
  std::uint32_t read_bytes() const { return bytes / parts; }
  bool operator==(const Type&) const = default;
};

/// A value of a program in SSA form: a vector or a Shared that one statement makes, or an argument of a block.
struct Value {
  enum class Kind : std::uint8_t { vector, shared };
  Kind kind = Kind::vector;
  SpaceId space = kNone<SpaceId>;  ///< of a vector
  Type type;
  std::string name;  ///< for people: the primitive that made it, or "argument"
};

enum class Op : std::uint8_t {
  source,         ///< constant, iota, random: a vector from nothing
  element,        ///< map and zip_with
  with_wholes,    ///< element work that also reads other vectors whole
  take,           ///< of a vector and keys: the vector's elements to which the keys lead
  reduce,         ///< vector to Shared
  fold,           ///< vectors to a Shared of another type: a step for each element, and a reducer of what steps make
  reduce_by_key,  ///< of keys and a vector: for each key, the elements that have it, reduced
  mxv,            ///< over columns
  mxvt,           ///< over rows
  apply,          ///< Shareds to Shared
  while_,
  if_,
  gather,      ///< inserted by the optimizer: pre_reduced to partitioned
  scatter,     ///< inserted by the optimizer: partitioned to consistent
  all_reduce,  ///< inserted by the optimizer: a Shared's partials to one value, known to all
};

inline bool is_matrix_op(Op op) { return op == Op::mxv || op == Op::mxvt; }
/// The sides of its matrix on which a product has its inputs and its outputs.
inline Role::Side input_side(Op product) { return product == Op::mxv ? Role::Side::row : Role::Side::column; }
inline Role::Side output_side(Op product) { return product == Op::mxv ? Role::Side::column : Role::Side::row; }
/// Whether keys say which elements of another vector the operation reads or makes.
inline bool follows_keys(Op op) { return op == Op::take || op == Op::reduce_by_key; }
/// Whether the operation reads vectors of other spaces, which every worker holds all of.
inline bool reads_wholes(Op op) { return op == Op::take || op == Op::with_wholes; }
/// Whether the operation makes a Shared of elements, as partial results first.
inline bool is_reduction(Op op) { return op == Op::reduce || op == Op::fold; }
/// Whether it reduces elements, by key or to a Shared: its result is complete when all have been seen, and not before.
inline bool is_any_reduction(Op op) { return is_reduction(op) || op == Op::reduce_by_key; }
/// Whether the operation works on elements: element work, sources, reductions, and what follows keys or reads wholes.
inline bool is_element_op(Op op) {
  return op == Op::source || op == Op::element || op == Op::with_wholes || is_reduction(op) || follows_keys(op);
}
inline bool is_transition(Op op) { return op == Op::gather || op == Op::scatter || op == Op::all_reduce; }

/// A law that a function obeys at one of its vector arguments with respect to one reducer (docs/model.md).
struct Law {
  enum class Kind : std::uint8_t {
    exchange,      ///< F(R(a,b)) = R(F(a),F(b)): rule 10
    pushdown,      ///< F(R(a,b)) = R(F(a),b) = R(a,F(b)): rules 11 and 15
    distributive,  ///< F(R(a,b),c) = R(F(a,c),F(b,c)): rule 14
    affine,        ///< F is c*x + d and R is plus: rule 10 for c*x, then rule 11 for + d
  };
  Kind kind;
  ReducerId over;
  std::uint8_t argument;  ///< position among the statement's vectors
  bool operator==(const Law&) const = default;
};

/// Which of the built-in functors a reducer is.
enum class ReducerKind : std::uint8_t {
  other,
  plus,
  times,
  minimum,
  maximum,
  logical_or,
  logical_and,
  bit_or,
  bit_and,
  bit_xor,
};

/// Whether R(a, a) = a.
inline bool is_idempotent(ReducerKind kind) {
  return kind == ReducerKind::minimum || kind == ReducerKind::maximum || kind == ReducerKind::logical_or ||
         kind == ReducerKind::logical_and || kind == ReducerKind::bit_or || kind == ReducerKind::bit_and;
}

/// The facts that the optimizer knows of a reducer.
struct ReducerInfo {
  std::string name;
  ReducerKind kind = ReducerKind::other;
  Type type = {};
  bool exact = false;  ///< has the same bits in any order and grouping
};

/// The two maps by which a map by c*x + d may be replaced: `scale` computes c * v0 (exchange law over plus), `shift`
/// computes v0 + d from its result (pushdown law). Both kernels read the same Shareds as the whole.
struct AffineSplit {
  KernelId scale_kernel = kNone<KernelId>, shift_kernel = kNone<KernelId>;
  ExpressionRef scale, shift;
  explicit operator bool() const { return scale_kernel != kNone<KernelId>; }
};

/// Kernels that say of a vector which of its elements are active: a byte for each, 1 or 0. The optimizer's pass
/// `semi-naive` uses them. Vectors are of the type of the product's results. Padding is compared too, so that an
/// element of a struct may be active for nothing.
struct ActivityKernels {
  KernelId all = kNone<KernelId>;      ///< a source: every element
  KernelId changed = kNone<KernelId>;  ///< of two vectors: where their bytes differ
  KernelId present = kNone<KernelId>;  ///< of one vector: where its bytes are not those of the reducer's identity
  explicit operator bool() const { return all != kNone<KernelId>; }
};

/// A function applied to vectors and Shareds, which a statement of a program asks for and a launch of a plan runs.
/// `in` are vectors (of apply: none), `shared` the Shared operands, both in the order of the user's call. A product
/// of one vector that the optimizer has given a second one reads only those elements of the first whose byte in the
/// second is 1, or all.
struct Operation {
  Op op{};
  KernelId kernel = kNone<KernelId>;
  ReducerId reducer = kNone<ReducerId>;  ///< of reduce, fold, reduce_by_key, mxv, mxvt, gather, all_reduce
  std::vector<ValueId> in, shared, out;
  std::uint8_t wholes = 0;      ///< of take and with_wholes: how many of `in`, the first ones, are read whole
  bool reads_global = false;    ///< a source that needs global indices
  bool keeps_identity = false;  ///< mxv, mxvt: of its reducer's identity its function makes the identity
  /// mxv, mxvt of both ends: so many of `in` have an element for each input, and those behind them one for each output;
  /// its function gets those at both ends of a non-zero. 0: of one vector, which has one for each input.
  std::uint32_t inputs = 0;
  bool of_batch = false;  ///< mxv, mxvt of a matrix in batches: the one Shared, a std::int64_t, says of which batch
  /// mxv, mxvt in a loop, with a second vector: where that is 0, the first is its reducer's identity, byte by byte. Set
  /// by the optimizer's pass `semi-naive`.
  bool frontier = false;
  /// mxv, mxvt of active elements, in a loop to a fixpoint that does not depend on the order in which elements change:
  /// a worker may push on from what it has improved before it exchanges anything. Set by the pass `fixpoints`.
  bool settles = false;
  /// One that settles and passes on an element as it is, along both directions of a matrix: elements that its non-zeros
  /// connect end alike, and a worker may give each of them the best of all that it has. Set by the pass `fixpoints`.
  bool connects = false;
  /// In a loop: its elements may change though those of its vectors stay, and products of active elements give nothing,
  /// as it depends on a Shared that changes. Set by the optimizer's pass `delta-loops`.
  bool varies = false;
  /// In a loop: a value of its elements at which other work does not vary that does so at others. Set by `delta-loops`.
  std::optional<Scalar> rest;
  Work work;          ///< of one application, without reducing; of a black box as declared
  std::string label;  ///< for people: "zip_with(divides)"
  SourceLine where;
};

/// Whether an MxV is of both ends of non-zeros.
inline bool is_of_ends(const Operation& operation) { return operation.inputs > 0; }
/// Whether the vector at `position` has an element for each output of an MxV, and not for each input.
inline bool is_at_outputs(const Operation& operation, std::size_t position) {
  return is_of_ends(operation) && position >= operation.inputs;
}
/// The side of its matrix on which an MxV has the elements of the vector at `position`.
inline Role::Side side_of(const Operation& operation, std::size_t position) {
  return is_at_outputs(operation, position) ? output_side(operation.op) : input_side(operation.op);
}
/// Whether an MxV has been given a vector that says which elements are active.
inline bool is_of_active(const Operation& operation) {
  return is_matrix_op(operation.op) && !is_of_ends(operation) && operation.in.size() > 1;
}

/// The Shared that says of which batch of its matrix an MxV is; none if it is of a whole matrix.
inline ValueId batch_of(const Operation& operation) {
  return operation.of_batch ? operation.shared.at(0) : kNone<ValueId>;
}

/// Whether all of the vector at `position` has to be there before the operation begins: it is of a space of its own,
/// into which keys lead, or of which a function gets all elements; or an MxV reads it beside its inputs.
inline bool reads_whole(const Operation& operation, std::size_t position) {
  return position < operation.wholes || is_at_outputs(operation, position);
}

struct Statement;

/// Statements in program order. In the body of a while_ the first `condition_length` statements compute `test`;
/// `condition_yields` and `yields` give, per argument, its value after the condition and at the end of the body.
struct Block {
  std::vector<ValueId> arguments;
  std::vector<Statement> statements;
  std::size_t condition_length = 0;
  ValueId test = kNone<ValueId>;
  std::vector<ValueId> condition_yields;
  std::vector<ValueId> yields;
};

/// while_: `in` are the arguments' initial values, `out` their values after the loop, both parallel to the region's
/// arguments (vectors and Shareds alike), regions = {body}.
/// if_: shared = {test}, regions = {then, otherwise} without arguments, `out` parallel to both regions' yields.
struct Statement : Operation {
  MatrixId matrix = kNone<MatrixId>;        ///< of mxv, mxvt
  FunctionId function = kNone<FunctionId>;  ///< equal: the same function, equal plain values; kNone: unlike all
  std::uint64_t family = 0;  ///< mxv, mxvt: one kernel can run several of the same non-zero family at once
  bool likely = false;       ///< while_: the condition may be assumed to hold
  bool on_masters = false;   ///< element work, by the optimizer's choice: on partitioned vectors only
  bool total = true;         ///< defined for every argument, so may be computed and dropped
  bool effect = false;       ///< run for what it does: never dropped, nor moved out of its block
  bool positive = false;     ///< apply of one number: true where that is more than 0, false where it is 0
  int returns = -1;          ///< position of the operand that is the result (of apply among `shared`); -1: not known
  std::vector<Law> laws;     ///< declared by the user; `derive-laws` adds to them
  ExpressionRef expression;  ///< what a white box computes: of element work, fold (step), mxv and mxvt (f_z), apply
  AffineSplit affine;        ///< of a map that is c*x + d and obeys no law over plus as it is
  ActivityKernels activity;  ///< of mxv, mxvt whose reducer is idempotent
  ReducerId combines = kNone<ReducerId>;  ///< of element work on two vectors: the reducer whose function it applies
  std::vector<Block> regions;
};

/// Whether two MxVs walk the same non-zeros.
inline bool are_of_one_matrix(const Statement& a, const Statement& b) {
  return a.matrix == b.matrix && batch_of(a) == batch_of(b);
}
/// Whether an MxV never pulls. Batches of a matrix are stored by rows alone: by columns, each would need a pointer for
/// every column.
inline bool only_pushes(const Operation& operation) { return operation.of_batch && operation.op == Op::mxv; }

/// A vector or Shared that exists before the program runs. Shareds are known to all workers.
struct LiveIn {
  ValueId value;
  State state;
  bool dies = false;  ///< nobody but this program can read it any more: its buffer may be reused
};

/// A value that outlives the program: Shareds become consistent, vectors keep the state they have,
/// unless `partitioned` asks for valid masters (it is about to be read).
struct LiveOut {
  ValueId value;
  bool partitioned = false;
};

struct Program {
  std::vector<Value> values;  ///< by ValueId
  Block top;
  std::vector<LiveIn> live_in;
  std::vector<LiveOut> live_out;
  std::vector<ReducerInfo> reducers;  ///< by ReducerId
};

}  // namespace kasen
