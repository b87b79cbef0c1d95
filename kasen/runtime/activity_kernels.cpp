#include "kasen/runtime/activity_kernels.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/runtime/access.h"

namespace kasen::runtime {
namespace {

/// The word at `at`, which may be of any type.
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

/// Calls `f` with the word of so many bytes.
template <class F>
auto with_word(std::size_t bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(std::type_identity<std::uint8_t>{});
    case 2:
      return f(std::type_identity<std::uint16_t>{});
    case 4:
      return f(std::type_identity<std::uint32_t>{});
    case 8:
      return f(std::type_identity<std::uint64_t>{});
    default:
      throw InternalError("a scalar of no size there is");
  }
}

}  // namespace

ElementKernel all_active() { return {nullptr, &fill_active}; }

ElementKernel changed_elements(ScalarType type) {
  return with_word(bytes_of(type), [&]<class Word>(std::type_identity<Word>) {
    return ElementKernel{nullptr, &compare_words<Word>};
  });
}

ElementKernel elements_unlike(std::vector<std::byte> element) {
  const auto run =
      with_word(element.size(), [&]<class Word>(std::type_identity<Word>) { return &compare_with_word<Word>; });
  return {std::make_shared<const Element>(std::move(element)), run};
}

}  // namespace kasen::runtime
