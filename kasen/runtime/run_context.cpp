/// @file
/// Checks before a step runs.
#include "kasen/runtime/run_context.h"

#include <string>
#include <variant>

#include "kasen/base/error.h"
#include "kasen/base/source_line.h"

namespace kasen::runtime {

std::size_t group_variant(std::size_t vectors) {
  switch (vectors) {
    case 1:
      return 0;
    case 2:
      return 1;
    case 4:
      return 2;
    default:
      throw InternalError("a group of " + std::to_string(vectors) + " matrix products");
  }
}

void require_shareds(const RunContext& context, const optimizer::Launch& launch, const void* const* bound) {
  for (const ValueId shared : launch.shared) require_value(context, shared, launch.label, launch.where);
  const auto* kernel = std::get_if<ElementKernel>(&context.kernels[index_of(launch.kernel)]);
  if (kernel != nullptr && kernel->check != nullptr) kernel->check(kernel->context.get(), bound);
}

void require_value(const RunContext& context, ValueId shared, const std::string& user, const SourceLine& where) {
  if (context.storage.has(shared)) return;
  std::string message = prefix_of(where);
  message += (user.empty() ? std::string("a step") : user) + " reads a Shared without value";
  const std::string& name = context.plan.values[index_of(shared)].name;
  if (!name.empty()) message += " (" + name + ")";
  throw AgreedError(message + ": the reduction of no elements by a function without identity");
}

}  // namespace kasen::runtime
