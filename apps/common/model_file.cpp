#include "apps/common/model_file.h"

#include <span>

#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {

std::vector<double> read_numbers(const std::string& path, const std::string& dataset) {
  kasen::io::ReadOptions options;
  options.format = "hdf5";
  options.dataset = dataset;
  options.allow_non_finite = true;
  return kasen::workers::all_gather(
      std::span<const double>(kasen::io::read_dense(kasen::workers::communicator(), path, options).values));
}

}  // namespace apps
