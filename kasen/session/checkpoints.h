/// @file
/// Class Checkpoints: decides when a session writes a checkpoint and of what, and goes on from one
/// (docs/checkpoints.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/error.h"
#include "kasen/base/options.h"
#include "kasen/base/timeline.h"
#include "kasen/checkpoint/contents.h"
#include "kasen/checkpoint/file.h"
#include "kasen/checkpoint/pace.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/boundaries.h"
#include "kasen/runtime/buffer_pool.h"
#include "kasen/session/progress.h"
#include "optimizer/plan/plan.h"
#include "partition/placement.h"

namespace kasen {

/// What the checkpoints of a session have cost.
struct CheckpointCounts {
  std::uint64_t taken = 0, failed = 0;
  std::uint64_t bytes = 0;            ///< of vectors' elements and of Shareds, of all workers
  std::uint64_t bytes_predicted = 0;  ///< the same from the live values of plans and the lengths of vectors
  std::uint64_t file_bytes = 0;
  double seconds = 0;
};

/// The runs of a session, one after the other, are its log. A session that resumes answers runs that had ended from the
/// log, without running them, and goes on in or before the one after them. What it records and reads meanwhile is
/// compared with the log; what differs is refused, from then on in each run.
/// Where checkpoints are written, a signal that asks a worker to end is held (comm/job.h) until one has been.
class Checkpoints final : public runtime::Boundaries {
 public:
  /// The parts of the session that are written and restored. All must outlive the object.
  struct Parts {
    const comm::Communicator& workers;
    const partition::Placement& placement;
    recording::Recorder& recorder;
    runtime::BufferPool& pool;
    Progress& progress;
    Timeline* timeline;  ///< null: none
  };

  /// Collective. Finds what --resume goes on from, and checks where --checkpoint writes.
  /// @throws AgreedError also for a checkpoint of another program or of other options
  Checkpoints(const Options& options, const Parts& parts);
  ~Checkpoints() override;
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  /// Collective. To be called for all data that the program makes outside of runs, in order, with what this worker adds
  /// to their hash. @throws AgreedError if a checkpoint that is resumed has other data
  void note_data(std::string_view what, std::uint64_t hash, SourceLine where);
  /// Collective. To be called for each vector that the program reads, when its masters are valid.
  void note_read(const recording::Stored& stored);

  /// Collective. To be called before a run's work is taken: restores what handles refer to, if this is the run to go on
  /// in; else may write a checkpoint. @throws EndRequested if a worker was asked to end, when that has been written
  void before_run();
  /// Whether the run that comes next is answered from the log.
  bool replays() const { return _from && _runs.size() < _from->contents.runs.size(); }
  /// Local. What the run that comes next gave. @throws AgreedError if it is another one.
  const checkpoint::SavedRun& replay(std::uint64_t program, std::uint64_t given, SourceLine where);
  /// Collective. To be called when a run has ended, with its results and products, or was answered from the log.
  void ran(checkpoint::SavedRun run);
  /// Local. To be called when a run has begun and all workers have met an error in it, with which it fails again where
  /// the session is resumed.
  void failed(const std::string& message, int exit_status) noexcept;

  /// A run that is about to begin.
  struct Run {
    std::uint64_t program, given;
    const recording::Pending& pending;
    SourceLine where;
  };
  /// Local. Notes the run; where it goes on, nothing if it begins. @throws AgreedError if another one is to go on
  std::optional<runtime::Resumption> begin(const Run& run, const optimizer::Plan& plan);

  bool wanted() override;
  void reached(const optimizer::Plan& plan, runtime::ValueStore& values,
               std::span<const std::uint32_t> position) override;

  /// Local. @throws AgreedError if the program ends before it has come to where it was to go on, or was refused
  void require_resumed() const;
  /// Local. The error with which the checkpoint that is resumed is refused, for this reason: that of all runs to come,
  /// so that a program which catches it does not go on with something else.
  AgreedError refused(const std::string& why);
  bool writes() const { return !_options->checkpoint.empty(); }
  const std::string& resumed_from() const { return _resumed_from; }
  CheckpointCounts counts() const;  ///< collective

 private:
  void check_options() const;
  void restore_stored();
  void restore_read();
  void restore(const checkpoint::SavedStored& saved, recording::Stored& stored, const State& state,
               std::map<std::uint32_t, runtime::BufferRef>& buffers);
  void restore_values(const optimizer::Plan& plan, runtime::ValueStore& values);
  std::vector<const checkpoint::SavedValue*> saved_of(const optimizer::Plan& plan,
                                                      std::span<const std::uint32_t> position);
  bool is_made_again(const recording::Stored& stored) const;
  void end_if_requested();
  void take(const optimizer::Plan* plan, runtime::ValueStore* values, std::span<const std::uint32_t> position);
  struct Draft;
  void add_stored(Draft& draft, const runtime::ValueStore* values) const;
  void add_read(Draft& draft) const;
  void add_values(Draft& draft, const optimizer::Plan& plan, runtime::ValueStore& values,
                  std::span<const std::uint32_t> position) const;
  checkpoint::Contents contents() const;
  std::uint64_t placement_hash() const;

  const Options* _options;
  Parts _parts;
  std::vector<std::pair<std::string, std::string>> _kept_options;
  std::uint64_t _executable = 0;
  checkpoint::Pace _pace;
  std::vector<checkpoint::SavedRun> _runs;
  std::vector<std::uint64_t> _data;
  /// A vector that the program has read: a copy of this worker's masters.
  struct Read {
    SpaceId space;
    std::uint32_t element_bytes;
    State state;
    std::vector<std::byte> masters;
  };
  std::map<std::uint64_t, Read> _read;     ///< by number
  std::optional<Run> _running;             ///< the run that has begun and not ended
  std::optional<checkpoint::Found> _from;  ///< until the session has gone on
  bool _restored = false;
  std::string _resumed_from;
  std::string _refusal;       ///< of the checkpoint that is resumed; empty: none
  std::uint64_t _number = 0;  ///< of the last checkpoint in the folder
  CheckpointCounts _counts;
};

}  // namespace kasen
