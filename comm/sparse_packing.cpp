#include "comm/sparse_packing.h"

#include <algorithm>
#include <cstring>

#include "comm/packing.h"
#include "kasen/base/with_size.h"

namespace kasen::comm {
namespace {

using Count = std::uint32_t;

constexpr std::size_t kAtOnce = 256;  ///< elements that are unpacked from positions or bits

enum class Form : std::uint8_t { all, positions, bits };

std::uint64_t bits_bytes(std::uint64_t n) { return (n + 7) / 8; }

/// The one that takes least, for `count` of `n` elements: both sides work it out.
Form form_of(std::uint64_t count, std::uint64_t n, std::uint64_t element_bytes) {
  const std::uint64_t all = (n - count) * element_bytes, positions = count * sizeof(Count), bits = bits_bytes(n);
  if (all <= std::min(positions, bits)) return Form::all;
  return positions <= bits ? Form::positions : Form::bits;
}

/// Where the parts of a packed vector begin.
struct Parts {
  Count count;
  Form form;
  const std::byte *list, *values, *end;
};

Parts parts_of(const std::byte* packed, std::uint64_t n, std::uint64_t element_bytes) {
  Parts parts{};
  std::memcpy(&parts.count, packed, sizeof parts.count);
  parts.form = form_of(parts.count, n, element_bytes);
  parts.list = packed + sizeof(Count);
  parts.values = parts.list;
  if (parts.form == Form::positions) parts.values += parts.count * sizeof(Count);
  if (parts.form == Form::bits) parts.values += bits_bytes(n);
  parts.end = parts.values + (parts.form == Form::all ? n : parts.count) * element_bytes;
  return parts;
}

/// Calls take(k) for the positions of a list, in ascending order.
template <class Take>
void for_each_listed(const Parts& parts, std::uint64_t n, const Take& take) {
  if (parts.form == Form::positions) {
    for (Count k = 0; k < parts.count; ++k) {
      Count at = 0;
      std::memcpy(&at, parts.list + k * sizeof at, sizeof at);
      take(at);
    }
    return;
  }
  for (std::uint64_t k = 0; k < n; ++k) {
    if ((std::to_integer<unsigned>(parts.list[k / 8]) >> (k % 8) & 1) != 0) take(k);
  }
}

/// @param told whether index[k] is packed
template <class Bytes, class Told>
std::byte* pack_where(std::byte* packed, const std::byte* data, std::span<const std::uint32_t> index, Bytes bytes,
                      const Told& told, Sparse& sparse) {
  const std::uint64_t n = index.size();
  Count count = 0;
  for (std::uint64_t k = 0; k < n; ++k) count += told(k) ? 1 : 0;
  std::memcpy(packed, &count, sizeof count);
  std::byte* to = packed + sizeof count;
  const Form form = form_of(count, n, bytes);
  sparse += {form == Form::all ? n : count, sizeof count};
  if (form == Form::all) return pack(to, data, index, static_cast<std::uint32_t>(bytes), false);
  std::byte* value = to + (form == Form::positions ? count * sizeof(Count) : bits_bytes(n));
  sparse.list_bytes += static_cast<std::uint64_t>(value - to);
  if (form == Form::bits) std::fill(to, value, std::byte{0});
  // Which are packed is not foreseen: their positions are found without a branch.
  Count at[kAtOnce];
  for (std::uint64_t begin = 0; begin < n && count > 0; begin += kAtOnce) {
    const std::uint64_t end = std::min<std::uint64_t>(begin + kAtOnce, n);
    std::size_t found = 0;
    for (std::uint64_t k = begin; k < end; ++k) {
      at[found] = static_cast<Count>(k);
      found += told(k) ? 1 : 0;
    }
    if (form == Form::positions) {
      std::memcpy(to, at, found * sizeof(Count));
      to += found * sizeof(Count);
    } else {
      for (std::size_t f = 0; f < found; ++f) to[at[f] / 8] |= std::byte{1} << (at[f] % 8);
    }
    for (std::size_t f = 0; f < found; ++f, value += bytes) std::memcpy(value, data + bytes * index[at[f]], bytes);
    count -= static_cast<Count>(found);
  }
  return value;
}

}  // namespace

std::uint64_t most_sparse_bytes(std::uint64_t elements, std::uint32_t element_bytes) {
  return elements == 0 ? 0 : sizeof(Count) + elements * element_bytes;
}

std::byte* pack_sparse(std::byte* packed, const std::byte* data, std::span<const std::uint32_t> index,
                       std::uint32_t element_bytes, bool contiguous, const std::byte* rest, const std::uint8_t* active,
                       Sparse& sparse) {
  if (index.empty()) return packed;
  return with_size(element_bytes, [&](auto bytes) {
    const auto differs = [&](const std::byte* element) { return differ(element, rest, bytes); };
    const auto pack_told = [&](const auto& told) { return pack_where(packed, data, index, bytes, told, sparse); };
    if (active != nullptr) return pack_told([&](std::uint64_t k) { return active[index[k]] != 0; });
    const std::byte* const first = data + bytes * index.front();
    if (contiguous) return pack_told([&](std::uint64_t k) { return differs(first + bytes * k); });
    return pack_told([&](std::uint64_t k) { return differs(data + bytes * index[k]); });
  });
}

const std::byte* unpack_sparse(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                               std::uint32_t element_bytes, const std::byte* rest, std::uint8_t* active) {
  const std::uint64_t n = index.size();
  if (n == 0) return packed;
  const Parts parts = parts_of(packed, n, element_bytes);
  with_size(element_bytes, [&](auto bytes) {
    const std::byte* value = parts.values;
    if (parts.form == Form::all) {
      for (std::uint64_t k = 0; k < n; ++k, value += bytes) {
        active[index[k]] = std::memcmp(value, rest, bytes) != 0 ? 1 : 0;
        std::memcpy(data + bytes * index[k], value, bytes);
      }
      return;
    }
    for (const std::uint32_t i : index) {
      active[i] = 0;
      std::memcpy(data + bytes * i, rest, bytes);
    }
    for_each_listed(parts, n, [&](std::uint64_t k) {
      active[index[k]] = 1;
      std::memcpy(data + bytes * index[k], value, bytes);
      value += bytes;
    });
  });
  return parts.end;
}

const std::byte* fold_sparse(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                             std::uint32_t element_bytes, const Combine& combine) {
  const std::uint64_t n = index.size();
  if (n == 0) return packed;
  const Parts parts = parts_of(packed, n, element_bytes);
  if (parts.form == Form::all) return fold(parts.values, data, index, element_bytes, combine);
  const std::byte* value = parts.values;
  std::uint32_t listed[kAtOnce];
  std::size_t held = 0;
  const auto fold_held = [&] {
    value = fold(value, data, std::span(listed, held), element_bytes, combine);
    held = 0;
  };
  for_each_listed(parts, n, [&](std::uint64_t k) {
    listed[held++] = index[k];
    if (held == kAtOnce) fold_held();
  });
  if (held > 0) fold_held();
  return parts.end;
}

}  // namespace kasen::comm
