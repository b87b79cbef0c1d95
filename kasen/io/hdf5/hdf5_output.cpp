/// @file
/// HDF5 in three steps: one worker lays the file out, reserves all its room, then all write their blocks, each to the
/// place in the file where HDF5 has put it. Nothing of it is a collective call of HDF5: one that failed on some workers
/// alone would keep the others waiting. Nor does HDF5 write to the disk: see Layout.
#include "kasen/io/hdf5/hdf5_output.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "comm/agreement.h"
#include "comm/communicator.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/io/hdf5/hdf5_checksum.h"
#include "kasen/io/hdf5/hdf5_handle.h"

namespace kasen::io {

namespace {

/// Room for HDF5's own records, generously, so that laying out a file does not meet a full disk either.
constexpr std::uint64_t kLayoutBytes = 16 << 10;

Hdf5Handle native_type(const ElementType& type) {
  const auto width = static_cast<std::size_t>(std::max<std::uint64_t>(type.bytes, 1));
  hid_t id = H5I_INVALID_HID;
  switch (type.kind) {
    case ElementType::Kind::floating_point:
      id = H5Tcopy(width == sizeof(float)    ? H5T_NATIVE_FLOAT
                   : width == sizeof(double) ? H5T_NATIVE_DOUBLE
                                             : H5T_NATIVE_LDOUBLE);
      break;
    case ElementType::Kind::signed_integer:
    case ElementType::Kind::unsigned_integer:
      id = H5Tcopy(type.kind == ElementType::Kind::signed_integer ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64);
      if (id >= 0 && H5Tset_size(id, width) < 0) return {H5I_INVALID_HID, H5Tclose};
      break;
    case ElementType::Kind::text:
      id = H5Tcopy(H5T_C_S1);
      if (id >= 0) {
        H5Tset_size(id, width);
        H5Tset_strpad(id, H5T_STR_NULLPAD);
        H5Tset_cset(id, H5T_CSET_UTF8);
      }
      break;
  }
  return {id, H5Tclose};
}

/// The groups around a dataset that are not there yet. HDF5 would make them by itself, each with the time.
bool create_groups(hid_t file, const std::string& dataset) {
  const Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  if (H5Pset_obj_track_times(properties, false) < 0) return false;
  for (std::size_t end = dataset.find('/', 1); end != std::string::npos; end = dataset.find('/', end + 1)) {
    const std::string name = dataset.substr(0, end);
    if (H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0) continue;
    Hdf5Handle group(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose);
    if (group < 0 || group.close() < 0) return false;
  }
  return true;
}

/// The file in memory that HDF5 lays out, nothing but its own records. A file that HDF5 cannot write to the end it
/// cannot close either; it stays half closed, and the process crashes over it at its end. Memory takes all that HDF5
/// writes.
class Layout {
 public:
  explicit Layout(const std::string& path) : _path(path), _file(::memfd_create("layout", MFD_CLOEXEC)) {
    if (_file.number() < 0) refuse();
  }

  /// Has HDF5 go on here with a file that is open and empty.
  void take(hid_t file) const {
    void* descriptor = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0) throw InternalError("HDF5 hides its descriptor");
    if (::dup3(_file.number(), *static_cast<const int*>(descriptor), O_CLOEXEC) < 0) refuse();
  }

  /// To a file that is empty. Between the records are holes, for the blocks.
  void copy_to(const std::string& name) const {
    const Descriptor to(::open(name.c_str(), O_WRONLY | O_CLOEXEC));
    struct stat status {};
    if (to.number() < 0 || ::fstat(_file.number(), &status) != 0 || ::ftruncate(to.number(), status.st_size) != 0)
      refuse();
    std::array<std::byte, 1 << 12> page;
    off_t at = ::lseek(_file.number(), 0, SEEK_DATA);
    while (at >= 0) {
      const off_t end = ::lseek(_file.number(), at, SEEK_HOLE);
      while (at < end) {
        const auto most = std::min(page.size(), static_cast<std::size_t>(end - at));
        const ssize_t count = ::pread(_file.number(), page.data(), most, at);
        const ssize_t written =
            count <= 0 ? -1 : ::pwrite(to.number(), page.data(), static_cast<std::size_t>(count), at);
        if (written < 0 && errno != EINTR) refuse();
        at += std::max<ssize_t>(written, 0);
      }
      at = ::lseek(_file.number(), end, SEEK_DATA);
    }
    if (errno != ENXIO) refuse();  // which says that there is no more
  }

 private:
  [[noreturn]] void refuse() const { throw InputError(_path + ": cannot be written: " + std::strerror(errno)); }

  std::string _path;
  Descriptor _file;
};

/// An attribute as HDF5 takes it; refers to `value`.
struct AttributeContent {
  explicit AttributeContent(const std::variant<std::string, std::vector<std::int64_t>, double>& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      type = ElementType::text(text->size());
      data = text->c_str();  // of an empty text, the one byte that its type has
    } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
      scalar = false;
      type = ElementType::of<std::int64_t>();
      length = integers->size();
      data = integers->data();
    } else {
      type = ElementType::of<double>();
      data = &std::get<double>(value);
    }
  }
  std::uint64_t bytes() const { return type.bytes * length; }

  bool scalar = true;
  ElementType type{};
  hsize_t length = 1;
  const void* data = nullptr;
};

}  // namespace

Hdf5Output::Hdf5Output(const comm::Communicator& communicator, std::string path)
    : _communicator(&communicator), _path(std::move(path)) {
  require_writable(communicator, _path);
}

void Hdf5Output::add(std::string name, ElementType type, std::span<const std::byte> block) {
  _datasets.push_back({std::move(name), type, block, block.size() / type.bytes, std::nullopt});
}

