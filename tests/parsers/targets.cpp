#include "tests/parsers/targets.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/io/bytes/decompressor.h"
#include "kasen/io/formats/column_line.h"
#include "kasen/io/formats/edge_line.h"
#include "kasen/io/formats/gr_header.h"
#include "kasen/io/formats/libsvm_line.h"
#include "kasen/io/formats/matrix_market_line.h"
#include "kasen/io/formats/metis_line.h"
#include "kasen/io/formats/table_line.h"
#include "kasen/io/lines/line_reader.h"

namespace kasen::io::tests {

namespace {

using namespace std::string_view_literals;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void require_good(const LineError& error, std::string_view line) {
  require(error.column <= line.size(), "the column lies in the line");
  require(!error.message.empty() && error.message.size() < 400, "the message is short");
  const bool printable =
      std::all_of(error.message.begin(), error.message.end(), [](char c) { return !is_control(c) && c != 0x7f; });
  require(printable, "the message is printable");
}

/// Runs a parser on every line of the bytes.
template <class Parse>
void on_lines(std::string_view bytes, Parse parse) {
  while (true) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    try {
      parse(line);
    } catch (const LineError& error) {
      require_good(error, line);
    }
    if (end == bytes.size()) return;
    bytes.remove_prefix(end + 1);
  }
}

const NumberRule kRules[] = {
    {}, {.finite = false}, {.integral = true, .least = -128, .most = 127}, {.least = -100.5, .most = 3e38}};

void edge_line(std::string_view bytes) {
  using Weight = EdgeLineFormat::Weight;
  on_lines(bytes, [](std::string_view line) {
    looks_like_integers(line);
    for (const Weight weight : {Weight::none, Weight::number, Weight::ignored}) {
      for (const NumberRule& rule : kRules) {
        EdgeLineFormat format{weight, rule};
        std::int64_t source = 0, target = 0;
        double value = 0;
        if (read_edge_line(line, format, source, target, value) == LineKind::wrong) {
          require_good(explain_edge_line(line, format, true, false), line);
          require_good(explain_edge_line(line, format, false, true), line);
        }
        format.words = true;
        std::string_view from, to;
        if (read_edge_line(line, format, from, to, value) == LineKind::wrong) {
          require_good(explain_edge_line(line, format, false, false), line);
        }
      }
    }
  });
}

void libsvm_line(std::string_view bytes) {
  LibsvmSample sample;
  for (const LibsvmFormat& format : {LibsvmFormat{}, LibsvmFormat{{.finite = false}, 0, 9}}) {
    on_lines(bytes, [&](std::string_view line) {
      if (!parse_libsvm_line(line, format, sample)) return;
      require(sample.columns.size() == sample.values.size(), "a value for each index");
      require(std::is_sorted(sample.columns.begin(), sample.columns.end()), "indices ascend");
    });
  }
}

void matrix_market(std::string_view bytes) {
  MatrixMarketHeader header;
  int seen = 0;
  on_lines(bytes, [&](std::string_view line) {
    if (seen++ == 0) {
      header = parse_matrix_market_banner(line);
    } else if (seen == 2) {
      parse_matrix_market_sizes(line, header);
    } else {
      for (const NumberRule& rule : kRules) {
        const MatrixMarketEntry entry = parse_matrix_market_entry(line, header, rule);
        require(header.array || (entry.row < header.rows && entry.column < header.columns),
                "the entry lies in the matrix");
      }
    }
  });
}

void metis(std::string_view bytes) {
  MetisHeader header;
  MetisNeighbours neighbours;
  bool first = true;
  on_lines(bytes, [&](std::string_view line) {
    if (std::exchange(first, false)) {
      header = parse_metis_header(line);
      return;
    }
    parse_metis_line(line, header, {}, neighbours);
    for (const std::uint64_t vertex : neighbours.vertices) require(vertex < header.vertices, "a vertex of the graph");
    require(!header.edge_weights || neighbours.weights.size() == neighbours.vertices.size(), "a weight for each edge");
  });
}

void table(std::string_view bytes) {
  TableFormat format;
  std::vector<double> values;
  bool first = true;
  on_lines(bytes, [&](std::string_view line) {
    if (is_table_comment(line, first ? ' ' : format.separator)) return;
    if (std::exchange(first, false)) {
      format.columns = 1;
      format.separator = table_separator(line);
      const std::vector<std::string> fields = split_table_line(line, format.separator);
      format.columns = fields.size();
      if (names_columns(line, format.separator)) {
        const auto again = line_of_names(fields, ',');
        require(!again || split_table_line(*again, ',') == fields, "names that are read as they were written");
        return;
      }
    }
    values.clear();
    parse_table_line(line, format, values);
    require(values.size() == format.columns, "a value for each column");
  });
}

/// Fields of all types; every second one is not wanted.
void column_line(std::string_view bytes) {
  ColumnsFormat format;
  std::vector<ColumnFields> columns;
  for (const ColumnType type : {ColumnType::word, ColumnType::integer, ColumnType::number, ColumnType::date}) {
    columns.emplace_back(type);
  }
  bool first = true;
  std::size_t rows = 0;
  on_lines(bytes, [&](std::string_view line) {
    if (is_table_comment(line, first ? ' ' : format.separator)) return;
    if (std::exchange(first, false)) {
      format.separator = table_separator(line);
      const std::size_t fields = split_table_line(line, format.separator).size();
      for (std::size_t k = 0; k < fields; ++k) {
        format.column_of.push_back(k % 2 == 0 && k / 2 < columns.size() ? k / 2 : ColumnsFormat::kNone);
      }
      return;
    }
    parse_column_line(line, format, columns);
    ++rows;
  });
  columns[0].finish();
  require(first || columns[0].word_numbers.size() >= rows, "a word for each row");
  for (const std::uint32_t number : columns[0].word_numbers) require(number < columns[0].words().size(), "a word");
}

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : _bytes(bytes) {}
  std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) override {
    if (offset >= _bytes.size()) return 0;
    const std::uint64_t n = std::min<std::uint64_t>(bytes, _bytes.size() - offset);
    std::memcpy(into, _bytes.data() + offset, n);
    return n;
  }

 private:
  std::string_view _bytes;
};

