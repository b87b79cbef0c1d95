/// @file
/// kasen-calibrate: measures what the workers given to it can do, and writes it as a profile for `--profile`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "apps/calibrate/compute_rates.h"
#include "apps/calibrate/memory_rates.h"
#include "apps/calibrate/network_rates.h"
#include "apps/calibrate/trials.h"
#include "comm/environment.h"
#include "kasen/base/printable.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/option_values.h"
#include "kasen/session/command_line.h"
#include "kasen/session/profile_fields.h"
#include "kasen/session/profile_file.h"

namespace {

/// What takes a machine's speed away, for a moment or for longer, is not in all of them.
constexpr int kRounds = 3;

void measure(const kasen::comm::Communicator& workers, std::uint64_t most_bytes, kasen::Profile& profile) {
  kasen::calibrate::measure_memory(workers, most_bytes, profile);
  kasen::calibrate::measure_compute(workers, profile);
  kasen::calibrate::measure_steps(profile);
  kasen::calibrate::measure_unhidden(most_bytes, profile);
  kasen::calibrate::measure_network(workers, profile);
}

/// Of every field the median.
kasen::Profile median(const std::vector<kasen::Profile>& profiles) {
  std::vector<std::vector<std::uint64_t>> numbers;  // by position among all fields
  for (const kasen::Profile& one : profiles) {
    std::size_t position = 0;
    kasen::for_each_field(one, [&](const char*, auto of_field) {
      for (const std::uint64_t number : of_field) {
        if (position == numbers.size()) numbers.emplace_back();
        numbers[position++].push_back(number);
      }
    });
  }
  kasen::Profile result;
  std::size_t position = 0;
  kasen::for_each_field(result, [&](const char*, auto of_field) {
    for (std::uint64_t& number : of_field) {
      std::vector<std::uint64_t>& measured = numbers[position++];
      std::nth_element(measured.begin(), measured.begin() + kRounds / 2, measured.end());
      number = measured[kRounds / 2];
    }
  });
  return result;
}

std::string table(const kasen::Profile& profile, int workers) {
  const auto giga = [](std::uint64_t rate) { return static_cast<double>(rate) / 1e9; };
  const auto nano = [](std::uint64_t time) { return static_cast<double>(time) / 1e3; };
  std::string text;
  text += fmt::format("{:<17}{:>8}{:>14}{:>18}{:>14}\n", "working set", "MiB", "GB/s in order", "ns at random",
                      "not hidden");
  for (std::size_t k = 0; k < kasen::Profile::kSizes; ++k) {
    text += fmt::format("{:>25.3f}{:>14.2f}{:>18.2f}{:>12.0f} %\n",
                        static_cast<double>(kasen::Profile::kWorkingSets[k]) / (1 << 20),
                        giga(profile.read_bytes_per_second[k]), nano(profile.random_access_picoseconds[k]),
                        static_cast<double>(profile.unhidden_per_mille[k]) / 10);
  }
  text += fmt::format("written over it  {:.2f} GB/s, {:.2f} GB/s where it is new\n",
                      giga(profile.write_bytes_per_second), giga(profile.fresh_bytes_per_second));
  text += fmt::format("caches           {} KiB, {} KiB\n", profile.cache_bytes[0] >> 10, profile.cache_bytes[1] >> 10);
  text += fmt::format(
      "kernels          {:.3f} ns a move in the first cache, {:.1f} ns a launch, {:.1f} ns a row, {:.1f} ns a turn, "
      "{:.0f} ns a step\n",
      nano(profile.move_picoseconds), nano(profile.launch_picoseconds), nano(profile.row_picoseconds),
      nano(profile.turn_picoseconds), nano(profile.step_picoseconds));
  text += fmt::format(
      "arithmetic       {:.3f} ns an operation, {:.3f} ns one on an entry, {:.3f} ns a division, {:.3f} ns an "
      "exponential\n",
      nano(profile.flop_picoseconds), nano(profile.entry_operation_picoseconds), nano(profile.division_picoseconds),
      nano(profile.transcendental_picoseconds));
  text += fmt::format(
      "integers         {:.3f} ns an operation; an entry {:.3f} ns more than of doubles, {:.3f} ns if of bytes\n",
      nano(profile.integer_picoseconds), nano(profile.integer_entry_picoseconds), nano(profile.byte_entry_picoseconds));
  text += fmt::format(
      "network          {:.2f} us a message, {:.2f} GB/s, {:.2f} ns an element packed, {:.2f} us a step of a "
      "reduction{}\n",
      nano(profile.message_picoseconds) / 1e3, giga(profile.network_bytes_per_second),
      nano(profile.packing_picoseconds), nano(profile.reduction_picoseconds) / 1e3,
      workers > 1 ? fmt::format(", {} workers", workers) : " (defaults: one worker has none)");
  return text;
}

std::string table(const std::vector<kasen::calibrate::Trial>& trials) {
  std::string text = fmt::format("{:<42}{:>14}{:>14}{:>8}\n", "milliseconds", "predicted", "measured", "ratio");
  for (const auto& [name, predicted, measured] : trials) {
    text +=
        fmt::format("{:<42}{:>14.4f}{:>14.4f}{:>8.2f}\n", name, 1e3 * predicted, 1e3 * measured, measured / predicted);
  }
  return text;
}

struct CalibrateOptions {
  std::string path;
  std::uint64_t memory = std::uint64_t{768} << 20;  ///< in bytes
  bool quiet = false;
};

bool parse(int argc, char** argv, bool first, CalibrateOptions& options) {
  CLI::App app("Measures memory, caches, arithmetic and network of the workers it is started with");
  app.name("kasen-calibrate");
  app.add_option("PROFILE", options.path, "the file to write")
      ->check(kasen::given_name())
      ->type_name("FILE.json")
      ->required();
  app.add_option("--memory", options.memory, "what a worker may take to measure; less than caches hold measures caches")
      ->transform(kasen::memory_size())
      ->type_name(kasen::kMemorySize)
      ->default_str("768M");
  app.add_flag("--quiet", options.quiet, "prints nothing but errors");
  app.footer(
      "Example: kasen-run -n 4 kasen-calibrate cluster.json, then kasen-run -n 4 pagerank --profile cluster.json ...");
  return kasen::parse(app, argc, argv, first);
}

}  // namespace

int main(int argc, char** argv) {
  const kasen::comm::Environment environment;
  const kasen::comm::Communicator workers;
  CalibrateOptions options;
  if (!parse(argc, argv, workers.rank() == 0, options)) return 0;
  kasen::io::require_outputs(workers, {options.path});
  std::vector<kasen::Profile> profiles(kRounds);
  for (kasen::Profile& one : profiles) measure(workers, options.memory, one);
  const kasen::Profile profile = median(profiles);
  kasen::io::write_text(workers, options.path, kasen::profile_text(profile));
  if (options.quiet) return 0;
  const auto print = [&](const std::string& text) {
    if (workers.rank() == 0) std::fputs(kasen::printable_lines(text).c_str(), stdout);
  };
  print(table(profile, workers.size()) + "written to " + options.path + "\n");
  print(table(kasen::calibrate::try_profile(options.path, profile, options.memory)));
  return 0;
}
