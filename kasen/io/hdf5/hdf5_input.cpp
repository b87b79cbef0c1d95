/// @file
/// Reading of ranges of datasets, checks of their elements, and reading of ids, labels and names beside a matrix.
#include "kasen/io/hdf5/hdf5_input.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "comm/memory_limit.h"
#include "kasen/base/error.h"
#include "kasen/io/data/within_limit.h"
#include "kasen/io/hdf5/file_layout.h"
#include "kasen/io/hdf5/hdf5_checksum.h"
#include "kasen/io/hdf5/hdf5_search.h"
#include "kasen/io/hdf5/prepared.h"
#include "partition/assignment.h"

namespace kasen::io {

namespace {

using partition::Assignment;
using Format = SparseGroup::Format;

struct Range {
  std::uint64_t begin, end;
  std::uint64_t size() const { return end - begin; }
};

Range block_of(const comm::Communicator& communicator, std::uint64_t length) {
  const auto blocks = Assignment::block(length, communicator.size());
  return {static_cast<std::uint64_t>(blocks.block_begin(communicator.rank())),
          static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1))};
}

std::string at(std::uint64_t position) { return " at position " + std::to_string(position); }

/// Collective. The first worker's failure becomes everybody's; whatever the library throws names the file.
template <class Work>
void agree(const comm::Communicator& communicator, const std::string& path, Work&& work) {
  comm::agree(communicator, [&] {
    try {
      work();
    } catch (const std::bad_alloc&) {
      throw InputError(path + ": there is not enough memory for what it holds");
    } catch (const std::length_error&) {
      throw InputError(path + ": there is not enough memory for what it holds");
    }
  });
}

/// Local. Files of later versions of Kasen may mean something else by the same names.
void check_version(const Hdf5File& file) {
  const auto version = file.integer_attribute("/", kVersionAttribute);
  if (version && version->front() > kFormatVersion) {
    throw InputError(file.path() + ": found version " + std::to_string(version->front()) +
                     " of Kasen's file format, expected at most " + std::to_string(kFormatVersion));
  }
}

/// Local. The least that a matrix takes: its entries, and a number for each row, of a graph also for each column.
/// What a file says of owners, every worker holds for all rows.
void require_memory(const Hdf5File& file, const SparseGroup& group, bool graph, int workers, std::uint64_t available) {
  using comm::bytes_and, comm::bytes_of;
  const std::uint64_t indices = bytes_of(group.rows, graph ? 16 : 8);
  const std::uint64_t entry =
      bytes_of_index(group.rows) + bytes_of_index(group.columns) + (group.data ? sizeof(double) : 0);
  const bool owners = file.object("/partition/row_owner") == Hdf5File::Object::dataset;
  const std::uint64_t tables = owners ? bytes_of(group.rows, sizeof(Rank) * static_cast<std::uint64_t>(workers)) : 0;
  const std::uint64_t needed = bytes_and(bytes_and(indices, bytes_of(group.nonzeros, entry)), tables);
  if (needed <= available) return;
  refuse(file, group.name,
         "a matrix of " + std::to_string(group.rows) + " x " + std::to_string(group.columns) + " with " +
             std::to_string(group.nonzeros) + " entries",
         "one that fits into memory: " + comm::too_little_memory(needed, available));
}

/// Local. Of a list of texts or numbers.
void require_memory(const Hdf5File& file, const Hdf5Array& list, std::uint64_t available) {
  const std::uint64_t needed = comm::bytes_of(list.shape[0], std::max<std::uint64_t>(list.element_bytes, 8));
  if (needed <= available) return;
  refuse(file, list.name, list.found, "what fits into memory: " + comm::too_little_memory(needed, available));
}

/// All that may be read of a matrix.
std::vector<std::string> datasets_of(const SparseGroup& group) {
  std::vector<std::string> names;
  for (const char* name : {"indptr", "indices", "row", "col"}) names.push_back(child_of(group.name, name));
  if (group.data) names.push_back(child_of(group.name, "data"));
  for (const char* name : {"vertex", "labels"}) names.push_back(child_of(parent_of(group.name), name));
  for (const char* name : {"offsets", "row_owner", "column_owner", "row_begin", "column_begin"})
    names.push_back(child_of("/partition", name));
  return names;
}

