/// @file
/// What this process is in its job, whatever happens to MPI: who started it, and which signals end it.
#pragma once

namespace kasen::comm {

/// Local, once, when MPI has started. Remembers the rank. If this process is alone in MPI though a launcher has started
/// it as one of many - Open MPI's mpirun does that to programs of MPICH - the job ends here with one message and exit
/// status 2: otherwise each process would do all the work and write the same files.
void enter_job();

/// From now on a signal that asks the process to end (SIGINT, SIGTERM, SIGHUP, SIGXCPU) removes temporary files
/// (comm/temporary_name.h), and ends the process with one message and exit status 128 and the signal's number; so does
/// SIGPIPE, without a message. Signals that it ignores or handles already are left alone. A write beyond the limit on
/// the size of files becomes an error, not a signal. Local, before MPI starts.
void end_cleanly_on_requests();

/// The same for crashes, which are then dealt with as they were before. Local, after MPI has started: it may have a
/// handler of its own.
void end_cleanly_on_crashes();

}  // namespace kasen::comm
