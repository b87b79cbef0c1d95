/// @file
/// One libFuzzer program for each target: KASEN_TARGET is its number.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/parsers/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kasen::io::tests::targets()[KASEN_TARGET].run({reinterpret_cast<const char*>(data), size});
  return 0;
}
