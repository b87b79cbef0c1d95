#include "tests/fuzz/partition_file.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/fuzz/draw.h"

namespace kasen::tests::fuzz {
namespace {

int rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// A file in a folder of its own: worker 0 makes both, and removes them at the end.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string path;
    if (rank() == 0) {
      _folder = (std::filesystem::temp_directory_path() / "kasen_fuzz_XXXXXX").string();
      if (::mkdtemp(_folder.data()) != nullptr) path = _folder + "/parts";
      if (!path.empty()) std::ofstream(path).flush();  // the command line asks for a file that is there
    }
    auto length = static_cast<int>(path.size());
    PMPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (length == 0) throw std::runtime_error("no temporary folder");
    path.resize(static_cast<std::size_t>(length));
    PMPI_Bcast(path.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    _path = path;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    if (!_folder.empty()) std::filesystem::remove_all(_folder, ignored);
  }
  const std::string& path() const { return _path; }

 private:
  std::string _folder, _path;
};

}  // namespace

std::optional<std::string> partition_text(const Program& program, int workers) {
  const auto length = [&](int space) { return program.spaces[static_cast<std::size_t>(space)].length; };
  const auto height = [&](const MatrixOf& matrix) {
    return matrix.batches > 0 ? height_of(matrix, program) : length(matrix.rows);
  };
  // A matrix of one space takes a file of its length, of two spaces also one of both lengths.
  std::vector<int> lines;
  bool first = true, rows_only = true;
  for (const MatrixOf& matrix : program.matrices) {
    if (matrix.batches == 0 && program.spaces[static_cast<std::size_t>(matrix.rows)].owners != 0) continue;
    const int rows = height(matrix);
    std::vector<int> taken{rows};
    if (matrix.batches > 0 ? rows != length(matrix.columns) : matrix.rows != matrix.columns)
      taken.push_back(rows + length(matrix.columns));
    if (std::exchange(first, false)) lines = taken;
    std::erase_if(lines, [&](int count) { return std::find(taken.begin(), taken.end(), count) == taken.end(); });
  }
  if (lines.empty()) return std::nullopt;
  Draw draw = Draw(program.seed).split(200);
  const int count = draw.of(lines);
  for (const MatrixOf& matrix : program.matrices) rows_only = rows_only && count == height(matrix);
  const bool named = rows_only && count > 0 && draw.chance(30);
  const int used = draw.chance(30) ? draw.between(1, workers) : workers;  // some workers may own nothing
  std::string text = "# one part a line\n";
  for (int k = 0; k < count; ++k) {
    const int row = named ? count - 1 - k : k;
    text += (named ? std::to_string(row) + " " : "") + std::to_string(draw.below(used)) + "\n";
  }
  return text;
}

const std::string& partition_path() {
  static const TemporaryFile file;
  return file.path();
}

void write_partition_file(const std::string& text) {
  const std::string& path = partition_path();
  if (rank() == 0) std::ofstream(path) << text;
  PMPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace kasen::tests::fuzz
