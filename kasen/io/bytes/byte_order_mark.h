/// @file
/// What some editors put in front of a text.
#pragma once

#include <cstdint>
#include <string>

#include "kasen/io/bytes/byte_source.h"

namespace kasen::io {

/// Bytes of the byte order mark that a text in UTF-8 begins with; 0 without one. @param name of the file, for messages.
/// @throws InputError "FILE: reason" for a text in UTF-16 or UTF-32, as its mark says
std::uint64_t byte_order_mark(ByteSource& text, const std::string& name);

}  // namespace kasen::io
