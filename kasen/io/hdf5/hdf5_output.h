/// @file
/// Class Hdf5Output: datasets written to one HDF5 file by all workers together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kasen/io/bytes/element_type.h"
#include "kasen/io/ids/vertex_ids.h"

namespace kasen::comm {
class Communicator;
}

namespace kasen::io {

/// Datasets in one dimension or, row by row, in two, written at once by `commit`. A dataset is what the workers add
/// under one name, in the order of ranks; every worker adds the same names and types in the same order, blocks of any
/// length. Slashes in names make groups.
class Hdf5Output {
 public:
  /// Collective. Checks that `path` can be written, see require_writable (kasen/io/bytes/output_file.h); writes
  /// nothing. `communicator` must outlive the object. @throws AgreedError
  Hdf5Output(const comm::Communicator& communicator, std::string path);

  /// Local. Adds this worker's part of a dataset; it is not copied and must stay until commit.
  void add(std::string name, ElementType type, std::span<const std::byte> block);
  template <class T>
  void add(std::string name, std::span<const T> block) {
    add(std::move(name), ElementType::of<T>(), std::as_bytes(block));
  }
  /// Local. Adds this worker's rows of a matrix, row-major; they are not copied and must stay until commit.
  void add_rows(std::string name, std::uint64_t rows, std::uint64_t columns, ElementType type,
                std::span<const std::byte> values);
  /// Local. Adds a short list of texts, the same on every worker; copied, padded to the longest.
  void add(std::string name, const std::vector<std::string>& texts);
  /// Local. Adds an attribute to a dataset or group, "/" included, the same on every worker.
  void text_attribute(std::string object, std::string name, std::string text);
  void integer_attribute(std::string object, std::string name, std::vector<std::int64_t> values);
  void number_attribute(std::string object, std::string name, double value);
  /// Local. Adds ids as they stand in the input, int64 or fixed-length text. Words are copied, padded to the longest.
  void add(std::string name, const VertexIds& ids);

  /// Collective. Writes everything under a temporary name beside `path`, then renames. Room on the disk is reserved
  /// before any worker writes; without it, or on any other failure, `path` stays as it was.
  /// The same data gives the same bytes, for any number of workers.
  /// @throws AgreedError "PATH: reason". Cost: one write per dataset and worker.
  void commit();

 private:
  struct Dataset {
    std::string name;
    ElementType type;
    std::span<const std::byte> block;
    std::uint64_t mine = 0;                ///< elements in it, or rows
    std::optional<std::uint64_t> columns;  ///< of a matrix
    std::uint64_t length = 0;              ///< elements or rows of all workers
    std::uint64_t first = 0;               ///< where this worker's begin
    std::uint64_t element_bytes() const { return type.bytes * columns.value_or(1); }
  };
  struct Attribute {
    std::string object, name;
    std::variant<std::string, std::vector<std::int64_t>, double> value;
  };
  /// Collective. Adds the checksum of each dataset as an attribute.
  void add_checksums();
  /// Local. Creates the file without the blocks' elements. @return the byte at which each dataset begins
  std::vector<std::uint64_t> create_layout(const std::string& file) const;

  const comm::Communicator* _communicator;
  std::string _path;
  std::vector<Dataset> _datasets;
  std::vector<Attribute> _attributes;
  std::vector<std::vector<std::byte>> _padded;  ///< ids and words that datasets refer to
};

}  // namespace kasen::io
