/// @file
/// kasen-calibrate: measures what the workers given to it can do, and writes it as a profile for `--profile`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "apps/calibrate/compute_rates.h"
#include "apps/calibrate/memory_rates.h"
#include "apps/calibrate/network_rates.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"
#include "kasen/session/engine.h"
#include "kasen/session/profile_file.h"

namespace {

std::string table(const kasen::Profile& profile, bool network, int workers) {
  const auto giga = [](std::uint64_t rate) { return static_cast<double>(rate) / 1e9; };
  const auto nano = [](std::uint64_t time) { return static_cast<double>(time) / 1e3; };
  std::string text;
  text += fmt::format("memory           {:.2f} GB/s read, {:.2f} GB/s written over what was read, per worker\n",
                      giga(profile.read_bytes_per_second), giga(profile.write_bytes_per_second));
  text += fmt::format("caches           {} KiB, {} KiB, {} KiB per worker\n", profile.cache_bytes[0] >> 10,
                      profile.cache_bytes[1] >> 10, profile.cache_bytes[2] >> 10);
  text += fmt::format("random access    {:.2f}, {:.2f}, {:.2f} ns in these caches, {:.2f} ns in memory\n",
                      nano(profile.random_access_picoseconds[0]), nano(profile.random_access_picoseconds[1]),
                      nano(profile.random_access_picoseconds[2]), nano(profile.random_access_picoseconds[3]));
  text += fmt::format("arithmetic       {:.3f} ns an operation, {:.3f} ns an exponential, {:.1f} ns a launch\n",
                      nano(profile.flop_picoseconds), nano(profile.transcendental_picoseconds),
                      nano(profile.launch_picoseconds));
  text += fmt::format("network          {:.2f} us a message, {:.2f} GB/s, {:.2f} us a step of a reduction{}\n",
                      nano(profile.message_picoseconds) / 1e3, giga(profile.network_bytes_per_second),
                      nano(profile.reduction_picoseconds) / 1e3,
                      network ? fmt::format(", {} workers", workers) : " (defaults: one worker has none)");
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures memory, caches, arithmetic and network of the workers it is started with");
  std::string path;
  app.add_option("PROFILE", path, "the file to write")->check(kasen::given_name())->type_name("FILE.json")->required();
  std::uint64_t most_megabytes = 768;
  app.add_option("--memory", most_megabytes,
                 "megabytes that each worker may use; less than caches hold measures caches")
      ->transform(kasen::whole_number())
      ->type_name("MB")
      ->capture_default_str();
  app.footer(
      "Example: kasen-run -n 4 kasen-calibrate cluster.json, then kasen-run -n 4 pagerank --profile cluster.json ...");
  kasen::Session session(argc, argv, app);
  const auto& workers = session.engine().control();
  const kasen::Options& options = session.options();
  kasen::io::require_outputs(workers, {path, options.report, options.dump_dag, options.record, options.output});
  kasen::Profile profile;
  kasen::calibrate::measure_memory(workers, most_megabytes << 20, profile);
  kasen::calibrate::measure_compute(workers, profile);
  const bool network = kasen::calibrate::measure_network(workers, profile);
  kasen::io::write_text(workers, path, kasen::profile_text(profile));
  session.print(table(profile, network, session.workers()) + "written to " + path + "\n");
  return 0;
}
