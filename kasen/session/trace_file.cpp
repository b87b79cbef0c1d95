/// @file
/// Events become lines of JSON: what is not an event, such as the names of workers, stands before them.
#include "kasen/session/trace_file.h"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <variant>
#include <vector>

#include "comm/clocks.h"
#include "kasen/base/timeline.h"
#include "kasen/io/lines/text_output.h"
#include "kasen/session/engine.h"
#include "kasen/session/predicted_seconds.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/record/json_reader.h"
#include "optimizer/text/print.h"

namespace kasen {
namespace {

using optimizer::Json, optimizer::to_text;
using Event = Timeline::Event;
using Kind = Timeline::Kind;

std::string with_place(const char* what, SourceLine where) {
  const std::string place = optimizer::place_of(where);
  return place.empty() ? what : fmt::format("{} {}", what, place);
}

/// The name of a step among the others of a trace: of a sweep its first operations.
std::string name_of(const optimizer::Step& step) {
  constexpr std::size_t kMost = 3;
  if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
    std::string name = "sweep";
    for (std::size_t k = 0; k < std::min(kMost, sweep->launches.size()); ++k)
      name += (k == 0 ? ": " : ", ") + sweep->launches[k].label;
    if (sweep->launches.size() > kMost) name += fmt::format(" and {} more", sweep->launches.size() - kMost);
    return name;
  }
  if (const auto* scalar = std::get_if<optimizer::ScalarWork>(&step.what)) return "scalar: " + scalar->label;
  if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) return with_place("loop", loop->where);
  if (const auto* branch = std::get_if<optimizer::Branch>(&step.what)) return with_place("branch", branch->where);
  const auto& exchange = std::get<optimizer::Exchange>(step.what);
  std::string name;
  for (const auto& [what, number] :
       {std::pair("gather", exchange.gathers.size()), std::pair("scatter", exchange.scatters.size()),
        std::pair("reduction", exchange.reductions.size())}) {
    if (number == 0) continue;
    name += (name.empty() ? "exchange: " : ", ") + (number == 1 ? what : fmt::format("{} {}s", number, what));
  }
  return name;
}

/// What all events of one step have in common.
struct StepText {
  std::string name;  ///< as JSON
  const char* category = nullptr;
  std::uint32_t in_report = Timeline::kNone;  ///< its place in the report's `steps`; none of loops and branches
  double seconds_predicted = 0;               ///< of one entry
};

/// By plan and step.
std::vector<std::vector<StepText>> texts_of(const Engine& engine) {
  const PredictedSeconds predicted(static_cast<std::uint64_t>(engine.control().size()));
  std::vector<std::vector<StepText>> all;
  std::uint32_t reported = 0;
  for (const auto& record : engine.plans()) {
    std::vector<StepText>& texts = all.emplace_back();
    optimizer::for_each_step(record->plan.steps, [&](const optimizer::Step& step) {
      StepText text{to_text(name_of(step)), optimizer::kind_of(step)};
      if (!optimizer::holds_steps(step)) {
        text.in_report = reported++;
        text.seconds_predicted = predicted.of(step, 1, {});
      }
      texts.push_back(std::move(text));
    });
  }
  return all;
}

/// Category and name of an event that is of no step.
std::pair<const char*, std::string> text_of(const Event& event) {
  switch (event.kind) {
    case Kind::run:
      return {"run", fmt::format("run of plan {}", event.plan)};
    case Kind::prepare:
      return {"prepare", "buffers and storages"};
    case Kind::plan:
      return {"plan", fmt::format("making plan {}", event.plan)};
    case Kind::place:
      return {"place", "placing a matrix"};
    case Kind::read:
      return {"read", "reading a file"};
    case Kind::write:
      return {"write", "writing the result"};
    default:
      return {"checkpoint", "writing a checkpoint"};
  }
}

/// The lines of one worker's events.
class Lines {
 public:
  Lines(const Engine& engine, comm::CommonClock clock)
      : _worker(engine.control().rank()),
        _clock(clock),
        _steps(texts_of(engine)),
        _events(engine.timeline()->events()) {}

  const std::vector<Event>& events() const { return _events; }
  /// When the first event began, on the common clock.
  std::int64_t first(std::int64_t otherwise) const {
    for (const Event& event : _events) otherwise = std::min(otherwise, _clock(event.begin));
    return otherwise;
  }

