/// @file
/// Byte order marks, which some editors put in front of a text.
#pragma once

#include <cstdint>
#include <string>

#include "kasen/io/bytes/byte_source.h"

namespace kasen::io {

/// The number of bytes of a UTF-8 text's byte order mark; 0 without one. Local. @param name of the file, for messages.
/// @throws InputError "FILE: reason" for a text in UTF-16 or UTF-32, as its mark says
std::uint64_t byte_order_mark(ByteSource& text, const std::string& name);

}  // namespace kasen::io
