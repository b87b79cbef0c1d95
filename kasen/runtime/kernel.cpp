#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

std::shared_ptr<const void> owned(const void* object, void (*destroy)(const void*)) { return {object, destroy}; }

}  // namespace kasen::runtime
