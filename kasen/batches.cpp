#include "kasen/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/detail/between_plans.h"
#include "kasen/detail/operands.h"
#include "kasen/input.h"
#include "kasen/make_vector.h"
#include "kasen/output.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/batch_kernel.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"
#include "kasen/workers.h"
#include "partition/assignment.h"

namespace kasen {

namespace {

constexpr std::uint64_t kMostBytes = std::numeric_limits<std::int32_t>::max();
struct OfOneBatch;

/// Collective. From blocks of all elements to blocks of groups, each of which is of `parts` elements that follow one
/// another; what is left over is dropped.
std::vector<std::byte> to_group_blocks(const comm::Communicator& workers, std::span<const std::byte> block,
                                       std::uint64_t length, std::uint64_t groups, std::uint64_t parts,
                                       std::uint32_t bytes) {
  const auto elements = partition::Assignment::block(length, workers.size());
  const auto blocks = partition::Assignment::block(groups, workers.size());
  const auto first = static_cast<std::uint64_t>(elements.block_begin(workers.rank()));
  const std::uint64_t end = first + block.size() / bytes;
  std::vector<std::uint64_t> offsets;
  for (Rank w = 0; w <= workers.size(); ++w) {
    const std::uint64_t begins = static_cast<std::uint64_t>(blocks.block_begin(w)) * parts;
    offsets.push_back((std::clamp(begins, first, end) - first) * bytes);
  }
  return workers.all_to_all(block.first(offsets.back()), std::span<const std::uint64_t>(offsets)).values;
}

/// How many batches there are. @throws ProgramError for none; a negative size, which comes as a large number, is told
/// as it was given
std::uint64_t count_of(std::uint64_t length, std::uint64_t size, const char* of, SourceLine line) {
  if (size == 0 || size > length)
    recording::refuse(line, "batches",
                      fmt::format("there are no batches of {} of {} {}", static_cast<std::int64_t>(size), length, of));
  return length / size;
}

}  // namespace

recording::SlotId detail::make_batches(const recording::Handle& v, std::uint64_t size, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  const Type type = recording::recorder(line).type_of(v.slot(), line);
  const std::uint64_t length = length_of(v.slot(), line);
  const std::uint64_t parts = count_of(length, size, "elements", line);
  if (parts > kMostBytes / type.bytes) {
    recording::refuse(line, "batches",
                      fmt::format("{} batches of elements of {} bytes are too many: an element of each, together, may "
                                  "have {} bytes",
                                  parts, type.bytes, kMostBytes));
  }
  const std::vector<std::byte> block = block_bytes(v, line, "batches");
  const std::vector<std::byte> mine = to_group_blocks(workers::communicator(), block, length, size, parts, type.bytes);
  const Type together{static_cast<std::uint32_t>(type.bytes * parts), type.hash, static_cast<std::uint32_t>(parts),
                      type.row};
  return make_vector(Space(size, where), std::span<const std::byte>(mine), together, where);
}

MatrixId detail::make_batches(MatrixId matrix, bool of_batch, Space rows, std::uint64_t size, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  begin_between_plans("batches", index_of(matrix) ^ size << 32, where);
  if (of_batch) recording::refuse(line, "batches", "a batch of a matrix has no batches: give the whole matrix");
  const std::uint64_t parts = count_of(rows.length(), size, "rows", line);
  if (parts > std::numeric_limits<std::uint32_t>::max())
    recording::refuse(line, "batches", fmt::format("{} batches are too many", parts));
  const SpaceId of_batch_rows = Space(size, where).id();
  return added("batches", line, [&] {
    return Session::current(where).engine().add_batches(matrix, of_batch_rows, static_cast<std::uint32_t>(parts), line);
  });
}

void detail::require_batch(std::int64_t number, std::uint64_t all, const std::string& as_given, SourceLocation where) {
  if (number >= 0 && static_cast<std::uint64_t>(number) < all) return;
  recording::refuse(recording::source_line(where), "batch", runtime::refusal_of_batch(as_given, all));
}

recording::SlotId detail::one_batch(const recording::Handle& all, const Shared<std::int64_t>& number,
                                    SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  const Type type = recording::recorder(line).type_of(all.slot(), line);
  const recording::SlotId in[] = {all.slot()}, shared[] = {number.slot()};
  recording::Call call;
  call.op = Op::element;
  call.primitive = "batch";
  call.where = line;
  call.vectors = in;
  call.shareds = shared;
  call.out = {type.read_bytes(), type.hash, 1, type.row};
  call.total = false;
  call.key = recording::function_key<OfOneBatch*>(type.bytes, type.parts);
  call.kernel = runtime::batch_kernel(type, line);
  return recording::record(std::move(call));
}

}  // namespace kasen
