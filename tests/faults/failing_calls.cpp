/// @file
/// Preloaded into a program of Kasen: makes one call of a kind fail, the n-th after MPI has started, on the workers
/// that are asked for. What it counts, on each worker for itself:
///
/// - `allocation`: operator new, malloc and its kin, and anonymous mmap, called by anybody but HDF5, MPI and what MPI
///   stands on: those may crash or end the process themselves when they get no memory, which no caller can change.
/// - `hdf5-allocation`: those of HDF5.
/// - `mpi`: calls of MPI made by Kasen. A call that completes later counts when it does, so numbers do not depend on
/// time.
/// - `write`: what creates, fills, and names files in KASEN_FAULTS_FOLDER.
///
/// The environment says what fails: KASEN_FAULTS=KIND:N or KIND:N+ (all from N on); KASEN_FAULTS_WORKER, a rank (by
/// default all workers); KASEN_FAULTS_LOG, a file to which each worker appends what it did:
///   count WORKER KIND NUMBER    when MPI finalises: how many there were
///   first WORKER KIND N PLACE   a call from a place, of so many callers as KASEN_FAULTS_PLACES says, that has not
///                               called yet
///   failed WORKER KIND N NAME   the call that was made to fail
///
/// KASEN_FAULTS_SLOW, in microseconds, makes each call of the kind `write` take so long: then a worker that is killed
/// at a random moment is often killed while it writes.
///
/// With KASEN_FAULTS_FORKS=IN,OUT (descriptors), for one worker without a launcher, one run tries all: before each call
/// of the kind (of KASEN_FAULTS_STEP, one in so many; with KASEN_FAULTS_PLACES, before the first of each place) the
/// process forks, the child has the call fail and goes on to its end, and the parent tells how that was and goes on
/// without.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

namespace {

enum Kind { allocation, mpi, write_call, hdf5_allocation, kinds };
constexpr const char* kNames[kinds] = {"allocation", "mpi", "write", "hdf5-allocation"};

struct State {
  bool counting = false;  ///< MPI runs
  bool busy = false;      ///< inside this library
  int places = 0;         ///< how many callers make a place
  bool child = false;     ///< has forked for one failure
  int kind = -1;          ///< that fails
  long n = 0;
  bool and_later = false;
  long count[kinds] = {};
  int rank = 0;
  int log = -1;
  int fork_in = -1, fork_out = -1;
  unsigned slow = 0;
  long step = 1;
  char folder[4096] = "";
} state;

/// Hides what is done here from the counters.
struct Busy {
  bool before = state.busy;
  Busy() { state.busy = true; }
  ~Busy() { state.busy = before; }
};

void note(const char* format, ...) {
  if (state.log < 0) return;
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  [[maybe_unused]] const auto written = syscall(SYS_write, state.log, line, static_cast<std::size_t>(length));
}

// ---- Who calls -----------------------------------------------------------------------------------------------------

enum Owner : std::uint8_t { others, mpi_stack, hdf5, transparent };
struct Range {
  std::uintptr_t begin, end;
  Owner owner;
};
Range ranges[1024];
int num_ranges = 0;

/// What MPI stands on is not ours; the C and C++ libraries act for whoever calls them.
Owner owner_of(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  for (const char* start : {"libmpi",     "libuc",     "libfabric", "libhwloc", "libpmi", "libpmix", "libnuma",
                            "libibverbs", "librdmacm", "libmlx",    "libpsm",   "libefa", "libxml2", "libpciaccess",
                            "libudev",    "libOpenCL", "libze_",    "libbfd",   "libdl",  "ld-linux"})
    if (std::strncmp(name, start, std::strlen(start)) == 0) return mpi_stack;
  if (std::strncmp(name, "libhdf5", 7) == 0) return hdf5;
  for (const char* start : {"libc.so", "libstdc++", "libm.so", "libgcc_s", "libkasen_failing_calls", "libkasen_yield"})
    if (std::strncmp(name, start, std::strlen(start)) == 0) return transparent;
  return others;
}

int take_object(dl_phdr_info* info, std::size_t, void*) {
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    if (info->dlpi_phdr[k].p_type != PT_LOAD || (info->dlpi_phdr[k].p_flags & PF_X) == 0 || num_ranges == 1024)
      continue;
    const std::uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
    ranges[num_ranges++] = {begin, begin + info->dlpi_phdr[k].p_memsz, owner_of(info->dlpi_name)};
  }
  return 0;
}

Owner owner_at(void* address) {
  const auto a = reinterpret_cast<std::uintptr_t>(address);
  for (int k = 0; k < num_ranges; ++k)
    if (a >= ranges[k].begin && a < ranges[k].end) return ranges[k].owner;
  return others;
}

