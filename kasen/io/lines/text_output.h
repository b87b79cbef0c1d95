/// @file
/// Writing of text files by all workers together: each formats its part, and sizes give positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "comm/communicator.h"
#include "kasen/io/bytes/element_type.h"

namespace kasen::io {

/// Appends item `item` of section `section` of this worker to `text`. Called twice for each item, with the same result.
using FormatItem = std::function<void(std::uint64_t section, std::uint64_t item, std::string& text)>;

/// Collective. Writes a file of `header` (the same on every worker) and `sections`; a section is what the workers
/// format for it, in the order of ranks. Written under a temporary name, then renamed; disk space is reserved first.
/// @param items the number of this worker's items in every section.
/// @throws AgreedError "PATH: reason"; nothing is left behind then.
/// Memory: a few MiB, and 8 bytes a section and worker. Cost: everything is formatted twice, first to know the sizes.
void write_sections(const comm::Communicator& communicator, const std::string& path, const std::string& header,
                    std::uint64_t sections, std::uint64_t items, const FormatItem& format);

/// Appends a number so that it reads back as the same bits: the shortest decimal that does. Infinities are `inf` and
/// `-inf`, what is no number is `nan`.
void append(std::string& text, double number);
void append(std::string& text, std::uint64_t number);
void append(std::string& text, std::int64_t number);

/// Appends the element at `element`: a number as above, or text without its padding.
void append(std::string& text, const ElementType& type, const std::byte* element);

}  // namespace kasen::io
