/// @file
/// Classes ArchiveWriter and ArchiveReader: records to bytes and back, by one list of their members for both.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::checkpoint {

/// A type whose bytes are what it means: numbers, words that stand for numbers, flags.
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// A record names its members in a function `visit(archive, record)`, which calls archive(member, ...).
class ArchiveWriter {
 public:
  template <class... T>
  void operator()(const T&... members) {
    (add(members), ...);
  }
  std::vector<std::byte> take() { return std::move(_bytes); }

 private:
  template <Plain T>
  void add(const T& number) {
    const auto* from = reinterpret_cast<const std::byte*>(&number);
    _bytes.insert(_bytes.end(), from, from + sizeof number);
  }
  void add(const std::string& text) { add(std::vector<char>(text.begin(), text.end())); }
  template <class T>
  void add(const std::vector<T>& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const T& entry : list) add(entry);
  }
  template <class A, class B>
  void add(const std::pair<A, B>& both) {
    add(both.first), add(both.second);
  }
  template <class T>
  requires std::is_class_v<T>
  void add(const T& record) {
    visit(*this, const_cast<T&>(record));  // which only reads here
  }

  std::vector<std::byte> _bytes;
};

class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::byte> bytes) : _bytes(bytes) {}

  /// @throws InputError where the bytes end too early
  template <class... T>
  void operator()(T&... members) {
    (get(members), ...);
  }

 private:
  std::span<const std::byte> next(std::uint64_t count) {
    if (count > _bytes.size()) throw InputError("ends within a record");
    const std::span<const std::byte> taken = _bytes.first(count);
    _bytes = _bytes.subspan(count);
    return taken;
  }
  template <Plain T>
  void get(T& number) {
    std::memcpy(&number, next(sizeof number).data(), sizeof number);
  }
  void get(std::string& text) {
    std::vector<char> letters;
    get(letters);
    text.assign(letters.begin(), letters.end());
  }
  template <class T>
  void get(std::vector<T>& list) {
    std::uint64_t length = 0;
    get(length);
    if (length > _bytes.size()) throw InputError("ends within a list");  // an entry has a byte at least
    list.resize(length);
    for (T& entry : list) get(entry);
  }
  template <class A, class B>
  void get(std::pair<A, B>& both) {
    get(both.first), get(both.second);
  }
  template <class T>
  requires std::is_class_v<T>
  void get(T& record) { visit(*this, record); }

  std::span<const std::byte> _bytes;
};

}  // namespace kasen::checkpoint
