#include "kasen/runtime/activity_kernels.h"

#include <cstring>
#include <memory>
#include <utility>

#include "kasen/runtime/access.h"

namespace kasen::runtime {
namespace {

/// The word of `Bytes` bytes at `at`, which may be of any type.
template <class Word>
Word word_at(const std::byte* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

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

template <class Word>
void compare_words(const void*, const Tile& tile) {
  const auto *a = static_cast<const std::byte*>(tile.in[0]), *b = static_cast<const std::byte*>(tile.in[1]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  const std::uint32_t n = tile.n;
  KASEN_SIMD
  for (std::uint32_t k = 0; k < n; ++k) {
    out[k] = word_at<Word>(a + k * sizeof(Word)) != word_at<Word>(b + k * sizeof(Word)) ? 1 : 0;
  }
  count(tile, 2);
}

void compare_bytes(const void* context, const Tile& tile) {
  const std::size_t bytes = *static_cast<const std::uint32_t*>(context);
  const auto *a = static_cast<const std::byte*>(tile.in[0]), *b = static_cast<const std::byte*>(tile.in[1]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  for (std::size_t k = 0; k < tile.n; ++k) out[k] = std::memcmp(a + k * bytes, b + k * bytes, bytes) != 0 ? 1 : 0;
  count(tile, 2);
}

using Element = std::vector<std::byte>;

template <class Word>
void compare_with_word(const void* context, const Tile& tile) {
  const Word element = word_at<Word>(static_cast<const Element*>(context)->data());
  const auto* const in = static_cast<const std::byte*>(tile.in[0]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  const std::uint32_t n = tile.n;
  KASEN_SIMD
  for (std::uint32_t k = 0; k < n; ++k) out[k] = word_at<Word>(in + k * sizeof(Word)) != element ? 1 : 0;
  count(tile, 1);
}

void compare_with_bytes(const void* context, const Tile& tile) {
  const auto& element = *static_cast<const Element*>(context);
  const auto* const in = static_cast<const std::byte*>(tile.in[0]);
  auto* const out = static_cast<std::uint8_t*>(tile.out);
  for (std::size_t k = 0; k < tile.n; ++k)
    out[k] = std::memcmp(in + k * element.size(), element.data(), element.size()) != 0 ? 1 : 0;
  count(tile, 1);
}

}  // namespace

ElementKernel all_active() { return {nullptr, &fill_active}; }

ElementKernel changed_elements(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return {nullptr, &compare_words<std::uint8_t>};
    case 2:
      return {nullptr, &compare_words<std::uint16_t>};
    case 4:
      return {nullptr, &compare_words<std::uint32_t>};
    case 8:
      return {nullptr, &compare_words<std::uint64_t>};
    default:
      return {std::make_shared<const std::uint32_t>(bytes), &compare_bytes};
  }
}

ElementKernel elements_unlike(std::vector<std::byte> element) {
  ElementKernel kernel;
  switch (element.size()) {
    case 1:
      kernel.run = &compare_with_word<std::uint8_t>;
      break;
    case 2:
      kernel.run = &compare_with_word<std::uint16_t>;
      break;
    case 4:
      kernel.run = &compare_with_word<std::uint32_t>;
      break;
    case 8:
      kernel.run = &compare_with_word<std::uint64_t>;
      break;
    default:
      kernel.run = &compare_with_bytes;
  }
  kernel.context = std::make_shared<const Element>(std::move(element));
  return kernel;
}

}  // namespace kasen::runtime
