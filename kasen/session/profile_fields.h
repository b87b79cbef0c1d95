/// @file
/// The fields of a profile, one after the other.
#pragma once

#include <span>

#include "kasen/base/profile.h"

namespace kasen {

/// Calls `field` with the name of every number of a profile and the number, or each of an array's.
template <class P, class Field>
void for_each_field(P& profile, const Field& field) {
  field("read_bytes_per_second", std::span(profile.read_bytes_per_second));
  field("write_bytes_per_second", std::span(&profile.write_bytes_per_second, 1));
  field("fresh_bytes_per_second", std::span(&profile.fresh_bytes_per_second, 1));
  field("cache_bytes", std::span(profile.cache_bytes));
  field("random_access_picoseconds", std::span(profile.random_access_picoseconds));
  field("move_picoseconds", std::span(&profile.move_picoseconds, 1));
  field("flop_picoseconds", std::span(&profile.flop_picoseconds, 1));
  field("integer_picoseconds", std::span(&profile.integer_picoseconds, 1));
  field("division_picoseconds", std::span(&profile.division_picoseconds, 1));
  field("transcendental_picoseconds", std::span(&profile.transcendental_picoseconds, 1));
  field("launch_picoseconds", std::span(&profile.launch_picoseconds, 1));
  field("entry_operation_picoseconds", std::span(&profile.entry_operation_picoseconds, 1));
  field("integer_entry_picoseconds", std::span(&profile.integer_entry_picoseconds, 1));
  field("byte_entry_picoseconds", std::span(&profile.byte_entry_picoseconds, 1));
  field("row_picoseconds", std::span(&profile.row_picoseconds, 1));
  field("turn_picoseconds", std::span(&profile.turn_picoseconds, 1));
  field("step_picoseconds", std::span(&profile.step_picoseconds, 1));
  field("unhidden_per_mille", std::span(profile.unhidden_per_mille));
  field("message_picoseconds", std::span(&profile.message_picoseconds, 1));
  field("reduction_picoseconds", std::span(&profile.reduction_picoseconds, 1));
  field("network_bytes_per_second", std::span(&profile.network_bytes_per_second, 1));
  field("packing_picoseconds", std::span(&profile.packing_picoseconds, 1));
}

}  // namespace kasen
