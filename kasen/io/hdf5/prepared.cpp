/// @file
/// Entries in the order of the workers that they are for, with offsets, rule and owners beside them.
#include "kasen/io/hdf5/prepared.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/base/release.h"
#include "kasen/io/hdf5/file_layout.h"
#include "kasen/io/hdf5/hdf5_output.h"
#include "partition/distribute.h"
#include "partition/hybrid_cut.h"

namespace kasen::io {

namespace {

using partition::Assignment;
using partition::EntryRule;
using partition::Partitioning;

constexpr std::array<std::pair<EntryRule::Kind, const char*>, 4> kRules{{{EntryRule::Kind::row, "row"},
                                                                         {EntryRule::Kind::column, "column"},
                                                                         {EntryRule::Kind::hybrid, "hybrid"},
                                                                         {EntryRule::Kind::grid, "2d"}}};
enum class Owners { block, range, hash, table };
constexpr std::array<std::pair<Owners, const char*>, 4> kOwners{
    {{Owners::block, "block"}, {Owners::range, "range"}, {Owners::hash, "hash"}, {Owners::table, "table"}}};

Owners kind_of(const Assignment& owners) {
  if (owners.kind() == Assignment::Kind::hash) return Owners::hash;
  if (owners.kind() == Assignment::Kind::table) return Owners::table;
  return owners.begins().empty() ? Owners::block : Owners::range;
}

template <class Names, class Kind>
const char* name_of(const Names& names, Kind kind) {
  return std::find_if(names.begin(), names.end(), [&](const auto& named) { return named.first == kind; })->second;
}

/// Collective. Each entry to the worker that writes its part, in the order of parts, rows and columns.
/// @return the number of entries of each part on all workers.
std::vector<std::uint64_t> sort_by_parts(const comm::Communicator& communicator, Entries& entries,
                                         const Partitioning& partitioning) {
  const auto parts = static_cast<std::uint64_t>(partitioning.rows.parts());
  const std::uint64_t columns = partitioning.columns.length();
  std::vector<GlobalIndex> high;  // all of them: where an entry is written, any of its part's may be asked for
  if (partitioning.rule.kind == EntryRule::Kind::hybrid) {
    const auto anywhere = Assignment::hash(columns, communicator.size());
    high = partition::high_columns(communicator, entries.column, anywhere, partitioning.rule.threshold);
    high = std::move(communicator.all_gather(std::span<const GlobalIndex>(high)).values);
    std::sort(high.begin(), high.end());
    high.erase(std::unique(high.begin(), high.end()), high.end());
  }
  const partition::IndexSet all_high(std::move(high), columns, 8 * entries.column.size());
  const auto writers = Assignment::block(parts, communicator.size());
  std::vector<Rank> part = partition::parts_of(entries.row, entries.column, all_high, partitioning);
  for (Rank& p : part) p = writers.owner(p);
  entries = partition::distribute(communicator, std::move(entries), part);
  part = partition::parts_of(entries.row, entries.column, all_high, partitioning);

  std::vector<std::uint64_t> counts(parts), order(part.size());
  for (const Rank p : part) ++counts[static_cast<std::size_t>(p)];
  communicator.sum(std::span<std::uint64_t>(counts));
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::tuple(part[a], entries.row[a], entries.column[a]) <
           std::tuple(part[b], entries.row[b], entries.column[b]);
  });
  release(part);
  for (auto* const side : {&entries.row, &entries.column}) {
    GlobalIndices sorted;
    sorted.reserve(order.size());
    for (const std::uint64_t k : order) sorted.push_back((*side)[k]);
    *side = std::move(sorted);
  }
  const std::size_t bytes = entries.value_bytes;
  RawVector<std::byte> sorted(entries.value.size());
  for (std::size_t k = 0; k < order.size() && bytes > 0; ++k) {
    std::memcpy(&sorted[k * bytes], &entries.value[order[k] * bytes], bytes);
  }
  entries.value = std::move(sorted);
  return counts;
}

