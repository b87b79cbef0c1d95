#include "kasen/runtime/running.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/base/source_line.h"

namespace kasen::runtime {

std::string told_of(const Running& function, const std::string& what) {
  return fmt::format("{}[{}] the function {}", prefix_of(function.where), *function.label, what);
}

void throw_with_line() {
  const Running was = std::exchange(running, {});  // first: what follows may find no memory
  if (was.label == nullptr) throw;
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw ProgramError(told_of(was, "threw: " + std::string(error.what())));
  } catch (...) {
    throw ProgramError(told_of(was, "threw an unknown exception"));
  }
}

}  // namespace kasen::runtime
