#include "kasen/session/gather.h"

#include <cstring>
#include <string>

#include "comm/available_memory.h"
#include "comm/memory_limit.h"

namespace kasen {

std::span<const std::byte> master_bytes(Engine& engine, const recording::Stored& stored) {
  const std::uint64_t masters = engine.placement().space(stored.about.space).masters();
  return {stored.value.buffer->data(), masters * stored.about.type.bytes};
}

void gather_everywhere(Engine& engine, const recording::Stored& stored, std::byte* into, std::size_t element_bytes,
                       SourceLine where) {
  engine.meet(Meeting::get, where, {stored.number});
  const partition::IndexSpace& space = engine.placement().space(stored.about.space);
  comm::MemoryNeeds needs(engine.control());
  needs.add("all elements, which every worker gets", [&space, element_bytes](std::uint64_t) {
    return comm::bytes_of(space.length(), element_bytes + (space.blocks() ? 0 : sizeof(GlobalIndex)));
  });
  needs.require("get of a vector of " + std::to_string(space.length()) + " elements");
  const auto values = engine.control().all_gather(master_bytes(engine, stored)).values;
  if (space.blocks()) {
    if (!values.empty()) std::memcpy(into, values.data(), values.size());
    return;
  }
  const auto index = engine.control().all_gather(space.global().first(space.masters())).values;
  for (std::size_t i = 0; i < index.size(); ++i) {
    std::memcpy(into + static_cast<std::size_t>(index[i]) * element_bytes, values.data() + i * element_bytes,
                element_bytes);
  }
}

}  // namespace kasen
