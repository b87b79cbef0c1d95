/// @file
/// Class TableOutput: vectors of one length, written as the columns of one text file by all workers together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/bytes/element_type.h"
#include "kasen/io/ids/vertex_ids.h"

namespace kasen::io {

/// The counterpart of Hdf5Output for text. Every worker adds the same names in the same order, and in every column its
/// block (partition::Assignment::block).
class TableOutput {
 public:
  enum class Format : std::uint8_t {
    tabs,          ///< a first line with the names, then a line of elements an index, separated by tabs
    matrix_market  ///< `array`: the vectors are the columns of a matrix; ids are left out
  };
  /// Collective. Checks that `path` can be written. `communicator` must outlive the object. @throws AgreedError
  TableOutput(const comm::Communicator& communicator, std::string path, Format format);

  /// Local. Adds this worker's block of a column. It is not copied and must stay until commit.
  void add(std::string name, ElementType type, std::span<const std::byte> block);
  /// Local. Adds a column of ids, which are copied.
  void add(std::string name, const VertexIds& ids);

  /// Collective. Writes the file under a temporary name, then renames it.
  /// @throws AgreedError "PATH: reason", also if lengths differ. Cost: see write_sections (text_output.h).
  void commit();

 private:
  struct Column {
    std::string name;
    ElementType type;
    std::span<const std::byte> block;
    std::uint64_t mine() const { return block.size() / type.bytes; }
  };
  std::string header(std::uint64_t length) const;
  /// Collective. Checks that words stay within their fields.
  void check_words() const;

  const comm::Communicator* _communicator;
  std::string _path;
  Format _format;
  std::vector<Column> _columns;
  std::vector<std::vector<std::byte>> _ids;  ///< padded words that columns refer to
};

}  // namespace kasen::io
