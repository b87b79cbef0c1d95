#include "kasen/recording/element_type.h"

#include <map>

#include "kasen/base/hash.h"

namespace kasen::recording {

std::uint64_t type_number(const void* mark, const char* name) {
  static std::map<std::uint64_t, const void*> owners;
  std::uint64_t number = hash_of(name);
  while (owners.try_emplace(number, mark).first->second != mark) ++number;
  return number;
}

}  // namespace kasen::recording
