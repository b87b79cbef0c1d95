/// @file
/// Struct Contents: what a checkpoint holds beside the elements of vectors (docs/checkpoints.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/state.h"
#include "optimizer/plan/live_at.h"

namespace kasen::checkpoint {

inline constexpr std::uint32_t kNoVector = 0xffffffffu;

/// A vector whose elements are in the file: in global order, or, as partial results, those of each worker in turn.
struct SavedVector {
  std::uint64_t length = 0;  ///< of its space
  std::uint64_t element_bytes = 0;
  bool partial = false;
  ReducerId reducer = kNone<ReducerId>;  ///< of partial results
  std::vector<std::uint64_t> by_worker;  ///< of partial results: how many each worker has
};

/// A value of the plan that was live between two iterations.
struct SavedValue {
  ValueId value{}, origin{};         ///< as optimizer::origins
  std::uint32_t vector = kNoVector;  ///< where its elements are; of a Shared none
  bool partial = false;              ///< of a Shared: one partial result for each worker
  std::vector<std::uint8_t> has;     ///< of a Shared, by worker if partial
  std::vector<std::byte> bytes;      ///< of a Shared, by worker if partial
};

/// A vector that a handle referred to, or that the program has read.
struct SavedStored {
  std::uint64_t number = 0;  ///< as recording::Stored::number
  State state;
  std::uint32_t vector = kNoVector;  ///< where its elements are; kNoVector if the program makes it again
};

/// What a run gave for one of its results.
struct SavedResult {
  ValueId held{};  ///< results of one value become one
  State state;
  bool has = true;
  std::vector<std::byte> bytes;  ///< of a Shared
};

/// The products that a run has made with one side of a matrix.
struct ProductCount {
  MatrixId matrix{};
  Role::Side side{};
  std::uint64_t count = 0;
};

/// A run that has ended, or failed.
struct SavedRun {
  std::uint64_t program = 0, given = 0;  ///< hashes: of what was recorded, of functions and plain values
  std::vector<SavedResult> results;      ///< parallel to Program::live_out
  std::vector<ProductCount> products;
  std::string error;  ///< that all workers met, and the program has caught; empty: none
  int exit_status = 0;
};

/// The values that one name of `track` has had.
struct SavedSeries {
  std::string name;
  std::vector<double> values;
};

struct Contents {
  std::uint64_t executable = 0;                              ///< its hash
  std::string instruction_set;                               ///< of the library's kernels
  std::vector<std::pair<std::string, std::string>> options;  ///< those that results depend on, by name
  std::uint64_t placement = 0;                               ///< a hash of what is where
  std::vector<std::uint64_t> data;                           ///< hashes of what the program has read or made, in order
  std::vector<SavedRun> runs;
  std::vector<SavedStored> stored;  ///< alive
  std::vector<SavedStored> read;    ///< read by the program
  std::vector<SavedVector> vectors;
  std::vector<SavedSeries> series;
  // Of the run that was under way; without position, none was.
  optimizer::LoopPosition position;
  std::uint64_t program = 0, given = 0;
  std::uint64_t plan = 0;  ///< its fingerprint
  std::vector<SavedValue> values;
};

template <class A>
void visit(A& archive, SavedVector& r) {
  archive(r.length, r.element_bytes, r.partial, r.reducer, r.by_worker);
}
template <class A>
void visit(A& archive, SavedValue& r) {
  archive(r.value, r.origin, r.vector, r.partial, r.has, r.bytes);
}
template <class A>
void visit(A& archive, SavedStored& r) {
  archive(r.number, r.state, r.vector);
}
template <class A>
void visit(A& archive, SavedResult& r) {
  archive(r.held, r.state, r.has, r.bytes);
}
template <class A>
void visit(A& archive, ProductCount& r) {
  archive(r.matrix, r.side, r.count);
}
template <class A>
void visit(A& archive, SavedRun& r) {
  archive(r.program, r.given, r.results, r.products, r.error, r.exit_status);
}
template <class A>
void visit(A& archive, SavedSeries& r) {
  archive(r.name, r.values);
}
template <class A>
void visit(A& archive, Contents& r) {
  archive(r.executable, r.instruction_set, r.options, r.placement, r.data, r.runs, r.stored, r.read, r.vectors,
          r.series, r.position, r.program, r.given, r.plan, r.values);
}

}  // namespace kasen::checkpoint

namespace kasen {

template <class A>
void visit(A& archive, State& r) {
  archive(r.kind, r.reducer, r.roles);
}
template <class A>
void visit(A& archive, Role& r) {
  archive(r.matrix, r.side);
}

}  // namespace kasen