/// Whose call this is, by the first frame that is not of the C and C++ libraries.
Owner owner_of_call(void* caller) {
  if (const Owner owner = owner_at(caller); owner != transparent) return owner;
  void* frames[24];
  const int depth = backtrace(frames, 24);
  for (int k = 0; k < depth; ++k)
    if (const Owner owner = owner_at(frames[k]); owner != transparent) return owner;
  return others;
}

// ---- What fails ----------------------------------------------------------------------------------------------------

constexpr int kPlaces = 1 << 18;
std::uint64_t places[kPlaces];

/// Whether nobody has called from here before; `place` says where that is.
bool is_new_place(int kind, std::uint64_t& place) {
  void* frames[14];
  const int depth = backtrace(frames, 14);
  std::uint64_t hash = 1469598103934665603u + static_cast<unsigned>(kind);
  int seen = 0;
  for (int k = 0; k < depth && seen < state.places; ++k) {
    if (owner_at(frames[k]) == transparent) continue;
    ++seen;
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[k])) * 1099511628211u;
  }
  place = hash | 1;
  for (std::uint64_t at = place % kPlaces;; at = (at + 1) % kPlaces) {
    if (places[at] == place) return false;
    if (places[at] != 0) continue;
    places[at] = place;
    return true;
  }
}

/// Tries this failure in a child. @return true in the child.
bool fails_in_child(const char* name) {
  const auto tell = [](const char* text) {
    [[maybe_unused]] const auto written = syscall(SYS_write, state.fork_out, text, std::strlen(text));
  };
  const auto wait_for_word = [] {
    char word = 0;
    while (syscall(SYS_read, state.fork_in, &word, 1) < 0 && errno == EINTR) continue;
    return word;
  };
  char line[256];
  std::snprintf(line, sizeof line, "try %ld %s\n", state.count[state.kind], name);
  tell(line);
  wait_for_word();
  const pid_t child = fork();
  if (child == 0) {
    state.child = true;
    alarm(10);
    return true;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::snprintf(line, sizeof line, "ended %d\n", status);
  tell(line);
  wait_for_word();
  return false;
}

/// Counts a call; whether it is to fail.
bool fails(Kind kind, const char* name) {
  if (!state.counting || state.busy) return false;
  const Busy busy;
  const long n = ++state.count[kind];
  std::uint64_t place = 0;
  const bool is_new = state.places > 0 && is_new_place(kind, place);
  if (is_new && state.fork_out < 0)
    note("first %d %s %ld %llx\n", state.rank, kNames[kind], n, static_cast<unsigned long long>(place));
  if (kind != state.kind) return false;
  if (state.fork_out >= 0 && !state.child) {
    if (state.places > 0 ? !is_new : n % state.step != state.step / 2) return false;
    if (!fails_in_child(name)) return false;
    state.n = n;
    return true;
  }
  const bool wanted = n == state.n || (state.and_later && n > state.n && state.n > 0);
  if (wanted && n == state.n) note("failed %d %s %ld %s\n", state.rank, kNames[kind], n, name);
  return wanted;
}

void start_counting() {
  const Busy busy;
  PMPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
  void* frames[4];
  backtrace(frames, 4);  // loads what it needs
  dl_iterate_phdr(take_object, nullptr);
  if (const char* folder = std::getenv("KASEN_FAULTS_FOLDER"))
    std::snprintf(state.folder, sizeof state.folder, "%s", folder);
  if (const char* log = std::getenv("KASEN_FAULTS_LOG"))
    state.log = static_cast<int>(syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (const char* depth = std::getenv("KASEN_FAULTS_PLACES")) state.places = std::atoi(depth);
  if (const char* forks = std::getenv("KASEN_FAULTS_FORKS"))
    std::sscanf(forks, "%d,%d", &state.fork_in, &state.fork_out);
  if (const char* step = std::getenv("KASEN_FAULTS_STEP")) state.step = std::atol(step);
  if (const char* slow = std::getenv("KASEN_FAULTS_SLOW")) state.slow = static_cast<unsigned>(std::atoi(slow));
  const char* const worker = std::getenv("KASEN_FAULTS_WORKER");
  const char* const what = std::getenv("KASEN_FAULTS");
  if (what != nullptr && (worker == nullptr || std::atoi(worker) == state.rank)) {
    const char* const colon = std::strchr(what, ':');
    for (int kind = 0; kind < kinds; ++kind)
      if (std::strncmp(what, kNames[kind], std::strlen(kNames[kind])) == 0 && what[std::strlen(kNames[kind])] == ':')
        state.kind = kind;
    if (colon != nullptr) {
      state.n = std::atol(colon + 1);
      state.and_later = std::strchr(colon, '+') != nullptr;
    }
  }
  state.counting = true;
}

void stop_counting() {
  if (!state.counting) return;
  state.counting = false;
  if (state.child) return;
  for (int kind = 0; kind < kinds; ++kind) note("count %d %s %ld\n", state.rank, kNames[kind], state.count[kind]);
}

bool allocation_fails(const char* name, void* caller) {
  if (!state.counting || state.busy) return false;
  Owner owner;
  {
    const Busy busy;
    owner = owner_of_call(caller);
  }
  if (owner == mpi_stack || !fails(owner == hdf5 ? hdf5_allocation : allocation, name)) return false;
  errno = ENOMEM;
  return true;
}

bool is_ours(const char* path) {
  return state.counting && state.folder[0] != '\0' && std::strncmp(path, state.folder, std::strlen(state.folder)) == 0;
}

bool is_ours(int file) {
  if (!state.counting || state.busy || state.folder[0] == '\0') return false;
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return is_ours(path);
}

bool write_fails(bool ours, const char* name, int error) {
  if (!ours) return false;
  if (state.slow > 0) usleep(state.slow);
  if (!fails(write_call, name)) return false;
  errno = error;
  return true;
}

bool for_writing(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0; }

}  // namespace

#define CALLER __builtin_return_address(0)
#define NEXT(result, name, ...)         \
  using Function = result(__VA_ARGS__); \
  static Function* known = nullptr;     \
  if (known == nullptr) known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name))

