/// @file
/// A checkpoint is an HDF5 file as any other output of Kasen (docs/file_format.md): a dataset for each vector, and one
/// of bytes with all else.
#include "kasen/checkpoint/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/checkpoint/archive.h"
#include "kasen/io/hdf5/hdf5_checksum.h"
#include "kasen/io/hdf5/hdf5_file.h"
#include "kasen/io/hdf5/hdf5_output.h"

namespace kasen::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kVersion = 3;  ///< of the bytes of `/state`
constexpr const char* kState = "/state";
constexpr std::string_view kBegin = "checkpoint-", kEnd = ".h5";

std::string name_of(std::uint64_t number) { return fmt::format("{}{:08}{}", kBegin, number, kEnd); }

/// The number of a checkpoint by the name of its file.
std::optional<std::uint64_t> number_of(const std::string& name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return std::nullopt;
  const std::string digits = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
  if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::strtoull(digits.c_str(), nullptr, 10);
}

/// Local. The numbers of all checkpoints in the folder, the newest first.
std::vector<std::uint64_t> numbers_in(const std::string& folder) {
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto number = number_of(entry->path().filename().string());
    if (number && name_of(*number) == entry->path().filename()) numbers.push_back(*number);
  }
  if (error) throw InputError(folder + ": cannot be read: " + error.message());
  std::sort(numbers.rbegin(), numbers.rend());
  return numbers;
}

/// Collective. The same on every worker, as the first one sees the folder.
std::vector<std::uint64_t> agreed_numbers(const comm::Communicator& workers, const std::string& folder) {
  std::vector<std::uint64_t> numbers;
  comm::agree(workers, [&] {
    if (workers.rank() == 0) numbers = numbers_in(folder);
  });
  return workers.all_gather(std::span<const std::uint64_t>(numbers)).values;
}

/// Local. @throws InputError
Contents read_state(const io::Hdf5File& file) {
  if (file.object(kState) != io::Hdf5File::Object::dataset) throw InputError(file.path() + ": is no checkpoint");
  const io::Hdf5Array array = file.describe(kState);
  if (!array.vector() || array.element_bytes != 1) throw InputError(file.path() + ": is no checkpoint");
  std::vector<std::byte> bytes(array.shape[0]);
  file.read_stored(array, 0, array.shape[0], bytes);
  const auto stated = file.integer_attribute(kState, io::kChecksumAttribute);
  if (!stated || static_cast<std::uint64_t>(stated->front()) != io::checksum_of(bytes, 0, bytes.size()))
    throw InputError(file.place(kState) + ": found other bytes than were written");
  ArchiveReader archive(bytes);
  std::uint64_t version = 0;
  archive(version);
  if (version != kVersion) throw InputError(file.path() + ": was written by another version of Kasen");
  Contents contents;
  archive(contents);
  for (const std::string& name : datasets_of(contents.vectors)) {
    if (file.object(name) != io::Hdf5File::Object::dataset || !file.integer_attribute(name, io::kChecksumAttribute))
      throw InputError(file.place(name) + ": is missing, or has no checksum");
  }
  return contents;
}

}  // namespace

std::uint64_t open_folder(const comm::Communicator& workers, const std::string& folder) {
  comm::agree(workers, [&] {
    if (workers.rank() != 0) return;
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder, error))
      throw InputError(folder + ": is no folder that checkpoints can be written to");
    if (::access(folder.c_str(), W_OK | X_OK) != 0) throw InputError(folder + ": may not be written to");
  });
  const std::vector<std::uint64_t> numbers = agreed_numbers(workers, folder);
  return numbers.empty() ? 0 : numbers.front();
}

std::uint64_t write(const comm::Communicator& workers, const std::string& folder, std::uint64_t number,
                    Contents contents, const VectorsToWrite& vectors, std::uint64_t kept) {
  contents.vectors = vectors.saved();
  const std::string path = folder + "/" + name_of(number);
  std::vector<std::byte> state;
  comm::agree(workers, [&] {
    if (workers.rank() != 0) return;
    ArchiveWriter archive;
    archive(kVersion, contents);
    state = archive.take();
  });
  io::Hdf5Output file(workers, path);
  file.add(kState, io::ElementType::of<std::uint8_t>(), state);
  vectors.add_to(file);
  file.commit();
  std::uint64_t bytes = 0;
  if (workers.rank() == 0) {
    std::error_code error;  // what cannot be removed stays
    bytes = fs::file_size(path, error);
    if (error) bytes = 0;  // somebody has removed it
    try {
      const std::vector<std::uint64_t> numbers = numbers_in(folder);
      for (std::size_t k = kept; k < numbers.size(); ++k) fs::remove(folder + "/" + name_of(numbers[k]), error);
    } catch (const InputError&) {
    }
  }
  return bytes;
}

Found newest(const comm::Communicator& workers, const std::string& folder) {
  for (const std::uint64_t number : agreed_numbers(workers, folder)) {
    Found found{folder + "/" + name_of(number), {}, nullptr};
    try {
      comm::agree(workers, [&] {
        found.file = std::make_shared<const io::Hdf5File>(found.path);
        found.contents = read_state(*found.file);
      });
      io::verify_checksums(workers, *found.file, datasets_of(found.contents.vectors));
      return found;
    } catch (const AgreedError& error) {
      if (workers.rank() == 0) std::fprintf(stderr, "resume: passes over a checkpoint: %s\n", error.what());
    }
  }
  throw AgreedError(folder + ": has no whole checkpoint to go on from");
}

}  // namespace kasen::checkpoint
