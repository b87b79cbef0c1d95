#include "kasen/recording/function_key.h"

#include "kasen/base/hash.h"

namespace kasen::recording {

void append_bytes(std::string& to, const void* from, std::size_t bytes) {
  to.append(static_cast<const char*>(from), bytes);
}

std::uint64_t hash_of_names(std::initializer_list<const char*> names) {
  Fnv1a hash;
  for (const char* const name : names) hash.add(name);
  return hash.value();
}

}  // namespace kasen::recording
