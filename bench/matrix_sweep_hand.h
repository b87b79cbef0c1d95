/// @file
/// Hand-written loops of sums over in-edges, in a translation unit of their own, for comparison.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

/// Computes out[j] = sum of in[index[e]] over e in [pointer[j], pointer[j + 1]); all indices have 32 bits.
void pull(const std::uint32_t* pointer, const std::uint32_t* index, const double* in, double* out, std::size_t outputs);

/// Does out[target[e]] += in[source[e]] for entries in any order; sets out to 0 first.
void add_entries(const std::uint32_t* source, const std::uint32_t* target, const double* in, double* out,
                 std::size_t entries, std::size_t outputs);

}  // namespace bench