/// One space's owners: attributes, and the table, or where ranges begin, if they have one.
void add_owners(const comm::Communicator& communicator, Hdf5Output& output, const std::string& side,
                const Assignment& owners) {
  output.text_attribute("/partition", side + "_owners", name_of(kOwners, kind_of(owners)));
  output.integer_attribute("/partition", side + "_salt", {static_cast<std::int64_t>(owners.salt())});
  if (kind_of(owners) == Owners::range) {
    const std::span<const std::byte> begins = std::as_bytes(owners.begins());
    output.add("/partition/" + side + "_begin", {ElementType::Kind::unsigned_integer, sizeof(std::uint64_t)},
               communicator.rank() == 0 ? begins : begins.first(0));
  }
  if (owners.kind() != Assignment::Kind::table) return;
  const std::size_t width = Assignment::table_width(owners.parts());
  const auto blocks = Assignment::block(owners.length(), communicator.size());
  const auto begin = static_cast<std::size_t>(blocks.block_begin(communicator.rank()));
  const auto end = static_cast<std::size_t>(blocks.block_begin(communicator.rank() + 1));
  output.add("/partition/" + side + "_owner", {ElementType::Kind::unsigned_integer, width},
             owners.packed().subspan(begin * width, (end - begin) * width));
}

[[noreturn]] void refuse(const Hdf5File& file, const std::string& found) {
  throw InputError(file.place("/partition") + ": found " + found + ", expected what kasen-convert writes");
}

std::int64_t integer(const Hdf5File& file, const std::string& name, std::int64_t least) {
  const auto values = file.integer_attribute("/partition", name.c_str());
  if (!values || values->size() != 1 || values->front() < least) refuse(file, "no valid attribute " + name);
  return values->front();
}

template <class Names>
auto kind(const Hdf5File& file, const Names& names, const std::string& attribute) {
  const auto text = file.text_attribute("/partition", attribute.c_str());
  for (const auto& [value, name] : names) {
    if (text && *text == name) return value;
  }
  refuse(file, "no valid attribute " + attribute);
}

Assignment read_ranges(const Hdf5File& file, const std::string& name, std::uint64_t length, int workers) {
  const std::string path = "/partition/" + name;
  if (file.object(path) != Hdf5File::Object::dataset) refuse(file, "no dataset " + name);
  const Hdf5Array array = file.describe(path);
  const std::uint64_t size = static_cast<std::uint64_t>(workers) + 1;
  if (array.kind != Hdf5Array::Kind::integer || !array.vector() || array.shape[0] != size) {
    refuse(file, array.found + " as " + name);
  }
  std::vector<std::int64_t> begins(size);
  file.read(array, 0, size, std::span<std::int64_t>(begins));
  if (begins.front() != 0 || !std::is_sorted(begins.begin(), begins.end()) ||
      static_cast<std::uint64_t>(begins.back()) != length) {
    refuse(file, name + " that does not ascend from 0 to " + std::to_string(length));
  }
  return Assignment::block(std::vector<std::uint64_t>(begins.begin(), begins.end()));
}

Assignment read_owners(const Hdf5File& file, const std::string& side, std::uint64_t length, int workers) {
  switch (kind(file, kOwners, side + "_owners")) {
    case Owners::block:
      return Assignment::block(length, workers);
    case Owners::range:
      return read_ranges(file, side + "_begin", length, workers);
    case Owners::hash:
      return Assignment::hash(length, workers, static_cast<std::uint64_t>(integer(file, side + "_salt", INT64_MIN)));
    case Owners::table:
      break;
  }
  const std::string name = "/partition/" + side + "_owner";
  if (file.object(name) != Hdf5File::Object::dataset) refuse(file, "no dataset " + side + "_owner");
  const Hdf5Array array = file.describe(name);
  if (array.kind != Hdf5Array::Kind::integer || !array.vector() || array.shape[0] != length) {
    refuse(file, array.found + " as " + side + "_owner");
  }
  std::vector<Rank> owners;
  owners.reserve(length);
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 16;
  std::vector<std::int64_t> chunk;
  for (std::uint64_t begin = 0; begin < length; begin += kChunk) {
    chunk.resize(std::min(kChunk, length - begin));
    file.read(array, begin, chunk.size(), std::span<std::int64_t>(chunk));
    for (const std::int64_t owner : chunk) {
      if (owner < 0 || owner >= workers) refuse(file, "owner " + std::to_string(owner));
      owners.push_back(static_cast<Rank>(owner));
    }
  }
  return Assignment::table(owners, workers);
}

}  // namespace

