#include "kasen/runtime/running.h"

#include <fmt/format.h>

namespace kasen::runtime {

std::string told_of_running(const std::string& message) {
  if (running.label == nullptr) return message;
  return fmt::format("{}:{}: [{}] the function threw: {}", running.where.file, running.where.line, *running.label,
                     message);
}

}  // namespace kasen::runtime
