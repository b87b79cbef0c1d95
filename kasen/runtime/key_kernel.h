/// @file
/// Kernels that follow keys, instantiated where take and reduce_by_key are called: the loops over a tile of keys. All
/// keys of a tile are looked at before anything is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

/// Whether a key leads nowhere.
template <class Key>
constexpr bool is_none(Key key) {
  if constexpr (std::numeric_limits<Key>::is_signed) {
    return key < 0;
  } else {
    return false;
  }
}

template <class Key>
std::uint64_t key_at(const KeyTile& tile, std::uint32_t position) {
  return static_cast<std::uint64_t>(static_cast<const Key*>(tile.key)[position]);
}

/// The position of the first key that is too large, or the number of keys. These are not counted: they are read again.
template <class Key>
std::uint32_t first_too_large(const KeyTile& tile) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Key>::max());
  if (tile.keys > most) return tile.n;
  const auto end = static_cast<Key>(tile.keys);
  const Key* const key = static_cast<const Key*>(tile.key);
  bool any = false;
  for (std::uint32_t k = 0; k < tile.n; ++k) any |= key[k] >= end;
  if (!any) return tile.n;
  std::uint32_t k = 0;
  while (key[k] < end) ++k;
  return k;
}

template <class T, class Key, class Op>
struct ReduceByKeyFunction {
  static std::uint32_t run(const void* context, const KeyTile& tile) {
    if (const std::uint32_t wrong = first_too_large<Key>(tile); wrong < tile.n) return wrong;
    Local<Op> op = *static_cast<const Op*>(context);
    const auto key = access(static_cast<const Key*>(tile.key), tile.keys_read);
    const auto in = access(static_cast<const T*>(tile.in), tile.elements_read);
    T* const table = static_cast<T*>(tile.table);
    const std::uint32_t n = tile.n;
    for (std::uint32_t k = 0; k < n; ++k) {
      const Key at = key[k];
      const T& element = in[k];
      if (is_none(at)) continue;
      table[at] = op(table[at], element);
    }
    return n;
  }
};

template <class T, class Key>
struct TakeFunction {
  static std::uint32_t run(const void* context, const KeyTile& tile) {
    if (const std::uint32_t wrong = first_too_large<Key>(tile); wrong < tile.n) return wrong;
    if (tile.number == nullptr) {
      loop(context, tile, [](Key at) { return static_cast<std::size_t>(at); });
    } else {
      loop(context, tile, [number = tile.number](Key at) { return static_cast<std::size_t>(number[at]); });
    }
    return tile.n;
  }

 private:
  /// One element of the vector is counted for each key, one that is none included.
  template <class Place>
  static void loop(const void* context, const KeyTile& tile, const Place& place) {
    const T otherwise = *static_cast<const T*>(context);
    const auto key = access(static_cast<const Key*>(tile.key), tile.keys_read);
    const T* const taken = static_cast<const T*>(tile.taken);
    const auto out = access(static_cast<T*>(tile.out), tile.written);
    const std::uint32_t n = tile.n;
    for (std::uint32_t k = 0; k < n; ++k) {
      const Key at = key[k];
      out[k] = is_none(at) ? otherwise : taken[place(at)];
    }
    if (kCountAccesses && tile.elements_read != nullptr) *tile.elements_read += n;
  }
};

template <class Key, class T, class Function, class Context>
KeyKernel key_kernel(Context context) {
  KeyKernel kernel;
  kernel.context = context_of(std::move(context));
  kernel.run = unmasked<&Function::run, T>();
  kernel.key_at = &key_at<Key>;
  return kernel;
}

}  // namespace detail

/// The kernel of table[key[k]] = op(table[key[k]], v[k]), in this order.
template <class T, class Key, class Op>
KeyKernel reduce_by_key_kernel(Op op) {
  return detail::key_kernel<Key, T, detail::ReduceByKeyFunction<T, Key, Op>>(std::move(op));
}

/// The kernel of out[k] = w[key[k]], or `otherwise` where there is no key.
template <class T, class Key>
KeyKernel take_kernel(T otherwise) {
  return detail::key_kernel<Key, T, detail::TakeFunction<T, Key>>(std::move(otherwise));
}

}  // namespace kasen::runtime
