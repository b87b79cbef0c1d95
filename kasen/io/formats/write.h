/// @file
/// Writing of graphs, samples and tables to files of any format, by all workers, for programs and tools. A file appears
/// under its name when it is whole, and is the same for any number of workers. Numbers read back as the same bits. What
/// a format cannot hold and would be misread is refused; the format's row says what it leaves out
/// (kasen/io/formats/formats.h).
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/formats/formats.h"

namespace kasen::io {

/// Local. The format of graphs and samples (`dense` false), or of tables, that the name of an output file asks for.
/// @throws UsageError
const Format& format_for_output(const std::string& path, bool dense);

/// Collective. Writes the file. @pre format.writes(dense). @throws AgreedError "PATH: reason"; nothing is left
/// behind then. Memory: sparse data is brought into blocks of rows first, with 16 bytes an entry; pass it by std::move.
void write_matrix(const comm::Communicator& communicator, const std::string& path, const Format& format,
                  SparseData data);
void write_matrix(const comm::Communicator& communicator, const std::string& path, const Format& format,
                  const DenseData& data);

}  // namespace kasen::io
