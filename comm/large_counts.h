/// @file
/// Calls of MPI-4 that count in MPI_Count. Where the library has MPI-3 alone, as Open MPI 4 does, functions of the same
/// names and arguments are here, made of what it has: what is more than an int counts is one element of a datatype of
/// that size. All return MPI's code. Collective ones with a request, but for MPI_Iallreduce_c, are through when they
/// return: their request is null.
#pragma once

#include <mpi.h>

#if MPI_VERSION < 4

namespace kasen::comm {

int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype type, MPI_Datatype* result);

/// At most INT_MAX numbers.
int MPI_Allreduce_c(const void* from, void* into, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator);
int MPI_Iallreduce_c(const void* from, void* into, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator,
                     MPI_Request* request);

int MPI_Isend_c(const void* from, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
                MPI_Request* request);
int MPI_Irecv_c(void* into, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
                MPI_Request* request);
int MPI_Bcast_c(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator);
int MPI_Ibcast_c(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Request* request);

/// @param count, type the same as those of each
int MPI_Allgather_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, MPI_Count count_of_each,
                    MPI_Datatype type_of_each, MPI_Comm communicator);
int MPI_Iallgather_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, MPI_Count count_of_each,
                     MPI_Datatype type_of_each, MPI_Comm communicator, MPI_Request* request);

/// At most INT_MAX elements in all.
int MPI_Allgatherv_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, const MPI_Count counts[],
                     const MPI_Aint displacements[], MPI_Datatype type_of_each, MPI_Comm communicator);
int MPI_Iallgatherv_c(const void* from, MPI_Count count, MPI_Datatype type, void* into, const MPI_Count counts[],
                      const MPI_Aint displacements[], MPI_Datatype type_of_each, MPI_Comm communicator,
                      MPI_Request* request);

/// By MPI_Alltoallw, whatever the numbers are: no worker knows those of the others, and all have to make the same call.
/// @param from_type, into_type MPI_BYTE
int MPI_Alltoallv_c(const void* from, const MPI_Count from_counts[], const MPI_Aint from_displacements[],
                    MPI_Datatype from_type, void* into, const MPI_Count into_counts[],
                    const MPI_Aint into_displacements[], MPI_Datatype into_type, MPI_Comm communicator);
int MPI_Ialltoallv_c(const void* from, const MPI_Count from_counts[], const MPI_Aint from_displacements[],
                     MPI_Datatype from_type, void* into, const MPI_Count into_counts[],
                     const MPI_Aint into_displacements[], MPI_Datatype into_type, MPI_Comm communicator,
                     MPI_Request* request);

}  // namespace kasen::comm

#endif