/// Collective. Looks at this worker's block of indptr: from 0, ascending, to the number of entries.
/// @return where each worker's block begins among the entries.
std::vector<std::int64_t> check_indptr(const comm::Communicator& communicator, const Hdf5File& file,
                                       const SparseGroup& group) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 16;
  std::int64_t first = 0;
  agree(communicator, file.path(), [&] {
    const std::uint64_t majors = group.indptr.shape[0] - 1;
    const Range mine = block_of(communicator, majors);
    std::vector<std::int64_t> chunk;
    std::int64_t previous = 0;
    // One element more than the block: the next block's first, so that every step from one to the next is seen.
    for (std::uint64_t begin = mine.begin; begin <= mine.end; begin += kChunk) {
      const std::uint64_t end = std::min(begin + kChunk, mine.end + 1);
      chunk.resize(end - begin);
      file.read(group.indptr, begin, chunk.size(), std::span<std::int64_t>(chunk));
      for (std::uint64_t k = 0; k < chunk.size(); ++k) {
        const std::uint64_t position = begin + k;
        const std::string found = std::to_string(chunk[k]) + at(position);
        if (position == 0 && chunk[k] != 0) refuse(file, group.indptr.name, found, "0");
        if (position == mine.begin) first = previous = chunk[k];
        if (chunk[k] < previous) {
          refuse(file, group.indptr.name, found, "ascending numbers, here at least " + std::to_string(previous));
        }
        if (position == majors && static_cast<std::uint64_t>(chunk[k]) != group.nonzeros) {
          refuse(file, group.indptr.name, found, std::to_string(group.nonzeros) + ", the number of entries");
        }
        previous = chunk[k];
      }
    }
  });
  return communicator.all_gather(first);
}

/// Local. The row (of CSC: column) of each entry in `mine`; `starts` from check_indptr.
GlobalIndices majors_of(const Hdf5File& file, const SparseGroup& group, const Range& mine,
                        const std::vector<std::int64_t>& starts) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 16;
  GlobalIndices majors;
  if (mine.size() == 0) return majors;
  majors.reserve(mine.size());
  const auto after = std::upper_bound(starts.begin(), starts.end(), static_cast<std::int64_t>(mine.begin));
  const auto worker = static_cast<Rank>(after - starts.begin()) - 1;  // its block holds the first entry's row
  const auto blocks = Assignment::block(group.indptr.shape[0] - 1, static_cast<int>(starts.size()));
  std::vector<std::int64_t> chunk;
  for (auto row = static_cast<std::uint64_t>(blocks.block_begin(worker));; row += kChunk) {
    chunk.resize(std::min(kChunk, group.indptr.shape[0] - 1 - row) + 1);
    file.read(group.indptr, row, chunk.size(), std::span<std::int64_t>(chunk));
    for (std::uint64_t k = 0; k + 1 < chunk.size(); ++k) {
      const std::uint64_t begin = std::max(static_cast<std::uint64_t>(chunk[k]), mine.begin);
      const std::uint64_t end = std::min(static_cast<std::uint64_t>(chunk[k + 1]), mine.end);
      if (begin < end) majors.resize(end - mine.begin, static_cast<GlobalIndex>(row + k));
    }
    if (static_cast<std::uint64_t>(chunk.back()) >= mine.end) return majors;
  }
}

/// Local. Indices [mine.begin, mine.end) of an array, each below `limit`.
GlobalIndices indices_of(const Hdf5File& file, const Hdf5Array& array, const Range& mine, std::uint64_t limit) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 18;
  GlobalIndices indices;
  indices.reserve(mine.size());
  std::vector<std::int64_t> chunk;
  for (std::uint64_t begin = mine.begin; begin < mine.end; begin += chunk.size()) {
    chunk.resize(std::min(kChunk, mine.end - begin));
    file.read(array, begin, chunk.size(), std::span<std::int64_t>(chunk));
    for (std::uint64_t k = 0; k < chunk.size(); ++k) {
      if (chunk[k] < 0 || static_cast<std::uint64_t>(chunk[k]) >= limit) {
        refuse(file, array.name, std::to_string(chunk[k]) + at(begin + k),
               "an index from 0 to below " + std::to_string(limit));
      }
      indices.push_back(chunk[k]);
    }
  }
  return indices;
}

