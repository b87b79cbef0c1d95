/// @file
/// The memory that placing a matrix takes beside its entries, by the most that a worker ever had in RAM.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "comm/free_memory.h"
#include "partition/placement.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

constexpr std::uint64_t kVertices = 1 << 15, kEdges = 128 * kVertices;
constexpr std::uint64_t kBytesOfEdge = 1, kBeside = 8 << 20;  ///< a second copy of one end takes 4 an edge

/// Bytes behind a label of /proc/self/status.
std::uint64_t bytes_of(const std::string& label) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(label)) return std::strtoull(line.c_str() + label.size(), nullptr, 10) * 1024;
  return 0;
}

/// Lets the most that this process ever had begin anew. @return whether the system does that
bool forget_peak() {
  comm::return_free_memory();
  std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
  const std::uint64_t now = bytes_of("VmRSS:");
  return now > 0 && bytes_of("VmHWM:") < now + (1 << 20);
}

TEST(PlacementMemory, IsLittleBesideTheEntries) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory themselves";
#endif
#ifndef __GLIBC__
  GTEST_SKIP() << "freed arrays may stay";
#else
  mallopt(M_MMAP_THRESHOLD, 1 << 20);  // arrays go back to the system when they are freed: what is kept is not needed
#endif
  const comm::Communicator communicator;
  const auto workers = static_cast<std::uint64_t>(communicator.size());
  for (const Partition partition : {Partition::automatic, Partition::hybrid_cut}) {
    Options options;
    options.partition = partition;
    options.numbering = Numbering::degree;
    Placement placement(communicator, options);
    const SpaceId vertices = placement.space(kVertices);
    Entries entries;
    const tests::Edges edges =
        tests::uniform_edges(kVertices, kVertices, kEdges / workers, 5 + static_cast<unsigned>(communicator.rank()));
    entries.row = edges.source;
    entries.column = edges.target;
    if (communicator.min(forget_peak() ? 1 : 0) == 0) GTEST_SKIP() << "the system does not forget the peak";
    const std::uint64_t before = bytes_of("VmRSS:");
    const MatrixId matrix = placement.add_matrix(vertices, vertices, std::move(entries));
    (void)placement.blocked(matrix, Role::Side::column);
    (void)placement.matrix(matrix).by_row();
    const std::uint64_t more = bytes_of("VmHWM:") - before;
    EXPECT_LT(more, kBytesOfEdge * kEdges / workers + kBeside) << "of worker " << communicator.rank();
  }
}

}  // namespace
}  // namespace kasen::partition
