#include "comm/large_counts.h"

#if MPI_VERSION < 4

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace kasen::comm {
namespace {

constexpr MPI_Count kMost = std::numeric_limits<int>::max();

/// A datatype of more bytes than an int counts is made of blocks of this size, and a last one.
constexpr MPI_Count kBlock = MPI_Count{1} << 30;

/// A datatype of so many bytes, which start at a displacement.
class Block {
 public:
  explicit Block(MPI_Count bytes, MPI_Aint displacement = 0) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> displacements;
    for (MPI_Count done = 0; done < bytes; done += kBlock) {
      lengths.push_back(static_cast<int>(std::min(kBlock, bytes - done)));
      displacements.push_back(displacement + static_cast<MPI_Aint>(done));
    }
    const auto blocks = static_cast<int>(lengths.size());
    _code = MPI_Type_create_hindexed(blocks, lengths.data(), displacements.data(), MPI_BYTE, &_type);
    if (_code == MPI_SUCCESS) _code = MPI_Type_commit(&_type);
  }
  /// MPI keeps what a call that is under way uses.
  ~Block() {
    if (_type != MPI_DATATYPE_NULL) MPI_Type_free(&_type);
  }
  Block(Block&& other) noexcept : _code(other._code), _type(other._type) { other._type = MPI_DATATYPE_NULL; }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  Block& operator=(Block&&) = delete;

  int code() const { return _code; }
  MPI_Datatype type() const { return _type; }

 private:
  int _code = MPI_SUCCESS;
  MPI_Datatype _type = MPI_DATATYPE_NULL;
};

/// What an MPI_Alltoallw takes of one side: an element for each worker that there is something for.
class Side {
 public:
  Side(const MPI_Count* counts, const MPI_Aint* displacements, int workers)
      : _counts(static_cast<std::size_t>(workers)), _displacements(_counts.size()), _types(_counts.size(), MPI_BYTE) {
    for (std::size_t w = 0; w < _counts.size(); ++w) {
      if (counts[w] == 0) continue;
      const Block& block = _blocks.emplace_back(counts[w], displacements[w]);
      if (block.code() != MPI_SUCCESS) _code = block.code();
      _counts[w] = 1;
      _types[w] = block.type();
    }
  }
  int code() const { return _code; }
  const int* counts() const { return _counts.data(); }
  const int* displacements() const { return _displacements.data(); }
  const MPI_Datatype* types() const { return _types.data(); }

 private:
  int _code = MPI_SUCCESS;
  std::vector<int> _counts, _displacements;
  std::vector<MPI_Datatype> _types;
  std::vector<Block> _blocks;
};

/// Calls with an int and a type that are as much as `count` elements of `type`.
int with_small_count(MPI_Count count, MPI_Datatype type, const auto& call) {
  if (count <= kMost) return call(static_cast<int>(count), type);
  int bytes = 0;
  if (const int code = MPI_Type_size(type, &bytes); code != MPI_SUCCESS) return code;
  const Block block(count * bytes);
  return block.code() == MPI_SUCCESS ? call(1, block.type()) : block.code();
}

int done(MPI_Request* request, int code) {
  *request = MPI_REQUEST_NULL;
  return code;
}

int size_of(MPI_Comm communicator) {
  int workers = 0;
  MPI_Comm_size(communicator, &workers);
  return workers;
}

std::vector<int> as_ints(const auto* numbers, int workers) { return {numbers, numbers + workers}; }

}  // namespace

int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype type, MPI_Datatype* result) {
  return with_small_count(count, type,
                          [&](int small, MPI_Datatype of) { return MPI_Type_contiguous(small, of, result); });
}

int MPI_Allreduce_c(const void* from, void* into, MPI_Count count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm communicator) {
  return MPI_Allreduce(from, into, static_cast<int>(count), type, op, communicator);
}

int MPI_Iallreduce_c(const void* from, void* into, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                     MPI_Request* request) {
  return MPI_Iallreduce(from, into, static_cast<int>(count), type, op, communicator, request);
}

int MPI_Isend_c(const void* from, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
                MPI_Request* request) {
  return with_small_count(count, type, [&](int small, MPI_Datatype of) {
    return MPI_Isend(from, small, of, to, tag, communicator, request);
  });
}

int MPI_Irecv_c(void* into, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
                MPI_Request* request) {
  return with_small_count(count, type, [&](int small, MPI_Datatype of) {
    return MPI_Irecv(into, small, of, from, tag, communicator, request);
  });
}

int MPI_Bcast_c(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator) {
  return with_small_count(count, type,
                          [&](int small, MPI_Datatype of) { return MPI_Bcast(data, small, of, root, communicator); });
}

int MPI_Ibcast_c(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator,
                 MPI_Request* request) {
  return done(request, MPI_Bcast_c(data, count, type, root, communicator));
}

int MPI_Allgather_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, MPI_Count, MPI_Datatype,
                    MPI_Comm communicator) {
  return with_small_count(count, type, [&](int small, MPI_Datatype of) {
    return MPI_Allgather(from, small, of, into, small, of, communicator);
  });
}

int MPI_Iallgather_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, MPI_Count count_of_each,
                     MPI_Datatype type_of_each, MPI_Comm communicator, MPI_Request* request) {
  return done(request, MPI_Allgather_c(from, count, type, into, count_of_each, type_of_each, communicator));
}

int MPI_Allgatherv_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, const MPI_Count counts[],
                     const MPI_Aint displacements[], MPI_Datatype type_of_each, MPI_Comm communicator) {
  const int workers = size_of(communicator);
  return MPI_Allgatherv(from, static_cast<int>(count), type, into, as_ints(counts, workers).data(),
                        as_ints(displacements, workers).data(), type_of_each, communicator);
}

int MPI_Iallgatherv_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, const MPI_Count counts[],
                      const MPI_Aint displacements[], MPI_Datatype type_of_each, MPI_Comm communicator,
                      MPI_Request* request) {
  return done(request, MPI_Allgatherv_c(from, count, type, into, counts, displacements, type_of_each, communicator));
}

int MPI_Alltoallv_c(const void* from, const MPI_Count from_counts[], const MPI_Aint from_displacements[], MPI_Datatype,
                    void* into, const MPI_Count into_counts[], const MPI_Aint into_displacements[], MPI_Datatype,
                    MPI_Comm communicator) {
  const int workers = size_of(communicator);
  const Side out(from_counts, from_displacements, workers), in(into_counts, into_displacements, workers);
  if (out.code() != MPI_SUCCESS) return out.code();
  if (in.code() != MPI_SUCCESS) return in.code();
  return MPI_Alltoallw(from, out.counts(), out.displacements(), out.types(), into, in.counts(), in.displacements(),
                       in.types(), communicator);
}

int MPI_Ialltoallv_c(const void* from, const MPI_Count from_counts[], const MPI_Aint from_displacements[],
                     MPI_Datatype from_type, void* into, const MPI_Count into_counts[],
                     const MPI_Aint into_displacements[], MPI_Datatype into_type, MPI_Comm communicator,
                     MPI_Request* request) {
  return done(request, MPI_Alltoallv_c(from, from_counts, from_displacements, from_type, into, into_counts,
                                       into_displacements, into_type, communicator));
}

}  // namespace kasen::comm

#endif
