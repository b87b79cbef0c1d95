/// @file
/// Hash functions (FNV-1a) whose results are the same in every process, so that workers can compare them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kasen {

/// 64-bit FNV-1a of texts and numbers, in the order in which they are added.
class Fnv1a {
 public:
  constexpr void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  constexpr void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<unsigned char>(number >> shift));
  }
  constexpr std::uint64_t value() const { return _hash; }

 private:
  constexpr void add_byte(unsigned char byte) { _hash = (_hash ^ byte) * 0x100000001b3u; }
  std::uint64_t _hash = 0xcbf29ce484222325u;
};

constexpr std::uint64_t hash_of(std::string_view bytes) {
  Fnv1a hash;
  hash.add(bytes);
  return hash.value();
}

constexpr std::uint64_t hash_of(std::span<const std::uint64_t> numbers) {
  Fnv1a hash;
  for (const std::uint64_t number : numbers) hash.add(number);
  return hash.value();
}

}  // namespace kasen
