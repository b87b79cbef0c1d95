#include "kasen/session/report.h"

#include <errno.h>

#include <span>
#include <string>

#include "kasen/base/option_names.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/runtime/instruction_set.h"
#include "kasen/session/engine.h"
#include "kasen/session/predicted_seconds.h"
#include "optimizer/analysis/plan_json.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/record/json_reader.h"
#include "optimizer/text/draw.h"
#include "optimizer/text/print.h"

namespace kasen {
namespace {

using optimizer::Json;

Json to_json(const Counts& counts) {
  Json json = Json::object();
  for (const auto& field : Counts::fields()) json[field.name] = counts.*field.member;
  return json;
}

Json role_to_json(const Role& role) {
  if (role == kEverywhere) return {{"side", "everywhere"}};
  return {{"matrix", index_of(role.matrix)}, {"side", role.side == Role::Side::row ? "row" : "column"}};
}

/// Collective. This worker's numbers of each kind, as a list over workers for each kind.
class ByWorker {
 public:
  template <class T>
  ByWorker(const comm::Communicator& workers, const std::vector<T>& mine) {
    const std::vector<T> all = workers.all_gather(std::span<const T>(mine)).values;
    for (std::size_t kind = 0; kind < mine.size(); ++kind) {
      Json& list = _lists.emplace_back(Json::array());
      for (std::size_t at = kind; at < all.size(); at += mine.size()) list.push_back(all[at]);
    }
  }
  const Json& operator[](std::size_t kind) const { return _lists[kind]; }

 private:
  std::vector<Json> _lists;
};

Json spaces_to_json(const partition::Placement& placement, const comm::Communicator& workers) {
  const PlacementStats& stats = placement.stats();
  std::vector<std::uint64_t> mine;
  for (std::size_t k = 0; k < stats.spaces.size(); ++k) {
    const partition::IndexSpace& space = placement.space(static_cast<SpaceId>(k));
    mine.push_back(space.assigned() ? space.masters() : 0);
    mine.push_back(space.assigned() ? space.local_size() - space.masters() : 0);
  }
  const ByWorker by_worker(workers, mine);
  Json spaces = Json::array();
  for (const auto& space : stats.spaces) {
    const std::size_t at = 2 * spaces.size();
    Json roles = Json::array();
    for (const auto& entry : space.roles) {
      if (entry.roles.size() != 1) continue;
      Json role = role_to_json(entry.roles[0]);
      role["replicas"] = entry.replicas;
      role["pairs"] = entry.pairs.count();
      roles.push_back(std::move(role));
    }
    spaces.push_back({{"name", space.name},
                      {"length", space.masters},
                      {"replicas", space.replicas},
                      {"masters_by_worker", by_worker[at]},
                      {"replicas_by_worker", by_worker[at + 1]},
                      {"roles", roles}});
  }
  return spaces;
}

Json matrices_to_json(const partition::Placement& placement, const comm::Communicator& workers) {
  const PlacementStats& stats = placement.stats();
  std::vector<std::uint64_t> mine;
  for (std::size_t k = 0; k < stats.matrices.size(); ++k)
    mine.push_back(placement.matrix(static_cast<MatrixId>(k)).nonzeros());
  const ByWorker by_worker(workers, mine);
  std::vector<std::uint64_t> all = mine;
  workers.sum(std::span<std::uint64_t>(all));
  Json matrices = Json::array();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const PlacementStats::Matrix& matrix = stats.matrices[k];
    Json entry{{"rows", stats.spaces.at(index_of(matrix.rows)).masters},
               {"columns", stats.spaces.at(index_of(matrix.columns)).masters},
               {"nonzeros", all[k]},
               {"imbalance", matrix.imbalance},
               {"nonzeros_by_worker", by_worker[k]},
               {"dense", matrix.dense},
               {"symmetric", matrix.symmetric}};
    if (matrix.in_batches()) entry["batches"] = matrix.batches;
    matrices.push_back(std::move(entry));
  }
  return matrices;
}

/// What a step is, and how much it has to do with.
Json kind_and_size(const optimizer::Step& step) {
  optimizer::SweepSize size{1, 0, 1};
  if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
    size = optimizer::size_of(*sweep);
  } else if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what)) {
    const std::size_t moved = exchange->gathers.size() + exchange->scatters.size() + exchange->reductions.size();
    size = {moved, moved, moved};
  } else if (const auto* scalar = std::get_if<optimizer::ScalarWork>(&step.what)) {
    size.inputs = scalar->in.size();
  }
  return {{"kind", optimizer::kind_of(step)},
          {"operations", size.operations},
          {"inputs", size.inputs},
          {"outputs", size.outputs}};
}

