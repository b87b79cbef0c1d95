#include "comm/message_copies.h"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "comm/pieces.h"

namespace kasen::comm {
namespace {

/// Iterations of PageRank of two workers with a core each, which sent each other 10 to 100 KB, took 0.76 to 0.91 of the
/// time that they take where receivers ask the kernel for the sender's memory; with larger messages as long.
constexpr std::uint64_t kMostCopied = std::uint64_t{128} << 10;
static_assert(kMostCopied < kPieceBytes, "who sends pieces of a file would not wait for who receives them");
constexpr std::uint64_t kCopiedByUcx = std::uint64_t{8} << 10;
/// What others can copy to a worker before it looks: 64 pieces of 8 KiB. More of them wait for each other.
constexpr std::uint64_t kRoom = std::uint64_t{512} << 10;

std::string_view value_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

/// As Hydra says, which counts the workers of each host, or else Slurm, of a step that is the job.
bool all_on_one_host() {
  const std::string_view workers = value_of("PMI_SIZE"), here = value_of("MPI_LOCALNRANKS");
  if (workers.empty()) return false;
  if (!here.empty()) return here == workers;
  return value_of("SLURM_STEP_NUM_NODES") == "1" && value_of("SLURM_STEP_NUM_TASKS") == workers;
}

}  // namespace

std::uint64_t copied_below(std::uint64_t workers, std::uint64_t cores) {
  if (workers < 2 || workers > cores) return 0;
  const std::uint64_t each = std::min(kMostCopied, kRoom / (workers - 1));
  return each > kCopiedByUcx ? each : 0;
}

void prefer_copies_on_one_host() {
#ifndef OPEN_MPI
  cpu_set_t cores;
  if (!all_on_one_host() || ::sched_getaffinity(0, sizeof cores, &cores) != 0) return;
  const std::uint64_t workers = std::strtoull(std::getenv("PMI_SIZE"), nullptr, 10);
  constexpr int kOverwrite = 0;
  if (const std::uint64_t size = copied_below(workers, static_cast<std::uint64_t>(CPU_COUNT(&cores))); size > 0)
    ::setenv("UCX_RNDV_THRESH", std::to_string(size).c_str(), kOverwrite);
#endif
}

}  // namespace kasen::comm
