/// @file
/// What a program asks of a file as one number, so that workers can be compared before they read.
#pragma once

#include <cstdint>

#include "kasen/io/data/read_options.h"

namespace kasen::io {

/// The same in every process.
std::uint64_t hash_of(const ReadOptions& options, const ValueRequest& values = {});

}  // namespace kasen::io