/// What was counted of a step whose costs depend on the data.
void add_activity(Json& entry, const optimizer::Step& step, const Activity& activity) {
  const auto& [pushed, delta, in_order, settled, known] = activity;
  if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what); exchange && exchange->sparse) {
    entry["sent"] = pushed.elements;
    entry["list_bytes"] = pushed.entries;
  }
  const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
  if (sweep == nullptr) return;
  if (optimizer::active_of(*sweep) != kNone<ValueId>) {
    entry["pushed"] = pushed.runs;
    entry["active"] = pushed.elements;
    entry["active_entries"] = pushed.entries;
  }
  if (optimizer::is_of_batch(step)) {
    entry["batches"] = pushed.runs;
    entry["batch_entries"] = pushed.entries;
  }
  if (optimizer::settles(*sweep)) {
    entry["settled"] = settled.elements;
    entry["settled_entries"] = settled.entries;
  }
  if (optimizer::finds_connected(*sweep)) entry["found_connected"] = settled.runs;
  if (optimizer::in_delta_loop(*sweep)) {
    entry["delta"] = delta.runs;
    entry["delta_elements"] = delta.elements;
    entry["delta_entries"] = delta.entries;
    if (sweep->delta) entry["delta_in_order"] = in_order;
    entry["known"] = known;
  }
}

/// Collective. Sweeps, exchanges and scalar steps of all plans, in order.
Json steps_to_json(const Engine& engine, const std::vector<std::vector<Activity>>& activity) {
  Json steps = Json::array();
  PredictedSeconds predicted(static_cast<std::uint64_t>(engine.control().size()));
  std::vector<double> seconds;
  for (const auto& record : engine.plans())
    seconds.insert(seconds.end(), record->seconds.begin(), record->seconds.end());
  const ByWorker seconds_by_worker(engine.control(), seconds);
  std::size_t plan = 0, at = 0;
  for (const auto& record : engine.plans()) {
    const std::vector<Activity>& of_plan = activity.at(plan++);
    predicted.begin(record->plan, record->runs);
    optimizer::Names names(record->plan.reducers);
    std::size_t index = 0;
    optimizer::for_each_step(record->plan.steps, [&](const optimizer::Step& step) {
      const std::size_t here = index++, of_all = at++;
      if (optimizer::holds_steps(step)) return;
      Json entry = kind_and_size(step);
      entry["text"] = optimizer::headline(step, names, optimizer::SourceLines::shown);
      entry["details"] = optimizer::details(record->plan, step, names, optimizer::SourceLines::shown);
      entry["entered"] = record->entered[here];
      entry["seconds"] = record->seconds[here];
      entry["seconds_by_worker"] = seconds_by_worker[of_all];
      const double fresh = predicted.fresh(step, record->entered[here]);
      entry["seconds_predicted"] = predicted.of(step, record->entered[here], of_plan[here]) + fresh;
      if (fresh > 0) entry["seconds_predicted_fresh"] = fresh;
      add_activity(entry, step, of_plan[here]);
      entry["plan"] = record->number;
      steps.push_back(std::move(entry));
    });
  }
  return steps;
}

/// Collective. The counters, and the seconds of runs, of each worker.
Json counts_by_worker(const Engine& engine) {
  std::vector<std::uint64_t> mine;
  for (const auto& field : Counts::fields()) mine.push_back(engine.measured_here().*field.member);
  const ByWorker counts(engine.control(), mine);
  const ByWorker seconds(engine.control(), std::vector<double>{engine.seconds_running()});
  Json json{{"seconds_total", seconds[0]}};
  for (std::size_t k = 0; k < mine.size(); ++k) json[Counts::fields()[k].name] = counts[k];
  return json;
}

