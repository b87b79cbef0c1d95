/// @file
/// The copy loops of packing, unrolled for the usual element sizes.
#include "comm/packing.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace kasen::comm {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kStagingBytes = 4096;

/// Calls copy with element_bytes as a constant where that pays.
template <class Copy>
void with_constant_size(std::uint32_t element_bytes, Copy&& copy) {
  switch (element_bytes) {
    case 1:
      return copy(std::integral_constant<std::size_t, 1>());
    case 2:
      return copy(std::integral_constant<std::size_t, 2>());
    case 4:
      return copy(std::integral_constant<std::size_t, 4>());
    case 8:
      return copy(std::integral_constant<std::size_t, 8>());
    case 16:
      return copy(std::integral_constant<std::size_t, 16>());
    case 24:
      return copy(std::integral_constant<std::size_t, 24>());
    case 32:
      return copy(std::integral_constant<std::size_t, 32>());
    default:
      return copy(static_cast<std::size_t>(element_bytes));
  }
}

}  // namespace

std::byte* pack(std::byte* packed, const std::byte* data, std::span<const std::uint32_t> index,
                std::uint32_t element_bytes, bool run) {
  const std::size_t bytes = index.size() * element_bytes;
  if (index.empty()) return packed;
  if (run) {
    std::memcpy(packed, data + std::size_t{index[0]} * element_bytes, bytes);
  } else {
    with_constant_size(element_bytes, [&](auto size) {
      for (std::size_t k = 0; k < index.size(); ++k) std::memcpy(packed + k * size, data + index[k] * size, size);
    });
  }
  return packed + bytes;
}

const std::byte* unpack(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                        std::uint32_t element_bytes, bool run) {
  const std::size_t bytes = index.size() * element_bytes;
  if (index.empty()) return packed;
  if (run) {
    std::memcpy(data + std::size_t{index[0]} * element_bytes, packed, bytes);
  } else {
    with_constant_size(element_bytes, [&](auto size) {
      for (std::size_t k = 0; k < index.size(); ++k) std::memcpy(data + index[k] * size, packed + k * size, size);
    });
  }
  return packed + bytes;
}

std::size_t alignment_for(std::uint32_t element_bytes) {
  const std::size_t lowest_bit = element_bytes & (~element_bytes + 1);
  return std::clamp(lowest_bit, std::size_t{1}, kLine);
}

const std::byte* fold(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                      std::uint32_t element_bytes, const Combine& combine) {
  const std::byte* const end = packed + index.size() * element_bytes;
  if (index.empty()) return end;
  if (reinterpret_cast<std::uintptr_t>(packed) % alignment_for(element_bytes) == 0) {
    combine.fold(combine.context.get(), data, index.data(), packed, index.size());
    return end;
  }
  alignas(kLine) std::byte on_stack[kStagingBytes];
  const auto release = [](std::byte* memory) { ::operator delete (memory, std::align_val_t{kLine}); };
  std::unique_ptr<std::byte, decltype(release)> on_heap(nullptr, release);
  std::byte* staging = on_stack;
  if (element_bytes > kStagingBytes) {
    on_heap.reset(static_cast<std::byte*>(::operator new (element_bytes, std::align_val_t{kLine})));
    staging = on_heap.get();
  }
  const std::size_t at_a_time = std::max<std::size_t>(1, kStagingBytes / element_bytes);
  for (std::size_t first = 0; first < index.size(); first += at_a_time) {
    const std::size_t n = std::min(at_a_time, index.size() - first);
    std::memcpy(staging, packed + first * element_bytes, n * element_bytes);
    combine.fold(combine.context.get(), data, index.data() + first, staging, n);
  }
  return end;
}

}  // namespace kasen::comm
