/// @file
/// Reading of tables whose columns have several types, by all workers together.
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/column_data.h"
#include "kasen/io/data/read_options.h"

namespace kasen::io {

/// Collective. Reads some columns of a table in text, of which the first line that is neither blank nor a comment names
/// the columns and says how fields are separated (table_head.h), unless `given` does, if it has names. Each worker
/// parses the lines of its share; then rows go to their blocks. @pre no name is wanted twice
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: reason"
/// Cost: every distinct word of a column, of each worker, goes to every worker; rows cross the network at most once.
ColumnsData read_columns(const comm::Communicator& communicator, const std::string& path,
                         const std::vector<WantedColumn>& wanted, const ReadOptions& options,
                         const TableNames& given = {});

}  // namespace kasen::io
