/// @file
/// Random numbers by counting: a draw is a function of its key and of how many came before it. Streams split off are
/// independent of it, so that what one part of a program draws changes nothing in the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kasen::tests::fuzz {

class Draw {
 public:
  explicit Draw(std::uint64_t key) : _key(mix(key)) {}

  /// A stream of its own, by name; does not advance this one.
  Draw split(std::uint64_t name) const { return Draw(_key ^ mix(name + 0x632be59bd9b4e019u)); }

  std::uint64_t bits() { return mix(_key + ++_count * 0x9e3779b97f4a7c15u); }
  /// From 0 to n - 1. @pre n > 0.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  int between(int least, int most) { return least + below(most - least + 1); }
  bool chance(int percent) { return below(100) < percent; }
  /// @pre not empty.
  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  /// Mostly one of the last.
  template <class T>
  const T& late_of(const std::vector<T>& choices) {
    const auto count = static_cast<int>(choices.size());
    const int latest = chance(65) && count > 4 ? 4 : count;
    return choices[static_cast<std::size_t>(count - 1 - below(latest))];
  }

 private:
  /// The finaliser of splitmix64.
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t _key;
  std::uint64_t _count = 0;
};

}  // namespace kasen::tests::fuzz