// ---- Memory --------------------------------------------------------------------------------------------------------

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) { return allocation_fails("malloc", CALLER) ? nullptr : __libc_malloc(bytes); }

void* calloc(std::size_t count, std::size_t bytes) {
  return allocation_fails("calloc", CALLER) ? nullptr : __libc_calloc(count, bytes);
}

void* realloc(void* old, std::size_t bytes) {
  return allocation_fails("realloc", CALLER) ? nullptr : __libc_realloc(old, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return allocation_fails("aligned_alloc", CALLER) ? nullptr : __libc_memalign(alignment, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  return allocation_fails("memalign", CALLER) ? nullptr : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** into, std::size_t alignment, std::size_t bytes) {
  if (allocation_fails("posix_memalign", CALLER)) return ENOMEM;
  *into = __libc_memalign(alignment, bytes);
  return *into == nullptr ? ENOMEM : 0;
}

void* mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  NEXT(void*, "mmap", void*, std::size_t, int, int, int, off_t);
  if ((flags & MAP_ANONYMOUS) != 0 && allocation_fails("mmap", CALLER)) return MAP_FAILED;
  return known(at, bytes, protection, flags, file, offset);
}

// ---- Files ---------------------------------------------------------------------------------------------------------

int open(const char* path, int flags, ...) {
  NEXT(int, "open", const char*, int, ...);
  va_list arguments;
  va_start(arguments, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (for_writing(flags) && write_fails(is_ours(path), "open", EACCES)) return -1;
  return known(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  NEXT(int, "open64", const char*, int, ...);
  va_list arguments;
  va_start(arguments, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (for_writing(flags) && write_fails(is_ours(path), "open64", EACCES)) return -1;
  return known(path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  NEXT(std::FILE*, "fopen", const char*, const char*);
  return mode[0] != 'r' && write_fails(is_ours(path), "fopen", EACCES) ? nullptr : known(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  NEXT(std::FILE*, "fopen64", const char*, const char*);
  return mode[0] != 'r' && write_fails(is_ours(path), "fopen64", EACCES) ? nullptr : known(path, mode);
}

ssize_t write(int file, const void* from, std::size_t bytes) {
  NEXT(ssize_t, "write", int, const void*, std::size_t);
  return write_fails(is_ours(file), "write", ENOSPC) ? -1 : known(file, from, bytes);
}

ssize_t pwrite(int file, const void* from, std::size_t bytes, off_t at) {
  NEXT(ssize_t, "pwrite", int, const void*, std::size_t, off_t);
  return write_fails(is_ours(file), "pwrite", ENOSPC) ? -1 : known(file, from, bytes, at);
}

ssize_t pwrite64(int file, const void* from, std::size_t bytes, off_t at) {
  NEXT(ssize_t, "pwrite64", int, const void*, std::size_t, off_t);
  return write_fails(is_ours(file), "pwrite64", ENOSPC) ? -1 : known(file, from, bytes, at);
}

ssize_t writev(int file, const iovec* parts, int count) {
  NEXT(ssize_t, "writev", int, const iovec*, int);
  return write_fails(is_ours(file), "writev", ENOSPC) ? -1 : known(file, parts, count);
}

int fsync(int file) {
  NEXT(int, "fsync", int);
  return write_fails(is_ours(file), "fsync", EIO) ? -1 : known(file);
}

int ftruncate(int file, off_t bytes) noexcept {
  NEXT(int, "ftruncate", int, off_t);
  return write_fails(is_ours(file), "ftruncate", EIO) ? -1 : known(file, bytes);
}

int ftruncate64(int file, off_t bytes) noexcept {
  NEXT(int, "ftruncate64", int, off_t);
  return write_fails(is_ours(file), "ftruncate64", EIO) ? -1 : known(file, bytes);
}

int posix_fallocate(int file, off_t from, off_t bytes) {
  NEXT(int, "posix_fallocate", int, off_t, off_t);
  return write_fails(is_ours(file), "posix_fallocate", ENOSPC) ? ENOSPC : known(file, from, bytes);
}

int posix_fallocate64(int file, off_t from, off_t bytes) {
  NEXT(int, "posix_fallocate64", int, off_t, off_t);
  return write_fails(is_ours(file), "posix_fallocate64", ENOSPC) ? ENOSPC : known(file, from, bytes);
}

int rename(const char* from, const char* to) noexcept {
  NEXT(int, "rename", const char*, const char*);
  return write_fails(is_ours(to), "rename", EIO) ? -1 : known(from, to);
}

}  // extern "C"

void* operator new(std::size_t bytes) {
  void* at = allocation_fails("operator new", CALLER) ? nullptr : __libc_malloc(bytes);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}
void* operator new[](std::size_t bytes) {
  void* at = allocation_fails("operator new[]", CALLER) ? nullptr : __libc_malloc(bytes);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* at =
      allocation_fails("operator new", CALLER) ? nullptr : __libc_memalign(static_cast<std::size_t>(alignment), bytes);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocation_fails("operator new", CALLER) ? nullptr : __libc_malloc(bytes);
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete[](void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
void operator delete[](void* at, std::size_t) noexcept { std::free(at); }
void operator delete(void* at, std::align_val_t) noexcept { std::free(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { std::free(at); }
void operator delete(void* at, const std::nothrow_t&) noexcept { std::free(at); }

// ---- MPI -----------------------------------------------------------------------------------------------------------

namespace {

/// What MPI does with an error: the handler of the communicator decides whether the call comes back.
int mpi_error(MPI_Comm communicator) {
  const Busy busy;
  PMPI_Comm_call_errhandler(communicator, MPI_ERR_INTERN);
  return MPI_ERR_INTERN;
}

/// Calls of HDF5 do not count: it crashes when one fails. Nor do those that tell MPI to report errors rather than to
/// end the job with words of its own, which an error in them does.
bool mpi_fails(const char* name, MPI_Comm communicator, void* caller) {
  if (owner_at(caller) == hdf5) return false;
  const bool predefined = communicator == MPI_COMM_WORLD || communicator == MPI_COMM_SELF;
  if (predefined && std::strcmp(name, "MPI_Comm_set_errhandler") == 0) return false;
  return fails(mpi, name);
}

}  // namespace

extern "C" {

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  start_counting();
  return code;
}

int MPI_Finalize() {
  stop_counting();
  return state.child ? MPI_SUCCESS : PMPI_Finalize();
}

int MPI_Abort(MPI_Comm communicator, int status) {
  if (state.child) _exit(status);
  return PMPI_Abort(communicator, status);
}

// FAULTY(NAME, COMMUNICATOR, (PARAMETERS), (ARGUMENTS))
#define FAULTY(name, communicator, parameters, arguments)                              \
  int MPI_##name parameters {                                                          \
    if (mpi_fails("MPI_" #name, communicator, CALLER)) return mpi_error(communicator); \
    return PMPI_##name arguments;                                                      \
  }
#include "tests/faults/mpi_calls.inc"
#undef FAULTY

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  const bool active = *request != MPI_REQUEST_NULL;
  const int code = PMPI_Test(request, done, status);
  return active && code == MPI_SUCCESS && *done != 0 && fails(mpi, "MPI_Test") ? mpi_error(MPI_COMM_SELF) : code;
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  const int code = PMPI_Testall(count, requests, done, statuses);
  return code == MPI_SUCCESS && *done != 0 && fails(mpi, "MPI_Testall") ? mpi_error(MPI_COMM_SELF) : code;
}

}  // extern "C"
