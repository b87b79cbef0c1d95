/// @file
/// Writes small HDF5 files with HDF5's serial API, for tests of what reads them.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

namespace kasen::io {

class Hdf5Writer {
 public:
  /// @param block bytes in front of what is HDF5
  explicit Hdf5Writer(const std::string& path, hsize_t block = 0) {
    const hid_t properties = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(properties, block);
    _file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, {});
    H5Pclose(properties);
  }
  ~Hdf5Writer() { H5Fclose(_file); }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void group(const std::string& name) { H5Gclose(H5Gcreate2(_file, name.c_str(), {}, {}, {})); }

  /// A dataset stored as `stored`, from values in memory of type `native`; `shape` empty: a vector.
  template <class T>
  void dataset(const std::string& name, hid_t stored, hid_t native, const std::vector<T>& values,
               std::vector<hsize_t> shape = {}, bool compressed = false) {
    if (shape.empty()) shape = {values.size()};
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (compressed) {
      std::vector<hsize_t> chunk(shape.size(), 2);
      H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
      H5Pset_deflate(properties, 1);
    }
    const hid_t set = H5Dcreate2(_file, name.c_str(), stored, space, {}, properties, {});
    if (!values.empty()) H5Dwrite(set, native, H5S_ALL, H5S_ALL, {}, values.data());
    H5Dclose(set);
    H5Pclose(properties);
    H5Sclose(space);
  }
  void doubles(const std::string& name, const std::vector<double>& values, std::vector<hsize_t> shape = {}) {
    dataset(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, std::move(shape));
  }
  void integers(const std::string& name, const std::vector<long>& values) {
    dataset(name, H5T_STD_I64LE, H5T_NATIVE_LONG, values);
  }
  /// A dataset without content.
  void empty(const std::string& name, hid_t type, hid_t space) {
    H5Dclose(H5Dcreate2(_file, name.c_str(), type, space, {}, {}, {}));
    H5Sclose(space);
  }
  /// A dataset of doubles whose elements are in another file: HDF5's external storage.
  void external(const std::string& name, const std::string& other_file, hsize_t length) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(properties, other_file.c_str(), 0, length * sizeof(double));
    with_properties(name, length, properties);
  }
  /// A dataset of doubles that shows another dataset of this name in another file.
  void virtual_view(const std::string& name, const std::string& other_file, hsize_t length) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    H5Pset_virtual(properties, space, other_file.c_str(), name.c_str(), space);
    H5Sclose(space);
    with_properties(name, length, properties);
  }
  void link_to_file(const std::string& name, const std::string& other_file, const std::string& object) {
    H5Lcreate_external(other_file.c_str(), object.c_str(), _file, name.c_str(), {}, {});
  }
  void link(const std::string& name, const std::string& target) {
    H5Lcreate_soft(target.c_str(), _file, name.c_str(), {}, {});
  }
  /// A dataset of doubles of which nothing is stored.
  void unstored(const std::string& name, const std::vector<hsize_t>& shape) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(shape.size(), 16);
    H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    H5Dclose(H5Dcreate2(_file, name.c_str(), H5T_NATIVE_DOUBLE, space, {}, properties, {}));
    H5Sclose(space);
    H5Pclose(properties);
  }
  void text(const std::string& name, std::size_t width, const std::string& padded) {
    const hid_t type = text_type(width);
    dataset(name, type, type, std::vector<char>(padded.begin(), padded.end()), {padded.size() / width});
    H5Tclose(type);
  }

  void attribute(const std::string& object, const char* name, const std::vector<long>& values) {
    const hsize_t count = values.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    write_attribute(object, name, H5T_NATIVE_LONG, space, values.data());
  }
  void attribute(const std::string& object, const char* name, const std::string& text, bool variable) {
    const char* const pointer = text.c_str();
    const hid_t type = text_type(variable ? H5T_VARIABLE : text.size());
    write_attribute(object, name, type, H5Screate(H5S_SCALAR), variable ? static_cast<const void*>(&pointer) : pointer);
    H5Tclose(type);
  }

 private:
  void with_properties(const std::string& name, hsize_t length, hid_t properties) {
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    H5Dclose(H5Dcreate2(_file, name.c_str(), H5T_NATIVE_DOUBLE, space, {}, properties, {}));
    H5Sclose(space);
    H5Pclose(properties);
  }
  static hid_t text_type(std::size_t width) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, width);
    if (width != H5T_VARIABLE) H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
  }
  void write_attribute(const std::string& object, const char* name, hid_t type, hid_t space, const void* values) {
    const hid_t attribute = H5Acreate_by_name(_file, object.c_str(), name, type, space, {}, {}, {});
    H5Awrite(attribute, type, values);
    H5Aclose(attribute);
    H5Sclose(space);
  }

  hid_t _file;
};

}  // namespace kasen::io
