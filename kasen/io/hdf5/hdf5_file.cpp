/// @file
/// HDF5's types and shapes in words, and its hyperslabs of rows.
#include "kasen/io/hdf5/hdf5_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/io/lines/fields.h"

namespace kasen::io {

namespace {

using Kind = Hdf5Array::Kind;

hid_t open_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  const bool there = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!there) throw InputError(path + ": cannot be read: " + std::strerror(error));
  if (!S_ISREG(status.st_mode)) throw InputError(path + ": is not a regular file");
  if (H5Fis_hdf5(path.c_str()) <= 0) throw InputError(path + ": is not an HDF5 file");
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);  // some file systems cannot lock
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  if (file < 0) throw InputError(path + ": cannot be read: " + hdf5_reason());
  return file;
}

std::string member_name(hid_t type, unsigned member) {
  char* const name = H5Tget_member_name(type, member);
  std::string text = name == nullptr ? "" : name;
  H5free_memory(name);
  return text;
}

std::string describe_compound(hid_t type) {
  const int members = H5Tget_nmembers(type);
  std::vector<std::string> names;
  for (int m = 0; m < members; ++m) names.push_back(member_name(type, static_cast<unsigned>(m)));
  if (names == std::vector<std::string>{"r", "i"} || names == std::vector<std::string>{"real", "imag"}) {
    return "complex numbers";
  }
  std::string text = "a compound type of";
  for (std::size_t m = 0; m < names.size() && m < 5; ++m) text += (m == 0 ? " " : ", ") + names[m];
  return text + (names.size() > 5 ? ", ..." : "");
}

/// What h5py and PyTables store truth values as.
bool is_boolean(hid_t type) {
  return H5Tget_class(type) == H5T_ENUM && H5Tget_nmembers(type) == 2 && member_name(type, 0) == "FALSE" &&
         member_name(type, 1) == "TRUE";
}

std::pair<Kind, std::string> describe_type(hid_t type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type)) + "-bit ";
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return {Kind::integer, bits + "integers"};
    case H5T_FLOAT:
      return {Kind::floating_point, bits + "floating-point numbers"};
    case H5T_STRING:
      if (H5Tis_variable_str(type) > 0) return {Kind::other, "variable-length strings"};
      return {Kind::text, "strings of " + std::to_string(H5Tget_size(type)) + " bytes"};
    case H5T_COMPOUND:
      return {Kind::other, describe_compound(type)};
    case H5T_ENUM:
      if (is_boolean(type)) return {Kind::integer, "booleans"};
      return {Kind::other, "an enumeration"};
    case H5T_VLEN:
      return {Kind::other, "variable-length arrays"};
    case H5T_REFERENCE:
      return {Kind::other, "references"};
    case H5T_ARRAY:
      return {Kind::other, "arrays as elements"};
    case H5T_BITFIELD:
      return {Kind::other, "bit fields"};
    case H5T_OPAQUE:
      return {Kind::other, "opaque bytes"};
    case H5T_TIME:
      return {Kind::other, "times"};
    default:
      return {Kind::other, "an unknown type"};
  }
}

/// Type and shape of an open dataset or attribute.
Hdf5Array describe(std::string name, hid_t type, hid_t space) {
  Hdf5Array array;
  array.name = std::move(name);
  std::tie(array.kind, array.found) = describe_type(type);
  array.element_bytes = H5Tget_size(type);
  if (H5Sget_simple_extent_type(space) == H5S_NULL) {
    array.kind = Kind::other;
    array.found = "no value";
    return array;
  }
  std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  array.shape.assign(shape.begin(), shape.end());
  std::string text;
  for (const std::uint64_t extent : array.shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  array.found = (text.empty() ? "a single value of " : text + " ") + array.found;
  return array;
}

/// What a dataset is whose elements are in other files; empty for others. Looks at nothing but the dataset's own
/// records: already the size of a virtual dataset may be a question for other files.
std::string stored_elsewhere(hid_t dataset) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(creation) == H5D_VIRTUAL) return "a virtual dataset, whose elements are in other files";
  if (H5Pget_external_count(creation) <= 0) return {};
  char name[256] = {};
  off_t offset = 0;
  hsize_t size = 0;
  H5Pget_external(creation, 0, sizeof name - 1, name, &offset, &size);
  return "a dataset whose elements are in the file " + quoted(name);
}

}  // namespace

Hdf5File::Hdf5File(std::string path) : _path(std::move(path)), _file(open_file(_path), H5Fclose) {}

void Hdf5File::check_links(const std::string& name, int depth) const {
  constexpr int kDeepest = 16;
  const std::string whole = absolute_name(name);
  for (std::size_t begin = 0, end = 0; whole != "/" && end != std::string::npos; begin = end) {
    end = whole.find('/', begin + 1);
    const std::string link = whole.substr(0, end), step = link.substr(begin + 1);
    if (step.empty() || step == ".") continue;
    H5L_info_t info{};
    if (H5Lget_info(_file, link.c_str(), &info, H5P_DEFAULT) < 0) return;  // nothing of this name
    if (info.type == H5L_TYPE_HARD) continue;
    if (info.type != H5L_TYPE_SOFT) {
      throw InputError(place(link) + ": found a link to another file, expected what this file holds");
    }
    std::string target(info.u.val_size, '\0');
    if (H5Lget_val(_file, link.c_str(), target.data(), target.size(), H5P_DEFAULT) < 0) {
      throw InputError(place(link) + ": cannot be read: " + hdf5_reason());
    }
    target.resize(std::min(target.find('\0'), target.size()));
    const std::string at = target.starts_with('/') ? target : child_of(parent_of(link), target);
    if (depth < kDeepest) check_links(at, depth + 1);
    if (depth >= kDeepest || H5Oexists_by_name(_file, link.c_str(), H5P_DEFAULT) <= 0) {
      throw InputError(place(link) + ": found a link to " + quoted(target) + ", which is not there");
    }
  }
}

