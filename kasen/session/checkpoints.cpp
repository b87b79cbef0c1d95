#include "kasen/session/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "comm/agreement.h"
#include "comm/job.h"
#include "kasen/base/error.h"
#include "kasen/base/hash.h"
#include "kasen/base/option_names.h"
#include "kasen/base/source_line.h"
#include "kasen/checkpoint/executable.h"

namespace kasen {
namespace {

using checkpoint::Contents;

/// The options that results depend on: the program's own, and those of Kasen by which bits may differ.
std::vector<std::pair<std::string, std::string>> kept_options(const Options& options) {
  std::vector<std::pair<std::string, std::string>> kept = options.of_program;
  kept.emplace_back("--fusion", name_of(options.fusion));
  kept.emplace_back("--sync", name_of(options.sync));
  kept.emplace_back("--reproducible", options.reproducible ? "on" : "off");
  kept.emplace_back("--passes", passes_text(options));
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace

Checkpoints::Checkpoints(const Options& options, const Parts& parts)
    : _options(&options),
      _parts(parts),
      _kept_options(kept_options(options)),
      _executable(checkpoint::hash_of_executable(parts.workers)),
      _pace(parts.workers, options.checkpoint_interval) {
  if (!options.resume.empty()) {
    _from = checkpoint::newest(parts.workers, options.resume);
    _resumed_from = _from->path;
    check_options();
  }
  if (!writes()) return;
  _number = checkpoint::open_folder(parts.workers, options.checkpoint);
  comm::hold_requests(true);
}

Checkpoints::~Checkpoints() {
  if (writes()) comm::hold_requests(false);
}

void Checkpoints::check_options() const {
  const Contents& saved = _from->contents;
  if (saved.executable != _executable)
    throw AgreedError(_from->path + ": is a checkpoint of another program, or of another build of it");
  const auto value_in = [](const auto& options, const std::string& name) {
    const auto found = std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.first == name; });
    return found == options.end() ? std::string("not given") : "'" + found->second + "'";
  };
  std::set<std::string> names;
  for (const auto& [name, value] : saved.options) names.insert(name);
  for (const auto& [name, value] : _kept_options) names.insert(name);
  for (const std::string& name : names) {
    const std::string was = value_in(saved.options, name), is = value_in(_kept_options, name);
    if (was != is)
      throw AgreedError(fmt::format("{}: is a checkpoint of a run with other options: {} was {} and is {}", _from->path,
                                    name, was, is),
                        2);
  }
}

// ---- what the program does between runs ----

void Checkpoints::note_data(std::string_view what, std::uint64_t hash, SourceLine where) {
  const std::uint64_t all = _parts.workers.sum(hash);
  const std::size_t k = _data.size();
  if (_from && k < _from->contents.data.size() && _from->contents.data[k] != all) {
    throw refused(fmt::format("{}{}: is a checkpoint of a run with other data: the {} made here differs",
                              prefix_of(where), _from->path, what));
  }
  _data.push_back(all);
}

void Checkpoints::note_read(const recording::Stored& stored) {
  if (stored.about.kind != Value::Kind::vector) return;
  if (stored.value.buffer == nullptr)
    throw refused(_from->path + ": does not have a vector that the program reads before it has gone on");
  if (!writes() || stored.made || _read.contains(stored.number)) return;
  comm::agree(_parts.workers, [&] {
    const std::uint64_t bytes =
        std::uint64_t{_parts.placement.space(stored.about.space).masters()} * stored.about.type.bytes;
    const std::byte* const from = stored.value.buffer->data();
    _read.emplace(stored.number,
                  Read{stored.about.space, stored.about.type.bytes, State::partitioned(), {from, from + bytes}});
  });
}

void Checkpoints::before_run() {
  if (!_refusal.empty()) throw AgreedError(_refusal);
  if (replays()) return;
  if (_from && !_restored) return restore_stored();
  if (!_runs.empty() && writes() && _pace.due()) take(nullptr, nullptr, {});
}

const checkpoint::SavedRun& Checkpoints::replay(std::uint64_t program, std::uint64_t given, SourceLine where) {
  const checkpoint::SavedRun& run = _from->contents.runs[_runs.size()];
  if (run.program != program)
    throw refused(fmt::format("{}{}: is a checkpoint of a run that recorded another program here", prefix_of(where),
                              _from->path));
  if (run.given != given)
    throw refused(
        fmt::format("{}{}: is a checkpoint of a run with another function, plain value, first value of a "
                    "Shared, or seed here",
                    prefix_of(where), _from->path));
  return run;
}

void Checkpoints::ran(checkpoint::SavedRun run) {
  const bool replayed = replays();
  if (_running) run.program = _running->program, run.given = _running->given;
  _runs.push_back(std::move(run));
  _running.reset();
  if (replayed) restore_read();
  if (!replayed) _from.reset();
}

void Checkpoints::failed(const std::string& message, int exit_status) noexcept {
  checkpoint::SavedRun run;
  run.error = message;
  run.exit_status = exit_status;
  ran(std::move(run));
}

AgreedError Checkpoints::refused(const std::string& why) {
  _refusal = why;
  return AgreedError(why);
}

void Checkpoints::require_resumed() const {
  if (!_refusal.empty()) throw AgreedError(_refusal);
  if (_from)
    throw AgreedError(_from->path + ": is a checkpoint of a run that computed more than this one, which has ended");
}

std::uint64_t Checkpoints::placement_hash() const {
  Fnv1a hash;
  hash.add(static_cast<std::uint64_t>(_parts.workers.size()));
  hash.add(name_of(_options->partition));
  hash.add(_options->partition_file);
  hash.add(name_of(_options->numbering));
  hash.add(_options->threshold);
  for (const PlacementStats::Space& space : _parts.placement.stats().spaces) {
    hash.add(std::uint64_t{space.masters});
    hash.add(std::uint64_t{space.replicas});
    hash.add(space.roles.size());
  }
  return hash.value();
}

CheckpointCounts Checkpoints::counts() const {
  CheckpointCounts all = _counts;
  all.bytes = _parts.workers.sum(_counts.bytes);
  all.seconds = _parts.workers.max(_counts.seconds);
  return all;
}

}  // namespace kasen
