/// @file
/// What the values of command line options may be, checked so strictly that a wrong one gives one clear message.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kasen {

/// A whole number that fits 64 bits, as a transform. (CLI11 takes "-1" for 2^64 - 1 and "010" for 8.)
inline CLI::Validator whole_number(std::uint64_t least = 0) {
  return {[=](std::string& text) {
            std::uint64_t number = 0;
            const char* const end = text.data() + text.size();
            const auto [stopped, error] = std::from_chars(text.data(), end, number);
            if (error == std::errc() && stopped == end && number >= least) {
              text = std::to_string(number);
              return std::string();
            }
            return "'" + text + "' is not a whole number from " + std::to_string(least);
          },
          "", "whole number"};
}

/// A number of bytes, at least 1, with or without one of the suffixes K, M, G and T for powers of 1024, as a transform.
inline CLI::Validator memory_size() {
  return {[](std::string& text) {
            constexpr std::string_view kSuffixes = "KMGT";
            const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            const std::size_t suffix = digits + 1 == text.size() ? kSuffixes.find(text.back()) : std::string_view::npos;
            std::uint64_t number = 0, bytes = 0;
            const auto [stopped, error] = std::from_chars(text.data(), text.data() + digits, number);
            const bool known = digits == text.size() || suffix != std::string_view::npos;
            const int shift = digits == text.size() ? 0 : 10 * (static_cast<int>(suffix) + 1);
            if (known && error == std::errc() && number > 0 && number <= (~std::uint64_t{0} >> shift)) {
              bytes = number << shift;
              text = std::to_string(bytes);
              return std::string();
            }
            return "'" + text + "' is no number of bytes such as 800M or 4G";
          },
          "", "bytes"};
}
/// How a help text writes it.
inline constexpr const char* kMemorySize = "BYTES|K|M|G|T";

/// A number within limits; nan is none.
inline CLI::Validator number_between(double least, double most, const std::string& description) {
  return {[=](std::string& text) {
            double number = 0;
            if (CLI::detail::lexical_cast(text, number) && number >= least && number <= most) return std::string();
            return "'" + text + "' is not " + description;
          },
          "", "number"};
}

/// A name, of a file or of what is in one, which is not empty.
inline CLI::Validator given_name() {
  return {[](std::string& text) { return text.empty() ? std::string("the name is empty") : std::string(); }, "",
          "name"};
}

/// Adds an option whose value is one of a few words, the first of them the default.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& variable,
                        std::vector<std::pair<std::string, T>> choices, const std::string& help) {
  std::string words;
  for (const auto& [word, value] : choices) words += (words.empty() ? "" : "|") + word;
  const auto take = [name, &variable, choices = std::move(choices), words](const std::string& given) {
    const auto found =
        std::find_if(choices.begin(), choices.end(), [&](const auto& choice) { return choice.first == given; });
    if (found == choices.end()) throw CLI::ValidationError(name, "'" + given + "' is not one of " + words);
    variable = found->second;
  };
  return app.add_option_function<std::string>(name, take, help)->type_name(words);
}

/// The same of words that stand for themselves.
inline CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& variable,
                               const std::vector<std::string>& words, const std::string& help) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const std::string& word : words) choices.emplace_back(word, word);
  return add_choice<std::string>(app, name, variable, std::move(choices), help);
}

}  // namespace kasen
