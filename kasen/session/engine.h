/// @file
/// Class Engine: the parts of a session, and the running of pending work: recorder -> optimizer -> executor.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/clocks.h"
#include "comm/communicator.h"
#include "comm/cores.h"
#include "kasen/base/options.h"
#include "kasen/base/profile.h"
#include "kasen/base/thread_team.h"
#include "kasen/base/timeline.h"
#include "kasen/io/ids/vertex_ids.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/executor.h"
#include "kasen/session.h"
#include "kasen/session/checkpoints.h"
#include "kasen/session/meeting.h"
#include "kasen/session/progress.h"
#include "optimizer/optimize.h"
#include "optimizer/record/program_file.h"
#include "partition/placement.h"

namespace kasen {

/// A plan with the sums over its runs. `entered`, `seconds` and `activity` are by step in pre-order.
struct PlanRecord {
  optimizer::Plan plan;
  std::uint64_t operations = 0;  ///< primitives in the recorded program, loops counted once
  std::uint64_t runs = 0;
  std::uint32_t number = 0;  ///< in the order in which plans were made
  std::vector<std::uint64_t> entered;
  std::vector<double> seconds;
  std::vector<Activity> activity;                              ///< of this worker
  std::unique_ptr<const optimizer::RecordedProgram> recorded;  ///< with --record; `runs` is kept above
};

class Engine {
 public:
  explicit Engine(const Options& options);

  /// Collective. Calls kasen::meet for this session's workers.
  void meet(Meeting what, SourceLine where, std::initializer_list<std::uint64_t> numbers = {}) const;

  /// Collective. Runs what is pending if needed, and gives the value of `slot`, with valid masters.
  const recording::Stored& compute(recording::SlotId slot, std::string_view what, SourceLine where);
  /// Collective. Runs what is pending if any of it has an effect, as what is tracked last: nobody will ask for more.
  void run_effects();
  /// Collective. Adds a matrix; stored vectors stay valid. `ids` are the names of the rows, if they have any.
  MatrixId add_matrix(SpaceId rows, SpaceId columns, Entries entries, SourceLine where,
                      const io::VertexIds* ids = nullptr);
  MatrixId add_matrix(SpaceId rows, SpaceId columns, partition::DenseRows block, SourceLine where);
  /// Collective. Adds a matrix of the rows of another one in so many batches, over the space of those of one.
  MatrixId add_batches(MatrixId matrix, SpaceId rows, std::uint32_t batches, SourceLine where);

  const Options& options() const { return _options; }
  const Profile& profile() const { return _profile; }
  const comm::Communicator& control() const { return _control; }
  recording::Recorder& recorder() { return _recorder; }
  partition::Placement& placement() { return _placement; }
  const partition::Placement& placement() const { return _placement; }
  runtime::BufferPool& pool() { return _pool; }
  std::uint64_t next_table() { return ++_num_tables; }  ///< the number of a further table that is read
  const std::vector<std::unique_ptr<PlanRecord>>& plans() const { return _plans; }
  const std::vector<Degrees>& degrees() const { return _degrees; }  ///< by MatrixId, with --record
  RunCounts counts() const;                                         ///< collective
  /// Collective. What was pushed in all, by plan and step.
  std::vector<std::vector<Activity>> activity() const;
  const Counts& measured_here() const { return _counts.measured; }  ///< on this worker
  double seconds_running() const { return _seconds; }
  double seconds_planning() const { return _planning_seconds; }
  double seconds_in_loops() const { return _loop_seconds; }
  void print(const std::string& text) const;
  /// Whether the last value asked for was analyzed instead, and Stopped is on its way.
  bool has_stopped() const { return _stopped; }
  /// Null without checkpoints.
  const Checkpoints* checkpoints() const { return _checkpoints.get(); }
  /// Collective. To be called for data that the program makes outside of runs; `hash` gives what this worker has of it.
  void note_data(std::string_view what, const std::function<std::uint64_t()>& hash, SourceLine where);
  /// With --trace; else null.
  Timeline* timeline() const { return _timeline.get(); }
  const comm::ClockReading& clock_at_start() const { return _clock_at_start; }
  Progress& progress() { return _progress; }
  const Progress& progress() const { return _progress; }

 private:
  void run(std::optional<recording::SlotId> wanted, SourceLine where);
  void run(PlanRecord& record, recording::Pending& pending, runtime::RunInputs& inputs,
           const runtime::Resumption* resumption);
  void give_back(recording::Pending pending, runtime::RunInputs inputs);
  void end_if_alone() const;
  void replay(recording::Pending pending, SourceLine where);
  void settle(const recording::Pending& pending, std::span<const optimizer::Result> results,
              std::vector<runtime::LiveValue>& values);
  void prepare(const Program& program, SourceLine where);
  /// Takes what is pending, and prints the analysis of --analyze instead of computing it.
  void analyze(std::optional<recording::SlotId> wanted, SourceLine where);
  /// The same, for a value that is asked for. @throws Stopped
  [[noreturn]] void analyze_and_stop(recording::SlotId wanted, std::string_view what, SourceLine where);
  template <class Content>
  MatrixId place(SpaceId rows, SpaceId columns, Content content);
  void make_room();
  void make_room(recording::Stored& stored);
  void widen_roles(recording::Stored& stored);
  void assign_by_file(SpaceId rows, SpaceId columns, const io::VertexIds* ids);
  void hold_keys(SourceLine where);
  void meet_about(const std::set<SpaceId>& spaces, SourceLine where) const;
  void assign_spaces(const Program& program, SourceLine where);
  void count_blocks(const Program& program, SourceLine where);
  PlanRecord& plan_together(const recording::Pending& pending, SourceLine where);
  PlanRecord& plan_for(const Program& program);
  void account(PlanRecord& record, const runtime::RunResult& result);

  const Options _options;
  comm::Communicator _control;
  comm::Communicator _steps;
  const std::unique_ptr<Timeline> _timeline;  ///< null without --trace
  const comm::ClockReading _clock_at_start;   ///< with --trace
  Progress _progress;
  const Profile _profile;
  partition::Placement _placement;
  runtime::BufferPool _pool;
  const comm::Cores _cores;
  ThreadTeam _team;
  const comm::CoreBinding _binding;
  runtime::Executor _executor;
  recording::Recorder _recorder{[this](SpaceId space) { return _placement.space(space).length(); },
                                _options.reproducible};
  std::vector<std::unique_ptr<PlanRecord>> _plans;
  std::map<std::string, PlanRecord*> _plan_of;  ///< by structure
  bool _has_room = true;                        ///< whether stored vectors have room for all replicas of their spaces
  std::vector<Degrees> _degrees;
  std::map<std::pair<MatrixId, Role::Side>, std::uint64_t> _products;  ///< MxVs run, by the side of their outputs
  RunCounts _counts;                                                   ///< this worker's share of what is measured
  double _seconds = 0, _planning_seconds = 0, _loop_seconds = 0;
  std::uint64_t _num_tables = 0;
  std::unique_ptr<Checkpoints> _checkpoints;  ///< null without checkpoints
  bool _stopped = false;
};

}  // namespace kasen
