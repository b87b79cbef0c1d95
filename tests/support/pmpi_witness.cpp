/// @file
/// Wrappers of the calls, each around the PMPI_ function of the same name.
#include "tests/support/pmpi_witness.h"

#include <mpi.h>

#include <map>
#include <vector>

namespace kasen::tests {
namespace {

std::map<std::string, Witness>& witnesses() {
  static std::map<std::string, Witness> by_name;
  return by_name;
}

Witness& witness_of(MPI_Comm communicator) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  PMPI_Comm_get_name(communicator, name, &length);
  return witnesses()[std::string(name, name + length)];
}

std::uint64_t size_of(MPI_Datatype type) {
  MPI_Count bytes = 0;
  PMPI_Type_size_x(type, &bytes);
  return static_cast<std::uint64_t>(bytes);
}

template <class Count>
void note_vectors(const Count* counts, MPI_Datatype type, MPI_Comm communicator) {
  Witness& seen = witness_of(communicator);
  int rank = 0, size = 1;
  PMPI_Comm_rank(communicator, &rank);
  PMPI_Comm_size(communicator, &size);
  const std::uint64_t bytes = size_of(type);
  for (int w = 0; w < size; ++w) {
    if (w == rank || counts[w] == 0) continue;
    seen.vector_bytes += static_cast<std::uint64_t>(counts[w]) * bytes;
    seen.vector_messages += 1;
  }
  seen.vector_calls += 1;
  if (sizeof(Count) > sizeof(int)) seen.vector_large_calls += 1;
}

void note_message(MPI_Count count, MPI_Datatype type, MPI_Comm communicator) {
  Witness& seen = witness_of(communicator);
  seen.vector_bytes += static_cast<std::uint64_t>(count) * size_of(type);
  seen.vector_messages += 1;
  seen.neighbour_messages += 1;
}

void note_reduction(MPI_Count count, MPI_Datatype type, MPI_Comm communicator) {
  witness_of(communicator).reduction_bytes.push_back(static_cast<std::uint64_t>(count) * size_of(type));
}

}  // namespace

Witness witness(const std::string& communicator) { return witnesses()[communicator]; }

void reset_witness() { witnesses().clear(); }

}  // namespace kasen::tests

using kasen::tests::note_message;
using kasen::tests::note_reduction;
using kasen::tests::note_vectors;

extern "C" {

int MPI_Alltoallv(const void* send, const int send_counts[], const int send_offsets[], MPI_Datatype send_type,
                  void* receive, const int receive_counts[], const int receive_offsets[], MPI_Datatype receive_type,
                  MPI_Comm communicator) {
  note_vectors(send_counts, send_type, communicator);
  return PMPI_Alltoallv(send, send_counts, send_offsets, send_type, receive, receive_counts, receive_offsets,
                        receive_type, communicator);
}

int MPI_Ialltoallv(const void* send, const int send_counts[], const int send_offsets[], MPI_Datatype send_type,
                   void* receive, const int receive_counts[], const int receive_offsets[], MPI_Datatype receive_type,
                   MPI_Comm communicator, MPI_Request* request) {
  note_vectors(send_counts, send_type, communicator);
  return PMPI_Ialltoallv(send, send_counts, send_offsets, send_type, receive, receive_counts, receive_offsets,
                         receive_type, communicator, request);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator) {
  note_reduction(count, type, communicator);
  return PMPI_Allreduce(send, receive, count, type, op, communicator);
}

int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                   MPI_Request* request) {
  note_reduction(count, type, communicator);
  return PMPI_Iallreduce(send, receive, count, type, op, communicator, request);
}

#if MPI_VERSION >= 4

int MPI_Alltoallv_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_offsets[],
                    MPI_Datatype send_type, void* receive, const MPI_Count receive_counts[],
                    const MPI_Aint receive_offsets[], MPI_Datatype receive_type, MPI_Comm communicator) {
  note_vectors(send_counts, send_type, communicator);
  return PMPI_Alltoallv_c(send, send_counts, send_offsets, send_type, receive, receive_counts, receive_offsets,
                          receive_type, communicator);
}

int MPI_Ialltoallv_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_offsets[],
                     MPI_Datatype send_type, void* receive, const MPI_Count receive_counts[],
                     const MPI_Aint receive_offsets[], MPI_Datatype receive_type, MPI_Comm communicator,
                     MPI_Request* request) {
  note_vectors(send_counts, send_type, communicator);
  return PMPI_Ialltoallv_c(send, send_counts, send_offsets, send_type, receive, receive_counts, receive_offsets,
                           receive_type, communicator, request);
}

int MPI_Isend_c(const void* send, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
                MPI_Request* request) {
  note_message(count, type, communicator);
  return PMPI_Isend_c(send, count, type, to, tag, communicator, request);
}

int MPI_Allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm communicator) {
  note_reduction(count, type, communicator);
  return PMPI_Allreduce_c(send, receive, count, type, op, communicator);
}

int MPI_Iallreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm communicator, MPI_Request* request) {
  note_reduction(count, type, communicator);
  return PMPI_Iallreduce_c(send, receive, count, type, op, communicator, request);
}

#else  // as comm/large_counts.h makes them, and comm/shared_reduction.cpp

int MPI_Allgather(const void* send, int count, MPI_Datatype type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm communicator) {
  note_reduction(count, type, communicator);
  return PMPI_Allgather(send, count, type, receive, receive_count, receive_type, communicator);
}

int MPI_Alltoallw(const void* send, const int send_counts[], const int send_offsets[], const MPI_Datatype send_types[],
                  void* receive, const int receive_counts[], const int receive_offsets[],
                  const MPI_Datatype receive_types[], MPI_Comm communicator) {
  int size = 1;
  PMPI_Comm_size(communicator, &size);
  std::vector<MPI_Count> bytes;
  for (int w = 0; w < size; ++w)
    bytes.push_back(send_counts[w] * static_cast<MPI_Count>(kasen::tests::size_of(send_types[w])));
  note_vectors(bytes.data(), MPI_BYTE, communicator);
  return PMPI_Alltoallw(send, send_counts, send_offsets, send_types, receive, receive_counts, receive_offsets,
                        receive_types, communicator);
}

int MPI_Isend(const void* send, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
              MPI_Request* request) {
  note_message(count, type, communicator);
  return PMPI_Isend(send, count, type, to, tag, communicator, request);
}

#endif

}  // extern "C"
