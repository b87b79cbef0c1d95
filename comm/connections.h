/**
 * @file
 * The connections of MPI's workers at their end.
 */
#pragma once

namespace kasen::comm {

/**
 * Lets MPI_Finalize drop the connections to workers on other hosts and not close them. Collective over all workers; to
 * be called right before MPI_Finalize, when all messages have been received. On one host, a question about hosts is
 * all that it costs; on several, two barriers and a twentieth of a second.
 *
 * UCX closes a connection when the other side has answered what is open on it, which a worker that is through
 * MPI_Finalize's own closing does no more: one then waits for ever. On three hosts over TCP that were busy, ten of
 * twenty runs did not end (MPICH 4.0, UCX 1.13). Does nothing with Open MPI.
 */
void drop_connections_at_the_end();

}  // namespace kasen::comm
