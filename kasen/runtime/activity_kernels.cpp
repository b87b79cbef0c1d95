#include "kasen/runtime/activity_kernels.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"

namespace kasen::runtime {
namespace {

/// The bytes of an element of any type, as words.
template <class Word, std::size_t Words = 1>
struct Bits {
  Word word[Words];
  static Bits at(const std::byte* from) {
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
  }
  bool operator!=(const Bits& other) const {
    Word difference = 0;
    for (std::size_t k = 0; k < Words; ++k) difference = static_cast<Word>(difference | (word[k] ^ other.word[k]));
    return difference != 0;
  }
};

/// Counts what a loop over a tile without counting iterators has touched.
void count(const Tile& tile, std::size_t vectors) {
  if constexpr (!kCountAccesses) return;
  for (std::size_t k = 0; k < vectors; ++k) {
    if (AccessCount* const read = counter(tile.read, k)) *read += tile.n;
  }
  if (tile.written != nullptr) *tile.written += tile.n;
}

void fill_active(const void*, const Tile& tile) {
  std::memset(tile.out, 1, tile.n);
  count(tile, 0);
}

template <class Element>
void compare(const void*, const Tile& tile) {
  const auto *a = static_cast<const std::byte*>(tile.in[0]), *b = static_cast<const std::byte*>(tile.in[1]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  const std::uint32_t n = tile.n;
  KASEN_SIMD
  for (std::uint32_t k = 0; k < n; ++k) {
    out[k] = Element::at(a + k * sizeof(Element)) != Element::at(b + k * sizeof(Element)) ? 1 : 0;
  }
  count(tile, 2);
}

using Bytes = std::vector<std::byte>;

template <class Element>
void compare_with(const void* context, const Tile& tile) {
  const Element element = Element::at(static_cast<const Bytes*>(context)->data());
  const auto* const in = static_cast<const std::byte*>(tile.in[0]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  const std::uint32_t n = tile.n;
  KASEN_SIMD
  for (std::uint32_t k = 0; k < n; ++k) out[k] = Element::at(in + k * sizeof(Element)) != element ? 1 : 0;
  count(tile, 1);
}

// Of elements of another size, which is that of the context.

void compare_bytes(const void* context, const Tile& tile) {
  const std::size_t bytes = static_cast<const Bytes*>(context)->size();
  const auto *a = static_cast<const std::byte*>(tile.in[0]), *b = static_cast<const std::byte*>(tile.in[1]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  for (std::uint32_t k = 0; k < tile.n; ++k) out[k] = std::memcmp(a + k * bytes, b + k * bytes, bytes) != 0 ? 1 : 0;
  count(tile, 2);
}

void compare_with_bytes(const void* context, const Tile& tile) {
  const Bytes& element = *static_cast<const Bytes*>(context);
  const auto* const in = static_cast<const std::byte*>(tile.in[0]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  for (std::uint32_t k = 0; k < tile.n; ++k) {
    out[k] = std::memcmp(in + k * element.size(), element.data(), element.size()) != 0 ? 1 : 0;
  }
  count(tile, 1);
}

struct Comparisons {
  void (*of_two)(const void* context, const Tile&);
  void (*with_one)(const void* context, const Tile&);
};
template <class Element>
constexpr Comparisons kComparisons{&compare<Element>, &compare_with<Element>};

Comparisons comparisons(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return kComparisons<Bits<std::uint8_t>>;
    case 2:
      return kComparisons<Bits<std::uint16_t>>;
    case 4:
      return kComparisons<Bits<std::uint32_t>>;
    case 8:
      return kComparisons<Bits<std::uint64_t>>;
    case 16:
      return kComparisons<Bits<std::uint64_t, 2>>;
    case 24:
      return kComparisons<Bits<std::uint64_t, 3>>;
    default:
      return {&compare_bytes, &compare_with_bytes};
  }
}

}  // namespace

ElementKernel all_active() { return {nullptr, &fill_active}; }

ElementKernel changed_elements(std::uint32_t bytes) { return {context_of(Bytes(bytes)), comparisons(bytes).of_two}; }

ElementKernel elements_unlike(std::vector<std::byte> element) {
  const auto run = comparisons(element.size()).with_one;
  return {context_of(std::move(element)), run};
}

}  // namespace kasen::runtime
