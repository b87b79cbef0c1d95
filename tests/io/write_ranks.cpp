/// @file
/// Reads an edge list and writes its ids and numbers, for tests that read the file with other software.
#include <cstdio>
#include <vector>

#include "comm/environment.h"
#include "kasen/io/formats/read.h"
#include "kasen/io/hdf5/hdf5_output.h"
#include "partition/assignment.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const kasen::comm::Environment environment;
  const kasen::comm::Communicator communicator;
  const kasen::io::SparseData list = kasen::io::read_graph(communicator, argv[1]);
  const auto blocks = kasen::partition::Assignment::block(list.rows, communicator.size());
  std::vector<double> numbers;
  for (auto i = blocks.block_begin(communicator.rank()); i < blocks.block_begin(communicator.rank() + 1); ++i) {
    numbers.push_back(static_cast<double>(i) / 8);
  }
  kasen::io::Hdf5Output output(communicator, argv[2]);
  output.add("rank", std::span<const double>(numbers));
  output.add("vertex", list.ids);
  output.commit();
}
