/// @file
/// What the parsers of files must hold for any bytes: they end, they stay within the line, and what they throw has a
/// place in the line and a printable message. For libFuzzer, and for the random changes of a usual test.
#pragma once

#include <span>
#include <string_view>

namespace kasen::io::tests {

struct Target {
  std::string_view name;
  /// Aborts if something does not hold.
  void (*run)(std::string_view bytes);
  std::span<const std::string_view> seeds;
};

std::span<const Target> targets();

}  // namespace kasen::io::tests
