#include "kasen/session/profile_file.h"

#include <nlohmann/json.hpp>
#include <span>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/input_file.h"

namespace kasen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 3;

/// Calls `field` with the name of every number of a profile and the number, or each of an array's.
template <class P, class Field>
void for_each_field(P& profile, const Field& field) {
  field("read_bytes_per_second", std::span(profile.read_bytes_per_second));
  field("write_bytes_per_second", std::span(&profile.write_bytes_per_second, 1));
  field("cache_bytes", std::span(profile.cache_bytes));
  field("random_access_picoseconds", std::span(profile.random_access_picoseconds));
  field("move_picoseconds", std::span(&profile.move_picoseconds, 1));
  field("flop_picoseconds", std::span(&profile.flop_picoseconds, 1));
  field("division_picoseconds", std::span(&profile.division_picoseconds, 1));
  field("transcendental_picoseconds", std::span(&profile.transcendental_picoseconds, 1));
  field("launch_picoseconds", std::span(&profile.launch_picoseconds, 1));
  field("entry_operation_picoseconds", std::span(&profile.entry_operation_picoseconds, 1));
  field("row_picoseconds", std::span(&profile.row_picoseconds, 1));
  field("turn_picoseconds", std::span(&profile.turn_picoseconds, 1));
  field("step_picoseconds", std::span(&profile.step_picoseconds, 1));
  field("unhidden_per_mille", std::span(profile.unhidden_per_mille));
  field("message_picoseconds", std::span(&profile.message_picoseconds, 1));
  field("reduction_picoseconds", std::span(&profile.reduction_picoseconds, 1));
  field("network_bytes_per_second", std::span(&profile.network_bytes_per_second, 1));
  field("packing_picoseconds", std::span(&profile.packing_picoseconds, 1));
}

std::uint64_t number_of(const Json& json, const std::string& name, const char* field) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() == 0) {
    throw InputError(name + ": " + field + " is " + json.dump() + ", not a whole number from 1");
  }
  return json.get<std::uint64_t>();
}

}  // namespace

std::string profile_text(const Profile& profile) {
  Json json{{"kasen_profile", kVersion}};
  for_each_field(profile, [&](const char* name, auto numbers) {
    if (numbers.size() == 1) {
      json[name] = numbers[0];
    } else {
      json[name] = std::vector<std::uint64_t>(numbers.begin(), numbers.end());
    }
  });
  return json.dump(2) + "\n";
}

Profile parse_profile(const std::string& text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("kasen_profile")) {
    throw InputError(name + ": is not a profile of kasen-calibrate");
  }
  if (json["kasen_profile"] != kVersion) {
    throw InputError(name + ": has profile version " + json["kasen_profile"].dump() + ", expected " +
                     std::to_string(kVersion));
  }
  Profile profile;
  profile.origin = name;
  for_each_field(profile, [&](const char* field, auto numbers) {
    if (!json.contains(field)) throw InputError(name + ": " + field + " is missing");
    const Json& given = json[field];
    if (numbers.size() == 1) {
      numbers[0] = number_of(given, name, field);
      return;
    }
    if (!given.is_array() || given.size() != numbers.size()) {
      throw InputError(name + ": " + field + " is not an array of " + std::to_string(numbers.size()) + " numbers");
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = number_of(given[k], name, field);
  });
  return profile;
}

Profile read_profile(const comm::Communicator& communicator, const std::string& path) {
  std::string text;
  comm::agree(communicator, [&] {
    if (communicator.rank() != 0) return;
    text = io::content(path);
    parse_profile(text, path);
  });
  communicator.broadcast(text, 0);
  return parse_profile(text, path);
}

}  // namespace kasen