void write_prepared(const comm::Communicator& communicator, const std::string& path, SparseData data,
                    const Partitioning& partitioning) {
  Hdf5Output output(communicator, path);
  const std::vector<std::uint64_t> counts = sort_by_parts(communicator, data.entries, partitioning);
  std::vector<std::int64_t> offsets;
  if (communicator.rank() == 0) {
    offsets.assign(1, 0);
    for (const std::uint64_t count : counts) offsets.push_back(offsets.back() + static_cast<std::int64_t>(count));
  }
  const std::vector<std::int64_t> row = data.entries.row.copy(), column = data.entries.column.copy();
  output.add("/matrix/row", std::span<const std::int64_t>(row));
  output.add("/matrix/col", std::span<const std::int64_t>(column));
  if (data.entries.value_bytes > 0) {
    output.add("/matrix/data", ElementType::of<double>(), std::span<const std::byte>(data.entries.value));
  }
  output.add("/partition/offsets", std::span<const std::int64_t>(offsets));
  output.integer_attribute("/partition", "workers", {partitioning.rows.parts()});
  output.text_attribute("/partition", "rule", name_of(kRules, partitioning.rule.kind));
  output.integer_attribute("/partition", "threshold", {static_cast<std::int64_t>(partitioning.rule.threshold)});
  add_owners(communicator, output, "row", partitioning.rows);
  if (!data.graph) add_owners(communicator, output, "column", partitioning.columns);
  describe_sparse(output, data, "coo_matrix");
  output.commit();
}

std::optional<Preparation> find_preparation(const Hdf5File& file, const SparseGroup& group, int workers, Rank rank) {
  if (group.format != SparseGroup::Format::coordinates || group.name != "/matrix" ||
      file.object("/partition") != Hdf5File::Object::group || integer(file, "workers", 1) != workers) {
    return std::nullopt;
  }
  Preparation found;
  if (file.object("/partition/offsets") != Hdf5File::Object::dataset) refuse(file, "no dataset offsets");
  const Hdf5Array array = file.describe("/partition/offsets");
  const auto length = static_cast<std::uint64_t>(workers) + 1;
  if (array.kind != Hdf5Array::Kind::integer || !array.vector() || array.shape[0] != length) {
    refuse(file, array.found + " as offsets");
  }
  std::vector<std::int64_t> offsets(length);
  file.read(array, 0, length, std::span<std::int64_t>(offsets));
  if (offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
      static_cast<std::uint64_t>(offsets.back()) != group.nonzeros) {
    refuse(file, "offsets that do not ascend from 0 to the number of entries");
  }
  found.begin = static_cast<std::uint64_t>(offsets[static_cast<std::size_t>(rank)]);
  found.end = static_cast<std::uint64_t>(offsets[static_cast<std::size_t>(rank) + 1]);
  Partitioning partitioning;
  partitioning.rule.kind = kind(file, kRules, "rule");
  partitioning.rule.threshold = static_cast<std::uint64_t>(integer(file, "threshold", INT64_MIN));
  partitioning.rows = read_owners(file, "row", group.rows, workers);
  const bool one_space = !file.text_attribute("/partition", "column_owners").has_value();
  if (one_space && group.rows != group.columns) refuse(file, "no owners of columns");
  partitioning.columns = one_space ? partitioning.rows : read_owners(file, "column", group.columns, workers);
  found.partitioning = std::make_shared<const Partitioning>(std::move(partitioning));
  return found;
}

}  // namespace kasen::io
