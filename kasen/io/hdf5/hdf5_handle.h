/// @file
/// Owned handles of HDF5's C API, and its errors as text.
#pragma once

#include <hdf5.h>

#include <string>

namespace kasen::io {

/// An HDF5 object that is closed with the function it was made for.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle(hid_t id, Close closer) : _id(id), _close(closer) {}
  ~Hdf5Handle() { close(); }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  operator hid_t() const { return _id; }
  /// Negative if closing failed, which is how HDF5 reports what it could not flush.
  herr_t close() {
    const herr_t status = _id >= 0 ? _close(_id) : 0;
    _id = H5I_INVALID_HID;
    return status;
  }

 private:
  hid_t _id;
  Close _close;
};

/// Keeps HDF5 from printing its error stack while it lives.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t _function = nullptr;
  void* _data = nullptr;
};

/// The reason why the last HDF5 call failed: the system's if it had one, else the innermost of the error stack.
std::string hdf5_reason();

}  // namespace kasen::io
