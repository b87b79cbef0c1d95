#include "kasen/checkpoint/executable.h"

#include <array>
#include <fstream>
#include <ios>
#include <span>
#include <vector>

#include "kasen/base/random.h"
#include "kasen/io/hdf5/hdf5_checksum.h"

namespace kasen::checkpoint {

std::uint64_t hash_of_executable(const comm::Communicator& workers) {
  std::array<std::uint64_t, 1> hash{};
  if (workers.rank() == 0) {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    std::vector<std::byte> chunk(std::size_t{1} << 20);
    while (file) {
      file.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
      const auto count = static_cast<std::size_t>(file.gcount());
      if (count > 0) hash[0] = random_bits(hash[0], io::checksum_of(std::span(chunk).first(count), 0, count));
    }
  }
  workers.broadcast(std::span<std::uint64_t>(hash), 0);
  return hash[0];
}

}  // namespace kasen::checkpoint
