#include "kasen/recording/function_key.h"

namespace kasen::recording {

void append_bytes(std::string& to, const void* from, std::size_t bytes) {
  to.append(static_cast<const char*>(from), bytes);
}

std::uint64_t hash_of_bytes(std::string_view bytes) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::uint64_t hash_of_numbers(std::span<const std::uint64_t> numbers) {
  return hash_of_bytes({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

}  // namespace kasen::recording
