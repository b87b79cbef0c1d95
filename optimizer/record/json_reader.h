/// @file
/// A reader of JSON that somebody else has written, in which every mismatch is an error that says where and what.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::optimizer {

/// Objects and arrays are made with Json::object() and Json::array(), or with their first members: a null that becomes
/// one when it gets its first member is left broken, and ends the process, if memory runs out just then.
using Json = nlohmann::ordered_json;

/// JSON as text; bytes of strings that are no UTF-8, as those of names of files may be, become U+FFFD.
/// @param indent of lines; -1: on one line
inline std::string to_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// A JSON value with its path from the root, as in "programs[0].values[3].bytes".
/// All functions throw InputError "PATH: what is wrong".
class JsonReader {
 public:
  /// `json` must outlive the reader.
  JsonReader(const Json& json, std::string path) : _json(&json), _path(std::move(path)) {}

  JsonReader operator[](const std::string& key) const {
    const Json* found = member(key);
    if (found == nullptr) fail("'" + key + "' is missing");
    return {*found, _path.empty() ? key : _path + "." + key};
  }
  bool has(const std::string& key) const { return member(key) != nullptr; }

  /// A whole number from 0 to `most`.
  std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const {
    if (!_json->is_number_unsigned()) fail("a whole number from 0 is expected");
    const auto value = _json->get<std::uint64_t>();
    if (value > most) fail(std::to_string(value) + " is too large, at most " + std::to_string(most) + " is possible");
    return value;
  }
  double real() const {
    if (!_json->is_number()) fail("a number is expected");
    return _json->get<double>();
  }
  bool boolean() const {
    if (!_json->is_boolean()) fail("true or false is expected");
    return _json->get<bool>();
  }
  std::string text() const {
    if (!_json->is_string()) fail("a text is expected");
    return _json->get<std::string>();
  }
  /// An identifier: a position in a table of `size` entries.
  template <class Id>
  Id id(std::size_t size) const {
    const std::uint64_t value = number(std::numeric_limits<std::uint32_t>::max());
    if (value >= size) fail("there is no number " + std::to_string(value) + " among " + std::to_string(size));
    return static_cast<Id>(value);
  }
  /// The position of the text among `words`, as an enumeration.
  template <class Enum, std::size_t count>
  Enum word(const char* const (&words)[count]) const {
    const std::string given = text();
    for (std::size_t k = 0; k < count; ++k) {
      if (given == words[k]) return static_cast<Enum>(k);
    }
    fail("'" + given + "' is unknown");
  }
  std::vector<JsonReader> list() const {
    if (!_json->is_array()) fail("a list is expected");
    std::vector<JsonReader> entries;
    for (std::size_t k = 0; k < _json->size(); ++k) entries.push_back({(*_json)[k], element(k)});
    return entries;
  }

  // The same for a member that may be missing: then it has its default.
  std::uint64_t number_or(const std::string& key, std::uint64_t otherwise) const {
    return has(key) ? (*this)[key].number() : otherwise;
  }
  bool boolean_or(const std::string& key, bool otherwise) const {
    return has(key) ? (*this)[key].boolean() : otherwise;
  }
  std::string text_or(const std::string& key, const std::string& otherwise) const {
    return has(key) ? (*this)[key].text() : otherwise;
  }
  std::vector<JsonReader> list_or_empty(const std::string& key) const {
    return has(key) ? (*this)[key].list() : std::vector<JsonReader>{};
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(_path.empty() ? what : _path + ": " + what);
  }

 private:
  const Json* member(const std::string& key) const {
    if (!_json->is_object()) fail("an object is expected");
    const auto found = _json->find(key);
    return found == _json->end() ? nullptr : &*found;
  }
  std::string element(std::size_t k) const { return _path + "[" + std::to_string(k) + "]"; }

  const Json* _json;
  std::string _path;
};

}  // namespace kasen::optimizer