Hdf5File::Object Hdf5File::object(const std::string& name) const {
  check_links(name);
  const Hdf5Handle object(H5Oopen(_file, name.c_str(), H5P_DEFAULT), H5Oclose);
  if (object < 0) return Object::none;
  const H5I_type_t type = H5Iget_type(object);
  return type == H5I_GROUP ? Object::group : type == H5I_DATASET ? Object::dataset : Object::other;
}

std::vector<std::string> Hdf5File::list(Object kind) const {
  struct Found {
    H5O_type_t type;
    std::vector<std::string> names;
  } found{kind == Object::group ? H5O_TYPE_GROUP : H5O_TYPE_DATASET, {}};
  const auto take = [](hid_t, const char* name, const H5O_info_t* info, void* into) -> herr_t {
    auto& all = *static_cast<Found*>(into);
    if (info->type == all.type) all.names.push_back(absolute_name(name));
    return 0;
  };
  if (H5Ovisit2(_file, H5_INDEX_NAME, H5_ITER_INC, take, &found, H5O_INFO_BASIC) < 0) {
    throw InputError(_path + ": cannot be read: " + hdf5_reason());
  }
  return found.names;
}

Hdf5Array Hdf5File::describe(const std::string& name) const {
  check_links(name);
  const Hdf5Handle dataset(H5Dopen2(_file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset < 0) throw InputError(place(name) + ": cannot be read: " + hdf5_reason());
  if (std::string found = stored_elsewhere(dataset); !found.empty()) {
    Hdf5Array array;
    array.name = name;
    array.found = std::move(found);
    array.elsewhere = true;
    return array;
  }
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  return io::describe(name, type, space);
}

void Hdf5File::read(const Hdf5Array& array, std::uint64_t first, std::uint64_t count, hid_t type, void* into) const {
  if (count == 0) return;
  const Hdf5Handle dataset(H5Dopen2(_file, array.name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle in_file(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> begin(array.shape.size()), extent(array.shape.begin(), array.shape.end());
  begin[0] = first;
  extent[0] = count;
  const Hdf5Handle in_memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
  if (dataset < 0 || H5Sselect_hyperslab(in_file, H5S_SELECT_SET, begin.data(), nullptr, extent.data(), nullptr) < 0 ||
      H5Dread(dataset, type, in_memory, in_file, H5P_DEFAULT, into) < 0) {
    throw InputError(place(array.name) + ": cannot be read: " + hdf5_reason());
  }
}

void Hdf5File::read(const Hdf5Array& array, std::uint64_t first, std::uint64_t count, std::span<double> into) const {
  read(array, first, count, H5T_NATIVE_DOUBLE, into.data());
}

void Hdf5File::read(const Hdf5Array& array, std::uint64_t first, std::uint64_t count,
                    std::span<std::int64_t> into) const {
  read(array, first, count, H5T_NATIVE_INT64, into.data());
}

std::vector<char> Hdf5File::read_text(const Hdf5Array& array, std::uint64_t first, std::uint64_t count) const {
  const Hdf5Handle dataset(H5Dopen2(_file, array.name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);  // with its character set, which HDF5 does not convert
  if (type >= 0) H5Tset_strpad(type, H5T_STR_NULLPAD);
  std::vector<char> text(count * array.element_bytes);
  read(array, first, count, type, text.data());
  return text;
}

void Hdf5File::read_stored(const Hdf5Array& array, std::uint64_t first, std::uint64_t count,
                           std::span<std::byte> into) const {
  const Hdf5Handle dataset(H5Dopen2(_file, array.name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  read(array, first, count, type, into.data());
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& object, const char* name) const {
  const Hdf5Handle attribute(H5Aopen_by_name(_file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (attribute < 0) return std::nullopt;
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return std::nullopt;
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute, type, &text) < 0 || text == nullptr) return std::nullopt;
    const std::string value = text;
    H5free_memory(text);
    return value;
  }
  std::string value(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, value.data()) < 0) return std::nullopt;
  value.resize(std::min(value.find('\0'), value.size()));
  return value;
}

std::optional<std::vector<std::int64_t>> Hdf5File::integer_attribute(const std::string& object,
                                                                     const char* name) const {
  const Hdf5Handle attribute(H5Aopen_by_name(_file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (attribute < 0) return std::nullopt;
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_INTEGER || count < 1) return std::nullopt;
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  if (H5Aread(attribute, H5T_NATIVE_INT64, values.data()) < 0) return std::nullopt;
  return values;
}

std::string absolute_name(const std::string& name) {
  std::string result = name.starts_with('/') ? name : "/" + name;
  while (result.size() > 1 && result.back() == '/') result.pop_back();
  return result == "/." ? "/" : result;
}

std::string parent_of(const std::string& name) {
  const auto slash = name.rfind('/');
  return slash == 0 ? "/" : name.substr(0, slash);
}

std::string child_of(const std::string& group, const std::string& name) {
  return group == "/" ? "/" + name : group + "/" + name;
}

}  // namespace kasen::io
