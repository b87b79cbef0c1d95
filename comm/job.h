/// @file
/// Start of a process in its job, and its end by signals, whatever happens to MPI.
#pragma once

#include <string>

namespace kasen::comm {

/// Local. To be called once, when MPI has started. Remembers the rank. If this process is alone in MPI though a
/// launcher has started it as one of many - the mpirun of another MPI than the program's does that - the job ends here
/// with one message and exit status 2: otherwise each process would do all the work and write the same files.
void enter_job();

/// Local. To be called before MPI starts. From then on a signal that asks the process to end (SIGINT, SIGTERM, SIGHUP,
/// SIGXCPU) removes temporary files (comm/temporary_name.h), and ends the process with one message and exit status 128
/// plus the signal's number; so does SIGPIPE, without a message. Signals that it ignores or handles already are left
/// alone, as SIGHUP is that UCX handles, on which MPICH may stand. A write beyond the limit on the size of files
/// becomes an error, not a signal.
void end_cleanly_on_requests();

/// Local. While requests are held, the first one is only kept, so that the work can be left at a place to go on from;
/// a second one, or 30 seconds, ends the process as above, and so does the end of holding if nobody has obeyed. (Slurm
/// waits as long before it kills.) Called after end_cleanly_on_requests().
void hold_requests(bool hold);
/// Local. The signal of a request that is kept; 0 if there is none.
int held_request();
/// Local. To be called when the process is about to end as it was asked to. Returns "ended by signal 15 (SIGTERM)".
std::string obey_request(int signal);

/// Local. To be called after MPI has started, as MPI may have a handler of its own. The same for crashes, which are
/// then dealt with as they were before.
void end_cleanly_on_crashes();

}  // namespace kasen::comm
