#include "kasen/runtime/batch_kernel.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>

#include "kasen/base/error.h"
#include "kasen/base/source_line.h"
#include "kasen/runtime/access.h"

namespace kasen::runtime {
namespace {

struct Context {
  std::size_t all_bytes, bytes;
  std::uint32_t parts;
  SourceLine where;
};

/// What is written may be what is read, if there is but one part.
template <std::size_t known_bytes>
void copy(const std::byte* from, std::size_t apart, std::byte* to, std::size_t any_bytes, std::uint32_t n) {
  const std::size_t bytes = known_bytes > 0 ? known_bytes : any_bytes;
  for (std::uint32_t k = 0; k < n; ++k, from += apart, to += bytes) std::memmove(to, from, bytes);
}

std::int64_t number_of(const void* const* shared) { return *static_cast<const std::int64_t*>(shared[0]); }

/// As Shareds are equal on all workers, all of them throw.
void check(const void* context, const void* const* shared) {
  const auto& c = *static_cast<const Context*>(context);
  const std::int64_t number = number_of(shared);
  if (number < 0 || number >= std::int64_t{c.parts}) {
    throw AgreedError(prefix_of(c.where) + "[batch] " + refusal_of_batch(std::to_string(number), c.parts));
  }
}

void run(const void* context, const Tile& tile) {
  const auto& c = *static_cast<const Context*>(context);
  const std::int64_t number = number_of(tile.shared);
  const std::byte* from = static_cast<const std::byte*>(tile.in[0]) + static_cast<std::size_t>(number) * c.bytes;
  auto* const to = static_cast<std::byte*>(tile.out);
  const auto loop = c.bytes == 8 ? &copy<8> : c.bytes == 4 ? &copy<4> : &copy<0>;
  loop(from, c.all_bytes, to, c.bytes, tile.n);
  if (!kCountAccesses) return;
  if (AccessCount* const read = counter(tile.read, 0)) *read += tile.n;
  if (tile.written != nullptr) *tile.written += tile.n;
}

}  // namespace

std::string refusal_of_batch(std::string_view number, std::uint64_t batches) {
  return fmt::format("there is no batch {}: batches are 0 to {}", number, batches - 1);
}

ElementKernel batch_kernel(const Type& type, SourceLine where) {
  ElementKernel kernel;
  kernel.context = context_of(Context{type.bytes, type.read_bytes(), type.parts, where});
  kernel.run = &run;
  kernel.check = &check;
  return kernel;
}

}  // namespace kasen::runtime
