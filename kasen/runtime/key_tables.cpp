/// @file
/// Filling and folding of tables.
#include "kasen/runtime/key_tables.h"

#include <algorithm>
#include <cstring>

#include "kasen/base/error.h"
#include "kasen/base/options.h"
#include "kasen/runtime/fill.h"
#include "kasen/runtime/running.h"

namespace kasen::runtime {
KeyTables::KeyTables(const Reducer& reducer, std::uint64_t keys, std::size_t parts)
    : _reducer(&reducer),
      _keys(keys),
      _parts(std::max<std::size_t>(parts, 1)),
      _bytes(_parts * lines_of(keys * reducer.type.bytes)) {
  if (reducer.identity.size() != reducer.type.bytes) throw InternalError("a keyed reduction without identity");
  if (parts == 0) begin(0);
}

void KeyTables::begin(std::size_t part) {
  fill(static_cast<std::byte*>(table(part)), _reducer->identity, {0, static_cast<LocalIndex>(_keys)});
}

void KeyTables::finish(std::span<const LocalIndex> number, std::byte* out, ThreadTeam& team) {
  const std::uint64_t bytes = _reducer->type.bytes, work = _keys * _parts * bytes / sizeof(double);
  const auto threads = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(work / kPartElements, 1, team.size()));
  on_threads(team, threads, [&](std::uint32_t thread) {
    const std::uint64_t first = _keys * thread / threads, end = _keys * (thread + 1) / threads;
    std::byte* const sums = static_cast<std::byte*>(table(0)) + first * bytes;
    for (std::size_t part = 1; part < _parts; ++part) {
      _reducer->combine.fold(_reducer->combine.context.get(), sums, nullptr,
                             static_cast<const std::byte*>(table(part)) + first * bytes, end - first);
    }
    if (number.empty()) {
      std::memcpy(out + first * bytes, sums, (end - first) * bytes);
      return;
    }
    for (std::uint64_t key = first; key < end; ++key)
      std::memcpy(out + number[key] * bytes, sums + (key - first) * bytes, bytes);
  });
}

}  // namespace kasen::runtime
