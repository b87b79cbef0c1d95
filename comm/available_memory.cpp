/// @file
/// Reading of /proc, of control groups of both versions, and of the limit of the address space.
#include "comm/available_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace kasen::comm {

namespace {

constexpr std::uint64_t kUnknown = std::uint64_t{1} << 50;  // so much that nothing is refused; sums do not overflow
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// The number that is the whole content of a file; none if it is something else, such as "max".
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

/// The number behind `name` at the beginning of a line.
std::optional<std::uint64_t> number_after(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    std::uint64_t number = 0;
    if (rest >> number) return number;
  }
  return std::nullopt;
}

std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

/// The memory that a group and those around it leave, each of them a directory below `root`. Pages of files that can be
/// dropped do not count as used.
std::uint64_t left_in_groups(const std::string& root, std::string group, const char* limit, const char* usage,
                             const char* droppable) {
  std::uint64_t left = kUnknown;
  while (true) {
    const std::string at = root + group + "/";
    const auto most = number_in(at + limit), used = number_in(at + usage);
    if (most && used) {
      const std::uint64_t dropped = number_after(at + "memory.stat", droppable).value_or(0);
      left = std::min(left, minus(*most, minus(*used, dropped)));
    }
    const std::size_t slash = group.rfind('/');
    if (group.size() <= 1 || slash == std::string::npos) return left;
    group.resize(slash);
  }
}

std::uint64_t left_in_groups() {
  std::uint64_t left = kUnknown;
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // "NUMBER:CONTROLLERS:PATH"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") {
      left = std::min(left, left_in_groups("/sys/fs/cgroup", path, "memory.max", "memory.current", "inactive_file "));
    } else if (controllers.find(",memory,") != std::string::npos) {
      left = std::min(left, left_in_groups("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                                           "memory.usage_in_bytes", "total_inactive_file "));
    }
  }
  return left;
}

/// The bytes of the pages that a field of /proc/self/statm counts.
std::uint64_t own_pages(int field) {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int k = 0; k <= field; ++k) file >> pages;
  return file ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::uint64_t left_of_addresses() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return minus(limit.rlim_cur, own_pages(0));
}

}  // namespace

AvailableMemory::AvailableMemory(const Communicator& communicator) {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  const auto all = communicator.all_gather(std::hash<std::string_view>()(name));
  _workers = static_cast<int>(std::count(all.begin(), all.end(), all[static_cast<std::size_t>(communicator.rank())]));
}

std::uint64_t AvailableMemory::of_host() const {
  const auto available = number_after("/proc/meminfo", "MemAvailable:");
  const std::uint64_t swap = number_after("/proc/meminfo", "SwapFree:").value_or(0);
  const std::uint64_t left = available ? (*available + swap) << 10 : kUnknown;
  return std::min({left, left_in_groups(), bytes_of(left_of_addresses(), static_cast<std::uint64_t>(_workers))});
}

std::uint64_t AvailableMemory::of_worker() const { return of_host() / static_cast<std::uint64_t>(_workers); }

std::uint64_t available_memory(const Communicator& communicator) {
  return communicator.sum(AvailableMemory(communicator).of_worker());
}

std::uint64_t memory_in_use() { return own_pages(1); }

std::uint64_t bytes_of(std::uint64_t count, std::uint64_t bytes) {
  std::uint64_t all = 0;
  return __builtin_mul_overflow(count, bytes, &all) ? kMost : all;
}

std::uint64_t bytes_and(std::uint64_t a, std::uint64_t b) {
  std::uint64_t all = 0;
  return __builtin_add_overflow(a, b, &all) ? kMost : all;
}

std::string too_little_memory(std::uint64_t needed, std::uint64_t available) {
  return "at least " + std::to_string(needed) + " bytes of memory are needed, " + std::to_string(available) +
         " are available";
}

}  // namespace kasen::comm
