#include "kasen/joins.h"

#include <algorithm>
#include <limits>
#include <string>

#include "comm/agreement.h"
#include "kasen/detail/operands.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/ids/id_matching.h"
#include "kasen/make_vector.h"
#include "kasen/recording/recorder.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen {

recording::SlotId detail::index_of(const recording::Handle& of, std::span<const std::int64_t> left,
                                   std::span<const std::int64_t> right, SourceLocation where) {
  const comm::Communicator& workers = Session::current().engine().control();
  const auto begin = static_cast<GlobalIndex>(workers.exclusive_sum(right.size()));
  const std::vector<GlobalIndex> found = io::match_ids(workers, left, right, begin);
  return make_vector(space_of(of, where), std::as_bytes(std::span(found)), recording::type_of<GlobalIndex>(), where);
}

namespace {

/// This worker's block of codes. @throws AgreedError for one that its dictionary does not have
std::vector<std::int64_t> codes_of(const WordColumn& column, SourceLocation where) {
  std::vector<std::int64_t> codes = detail::integer_block(column.code, where);
  comm::agree(workers::communicator(), [&] {
    for (const std::int64_t code : codes) {
      if (code < 0 || static_cast<std::uint64_t>(code) < column.dictionary.size()) continue;
      recording::refuse(recording::source_line(where), "index_of",
                        "a column has code " + std::to_string(code) + ", and its dictionary " +
                            std::to_string(column.dictionary.size()) + " words");
    }
  });
  return codes;
}

std::vector<std::byte> flags_of(const Vector<bool>& keep, SourceLocation where) {
  detail::begin_between_plans("compact", 0, where);
  return detail::block_bytes(keep, recording::source_line(where), "compact");
}

}  // namespace

Vector<GlobalIndex> index_of(const WordColumn& left, const WordColumn& right, SourceLocation where) {
  constexpr auto kNowhere = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  detail::begin_between_plans("index_of", hash_of(std::string_view("words")), where);
  const std::vector<std::int64_t> of_left = codes_of(left, where), of_right = codes_of(right, where);
  const comm::Communicator& workers = Session::current().engine().control();
  std::vector<std::uint64_t> first_of(right.dictionary.size(), kNowhere);  // by code of right
  std::uint64_t at = workers.exclusive_sum(of_right.size());
  for (const std::int64_t code : of_right) {
    if (code >= 0) first_of[static_cast<std::size_t>(code)] = std::min(first_of[static_cast<std::size_t>(code)], at);
    ++at;
  }
  workers.min(std::span(first_of));
  std::vector<GlobalIndex> found_of(left.dictionary.size(), -1);  // by code of left
  for (std::size_t code = 0; code < found_of.size(); ++code) {
    const std::int32_t same = right.dictionary.code_of(left.dictionary[static_cast<std::int32_t>(code)]);
    if (same < 0 || first_of[static_cast<std::size_t>(same)] == kNowhere) continue;
    found_of[code] = static_cast<GlobalIndex>(first_of[static_cast<std::size_t>(same)]);
  }
  std::vector<GlobalIndex> found;
  found.reserve(of_left.size());
  for (const std::int64_t code : of_left) found.push_back(code < 0 ? -1 : found_of[static_cast<std::size_t>(code)]);
  return make_vector<GlobalIndex>(left.code.space(where), std::span<const GlobalIndex>(found), where);
}

detail::Kept::Kept(const Vector<bool>& keep, SourceLocation where)
    : MovedColumns(where),
      _keep(flags_of(keep, where)),
      _from(keep.space(where)),
      _space(workers::sum(static_cast<std::uint64_t>(std::count(_keep.begin(), _keep.end(), std::byte{1}))), where) {}

recording::SlotId detail::Kept::moved(const recording::Handle& v, Type type) const {
  const SourceLine line = recording::source_line(_where);
  require_column_of(_from, v, "compact", "the flags", _where);
  const std::vector<std::byte> block = block_bytes(v, line, "compact");
  std::vector<std::byte> kept;
  comm::agree(workers::communicator(), [&] {
    for (std::size_t k = 0; k < _keep.size(); ++k) {
      if (_keep[k] == std::byte{0}) continue;
      const auto* const element = block.data() + k * type.bytes;
      kept.insert(kept.end(), element, element + type.bytes);
    }
  });
  kept = io::to_row_blocks(workers::communicator(), std::move(kept), type.bytes);
  return make_vector(_space, std::span<const std::byte>(kept), type, _where);
}

}  // namespace kasen
