#include "apps/common/model_file.h"

#include <span>

#include "kasen/io/formats/read.h"
#include "kasen/io/hdf5/hdf5_input.h"
#include "kasen/workers.h"

namespace apps {

namespace {

kasen::io::DenseData read(const std::string& path, const std::string& dataset) {
  kasen::io::ReadOptions options;
  options.format = "hdf5";
  options.dataset = dataset;
  options.allow_non_finite = true;
  return kasen::io::read_dense(kasen::workers::communicator(), path, options);
}

}  // namespace

bool has_dataset(const std::string& path, const std::string& dataset) {
  return kasen::io::has_hdf5_dataset(kasen::workers::communicator(), path, dataset);
}

std::vector<double> read_numbers(const std::string& path, const std::string& dataset) {
  return kasen::workers::all_gather(std::span<const double>(read(path, dataset).values));
}

std::vector<std::string> read_column_names(const std::string& path, const std::string& dataset) {
  return read(path, dataset).names;
}

}  // namespace apps
