/// @file
/// Elements of vectors on their way to a checkpoint and back, whatever worker has them then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "kasen/base/state.h"
#include "kasen/checkpoint/contents.h"
#include "kasen/runtime/kernel.h"
#include "partition/placement.h"

namespace kasen::io {
class Hdf5File;
class Hdf5Output;
}  // namespace kasen::io

namespace kasen::checkpoint {

/// A vector as this worker has it.
struct LocalVector {
  const std::byte* elements = nullptr;  ///< by local index: masters, and what replicas its state speaks of
  SpaceId space{};
  std::uint32_t element_bytes = 0;
  State state;
};

/// Vectors that are to be written to one file.
class VectorsToWrite {
 public:
  VectorsToWrite(const comm::Communicator& workers, const partition::Placement& placement)
      : _workers(&workers), _placement(&placement) {}

  /// Collective. Takes a copy: this worker's block in global order, or its partial results. Cost: of elements that are
  /// not in blocks an all-to-all. @return its number. @throws AgreedError without memory
  std::uint32_t add(const LocalVector& vector);
  /// Local. Hands all to the file, which must be committed while this object lives.
  void add_to(io::Hdf5Output& file) const;

  const std::vector<SavedVector>& saved() const { return _saved; }
  std::uint64_t bytes() const { return _bytes; }                ///< this worker's, that were taken
  std::uint64_t bytes_predicted() const { return _predicted; }  ///< of all workers, from lengths and counts of replicas

 private:
  struct Block {
    std::vector<std::byte> elements;
    std::vector<GlobalIndex> index;  ///< of partial results
  };
  const comm::Communicator* _workers;
  const partition::Placement* _placement;
  std::vector<SavedVector> _saved;
  std::vector<Block> _blocks;
  std::uint64_t _bytes = 0, _predicted = 0;
};

/// The vectors of one file. All is local; each worker reads the whole of a vector, and keeps what it has a place for.
class VectorsToRead {
 public:
  /// @param same_placement whether every element is where it was when the file was written. All must outlive it.
  VectorsToRead(const io::Hdf5File& file, const std::vector<SavedVector>& saved, const partition::Placement& placement,
                Rank rank, bool same_placement)
      : _file(&file), _saved(&saved), _placement(&placement), _rank(rank), _same_placement(same_placement) {}

  /// Fills `into`, by local index, as `wanted` says. Partial results stay as they were where everything is at the same
  /// place; elsewhere they are combined, and of pre-reduced vectors replicas get the reducer's identity.
  /// @throws InputError if the file does not have them so
  void read(std::uint32_t vector, SpaceId space, const State& wanted, std::span<const runtime::Reducer> reducers,
            std::span<std::byte> into);

 private:
  using Local = std::pair<GlobalIndex, LocalIndex>;
  const std::vector<Local>& locals(SpaceId space);
  void read_values(std::uint32_t vector, SpaceId space, std::span<std::byte> into);
  void read_same_partials(std::uint32_t vector, SpaceId space, const RoleSet& roles, std::span<std::byte> into);
  void combine_partials(std::uint32_t vector, SpaceId space, const runtime::Reducer& reducer,
                        std::span<std::byte> into);

  const io::Hdf5File* _file;
  const std::vector<SavedVector>* _saved;
  const partition::Placement* _placement;
  Rank _rank;
  bool _same_placement;
  std::map<SpaceId, std::vector<Local>> _locals;  ///< ascending
};

/// The datasets of a checkpoint's vectors, in order of their numbers.
std::vector<std::string> datasets_of(const std::vector<SavedVector>& saved);

}  // namespace kasen::checkpoint
