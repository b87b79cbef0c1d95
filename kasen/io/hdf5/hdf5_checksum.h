/// @file
/// Checksums of datasets, an attribute of each that Kasen writes, checked when it reads one that has it. HDF5 itself
/// keeps checksums of everything but the elements (docs/file_format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/hdf5/hdf5_file.h"

namespace kasen::io {

inline constexpr const char* kChecksumAttribute = "kasen_checksum";

/// Local. What bytes [first, first + bytes.size()) of `all` bytes contribute to the checksum of them all, which is the
/// sum of contributions modulo 2^61 - 1, wherever the bytes are cut. With little-endian words of 32 bits, the last one
/// filled up with zeros, it is the value of the polynomial that has the first word as its highest coefficient. A change
/// within one word always changes it.
std::uint64_t checksum_of(std::span<const std::byte> bytes, std::uint64_t first, std::uint64_t all);

/// Collective. The checksums, as sums of what each worker contributes to them.
std::vector<std::uint64_t> sum_of_checksums(const comm::Communicator& communicator,
                                            std::span<const std::uint64_t> contributions);

/// Collective. Checks those of these datasets that are there and have a checksum; each worker reads its block of them.
/// @throws AgreedError "FILE:/dataset: found ..." for the first that is not what was written.
void verify_checksums(const comm::Communicator& communicator, const Hdf5File& file,
                      const std::vector<std::string>& datasets);

}  // namespace kasen::io
