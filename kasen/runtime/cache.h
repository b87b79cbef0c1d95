/// @file
/// Cache lines as units of memory, and prefetching of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kasen::runtime {

struct alignas(64) CacheLine {
  std::byte bytes[64];
};

/// The number of lines that hold so many bytes.
constexpr std::uint64_t lines_of(std::uint64_t bytes) { return (bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine); }

/// Rows of so many bytes or more are walked one at a time, or several that lie in pages of their own: the hardware's
/// prefetcher follows one stream of accesses within a page, and none of several rows that take turns in it.
inline constexpr std::uint64_t kLongRow = 256;

// Functions that only prefetch are inlined: a call of one changes nothing, so that a compiler may leave it out.

/// Prefetches the lines [first, end) from `at`.
[[gnu::always_inline]] inline void prefetch(const std::byte* at, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t line = first; line < end; ++line) __builtin_prefetch(at + line * sizeof(CacheLine));
}

/// Number of entries from those that a walk over a matrix works on to those that it fetches; more than from an entry to
/// the one whose vector element is fetched (kPrefetchDistance), which reads the index of that one.
inline constexpr std::uint64_t kEntriesAhead = 1024;

/// What a walk prefetches: of a matrix that does not stay in the near caches its entries, of vectors that do not stay
/// in any their elements, too.
enum class Prefetched : std::uint8_t { nothing, entries, elements };

/// Prefetches the index and the value of a later entry, to be called for one entry in four to eight. A walk reads them
/// in order, but hardware may not see that among accesses to vectors, which are at random: without this a product takes
/// up to twice the time. Element is void over a Pattern. What lies behind the last entry does no harm.
template <class Element, class Index>
[[gnu::always_inline]] inline void prefetch_entries(const Index* index, [[maybe_unused]] const void* value,
                                                    std::uint64_t entry) {
  const auto at = [&](const void* first, std::uint64_t bytes) {
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(first) + bytes);
  };
  __builtin_prefetch(at(index, (entry + kEntriesAhead) * sizeof(Index)));
  if constexpr (!std::is_void_v<Element>) __builtin_prefetch(at(value, (entry + kEntriesAhead) * sizeof(Element)));
}

/// The same for a row, or for as much of it as is fetched ahead.
template <class Element, class Index>
[[gnu::always_inline]] inline void prefetch_entries(const Index* index, const void* value, std::uint64_t first,
                                                    std::uint64_t end) {
  constexpr std::uint64_t kTogether = 8;
  const std::uint64_t stop = end < first + kEntriesAhead ? end : first + kEntriesAhead;
  for (std::uint64_t entry = first; entry < stop; entry += kTogether) prefetch_entries<Element>(index, value, entry);
}

}  // namespace kasen::runtime
