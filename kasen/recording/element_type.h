/// @file
/// Numbers of element types, which are equal on all workers because they run one executable.
#pragma once

#include <cstdint>
#include <type_traits>
#include <typeinfo>

#include "kasen/base/program.h"
#include "kasen/recording/type_mark.h"

namespace kasen::recording {

/// The number of the type with this mark: the hash of `name` or, where other types of that name have taken it, the next
/// free number, in the order in which the program comes to them. Always the same for the same mark. Local.
std::uint64_t type_number(const void* mark, const char* name);

/// The Type of T. Arithmetic types are known by their name alone, in shared libraries too.
template <class T>
Type type_of() {
  static_assert(std::is_trivially_copyable_v<T>, "elements are trivially copyable types");
  static const std::uint64_t number = type_number(std::is_arithmetic_v<T> ? nullptr : &type_mark<T>, typeid(T).name());
  return {sizeof(T), number};
}

/// The mark of rows of numbers of type T.
template <class T>
struct RowOf;

/// The Type of rows of so many T; the number is the same for all widths.
template <class T>
Type type_of_rows(std::uint64_t width) {
  static const std::uint64_t number = type_number(&type_mark<RowOf<T>>, typeid(RowOf<T>*).name());
  return {static_cast<std::uint32_t>(width * sizeof(T)), number, 1, std::is_arithmetic_v<T>};
}

}  // namespace kasen::recording
