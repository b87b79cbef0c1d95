/// @file
/// Sums over in-edges as a loop one writes by hand, in a translation unit of its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

/// out[j] = sum of in[index[e]] over e in [pointer[j], pointer[j + 1]); all indices of 32 bits.
void pull(const std::uint32_t* pointer, const std::uint32_t* index, const double* in, double* out, std::size_t outputs);

/// out[target[e]] += in[source[e]] for entries in any order; out starts at 0.
void add_entries(const std::uint32_t* source, const std::uint32_t* target, const double* in, double* out,
                 std::size_t entries, std::size_t outputs);

}  // namespace bench
