/// @file
/// Struct Options: every option of a run with its default. The command line (kasen/session.h) fills it in.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/matrix_format.h"

namespace kasen {

enum class Fusion : std::uint8_t { greedy, off, exact };
enum class Sync : std::uint8_t { hybrid, eager, lazy };
/// How local matrices are stored for products. automatic: by predicted time, where a matrix is used often.
enum class Storage : std::uint8_t { automatic, compressed, blocked, stencils };
/// Whether vectors travel while steps run that do not need them. automatic: where it is predicted to save time.
enum class Overlap : std::uint8_t { automatic, on, off };
/// By which calls the vectors of an exchange travel. automatic: to neighbours alone where that saves time.
enum class Routes : std::uint8_t { automatic, all_to_all, neighbours };
/// How a worker numbers its part of an index space (partition/numbering.h). automatic: by degree where it pays.
enum class Numbering : std::uint8_t { automatic, index, degree };
/// How elements and non-zeros are spread over workers (partition/partitioner.h).
enum class Partition : std::uint8_t {
  automatic,
  block,
  range,
  range_column,
  range_grid,
  row,
  column,
  hybrid_cut,
  grid,
  metis,
  label_propagation,
  file
};

/// Elements and non-zeros together that are worth a thread.
inline constexpr std::uint32_t kPartElements = 1u << 12;

struct Options {
  std::uint64_t memory = 0;   ///< bytes that a worker may take (comm/memory_limit.h); 0: what the system has
  std::uint32_t threads = 1;  ///< of each worker, on which sweeps run; results have the same bits for any number
  bool reproducible = false;  ///< the same bits at any number of workers and however data is spread
  Fusion fusion = Fusion::greedy;
  Sync sync = Sync::hybrid;
  Partition partition = Partition::automatic;  ///< automatic: fewest replicas, if balanced
  std::string partition_file;                  ///< for Partition::file (kasen/io/formats/partition_file.h)
  std::uint64_t threshold = 100;               ///< hybrid-cut: columns with more non-zeros are high
  Storage storage = Storage::automatic;
  Numbering numbering = Numbering::automatic;
  Overlap overlap = Overlap::automatic;
  Routes routes = Routes::automatic;
  std::uint32_t block_edge = MatrixFormat::kLargestEdge;  ///< of matrices in blocks; tests lower it
  std::uint32_t part_elements = kPartElements;            ///< the least part of a sweep on a thread; tests lower it
  /// Non-zeros that a worker of several pushes, at least, before it stops for the others in a loop to a fixpoint, and
  /// walks of the whole matrix after which it pushes in any case; tests lower them.
  std::uint64_t settled_entries = 1u << 17, settled_walks = 16;
  bool roles = true;                     ///< off: transitions move all replicas of the space (the paper's rule)
  std::uint64_t search_budget = 10'000;  ///< of `exact`: how many plans, whole or in part, may be costed or skipped
  std::vector<std::string> passes_off;   ///< names of optimizer passes to skip
  bool explain = false;
  bool analyze = false;  ///< plans, and prints what running would cost; no step runs
  bool verify = false;
  bool progress = false;
  bool quiet = false;
  std::vector<std::string> print_after;        ///< optimizer passes after which the program is printed
  std::uint64_t exchange_limit = 0x7fffffffu;  ///< counts above it go through MPI-4 large counts; tests lower it
  std::string report, dump_dag, record, trace, output;  ///< names of files to write; empty: none
  std::uint64_t trace_every = 1;          ///< of iterations of outermost loops each so many-th is in the trace
  std::uint64_t trace_events = 1u << 18;  ///< of a worker, that there is room for; tests lower it
  std::string checkpoint, resume;         ///< folders of checkpoints to write, to go on from; empty: none
  double checkpoint_interval = 600;       ///< seconds between checkpoints; 0: one at every boundary
  std::uint64_t checkpoints_kept = 2;     ///< in the folder; tests raise it
  /// The program's own options as they were given, by name, which results may depend on.
  std::vector<std::pair<std::string, std::string>> of_program;
  std::string profile;  ///< name of a file of kasen-calibrate to read; empty: the defaults
};

}  // namespace kasen
