#include "kasen/recording/element_type.h"

#include <map>

namespace kasen::recording {
namespace {

/// 64-bit FNV-1a.
std::uint64_t hash_text(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::uint64_t type_number(const void* mark, const char* name) {
  static std::map<std::uint64_t, const void*> owners;
  std::uint64_t number = hash_text(name);
  while (owners.try_emplace(number, mark).first->second != mark) ++number;
  return number;
}

}  // namespace kasen::recording
