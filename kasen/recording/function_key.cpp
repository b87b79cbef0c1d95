#include "kasen/recording/function_key.h"

namespace kasen::recording {

void append_bytes(std::string& to, const void* from, std::size_t bytes) {
  to.append(static_cast<const char*>(from), bytes);
}

}  // namespace kasen::recording
