#include "kasen/runtime/running.h"

#include <fmt/format.h>

namespace kasen::runtime {

std::string told_of(const Running& function, const std::string& what) {
  return fmt::format("{}:{}: [{}] the function {}", function.where.file, function.where.line, *function.label, what);
}

}  // namespace kasen::runtime
