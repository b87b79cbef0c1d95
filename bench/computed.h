/// @file
/// Vectors that are computed and not copied, for measurements.
#pragma once

#include <span>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "kasen/session/gather.h"

namespace bench {

/// The numbers or structs that a worker's part of a vector is.
template <class T>
std::span<const T> computed_part(const kasen::recording::Handle& v) {
  kasen::Engine& engine = kasen::Session::current().engine();
  const auto bytes = kasen::master_bytes(engine, engine.compute(v.slot(), "computed", {}));
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Collective. This worker's part of a vector, after what is pending has run; valid until the vector is gone.
template <class T>
std::span<const T> computed(const kasen::Vector<T>& v) {
  return computed_part<T>(v);
}
/// Of Rows, one row behind the other.
template <class T>
std::span<const T> computed(const kasen::Rows<T>& v) {
  return computed_part<T>(v);
}

}  // namespace bench
