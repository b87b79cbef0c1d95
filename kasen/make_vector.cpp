/// @file
/// From blocks in global order to the masters of any assignment.
#include "kasen/make_vector.h"

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/hash.h"
#include "kasen/checkpoint/data_hash.h"
#include "kasen/detail/between_plans.h"
#include "kasen/rows.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"
#include "partition/assignment.h"

namespace kasen {

namespace {

constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 24;  ///< of a row

partition::Assignment blocks_of(Space space) {
  return partition::Assignment::block(space.length(), Session::current().workers());
}

/// Collective. Blocks are ordered by worker, so a worker receives its masters in ascending order; then they go to their
/// numbers.
std::vector<std::byte> to_masters(const comm::Communicator& workers, const partition::IndexSpace& space,
                                  const BlockRange& range, std::span<const std::byte> block, std::uint32_t bytes) {
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(workers.size()) + 1);
  std::vector<std::byte> ordered(block.size());
  comm::agree(workers, [&] {
    const auto owner = [&](std::uint64_t k) {
      return static_cast<std::size_t>(space.owner(range.first + static_cast<GlobalIndex>(k)));
    };
    for (std::uint64_t k = 0; k < range.count; ++k) offsets[owner(k) + 1] += bytes;
    for (std::size_t w = 1; w < offsets.size(); ++w) offsets[w] += offsets[w - 1];
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (std::uint64_t k = 0; k < range.count; ++k) {
      std::uint64_t& at = next[owner(k)];
      std::memcpy(&ordered[at], &block[k * bytes], bytes);
      at += bytes;
    }
  });
  std::vector<std::byte> received =
      workers.all_to_all(std::span<const std::byte>(ordered), std::span<const std::uint64_t>(offsets)).values;
  const std::span<const LocalIndex> number = space.ascending_masters();
  if (number.empty()) return received;
  ordered.resize(received.size());
  for (std::size_t k = 0; k < number.size(); ++k)
    std::memcpy(&ordered[std::size_t{number[k]} * bytes], &received[k * bytes], bytes);
  return ordered;
}

}  // namespace

BlockRange block_of(Space space) {
  const partition::Assignment blocks = blocks_of(space);
  const Rank rank = Session::current().rank();
  const GlobalIndex first = blocks.block_begin(rank);
  return {first, static_cast<std::uint64_t>(blocks.block_begin(rank + 1) - first)};
}

namespace {

/// Collective. A vector whose block `fill` writes, where it will stay if the space is in blocks as files are.
recording::SlotId filled(const char* call, Space space, Type type, SourceLocation where, detail::Origin origin,
                         const std::function<void(std::span<std::byte>)>& fill) {
  const SourceLine line = recording::source_line(where);
  recording::require_session(space.session(), call, line);
  Engine& engine = Session::current().engine();
  if (engine.recorder().in_block()) recording::refuse(line, call, "not allowed in a recorded block");
  const BlockRange range = block_of(space);
  engine.meet(Meeting::vector, line, {index_of(space.id()), space.length(), type.hash, type.bytes});
  engine.placement().assign(space.id());
  const partition::IndexSpace& placed = engine.placement().space(space.id());
  const bool stays = placed.even_blocks();
  runtime::BufferRef buffer;
  std::vector<std::byte> block;
  std::span<std::byte> filled;
  comm::agree(engine.control(), [&] {
    buffer = engine.pool().obtain(placed.local_size(), type.bytes);
    if (!stays) block.resize(range.count * type.bytes);
    filled = stays ? std::span(buffer->data(), range.count * type.bytes) : std::span(block);
    fill(filled);
  });
  if (origin == detail::Origin::data) {
    engine.note_data(
        "vector",
        [&] { return checkpoint::hash_of_elements(filled, type.bytes, static_cast<std::uint64_t>(range.first)); },
        line);
  }
  if (!stays) {
    const std::vector<std::byte> masters = to_masters(engine.control(), placed, range, block, type.bytes);
    if (!masters.empty()) std::memcpy(buffer->data(), masters.data(), masters.size());
  }

  Value about;
  about.kind = Value::Kind::vector;
  about.space = space.id();
  about.type = type;
  about.name = "values";
  auto stored = std::make_shared<recording::Stored>(
      recording::Stored{{std::move(buffer), {}, true}, State::partitioned(), about});
  stored->made = true;
  return engine.recorder().stored_slot(std::move(stored), line);
}

/// @param unit bytes of a value: of an element, or of a number of a row
recording::SlotId make_values(const char* call, Space space, std::span<const std::byte> block, Type type,
                              std::size_t unit, SourceLocation where) {
  return filled(call, space, type, where, detail::Origin::data, [&](std::span<std::byte> into) {
    if (block.size() != into.size()) {
      recording::refuse(recording::source_line(where), call,
                        "worker " + std::to_string(Session::current().rank()) + " gives " +
                            std::to_string(block.size() / unit) + " values, its block of the space has " +
                            std::to_string(into.size() / unit));
    }
    if (!block.empty()) std::memcpy(into.data(), block.data(), block.size());
  });
}

}  // namespace

recording::SlotId detail::make_vector(Space space, std::span<const std::byte> block, Type type, SourceLocation where) {
  return make_values("make_vector", space, block, type, type.bytes, where);
}

void detail::begin_between_plans(const char* call, std::uint64_t given, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  Engine& engine = Session::current(where).engine();
  if (engine.recorder().in_block()) recording::refuse(line, call, "not allowed in a recorded block");
  engine.meet(Meeting::between_plans, line, {hash_of(std::string_view(call)), given});
}

recording::SlotId detail::fill_vector(const char* call, Space space, Type type, SourceLocation where, Origin origin,
                                      const std::function<void(std::span<std::byte>)>& fill) {
  return filled(call, space, type, where, origin, fill);
}

void detail::require_width(std::uint64_t width, const char* primitive, SourceLine where) {
  if (width == 0 || width > kMostNumbers)
    recording::refuse(where, primitive, std::to_string(width) + " is no width of rows: 1 to 16777216 are");
}

recording::SlotId detail::make_rows(Space space, std::span<const std::byte> block, Type type, std::size_t number_bytes,
                                    SourceLocation where) {
  return make_values("make_rows", space, block, type, number_bytes, where);
}

}  // namespace kasen
