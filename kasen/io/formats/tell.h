/// @file
/// Which format a file has, and what it holds: told from what it begins with, then from its name.
#pragma once

#include <optional>
#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/formats/formats.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Collective. The format that `options` give, or what worker 0 tells, of those that are read as `kind`.
/// @throws InputError (agreed) "FILE: looks like WHAT, expected ...", or "FILE: --format WHAT was given, expected ..."
const Format& format_of(const comm::Communicator& communicator, const Text& text, Kind kind,
                        const ReadOptions& options);

/// What a file is.
struct Told {
  const Format* format = nullptr;
  Content content;
};

/// Collective. The same for who takes any kind, or wants to know it before reading. Of an edge list and a table, which
/// may look alike, it is what most lines look like, unless the name says more.
/// @param asked the kind that is wanted, if it is known.
/// @throws InputError (agreed) as above, or if what is looked at is damaged
Told tell(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
          std::optional<Kind> asked);

}  // namespace kasen::io
