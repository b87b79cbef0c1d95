/// @file
/// A polynomial over the field of 2^61 - 1 elements, so that workers can evaluate any parts of it.
#include "kasen/io/hdf5/hdf5_checksum.h"

#include <algorithm>
#include <array>
#include <optional>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "partition/assignment.h"

namespace kasen::io {

namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kPoint = 0x0b5ad4eceda1ce2a;  // where the polynomial is evaluated
constexpr std::uint64_t kWordBytes = 4;

/// The same element of the field, at most 8 above its range.
constexpr std::uint64_t fold(std::uint64_t number) { return (number & kPrime) + (number >> 61); }
constexpr std::uint64_t reduced(std::uint64_t number) {
  number = fold(number);
  return number >= kPrime ? number - kPrime : number;
}

/// Of factors that are folded.
constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return fold((static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> 61));
}

constexpr std::uint64_t power(std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (std::uint64_t square = kPoint; exponent > 0; exponent >>= 1, square = times(square, square)) {
    if ((exponent & 1) != 0) result = times(result, square);
  }
  return result;
}

/// Up to four bytes at `at`, of which `skipped` bytes of the word stand before.
std::uint32_t word(const std::byte* at, std::uint64_t count, std::uint64_t skipped = 0) {
  std::uint32_t value = 0;
  for (std::uint64_t k = 0; k < count; ++k) value |= std::to_integer<std::uint32_t>(at[k]) << (8 * (skipped + k));
  return value;
}

}  // namespace

std::uint64_t checksum_of(std::span<const std::byte> bytes, std::uint64_t first, std::uint64_t all) {
  if (bytes.empty()) return 0;
  const std::byte* at = bytes.data();
  std::uint64_t left = bytes.size(), sum = 0;
  const auto take = [&](std::uint64_t value) { sum = fold(times(sum, kPoint) + value); };
  if (const std::uint64_t skipped = first % kWordBytes; skipped > 0) {
    const std::uint64_t count = std::min(left, kWordBytes - skipped);
    take(word(at, count, skipped));
    at += count;
    left -= count;
  }
  for (; left / kWordBytes % 4 != 0; at += kWordBytes, left -= kWordBytes) take(word(at, kWordBytes));
  // Four polynomials of every fourth word, which do not wait for each other.
  constexpr std::uint64_t kPoint2 = times(kPoint, kPoint), kPoint3 = times(kPoint2, kPoint);
  constexpr std::uint64_t kPoint4 = times(kPoint2, kPoint2);
  if (left >= 4 * kWordBytes) {
    std::array<std::uint64_t, 4> lane{0, 0, 0, sum};
    for (; left >= 4 * kWordBytes; at += 4 * kWordBytes, left -= 4 * kWordBytes) {
      for (std::size_t k = 0; k < lane.size(); ++k) {
        lane[k] = fold(times(lane[k], kPoint4) + word(at + k * kWordBytes, kWordBytes));
      }
    }
    sum = fold(times(lane[0], kPoint3) + times(lane[1], kPoint2) + times(lane[2], kPoint) + lane[3]);
  }
  if (left > 0) take(word(at, left));
  const std::uint64_t last_word = (first + bytes.size() - 1) / kWordBytes, words = (all + kWordBytes - 1) / kWordBytes;
  return reduced(times(sum, power(words - 1 - last_word)));
}

std::vector<std::uint64_t> sum_of_checksums(const comm::Communicator& communicator,
                                            std::span<const std::uint64_t> contributions) {
  constexpr int kHalf = 32;
  std::vector<std::uint64_t> halves;  // sums of which do not overflow
  for (const std::uint64_t c : contributions) {
    halves.push_back(c >> kHalf);
    halves.push_back(c & 0xffffffffu);
  }
  communicator.sum(std::span<std::uint64_t>(halves));
  std::vector<std::uint64_t> sums;
  for (std::size_t k = 0; k < halves.size(); k += 2) {
    const std::uint64_t high = times(reduced(halves[k]), std::uint64_t{1} << kHalf);
    sums.push_back(reduced(high + reduced(halves[k + 1])));
  }
  return sums;
}

void verify_checksums(const comm::Communicator& communicator, const Hdf5File& file,
                      const std::vector<std::string>& datasets) {
  constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 20;
  struct Checked {
    std::string name;
    std::uint64_t stated;
  };
  std::vector<Checked> checked;
  std::vector<std::uint64_t> mine;
  comm::agree(communicator, [&] {
    std::vector<std::byte> chunk;
    for (const std::string& name : datasets) {
      if (file.object(name) != Hdf5File::Object::dataset) continue;
      const auto stated = file.integer_attribute(name, kChecksumAttribute);
      if (!stated) continue;
      const Hdf5Array array = file.describe(name);
      if (array.shape.empty() || array.element_bytes == 0) continue;
      std::uint64_t row_bytes = array.element_bytes;
      for (std::size_t d = 1; d < array.shape.size(); ++d) row_bytes *= array.shape[d];
      const auto blocks = partition::Assignment::block(array.shape[0], communicator.size());
      const auto end = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1));
      const std::uint64_t rows = std::max<std::uint64_t>(kChunkBytes / std::max<std::uint64_t>(row_bytes, 1), 1);
      std::uint64_t sum = 0;
      for (auto row = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank())); row < end; row += rows) {
        chunk.resize(std::min(rows, end - row) * row_bytes);
        file.read_stored(array, row, std::min(rows, end - row), chunk);
        sum = reduced(sum + checksum_of(chunk, row * row_bytes, array.shape[0] * row_bytes));
      }
      checked.push_back({name, static_cast<std::uint64_t>(stated->front())});
      mine.push_back(sum);
    }
  });
  const std::vector<std::uint64_t> found = sum_of_checksums(communicator, mine);
  for (std::size_t k = 0; k < checked.size(); ++k) {
    if (found[k] == checked[k].stated) continue;
    throw AgreedError(
        file.place(checked[k].name) +
        ": found other bytes than were written: the file is damaged, or was changed without its attribute " +
        kChecksumAttribute);
  }
}

}  // namespace kasen::io
