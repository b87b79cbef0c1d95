/// @file
/// Extraction of one sentence from HDF5's error stack.
#include "kasen/io/hdf5/hdf5_handle.h"

namespace kasen::io {

QuietHdf5::QuietHdf5() {
  H5Eget_auto2(H5E_DEFAULT, &_function, &_data);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, _function, _data); }

std::string hdf5_reason() {
  std::string reason;
  const auto take_innermost = [](unsigned level, const H5E_error2_t* error, void* into) -> herr_t {
    if (level == 0 && error->desc != nullptr) *static_cast<std::string*>(into) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &reason);
  const std::string mark = "error message = '";
  if (const auto begin = reason.find(mark); begin != std::string::npos) {
    const auto text = begin + mark.size();
    return reason.substr(text, reason.find('\'', text) - text);
  }
  return reason.empty() ? "unknown HDF5 error" : reason;
}

}  // namespace kasen::io