void Hdf5Output::add_rows(std::string name, std::uint64_t rows, std::uint64_t columns, ElementType type,
                          std::span<const std::byte> values) {
  _datasets.push_back({std::move(name), type, values, rows, columns});
}

void Hdf5Output::add(std::string name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::vector<std::byte> padded(_communicator->rank() == 0 ? texts.size() * width : 0);
  for (std::size_t k = 0; k < texts.size() && !padded.empty(); ++k) {
    std::memcpy(&padded[k * width], texts[k].data(), texts[k].size());
  }
  _padded.push_back(std::move(padded));
  add(std::move(name), ElementType::text(width), _padded.back());
}

void Hdf5Output::text_attribute(std::string object, std::string name, std::string text) {
  _attributes.push_back({std::move(object), std::move(name), std::move(text)});
}

void Hdf5Output::integer_attribute(std::string object, std::string name, std::vector<std::int64_t> values) {
  _attributes.push_back({std::move(object), std::move(name), std::move(values)});
}

void Hdf5Output::number_attribute(std::string object, std::string name, double value) {
  _attributes.push_back({std::move(object), std::move(name), value});
}

void Hdf5Output::add(std::string name, const VertexIds& ids) {
  if (!ids.words()) {
    const std::vector<std::int64_t> block = ids.integer_block();
    const auto bytes = std::as_bytes(std::span(block));
    _padded.emplace_back(bytes.begin(), bytes.end());
    add(std::move(name), ElementType::of<std::int64_t>(), _padded.back());
    return;
  }
  const std::uint64_t width = std::max<std::uint64_t>(ids.longest_word(), 1);
  _padded.push_back(ids.padded_word_block(width));
  add(std::move(name), ElementType::text(width), _padded.back());
}

void Hdf5Output::commit() {
  std::uint64_t room = kLayoutBytes;
  for (Dataset& dataset : _datasets) {
    dataset.length = _communicator->sum(dataset.mine);
    dataset.first = _communicator->exclusive_sum(dataset.mine);
    room += dataset.length * dataset.element_bytes() + kLayoutBytes / 4;
  }
  add_checksums();
  for (const Attribute& attribute : _attributes) room += kLayoutBytes / 16 + AttributeContent(attribute.value).bytes();
  const QuietHdf5 quiet;
  OutputFile file(*_communicator, _path);
  std::vector<std::uint64_t> places(_datasets.size());
  comm::agree(*_communicator, [&] {
    if (_communicator->rank() != 0) return;
    file.reserve(room);
    places = create_layout(file.temporary());
    file.reserve(0);
  });
  _communicator->broadcast(std::span(places), 0);
  comm::agree(*_communicator, [&] {
    const OutputPart part(file);
    for (std::size_t k = 0; k < _datasets.size(); ++k) {
      part.write(places[k] + _datasets[k].first * _datasets[k].element_bytes(), _datasets[k].block);
    }
    part.flush();
  });
  file.commit();
}

void Hdf5Output::add_checksums() {
  std::vector<std::uint64_t> mine;
  for (const Dataset& dataset : _datasets) {
    const std::uint64_t bytes = dataset.element_bytes();
    mine.push_back(
        checksum_of(dataset.block.first(dataset.mine * bytes), dataset.first * bytes, dataset.length * bytes));
  }
  const std::vector<std::uint64_t> checksums = sum_of_checksums(*_communicator, mine);
  for (std::size_t k = 0; k < _datasets.size(); ++k) {
    integer_attribute(_datasets[k].name, kChecksumAttribute, {static_cast<std::int64_t>(checksums[k])});
  }
}

std::vector<std::uint64_t> Hdf5Output::create_layout(const std::string& file) const {
  std::vector<std::uint64_t> places;
  const auto check = [&](herr_t status) {
    if (status < 0) throw InputError(_path + ": cannot be written: " + hdf5_reason());
  };
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_file_locking(access, false, true));  // nobody knows the name, and some file systems cannot lock
  // Of the file formats, the first whose records have checksums; HDF5 1.8 and later read it.
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation, false));  // the same data, the same bytes
  Hdf5Handle output(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
  check(output < 0 ? -1 : 0);
  const Layout layout(_path);
  layout.take(output);
  for (const Dataset& dataset : _datasets) {
    check(create_groups(output, dataset.name) ? 0 : -1);
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(properties, false));
    check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
    check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER));
    const std::array<hsize_t, 2> shape{dataset.length, dataset.columns.value_or(1)};
    const Hdf5Handle space(H5Screate_simple(dataset.columns ? 2 : 1, shape.data(), nullptr), H5Sclose);
    const Hdf5Handle type = native_type(dataset.type);
    Hdf5Handle created(H5Dcreate2(output, dataset.name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                       H5Dclose);
    check(created < 0 ? -1 : 0);
    const haddr_t place = H5Dget_offset(created);
    if (place == HADDR_UNDEF && dataset.length * dataset.element_bytes() > 0)
      throw InternalError("HDF5 has given a dataset no place");
    places.push_back(place);
    check(created.close());
  }
  for (const Attribute& attribute : _attributes) {
    const AttributeContent content(attribute.value);
    const Hdf5Handle type = native_type(content.type);
    const Hdf5Handle space(content.scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &content.length, nullptr),
                           H5Sclose);
    Hdf5Handle created(H5Acreate_by_name(output, attribute.object.c_str(), attribute.name.c_str(), type, space,
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
    check(created < 0 ? -1 : 0);
    check(H5Awrite(created, type, content.data));
    check(created.close());
  }
  check(output.close());
  layout.copy_to(file);
  return places;
}

}  // namespace kasen::io
