/// @file
/// Which format a file has: told from what it begins with, among those that its reader admits, then from its name.
#pragma once

#include <string_view>

#include "comm/communicator.h"
#include "kasen/io/read_options.h"
#include "kasen/io/text.h"

namespace kasen::io {

/// What a reader makes of a file.
enum class Kind : std::uint8_t {
  graph,    ///< edge list, Matrix Market, METIS, HDF5
  samples,  ///< with few non-zeros: LIBSVM, Matrix Market, HDF5
  dense     ///< table, Matrix Market, HDF5
};

/// "edge-list", as --format takes it.
std::string_view name_of(Format format);

/// Local. What the text is. METIS graphs look like edge lists: they are told by their names (.graph, .metis, .chaco,
/// also before .gz and the like).
/// @throws InputError "FILE: looks like WHAT, expected ..."
Format tell_format(const Text& text, Kind kind);

/// Collective. The format that `options` give, or what worker 0 tells. @throws InputError (agreed)
Format format_of(const comm::Communicator& communicator, const Text& text, Kind kind, const ReadOptions& options);

}  // namespace kasen::io
