/// @file
/// Launchers tell ranks and sizes in the environment, each under names of its own. Signal handlers use nothing but what
/// POSIX allows in them.
#include "comm/job.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>

#include "comm/failure.h"
#include "comm/mpi_call.h"
#include "comm/temporary_name.h"
#include "comm/worker.h"

namespace kasen::comm {
namespace {

// ---- Launchers -----------------------------------------------------------------------------------------------------

/// How launchers name the number of processes that they start, and the rank of each.
constexpr struct {
  const char* size;
  const char* rank;
} kLaunchers[] = {{"PMI_SIZE", "PMI_RANK"},
                  {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                  {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                  {"PALS_SIZE", "PALS_RANKID"},
                  {"FLUX_JOB_SIZE", "FLUX_TASK_RANK"},
                  {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

#ifdef OPEN_MPI
constexpr const char* kMpi = "Open MPI";
constexpr const char* kLauncher = "mpirun.openmpi";
constexpr const char* kRank = "OMPI_COMM_WORLD_RANK";  ///< in the environment, for MPI
constexpr const char* kToldByLauncher[] = {"OMPI_COMM_WORLD_SIZE"};
/// By which the launcher ends the others when one has failed, which has said why.
constexpr int kEndOfOthers = SIGTERM;
#else
constexpr const char* kMpi = "MPICH";
constexpr const char* kLauncher = "mpirun.mpich";
constexpr const char* kRank = "PMI_RANK";
constexpr const char* kToldByLauncher[] = {"PMI_FD", "PMI_PORT"};
constexpr int kEndOfOthers = SIGKILL;  ///< which nobody can tell of
#endif

int number(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : static_cast<int>(std::strtol(text, nullptr, 10));
}

/// The launcher that MPI has talked to: what others have left in the environment does not count.
bool started_by_own_launcher() {
  return std::any_of(std::begin(kToldByLauncher), std::end(kToldByLauncher),
                     [](const char* variable) { return std::getenv(variable) != nullptr; });
}

// ---- Signals -------------------------------------------------------------------------------------------------------

constexpr int kRequests[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
/// What the launcher needs to pass a message on.
constexpr long kForwardingMilliseconds = 200;

void pause_for(long milliseconds) {
  timespec left{milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (::nanosleep(&left, &left) != 0) continue;
}

/// A line on standard error, put together without the C library.
class Line {
 public:
  Line& text(const char* words) {
    while (*words != '\0' && _length < sizeof _line - 1) _line[_length++] = *words++;
    return *this;
  }
  Line& number(int value) {
    char digits[16];
    std::size_t count = 0;
    do digits[count++] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    while (count > 0 && _length < sizeof _line - 1) _line[_length++] = digits[--count];
    return *this;
  }
  void print() {
    _line[_length++] = '\n';
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, _line, _length);
  }

 private:
  char _line[160];
  std::size_t _length = 0;
};

const char* name_of(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGXCPU:
      return "SIGXCPU";
    case SIGALRM:
      return "SIGALRM";
    case SIGSEGV:
      return "SIGSEGV, an invalid access to memory";
    case SIGBUS:
      return "SIGBUS, memory that is not there";
    case SIGFPE:
      return "SIGFPE, a division of integers by zero or the like";
    case SIGILL:
      return "SIGILL, an instruction that this processor does not have";
    default:
      return "SIGABRT";
  }
}

Line& describe(Line& line, int signal) {
  return line.text("error: worker ")
      .number(worker())
      .text(" was ended by signal ")
      .number(signal)
      .text(" (")
      .text(name_of(signal))
      .text(")");
}

constexpr unsigned kGraceSeconds = 30;
volatile std::sig_atomic_t are_held = 0;      ///< whether requests are kept
volatile std::sig_atomic_t kept_request = 0;  ///< the signal
volatile std::sig_atomic_t is_obeyed = 0;

/// The launcher sends a request to all workers, and ends the others when the first has gone: worker 0 speaks for all.
/// Another speaks if it alone was meant.
extern "C" void end_on_request(int signal) {
  if (are_held != 0 && kept_request == 0 && signal != SIGPIPE) {
    kept_request = signal;
    ::alarm(kGraceSeconds);
    return;
  }
  if (signal == SIGALRM) signal = kept_request;
  remove_temporary_files();
  Line line;
  if (signal == SIGPIPE || signal == kEndOfOthers) {
    // Nobody reads on, as behind `| head`, which is no error; or there is another one's message.
  } else if (worker() == 0) {
    line.text("error: ended by signal ").number(signal).text(" (").text(name_of(signal)).text(")").print();
  } else {
    pause_for(3 * kForwardingMilliseconds);
    describe(line, signal).print();
  }
  pause_for(kForwardingMilliseconds);
  remove_temporary_files();  // worker 0 may have been about to create one
  ::_exit(128 + signal);
}

struct sigaction crash_before[NSIG];

/// Whoever dealt with crashes before, the system at last, does so next: the instruction fails again.
extern "C" void end_on_crash(int signal, siginfo_t* about, void*) {
  remove_temporary_files();
  Line line;
  describe(line, signal).print();
  pause_for(kForwardingMilliseconds);
  remove_temporary_files();  // worker 0 may just have opened one by its name, which makes it again
  ::sigaction(signal, &crash_before[signal], nullptr);
  if (about->si_code <= 0) ::raise(signal);  // no instruction has failed: it was sent, or is abort's
}

}  // namespace

void enter_job() {
  int rank = 0, size = 1;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  remember_worker(rank);
  if (size > 1 || started_by_own_launcher()) return;
  for (const auto& launcher : kLaunchers) {
    const int processes = number(launcher.size);
    if (processes <= 1) continue;
    if (number(launcher.rank) != 0) {
      // Its launcher ends all when the first has gone, without a word from here; the message must get out before.
      for (const int signal : kRequests) std::signal(signal, SIG_DFL);
      pause_for(2000);
      std::_Exit(2);
    }
    char message[320];
    std::snprintf(message, sizeof message,
                  "this is one of %d processes (%s), but each of them is alone: their launcher is not that of %s, with "
                  "which this program was built; start it with kasen-run, or with %s",
                  processes, launcher.size, kMpi, kLauncher);
    fail(message, 2);
  }
}

void end_cleanly_on_requests() {
  remember_worker(number(kRank));  // until MPI says it
  struct sigaction action {
  }, before{};
  ::sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // for requests that are held
  const auto handle = [&](int signal, void (*handler)(int)) {
    action.sa_handler = handler;
    ::sigaction(signal, nullptr, &before);
    if ((before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL) ::sigaction(signal, &action, nullptr);
  };
  for (const int signal : kRequests) handle(signal, end_on_request);
  handle(SIGXFSZ, SIG_IGN);
}

void hold_requests(bool hold) {
  are_held = hold ? 1 : 0;
  if (hold) {
    struct sigaction action {
    }, before{};
    ::sigfillset(&action.sa_mask);
    action.sa_handler = end_on_request;
    ::sigaction(SIGALRM, nullptr, &before);
    if ((before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL) ::sigaction(SIGALRM, &action, nullptr);
  } else if (kept_request != 0 && is_obeyed == 0) {
    std::raise(kept_request);
  }
}

int held_request() { return kept_request; }

std::string obey_request(int signal) {
  is_obeyed = 1;
  return "ended by signal " + std::to_string(signal) + " (" + name_of(signal) + ")";
}

void end_cleanly_on_crashes() {
  // One that ran out of stack has none for the handler.
  alignas(16) static char stack[1 << 14];
  stack_t spare{}, before{};
  spare.ss_sp = stack;
  spare.ss_size = sizeof stack;
  if (::sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) ::sigaltstack(&spare, nullptr);
  struct sigaction action {};
  action.sa_sigaction = end_on_crash;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  for (const int signal : kCrashes) ::sigaction(signal, &action, &crash_before[signal]);
}

}  // namespace kasen::comm
