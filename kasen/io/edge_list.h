/// @file
/// Reads a graph as people distribute them: a text file with one edge a line, by all workers together.
#pragma once

#include <cstdint>
#include <string>

#include "comm/communicator.h"
#include "kasen/io/vertex_ids.h"
#include "partition/entries.h"

namespace kasen::io {

struct EdgeListOptions {
  /// automatic: integers if both fields of the first data line are written as integers, else words.
  enum class IdKind : std::uint8_t { automatic, integer, word };
  IdKind ids = IdKind::automatic;
  bool drop_duplicates = false;  ///< of several edges with the same source and target, keep one
  bool drop_self_loops = false;  ///< their vertices stay
  std::uint64_t skip_lines = 0;  ///< lines at the beginning of the file that are not read
};

struct EdgeList {
  /// Global indices, row = source, column = target; Pattern. Kept duplicates are entries of their own. In file order
  /// over the workers; with drop_duplicates ordered by source and target, with a source's edges on one worker.
  partition::Entries entries;
  std::uint64_t vertices = 0;  ///< distinct ids; a vertex's global index is its id's rank in ascending order
  VertexIds ids;
  std::uint64_t lines = 0;  ///< of the file: edges, comments, blank and skipped ones; this and below over all workers
  std::uint64_t edges = 0;  ///< that are left
  std::uint64_t duplicates_dropped = 0;
  std::uint64_t self_loops_dropped = 0;
};

/// Collective. Each worker reads the lines that begin in its share of the file's bytes.
///
/// A line holds two ids, separated by blanks or tabs: 64-bit integers, or words of up to 65,535 bytes without blanks
/// or control characters. Lines that start with # or %, also behind blanks, are comments; blank lines are skipped.
/// Lines end with LF or CRLF, the last one need not end. A line of more than 1 MiB can only be a comment.
///
/// Vertices and entries do not depend on the number of workers.
/// @throws InputError (agreed) "FILE: reason" or "FILE:LINE: reason" for the first wrong line of the file; the same
///         message for any number of workers.
/// Memory: 16 bytes an edge, and each distinct id a few times over. Cost: see rank_ids (kasen/io/id_ranking.h).
EdgeList read_edge_list(const comm::Communicator& communicator, const std::string& path,
                        const EdgeListOptions& options = {});

}  // namespace kasen::io