/// Any two ranges and any buffer give the lines of the whole. The first bytes say where it is cut.
void lines(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const std::size_t cut_at = static_cast<unsigned char>(bytes[0]), buffer = 1 + static_cast<unsigned char>(bytes[1]);
  const std::string_view text = bytes.substr(2, 4096);
  const auto read = [&](std::uint64_t begin, std::uint64_t end, std::vector<std::string>& into) {
    MemorySource source(text);
    LineReader reader(source, 0, begin, end, buffer, 1 << 13);
    std::string_view line;
    while (reader.next(line)) into.emplace_back(line);
    return reader.line_ends();
  };
  const std::size_t cut = std::min(cut_at, text.size());
  std::vector<std::string> parts, whole;
  const std::uint64_t ends = read(0, cut, parts) + read(cut, text.size(), parts);
  require(ends == read(0, text.size(), whole), "line ends of the parts are those of the whole");
  require(parts == whole, "lines of the parts are those of the whole");
}

/// What comes out does not depend on how it is read. The first byte says in what pieces.
void decompress(std::string_view bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 16;
  if (bytes.empty()) return;
  const std::uint64_t piece = 1 + 37 * static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[0]));
  bytes.remove_prefix(1);
  const Compression compression = compression_of(bytes.substr(0, kCompressionMagicBytes));
  if (compression == Compression::none || compression == Compression::xz) return;
  std::string whole(kMost, '\0'), pieces(kMost, '\0');
  const auto read = [&](std::string& into, std::uint64_t step) {
    Decompressor decompressor(std::make_unique<MemorySource>(bytes), "file", compression);
    std::uint64_t done = 0;
    try {
      while (done < kMost) {
        const std::uint64_t n = decompressor.read(done, into.data() + done, std::min(step, kMost - done));
        if (n == 0) break;
        done += n;
      }
    } catch (const InputError&) {
      return false;
    }
    into.resize(done);
    return true;
  };
  if (read(whole, kMost) && read(pieces, piece)) require(whole == pieces, "the same in pieces");
}