/// Collective. The ids ascend, also from each worker's block to the next one's.
template <class Keys>
void check_ascending(const comm::Communicator& communicator, const Hdf5File& file, const Hdf5Array& array,
                     const Keys& keys, const Keys& last_before) {
  agree(communicator, file.path(), [&] {
    const std::uint64_t first = block_of(communicator, array.shape[0]).begin;
    for (std::uint64_t k = 0; k < keys.size(); ++k) {
      const bool any_before = k > 0 || last_before.size() > 0;
      if (any_before && !((k > 0 ? keys[k - 1] : last_before[last_before.size() - 1]) < keys[k])) {
        refuse(file, array.name, "an id that is not above the one before it" + at(first + k), "ids in ascending order");
      }
    }
  });
}

/// Collective. What stands last in the blocks of lower workers, at the end of the list.
std::vector<std::int64_t> last_before(const comm::Communicator& communicator, const std::vector<std::int64_t>& keys) {
  const std::vector<std::int64_t> mine(keys.end() - (keys.empty() ? 0 : 1), keys.end());
  auto all = communicator.all_gather(std::span<const std::int64_t>(mine));
  all.values.resize(all.offsets[static_cast<std::size_t>(communicator.rank())]);
  return std::move(all.values);
}
Words last_before(const comm::Communicator& communicator, const Words& keys) {
  Words mine, before;
  if (keys.size() > 0) mine.push_back(keys[keys.size() - 1]);
  const ReceivedWords all = all_gather(communicator, mine);
  for (std::uint64_t k = 0; k < all.offsets[static_cast<std::size_t>(communicator.rank())]; ++k) {
    before.push_back(all.values[k]);
  }
  return before;
}

/// Collective. @param array integers or text in one dimension.
VertexIds read_ids(const comm::Communicator& communicator, const Hdf5File& file, const Hdf5Array& array) {
  const Range mine = block_of(communicator, array.shape[0]);
  if (array.kind == Hdf5Array::Kind::integer) {
    std::vector<std::int64_t> ids(mine.size());
    agree(communicator, file.path(), [&] { file.read(array, mine.begin, mine.size(), std::span<std::int64_t>(ids)); });
    check_ascending(communicator, file, array, ids, last_before(communicator, ids));
    return {array.shape[0], std::move(ids)};
  }
  Words words;
  agree(communicator, file.path(), [&] {
    const std::vector<char> text = file.read_text(array, mine.begin, mine.size());
    for (std::uint64_t k = 0; k < mine.size(); ++k) {
      const char* const word = text.data() + k * array.element_bytes;
      words.push_back({word, strnlen(word, array.element_bytes)});
    }
  });
  check_ascending(communicator, file, array, words, last_before(communicator, words));
  return {communicator, array.shape[0], std::move(words)};
}

/// Local. The dataset of this name beside a matrix, if there is one; it must fit.
std::optional<Hdf5Array> beside(const Hdf5File& file, const std::string& matrix, const char* name, std::uint64_t length,
                                bool text) {
  const std::string path = child_of(parent_of(matrix), name);
  if (matrix == "/" || file.object(path) != Hdf5File::Object::dataset) return std::nullopt;
  const Hdf5Array array = file.describe(path);
  const bool kind = text ? array.kind == Hdf5Array::Kind::text : array.numbers();
  const bool id = text && array.kind == Hdf5Array::Kind::integer;
  if ((!kind && !id) || !array.vector() || array.shape[0] != length) {
    refuse(file, path, array.found, std::to_string(length) + (text ? " integers or fixed-length strings" : " numbers"));
  }
  return array;
}

}  // namespace

