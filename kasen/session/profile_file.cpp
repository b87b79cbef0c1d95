#include "kasen/session/profile_file.h"

#include <nlohmann/json.hpp>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/input_file.h"
#include "kasen/session/profile_fields.h"

namespace kasen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 5;

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