Json options_to_json(const Options& options) {
  return {{"fusion", name_of(options.fusion)},
          {"sync", name_of(options.sync)},
          {"partition", options.partition == Partition::file ? options.partition_file : name_of(options.partition)},
          {"storage", name_of(options.storage)},
          {"numbering", name_of(options.numbering)},
          {"overlap", name_of(options.overlap)},
          {"routes", name_of(options.routes)},
          {"threshold", options.threshold},
          {"roles", options.roles ? "on" : "off"},
          {"reproducible", options.reproducible ? "on" : "off"},
          {"passes_off", options.passes_off},
          {"search_budget", options.search_budget}};
}

/// As it was called. (/proc/self/comm knows 15 bytes.)
std::string program_name() { return program_invocation_short_name; }

}  // namespace

void write_report(const Engine& engine, const std::string& path) {
  const RunCounts counts = engine.counts();
  Json report = Json::object();
  report["program"] = program_name();
  report["options"] = options_to_json(engine.options());
  report["workers"] = engine.control().size();
  report["threads"] = engine.options().threads;
  report["instruction_set"] = runtime::instruction_set();
  report["iterations"] = counts.iterations;
  report["seconds_total"] = engine.seconds_running();
  report["seconds_per_iteration"] =
      counts.iterations > 0 ? engine.seconds_in_loops() / static_cast<double>(counts.iterations) : 0.0;
  report["seconds_total_predicted"] = counts.seconds_predicted;
  report["seconds_per_iteration_predicted"] =
      counts.iterations > 0 ? counts.loop_seconds_predicted / static_cast<double>(counts.iterations) : 0.0;
  report["profile"] = engine.profile().origin;
  report["seconds_planning"] = engine.seconds_planning();
  report["index_spaces"] = spaces_to_json(engine.placement(), engine.control());
  report["matrices"] = matrices_to_json(engine.placement(), engine.control());
  report["predicted"] = to_json(counts.predicted);
  report["measured"] = to_json(counts.measured);
  report["model"] = to_json(counts.model);
  report["by_worker"] = counts_by_worker(engine);
  std::uint64_t operations = 0;
  for (const auto& record : engine.plans()) operations += record->operations;
  report["operations"] = operations;
  report["plans"] = counts.plans;
  report["runs"] = counts.runs;
  if (const Checkpoints* const checkpoints = engine.checkpoints()) {
    const CheckpointCounts taken = checkpoints->counts();
    report["checkpoints"] = {{"taken", taken.taken},
                             {"failed", taken.failed},
                             {"bytes", taken.bytes},
                             {"bytes_predicted", taken.bytes_predicted},
                             {"file_bytes", taken.file_bytes},
                             {"seconds", taken.seconds},
                             {"resumed_from", checkpoints->resumed_from()}};
  }
  Json series = Json::object();
  for (const Progress::Series& tracked : engine.progress().series()) series[tracked.name] = tracked.values;
  report["series"] = series;
  report["steps"] = steps_to_json(engine, counts.activity);
  report["trees"] = Json::array();
  for (const auto& record : engine.plans()) report["trees"].push_back(optimizer::plan_json(record->plan));
  io::write_text(engine.control(), path, optimizer::to_text(report, 2) + "\n");
}

void write_record(const Engine& engine, const std::string& path) {
  optimizer::RecordedRun run{program_name(), {}, engine.degrees()};
  for (const auto& record : engine.plans()) {
    run.programs.push_back(*record->recorded);
    run.programs.back().runs = record->runs;
  }
  io::write_text(engine.control(), path, optimizer::write_recorded(run));
}

void write_drawing(const Engine& engine, const std::string& path) {
  const PlanRecord* largest = nullptr;
  for (const auto& record : engine.plans()) {
    if (largest == nullptr || record->entered.size() > largest->entered.size()) largest = record.get();
  }
  io::write_text(engine.control(), path, largest == nullptr ? "digraph plan {\n}\n" : optimizer::draw(largest->plan));
}

}  // namespace kasen
