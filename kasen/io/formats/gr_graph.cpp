/// @file
/// Ranges of a file in parallel: the ends of edges by vertices, what edges hold by edges, and the ends sent from where
/// they were read to where their edges are.
#include "kasen/io/formats/gr_graph.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/data/row_block.h"
#include "kasen/io/data/within_limit.h"
#include "kasen/io/formats/gr_header.h"
#include "partition/assignment.h"

namespace kasen::io {

namespace {

constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 20;

/// The type of edges' data.
struct EdgeType {
  std::string_view name;
  std::uint64_t bytes;
  double (*value)(const char* bytes);
  bool (*is_exact)(const char* bytes);
};

template <class T>
double value_of(const char* bytes) {
  return static_cast<double>(from_little_endian<T>(bytes));
}

/// Whether it is no whole number beyond 2^53, up to which every whole number is a double.
template <class T>
bool is_exact(const char* bytes) {
  if constexpr (std::is_integral_v<T>) {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    const T value = from_little_endian<T>(bytes);
    return std::cmp_less_equal(value, kMost) && std::cmp_greater_equal(value, -kMost);
  }
  return true;
}

template <class T>
constexpr EdgeType edge_type_of(std::string_view name) {
  return {name, sizeof(T), value_of<T>, is_exact<T>};
}
/// The types; of those of one size, the first is the default.
constexpr EdgeType kEdgeTypes[] = {edge_type_of<float>("float32"),      edge_type_of<double>("float64"),
                                   edge_type_of<std::int32_t>("int32"), edge_type_of<std::uint32_t>("uint32"),
                                   edge_type_of<std::int64_t>("int64"), edge_type_of<std::uint64_t>("uint64")};

GrHeader read_header(const Text& file) {
  if (file.parts().size() > 1) {
    throw InputError(file.path() + ": expected one Galois graph, found a directory of " +
                     std::to_string(file.parts().size()) + " files");
  }
  char bytes[GrHeader::kBytes];
  const std::uint64_t count = file.open(0)->read(0, bytes, sizeof bytes);
  try {
    return parse_gr_header({bytes, count}, file.measure(0));
  } catch (const LineError& error) {
    throw InputError(file.parts()[0].path + ": " + error.message);
  }
}

/// @throws InputError if the file's data cannot be what they should be.
const EdgeType& edge_type(const Text& file, const GrHeader& header, const ReadOptions& options) {
  const auto refuse = [&](const std::string& expected) {
    throw InputError(file.path() + ": expected " + expected + ", found " + std::to_string(header.edge_bytes) +
                     " bytes an edge");
  };
  if (header.edge_bytes == 0) throw InputError(file.path() + ": expected weights of edges, found a graph without them");
  const std::size_t colon = options.format.find(':');
  const std::string_view asked =
      colon == std::string::npos ? std::string_view() : std::string_view(options.format).substr(colon + 1);
  for (const EdgeType& type : kEdgeTypes) {
    if (asked.empty() ? type.bytes != header.edge_bytes : type.name != asked) continue;
    if (type.bytes != header.edge_bytes) refuse("data of type " + std::string(asked));
    return type;
  }
  refuse("data of 4 or 8 bytes");
  throw InternalError("no type of edges is called " + std::string(asked));
}

/// Local. Calls `take` with the place of each of `count` elements that lie behind each other in the file.
template <class Take>
void read_elements(ByteSource& source, const Text& file, std::uint64_t offset, std::uint64_t count, std::uint64_t bytes,
                   Take&& take) {
  std::vector<char> buffer(std::min(count, kBufferBytes / bytes) * bytes);
  while (count > 0) {
    const std::uint64_t some = std::min(count, kBufferBytes / bytes);
    if (source.read(offset, buffer.data(), some * bytes) != some * bytes) {
      throw InputError(file.parts()[0].path + ": ends before what its header says");
    }
    for (std::uint64_t k = 0; k < some; ++k) take(buffer.data() + k * bytes);
    offset += some * bytes;
    count -= some;
  }
}

/// This worker's part of things that are cut evenly.
struct Part {
  Part(std::uint64_t length, const comm::Communicator& communicator) {
    const auto blocks = partition::Assignment::block(length, communicator.size());
    begin = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank()));
    end = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1));
  }
  std::uint64_t size() const { return end - begin; }
  std::uint64_t begin, end;
};

/// Where the edges of a vertex end, in one worker's part of the edges.
struct VertexEnd {
  std::uint64_t vertex, end;
};

