#include "kasen/io/bytes/link_target.h"

#include <filesystem>
#include <system_error>

namespace kasen::io {

std::string link_target(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as Linux has it
  fs::path target = path;
  std::error_code error;
  for (int links = 0; links < kMostLinks && fs::is_symlink(target, error); ++links) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) break;
    target = target.parent_path() / next;  // `next` alone if it is absolute
  }
  const fs::path canonical = fs::weakly_canonical(fs::absolute(target), error);  // alike however it was spelled
  return error ? target.string() : canonical.string();
}

}  // namespace kasen::io