SparseData read_hdf5_sparse(const comm::Communicator& communicator, const std::string& path, const std::string& dataset,
                            bool graph, bool values) {
  std::optional<Hdf5File> file;
  SparseGroup group;
  std::optional<Hdf5Array> ids, labels;
  std::optional<Preparation> prepared;
  bool of_vertices = false;
  const std::uint64_t available = comm::available_memory(communicator);
  agree(communicator, path, [&] {
    file.emplace(path);
    check_version(*file);
    group = find_sparse(*file, dataset);
    if (!values) group.data.reset();
    of_vertices = graph && group.rows == group.columns;
    require_memory(*file, group, of_vertices, communicator.size(), available);
  });
  require_within_limit(communicator, path,
                       {group.rows, group.columns, group.nonzeros, group.data ? sizeof(double) : 0, of_vertices},
                       false);
  verify_checksums(communicator, *file, datasets_of(group));
  agree(communicator, path, [&] {
    prepared = find_preparation(*file, group, communicator.size(), communicator.rank());
    if (of_vertices) ids = beside(*file, group.name, "vertex", group.rows, true);
    if (!graph) labels = beside(*file, group.name, "labels", group.rows, false);
    if (ids) require_memory(*file, *ids, available);
  });

  SparseData data;
  data.rows = group.rows;
  data.columns = group.columns;
  data.graph = of_vertices;
  data.labelled = labels.has_value();
  data.entries.value_bytes = group.data ? sizeof(double) : 0;
  std::vector<std::int64_t> starts;
  if (group.format != Format::coordinates) starts = check_indptr(communicator, *file, group);
  Range mine = block_of(communicator, group.nonzeros);
  Entries& entries = data.entries;
  if (prepared) {
    mine = {prepared->begin, prepared->end};
    entries.prepared = prepared->partitioning;
  }
  const bool by_column = group.format == Format::by_column;
  // One agreement for each dataset: what is wrong in the first of them is named, whoever reads it.
  agree(communicator, path, [&] {
    entries.row = indices_of(*file, group.index, mine,
                             by_column || group.format == Format::coordinates ? data.rows : data.columns);
  });
  agree(communicator, path, [&] {
    if (group.format == Format::coordinates) {
      entries.column = indices_of(*file, group.column, mine, data.columns);
    } else {
      entries.column = majors_of(*file, group, mine, starts);
      if (!by_column) std::swap(entries.row, entries.column);
    }
    if (group.data) {
      entries.value.resize(mine.size() * sizeof(double));
      file->read(*group.data, mine.begin, mine.size(),
                 std::span<double>(reinterpret_cast<double*>(entries.value.data()), mine.size()));
    }
    if (labels) {
      const Range rows = block_of(communicator, data.rows);
      data.labels.resize(rows.size());
      file->read(*labels, rows.begin, rows.size(), std::span<double>(data.labels));
    }
  });
  if (ids) data.ids = read_ids(communicator, *file, *ids);
  return data;
}

bool has_hdf5_dataset(const comm::Communicator& communicator, const std::string& path, const std::string& dataset) {
  bool has = false;
  agree(communicator, path, [&] { has = Hdf5File(path).object(absolute_name(dataset)) == Hdf5File::Object::dataset; });
  return has;
}

DenseData read_hdf5_dense(const comm::Communicator& communicator, const std::string& path, const std::string& dataset) {
  DenseData data;
  std::optional<Hdf5File> opened;
  Hdf5Array table;
  std::string names_path;
  const std::uint64_t available = comm::available_memory(communicator);
  agree(communicator, path, [&] {
    opened.emplace(path);
    check_version(*opened);
    table = find_table(*opened, dataset);
    names_path = child_of(parent_of(table.name), "column_names");
    std::uint64_t needed = sizeof(double);
    for (const std::uint64_t extent : table.shape) needed = comm::bytes_of(needed, extent);
    if (needed > available) {
      refuse(*opened, table.name, table.found,
             "a table that fits into memory: " + comm::too_little_memory(needed, available));
    }
  });
  comm::MemoryNeeds needs(communicator);
  needs.add("the table", [&table](std::uint64_t workers) {
    const std::uint64_t columns = table.vector() ? 1 : table.shape[1];
    return comm::bytes_of(comm::share_of(table.shape[0], workers), comm::bytes_of(columns, 2 * sizeof(double)));
  });
  needs.require(path + ": " + table.found);
  verify_checksums(communicator, *opened, {table.name, names_path});
  agree(communicator, path, [&] {
    const Hdf5File& file = *opened;
    data.rows = table.shape[0];
    data.columns = table.vector() ? 1 : table.shape[1];
    if (file.object(names_path) == Hdf5File::Object::dataset) {
      const Hdf5Array names = file.describe(names_path);
      if (names.elsewhere) refuse(file, names_path, names.found, "names of columns");
      if (names.kind == Hdf5Array::Kind::text && names.vector() && names.shape[0] == data.columns) {
        require_memory(file, names, available / static_cast<std::uint64_t>(communicator.size()));
        const std::vector<char> text = file.read_text(names, 0, data.columns);
        for (std::uint64_t c = 0; c < data.columns; ++c) {
          const char* const name = text.data() + c * names.element_bytes;
          data.names.emplace_back(name, strnlen(name, names.element_bytes));
        }
      }
    }
    const Range mine = block_of(communicator, data.rows);
    data.values.resize(mine.size() * data.columns);
    if (data.columns > 0) file.read(table, mine.begin, mine.size(), std::span<double>(data.values));
  });
  return data;
}

}  // namespace kasen::io