/// Local. The ends of a part of the vertices, each for the workers that read its edges. @throws InputError
std::vector<VertexEnd> read_ends(ByteSource& source, const Text& file, const GrHeader& header,
                                 const comm::Communicator& communicator, std::vector<std::uint64_t>& offsets) {
  const Part mine(header.vertices, communicator);
  std::vector<VertexEnd> ends;
  offsets.assign(1, 0);
  if (mine.size() > 0) {
    const std::uint64_t before = mine.begin > 0 ? 1 : 0;  // where the first one begins
    std::uint64_t vertex = mine.begin - before, begin = 0;
    Rank worker = 0;  // that reads the edge `begin`
    const auto parts = partition::Assignment::block(header.edges, communicator.size());
    read_elements(source, file, GrHeader::kBytes + GrHeader::kEndBytes * vertex, mine.size() + before,
                  GrHeader::kEndBytes, [&](const char* bytes) {
                    const auto end = from_little_endian<std::uint64_t>(bytes);
                    if (end < begin || end > header.edges) {
                      throw InputError(file.parts()[0].path + ": expected edges of vertex " + std::to_string(vertex) +
                                       " that end from " + std::to_string(begin) + " to " +
                                       std::to_string(header.edges) + ", found " + std::to_string(end));
                    }
                    while (vertex >= mine.begin && begin < end) {
                      const auto part_end = static_cast<std::uint64_t>(parts.block_begin(worker + 1));
                      if (begin < part_end) {
                        begin = std::min(end, part_end);
                        ends.push_back({vertex, begin});
                      }
                      if (begin < part_end) break;
                      offsets.push_back(ends.size());
                      ++worker;
                    }
                    begin = end;
                    ++vertex;
                  });
    if (mine.end == header.vertices && begin != header.edges) {
      throw InputError(file.parts()[0].path + ": expected edges of the last vertex that end at " +
                       std::to_string(header.edges) + ", found " + std::to_string(begin));
    }
  } else if (header.vertices == 0 && header.edges > 0) {
    throw InputError(file.parts()[0].path + ": expected no edges, as there are no vertices, found " +
                     std::to_string(header.edges));
  }
  offsets.resize(static_cast<std::size_t>(communicator.size()) + 1, ends.size());
  return ends;
}

/// Appends numbers as the file has them.
class LittleEndian {
 public:
  template <class T>
  void append(T number) {
    char bytes[sizeof(T)];
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const auto bits = std::bit_cast<Bits>(number);
    for (std::size_t k = 0; k < sizeof(T); ++k) bytes[k] = static_cast<char>((bits >> (8 * k)) & 0xff);
    text.append(bytes, sizeof bytes);
  }
  std::string text;
};

/// Local. Writes elements behind each other, each as `element(k)` gives it.
template <class Element>
void write_elements(const OutputPart& part, std::uint64_t offset, std::uint64_t count, Element&& element) {
  LittleEndian buffer;
  for (std::uint64_t k = 0; k < count; ++k) {
    buffer.append(element(k));
    if (buffer.text.size() < kBufferBytes && k + 1 < count) continue;
    part.write(offset, buffer.text);
    offset += buffer.text.size();
    buffer.text.clear();
  }
}

}  // namespace

Likeness recognise_gr(const Beginning& beginning) {
  const std::string_view version = beginning.bytes().substr(0, 8);
  if (version.size() == 8) {
    const auto number = from_little_endian<std::uint64_t>(version.data());
    if (number == 1 || number == 2) return Likeness::certain;
  }
  const bool no_text = version.find('\0') != std::string_view::npos;
  return no_text && beginning.ending() == ".gr" ? Likeness::named : Likeness::none;
}

Content look_at_gr(const Beginning& beginning, const ReadOptions&, std::optional<Kind>) {
  return {Kind::graph, read_header(beginning.text()).edge_bytes > 0};
}

