#include "kasen/runtime/running.h"

#include <fmt/format.h>

namespace kasen::runtime {

std::string told_of_running(const std::string& what) {
  return fmt::format("{}:{}: [{}] the function {}", running.where.file, running.where.line, *running.label, what);
}

}  // namespace kasen::runtime