  /// Allocates nothing but the text's room for the event of a step.
  void append(const Event& event, std::int64_t origin, std::string& text) const {
    const std::int64_t begin = _clock(event.begin) - origin, length = _clock(event.end) - _clock(event.begin);
    const StepText* const step = event.step == Timeline::kNone ? nullptr : &_steps[event.plan][event.step];
    fmt::format_to(std::back_inserter(text),
                   ",\n{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03},\"dur\":{}.{:03},", _worker, event.thread,
                   begin / 1000, begin % 1000, length / 1000, length % 1000);
    if (step == nullptr) {
      const auto [category, name] = text_of(event);
      fmt::format_to(std::back_inserter(text), "\"cat\":\"{}\",\"name\":\"{}\",\"args\":{{", category, name);
    } else {
      const char* const category = event.kind == Kind::wait     ? "wait"
                                   : event.kind == Kind::thread ? "thread"
                                                                : step->category;
      fmt::format_to(std::back_inserter(text), "\"cat\":\"{}\",\"name\":{},\"args\":{{", category, step->name);
    }
    append_args(event, step, text);
    text += "}}";
  }

 private:
  static void append_args(const Event& event, const StepText* step, std::string& text) {
    auto put = [&text, first = true](const char* name, auto value) mutable {
      fmt::format_to(std::back_inserter(text), "{}\"{}\":{}", first ? "" : ",", name, value);
      first = false;
    };
    if (event.plan != Timeline::kNone) put("plan", event.plan);
    if (event.iteration > 0) put("iteration", event.iteration);
    if (step == nullptr || step->in_report == Timeline::kNone) return;
    put("step", step->in_report);
    put("superstep", event.superstep);
    if (event.kind != Kind::step) return;
    put("bytes_sent", event.bytes_sent);
    put("seconds_predicted", step->seconds_predicted);
  }

  Rank _worker;
  comm::CommonClock _clock;
  std::vector<std::vector<StepText>> _steps;
  std::vector<Event> _events;
};

std::string name_event(const char* what, Rank worker, std::uint32_t thread, const char* key, const Json& value) {
  return "\n" + to_text({{"ph", "M"}, {"pid", worker}, {"tid", thread}, {"name", what}, {"args", {{key, value}}}});
}

/// Names of workers and of their threads.
std::string name_events(const Engine& engine) {
  using Host = std::array<char, 64>;
  Host host{};
  ::gethostname(host.data(), host.size() - 1);
  const std::vector<Host> hosts = engine.control().all_gather(host);
  std::string text;
  for (Rank worker = 0; worker < engine.control().size(); ++worker) {
    const std::string name = fmt::format("worker {} on {}", worker, hosts[static_cast<std::size_t>(worker)].data());
    text += (worker == 0 ? "" : ",") + name_event("process_name", worker, 0, "name", name);
    text += "," + name_event("process_sort_index", worker, 0, "sort_index", worker);
    for (std::uint32_t thread = 0; thread < engine.options().threads; ++thread) {
      text += "," + name_event("thread_name", worker, thread, "name",
                               thread == 0 ? "steps" : fmt::format("thread {}", thread));
    }
  }
  return text;
}

}  // namespace

void write_trace(const Engine& engine, const std::string& path) {
  const comm::Communicator& workers = engine.control();
  const Timeline& timeline = *engine.timeline();
  const comm::ClockReading last = comm::compare_clocks(workers);
  const Lines lines(engine, {engine.clock_at_start(), last});
  const std::int64_t origin = workers.min(lines.first(last.at + last.offset));
  const std::vector<std::uint64_t> dropped = workers.all_gather(timeline.dropped());
  Json about{{"program", program_invocation_short_name},
             {"workers", workers.size()},
             {"threads", engine.options().threads},
             {"every", timeline.every()},
             {"events", workers.all_gather(static_cast<std::uint64_t>(lines.events().size()))},
             {"dropped", dropped},
             {"clock_error_nanoseconds", workers.all_gather(last.offset == 0 ? std::int64_t{0} : last.error)}};
  const std::string head = fmt::format("{{\"displayTimeUnit\":\"ms\",\n\"otherData\":{},\n\"traceEvents\":[{}",
                                       to_text(about), name_events(engine));
  const std::uint64_t events = lines.events().size();
  const bool closes = workers.rank() + 1 == workers.size();
  io::write_sections(workers, path, head, 1, events + (closes ? 1 : 0),
                     [&](std::uint64_t, std::uint64_t item, std::string& text) {
                       if (item < events) return lines.append(lines.events()[item], origin, text);
                       text += "\n]}\n";
                     });
  const std::uint64_t most = *std::max_element(dropped.begin(), dropped.end());
  if (most == 0) return;
  engine.print(fmt::format(
      "trace: {}: there was no room for the first {} events of a worker; --trace-every keeps fewer\n", path, most));
}

}  // namespace kasen
