#include "kasen/base/source_line.h"

namespace kasen {

std::string prefix_of(SourceLine where) {
  return where.line == 0 ? std::string() : std::string(where.file) + ":" + std::to_string(where.line) + ": ";
}

}  // namespace kasen
