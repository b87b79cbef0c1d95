#include "kasen/base/scalar.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace kasen {
namespace {

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    // The limits as powers of two are exact in every floating type.
    const auto above = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    const bool fits = value < above && (std::is_signed_v<To> ? std::trunc(value) >= -above : value > From{-1});
    return fits ? static_cast<To>(value) : To{0};
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace

const char* name_of(ScalarType type) {
  constexpr const char* kNames[] = {"bool",   "int8",  "uint8",  "int16",   "uint16", "int32",
                                    "uint32", "int64", "uint64", "float32", "float64"};
  return kNames[static_cast<std::size_t>(type)];
}

Scalar converted(const Scalar& value, ScalarType to) {
  return with_type(value.type, [&]<class From>(std::type_identity<From>) {
    return with_type(to, [&]<class To>(std::type_identity<To>) { return Scalar::of(convert<To>(value.as<From>())); });
  });
}

bool holds_value(const Scalar& value, ScalarType to) {
  if (is_floating(to)) return true;
  return converted(converted(value, to), value.type) == value;
}

std::string to_text(const Scalar& value) {
  return with_type(value.type, [&]<class T>(std::type_identity<T>) {
    std::ostringstream text;
    if constexpr (std::is_same_v<T, bool>) {
      text << (value.as<T>() ? "true" : "false");
    } else if constexpr (std::is_floating_point_v<T>) {
      text.precision(std::numeric_limits<T>::max_digits10);
      text << value.as<T>();
    } else {
      text << +value.as<T>();
    }
    return text.str();
  });
}

}  // namespace kasen
