/// @file
/// Detection of a file's format, and of what the file holds, from its beginning, then from its name.
#pragma once

#include <optional>
#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/formats/formats.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Collective. The format that `options` give, or that worker 0 detects, of those that are read as `kind`.
/// @throws AgreedError "FILE: looks like WHAT, expected ...", or "FILE: --format WHAT was given, expected ..."
const Format& format_of(const comm::Communicator& communicator, const Text& text, Kind kind,
                        const ReadOptions& options);

/// The format of a file, and what it holds.
struct Told {
  const Format* format = nullptr;
  Content content;
};

/// Collective. Detects the format and the kind, for programs that take any kind. Of an edge list and a table, which may
/// look alike, it is the one that most lines look like, unless the name says more.
/// @param asked the kind that is wanted, if it is known.
/// @throws AgreedError as above, or if what is looked at is damaged
Told tell(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
          std::optional<Kind> asked);

}  // namespace kasen::io