SparseData read_gr_graph(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                         const ValueRequest& values) {
  GrHeader header;
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) header = read_header(file);
  });
  communicator.broadcast(std::span<GrHeader>(&header, 1), 0);
  const EdgeType* const type = values.stored ? &edge_type(file, header, options) : nullptr;
  const std::uint64_t edge = 2 * bytes_of_index(header.vertices) + (values.stored ? sizeof(double) : 0);
  const std::uint64_t needed = comm::bytes_and(comm::bytes_of(header.vertices, 16), comm::bytes_of(header.edges, edge));
  if (const std::uint64_t available = comm::available_memory(communicator); needed > available) {
    throw InputError(file.path() + ": expected a graph that fits into memory, found " +
                     std::to_string(header.vertices) + " vertices and " + std::to_string(header.edges) +
                     " edges: " + comm::too_little_memory(needed, available));
  }

  require_within_limit(communicator, file.path(),
                       {header.vertices, header.vertices, header.edges, values.stored ? sizeof(double) : 0, true},
                       false);
  SparseData graph;
  graph.graph = true;
  graph.rows = graph.columns = header.vertices;
  graph.entries = no_entries(values);
  std::unique_ptr<ByteSource> source;
  std::vector<VertexEnd> ends;
  std::vector<std::uint64_t> offsets;
  comm::agree(communicator, [&] {
    source = file.open(0);
    ends = read_ends(*source, file, header, communicator, offsets);
  });
  ends = communicator.all_to_all(std::span<const VertexEnd>(ends), std::span<const std::uint64_t>(offsets)).values;

  comm::agree(communicator, [&] {
    const Part mine(header.edges, communicator);
    Entries& entries = graph.entries;
    entries.row.reserve(mine.size());
    entries.column.reserve(mine.size());
    for (const VertexEnd& v : ends) entries.row.resize(v.end - mine.begin, static_cast<GlobalIndex>(v.vertex));
    read_elements(*source, file, header.targets_begin() + header.target_bytes() * mine.begin, mine.size(),
                  header.target_bytes(), [&](const char* bytes) {
                    const std::uint64_t target = header.version == 1 ? from_little_endian<std::uint32_t>(bytes)
                                                                     : from_little_endian<std::uint64_t>(bytes);
                    if (target >= header.vertices) {
                      throw InputError(file.parts()[0].path + ": expected targets below " +
                                       std::to_string(header.vertices) + ", found " + std::to_string(target) +
                                       " at edge " + std::to_string(mine.begin + entries.column.size()));
                    }
                    entries.column.push_back(static_cast<GlobalIndex>(target));
                  });
    if (type == nullptr) return;
    entries.value.resize(mine.size() * sizeof(double));
    std::size_t k = 0;
    read_elements(*source, file, header.data_begin() + type->bytes * mine.begin, mine.size(), type->bytes,
                  [&](const char* bytes) {
                    const double value = type->value(bytes);
                    const auto row = static_cast<std::uint64_t>(entries.row[k]);
                    const auto column = static_cast<std::uint64_t>(entries.column[k]);
                    if (!type->is_exact(bytes)) {
                      throw InputError(file.parts()[0].path + ": expected weights up to 2^53 in size, found about " +
                                       std::to_string(value) + " at edge " + std::to_string(mine.begin + k));
                    }
                    check_value(file.parts()[0].path, value, row, column, values.rule);
                    std::memcpy(&entries.value[k++ * sizeof value], &value, sizeof value);
                  });
  });
  return graph;
}

void write_gr_graph(const comm::Communicator& communicator, const std::string& path, SparseData data) {
  if (!data.graph) {
    throw InputError(path + ": cannot be written: a Galois graph holds graphs, and these are samples");
  }
  OutputFile file(communicator, path);
  GrHeader header;
  header.vertices = data.rows;
  header.edge_bytes = data.entries.value_bytes;
  if (data.rows > std::uint64_t{1} << 32) header.version = 2;
  const RowBlock block = to_row_block(communicator, std::move(data.entries), data.rows, data.columns);
  header.edges = communicator.sum<std::uint64_t>(block.column.size());
  if (header.version == 1) header.padding = header.edges % 2 * header.target_bytes();
  const std::uint64_t before = communicator.exclusive_sum(block.column.size());
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) file.reserve(header.file_bytes());
  });
  comm::agree(communicator, [&] {
    const OutputPart part(file);
    if (communicator.rank() == 0) {
      const std::uint64_t fields[] = {header.version, header.edge_bytes, header.vertices, header.edges};
      write_elements(part, 0, std::size(fields), [&](std::uint64_t k) { return fields[k]; });
    }
    write_elements(part, GrHeader::kBytes + GrHeader::kEndBytes * block.first, block.rows(),
                   [&](std::uint64_t r) { return before + block.begin[r + 1]; });
    const std::uint64_t targets = header.targets_begin() + header.target_bytes() * before;
    if (header.version == 1) {
      write_elements(part, targets, block.column.size(),
                     [&](std::uint64_t k) { return static_cast<std::uint32_t>(block.column[k]); });
    } else {
      write_elements(part, targets, block.column.size(),
                     [&](std::uint64_t k) { return static_cast<std::uint64_t>(block.column[k]); });
    }
    write_elements(part, header.data_begin() + header.edge_bytes * before, block.value.size(),
                   [&](std::uint64_t k) { return block.value[k]; });
    part.flush();
  });
  file.commit();
}

}  // namespace kasen::io
