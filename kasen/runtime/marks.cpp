#include "kasen/runtime/marks.h"

#include <cstring>

#include "kasen/base/with_size.h"
#include "kasen/runtime/access.h"

namespace kasen::runtime {

void mark_unlike(const std::byte* elements, const std::byte* element, std::uint32_t bytes, std::uint32_t n,
                 char* marks) {
  with_size(bytes, [&](auto size) {
    KASEN_SIMD
    for (std::uint32_t k = 0; k < n; ++k)
      marks[k] = static_cast<char>(marks[k] | (differ(elements + k * size, element, size) ? 1 : 0));
  });
}

void mark_different(const std::byte* a, const std::byte* b, std::uint32_t bytes, std::uint32_t n, const char* among,
                    char* marks) {
  with_size(bytes, [&](auto size) {
    KASEN_SIMD
    for (std::uint32_t k = 0; k < n; ++k) {
      const int differs = differ(a + k * size, b + k * size, size) ? 1 : 0;
      marks[k] = static_cast<char>(marks[k] | (among == nullptr ? differs : differs & among[k]));
    }
  });
}

void fill_with(const std::byte* element, std::uint32_t bytes, std::uint32_t n, std::byte* elements) {
  with_size(bytes, [&](auto size) {
    KASEN_SIMD
    for (std::uint32_t k = 0; k < n; ++k) std::memcpy(elements + k * size, element, size);
  });
}

}  // namespace kasen::runtime
