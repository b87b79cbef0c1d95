/// @file
/// Class Hdf5File: an HDF5 file as one worker reads it, its objects and ranges of its datasets. Everything is local:
/// workers read ranges of their own and do not wait for each other, so that a failure can be agreed on afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kasen/io/hdf5/hdf5_handle.h"

namespace kasen::io {

/// The type and shape of a dataset or an attribute.
struct Hdf5Array {
  enum class Kind : std::uint8_t { integer, floating_point, text, other };  ///< text: of fixed length
  std::string name;                                                         ///< absolute path
  Kind kind = Kind::other;
  std::vector<std::uint64_t> shape;  ///< empty: a single value
  std::uint64_t element_bytes = 0;   ///< as stored
  std::string found;                 ///< type and shape in words, for messages
  bool elsewhere = false;            ///< its elements are in other files, and not read; `kind` is other

  bool numbers() const { return kind == Kind::integer || kind == Kind::floating_point; }
  bool vector() const { return shape.size() == 1; }
};

class Hdf5File {
 public:
  enum class Object : std::uint8_t { none, group, dataset, other };

  /// Opens the file. @throws InputError "FILE: reason": not there, not readable, not HDF5, damaged.
  explicit Hdf5File(std::string path);

  const std::string& path() const { return _path; }
  /// The name of an object in messages: FILE:/object.
  std::string place(const std::string& name) const { return _path + ":" + name; }

  /// What is under this name. @throws InputError if the way to it leads out of the file, or by a link to nothing: only
  /// what is in the file is read.
  Object object(const std::string& name) const;
  /// Every group or dataset of the file by its absolute path, in ascending order of names.
  std::vector<std::string> list(Object kind) const;

  /// @pre object(name) == Object::dataset. @throws InputError
  Hdf5Array describe(const std::string& name) const;

  /// Reads elements [first, first + count) of a vector, or all columns of these rows of a matrix, converted. A value
  /// out of an integer's range becomes the nearest integer in it. @throws InputError
  void read(const Hdf5Array& array, std::uint64_t first, std::uint64_t count, std::span<double> into) const;
  void read(const Hdf5Array& array, std::uint64_t first, std::uint64_t count, std::span<std::int64_t> into) const;
  /// Reads text: `element_bytes` for each element, padded with NUL, whatever the padding in the file.
  std::vector<char> read_text(const Hdf5Array& array, std::uint64_t first, std::uint64_t count) const;

  /// Reads elements as they are stored, without any conversion. @param into is as long as they are
  void read_stored(const Hdf5Array& array, std::uint64_t first, std::uint64_t count, std::span<std::byte> into) const;

  /// The text of an attribute, fixed or variable in length; nothing if there is no such attribute, or no text in it.
  std::optional<std::string> text_attribute(const std::string& object, const char* name) const;
  /// The integers of an attribute; nothing if there is no such attribute, or no integers in it.
  std::optional<std::vector<std::int64_t>> integer_attribute(const std::string& object, const char* name) const;

 private:
  void read(const Hdf5Array& array, std::uint64_t first, std::uint64_t count, hid_t type, void* into) const;
  void check_links(const std::string& name, int depth = 0) const;

  QuietHdf5 _quiet;
  std::string _path;
  Hdf5Handle _file;
};

/// The path in its absolute form: /name, without a slash at the end.
std::string absolute_name(const std::string& name);
/// The group that an object stands in, "/" or as absolute_name; and an object of a group.
std::string parent_of(const std::string& name);
std::string child_of(const std::string& group, const std::string& name);

}  // namespace kasen::io