/// The bytes are a whole file. What the header says takes as many, however large its numbers are.
void gr_header(std::string_view bytes) {
  try {
    const GrHeader header = parse_gr_header(bytes.substr(0, GrHeader::kBytes), bytes.size());
    require(header.vertices <= bytes.size() && header.edges <= bytes.size(), "counts that the file has room for");
    require(header.edges == 0 || header.edge_bytes <= bytes.size(), "data that the file has room for");
    const std::uint64_t size = header.edges == 0 ? header.data_begin() : header.file_bytes();
    require(size == bytes.size(), "as long as the file");
  } catch (const LineError& error) {
    require_good(error, bytes);
  }
}

constexpr std::string_view kEdges[] = {"1 2\n3\t4 \r\n# c\n-5 9223372036854775807\na b\n1 2 0.5\n"};
constexpr std::string_view kLibsvm[] = {"+1 1:0.5 3:-1e3 # c\n-1\n2,3 1:1\n1 qid:2 1:1\n", "nan 0:inf 8:1\n"};
constexpr std::string_view kMatrixMarket[] = {
    "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 0.5\n3 4 -1e9\n",
    "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n-2\n3\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"};
constexpr std::string_view kMetis[] = {"3 2 111 2\n1 9 9 2 0.5 3 7\n1 9 9 1 .5\n", "3 2\n2 3\n1\n1\n"};
constexpr std::string_view kTables[] = {"x,\"y \"\"z\"\"\",z\n1,\"2.5\",-3\n4e2, 5,.5\n", "1 2.5\t3\n4 5 6\n",
                                        "a;b\n1;2\n", "a b\tc\n1\t2\n", "\tb\tc 5\"\n0\t1\t2\n"};
constexpr std::string_view kColumns[] = {
    "w,x,i,x,n,x,d\nMAIL,x,17,,0.05,,1998-09-02\n\"a \"\"b\"\"\",,-3,\"\",+4e2,y,1970-01-01\n", "w;x;i\n;;1\n"};
constexpr std::string_view kLines[] = {"\3\4ab\n\ncd\r\nefgh"};
// "1 2\n3 4\n", by each of the compressors.
constexpr std::string_view kCompressed[] = {
    "\1\x1f\x8b\x08\0\0\0\0\0\2\xff\x33\x54\x30\xe2\x32\x56\x30\xe1\2\0\xd8\x2d\x44\x2f\x08\0\0\0"sv,
    "\2\x28\xb5\x2f\xfd\x20\x08\x41\0\0\x31\x20\x32\x0a\x33\x20\x34\x0a"sv, "\2BZh1\x17\x72\x45\x38\x50\x90\0\0\0\0"sv};

// Two vertices and an edge from each to the other; of version 1 with bytes as data, of version 2 without.
constexpr std::string_view kGrHeaders[] = {
    "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
    "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\7\x8"sv,
    "\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
    "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv};

constexpr std::array<Target, 9> kTargets{{{"edge_line", edge_line, kEdges},
                                          {"libsvm_line", libsvm_line, kLibsvm},
                                          {"matrix_market", matrix_market, kMatrixMarket},
                                          {"metis", metis, kMetis},
                                          {"table", table, kTables},
                                          {"lines", lines, kLines},
                                          {"decompress", decompress, kCompressed},
                                          {"gr_header", gr_header, kGrHeaders},
                                          {"column_line", column_line, kColumns}}};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace kasen::io::tests
