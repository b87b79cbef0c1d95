#include "kasen/checkpoint/executable.h"

#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/base/random.h"
#include "kasen/io/hdf5/hdf5_checksum.h"

namespace kasen::checkpoint {
namespace {

/// In the place of a library for some instruction set the one for all machines, which is of the same build.
std::filesystem::path for_all_machines(const std::filesystem::path& library) {
  const std::filesystem::path folder = library.parent_path();
  if (folder.parent_path().filename() != "glibc-hwcaps") return library;
  return folder.parent_path().parent_path() / library.filename();
}

bool is_kasens(std::string_view library) { return library.starts_with("libkasen"); }

/// Whether a shared library has algorithms of the program, as it links Kasen's.
bool links_kasen(const dl_phdr_info& object) {
  const char* names = nullptr;
  std::vector<std::size_t> needed;
  for (int k = 0; k < object.dlpi_phnum; ++k) {
    if (object.dlpi_phdr[k].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[k].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_STRTAB) {  // which most systems have relocated
        const ElfW(Addr) at = entry->d_un.d_ptr;
        names = reinterpret_cast<const char*>(at < object.dlpi_addr ? object.dlpi_addr + at : at);
      }
      if (entry->d_tag == DT_NEEDED) needed.push_back(entry->d_un.d_val);
    }
  }
  return *object.dlpi_name != '\0' && names != nullptr &&
         std::any_of(needed.begin(), needed.end(), [&](std::size_t at) { return is_kasens(names + at); });
}

/// As the yield shim is, of which the results do not depend.
bool is_preloaded(const std::filesystem::path& library) {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr &&
         std::string_view(preloaded).find(library.filename().string()) != std::string_view::npos;
}

/// In the order of the names of libraries, as linkers may choose another one for each instruction set.
std::vector<std::filesystem::path> executable_and_own_libraries() {
  std::vector<std::filesystem::path> files{"/proc/self/exe"};
  const auto add = [](dl_phdr_info* object, std::size_t, void* to) {
    const std::filesystem::path path(object->dlpi_name);
    if ((is_kasens(path.filename().c_str()) && !is_preloaded(path)) || links_kasen(*object))
      static_cast<std::vector<std::filesystem::path>*>(to)->push_back(for_all_machines(path));
    return 0;
  };
  ::dl_iterate_phdr(add, &files);
  std::sort(files.begin() + 1, files.end(), [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return files;
}

std::uint64_t hash_of_file(const std::filesystem::path& path, std::uint64_t hash) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> chunk(std::size_t{1} << 20);
  while (file) {
    file.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    if (count > 0) hash = random_bits(hash, io::checksum_of(std::span(chunk).first(count), 0, count));
  }
  return hash;
}

}  // namespace

std::uint64_t hash_of_executable(const comm::Communicator& workers) {
  std::array<std::uint64_t, 1> hash{};
  if (workers.rank() == 0) {
    for (const std::filesystem::path& path : executable_and_own_libraries()) hash[0] = hash_of_file(path, hash[0]);
  }
  workers.broadcast(std::span<std::uint64_t>(hash), 0);
  return hash[0];
}

}  // namespace kasen::checkpoint
