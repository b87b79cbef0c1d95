/// @file
/// Partition files: which part owns which element, as METIS and other partitioners write it, or by names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "kasen/io/ids/vertex_ids.h"

namespace kasen::io {

/// The elements that the file is about.
struct PartitionedElements {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;       ///< their number, if they are other elements than the rows; else 0
  const VertexIds* ids = nullptr;  ///< of the rows; null, or of length 0, if they have no names
};

/// Collective. The part of every row, or of every row and then every column, whichever the file gives; equal on all
/// workers. One part, from 0 to parts - 1, a line: of the elements in the order of their global index. Or two fields a
/// line, the name of a row (its global index, if rows have no names) and its part, in any order, for rows only. Fields
/// are separated by blanks; blank lines and lines that begin with '#' or '%' do not count.
/// Cost: every worker reads the whole file; 4 bytes an element, for names also an all-gather of as much, and a small
/// all-reduce for each 65,536 lines, of which names are there at a time.
/// @throws AgreedError "FILE:LINE:COLUMN: found X, expected Y", or "FILE: reason"
std::vector<Rank> read_partition_file(const comm::Communicator& communicator, const std::string& path,
                                      const PartitionedElements& elements, int parts);

}  // namespace kasen::io
