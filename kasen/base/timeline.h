/// @file
/// Class Timeline: what a worker did when, kept in bounded memory while a program runs, for --trace.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace kasen {

/// The latest events of one worker. Adding one allocates nothing; when there is no room, it replaces the oldest.
class Timeline {
 public:
  /// Nanoseconds of this worker's steady clock.
  using Time = std::int64_t;
  static Time time_of(std::chrono::steady_clock::time_point point) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(point.time_since_epoch()).count();
  }
  static Time now() { return time_of(std::chrono::steady_clock::now()); }

  enum class Kind : std::uint8_t {
    step,        ///< one entry of a step of a plan
    wait,        ///< the end of an overlapped exchange, within the step or loop that needs it
    thread,      ///< a further thread's share of a step
    run,         ///< a run of a plan
    prepare,     ///< what comes before the first step of a run, or before a first walk: buffers, storages of matrices
    plan,        ///< making a plan
    place,       ///< assigning a matrix to workers, and sending its entries there
    read,        ///< reading a file
    write,       ///< writing a result
    checkpoint,  ///< writing a checkpoint
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Event {
    Time begin = 0, end = 0;
    std::uint64_t superstep = 0;   ///< exchanges that had ended before it
    std::uint64_t iteration = 0;   ///< of an outermost recorded loop, counted from 1 over the session; 0 outside
    std::uint64_t bytes_sent = 0;  ///< payload that this worker gave to MPI meanwhile
    std::uint32_t plan = kNone;    ///< in the order in which plans were made
    std::uint32_t step = kNone;    ///< in pre-order of the plan's steps
    std::uint32_t thread = 0;
    Kind kind = Kind::step;
  };

  /// @param capacity how many events there is room for, at least 1; all of it is obtained here.
  /// @param every of the iterations of outermost loops, and of the runs of a plan without a loop, each so many-th is
  /// kept, beginning with the first of each plan. At least 1.
  Timeline(std::uint64_t capacity, std::uint64_t every) : _every(every), _ring(capacity) {}

  // ---- where the program is ----
  void begin_run(std::uint32_t plan, bool has_loops);
  void end_run();
  void begin_iteration();
  /// To be called when an outermost loop has ended.
  void end_loop();
  void end_superstep() { ++_superstep; }
  /// To be called before a step of which events are kept, and with `kNone` behind it.
  void enter(std::uint32_t step) { _step = step; }
  /// Whether steps that begin now are kept.
  bool keeps() const { return _keeps; }
  /// Whether shares of threads are: within a step that is.
  bool keeps_threads() const { return _keeps && _step != kNone; }

  // ---- what has happened ----
  void add_step(std::uint32_t step, Time begin, Time end, std::uint64_t bytes_sent);
  void add_wait(std::uint32_t step, Time begin, Time end);
  /// Of the step that was entered last.
  void add_thread(std::uint32_t thread, Time begin, Time end);
  /// Of what is no step. @param plan the number of the plan that it is about
  void add(Kind kind, Time begin, Time end, std::uint32_t plan = kNone);

  /// The events that there was room for, by thread: what begins first comes first, and what contains others before
  /// these.
  std::vector<Event> events() const;
  /// How many events there was no room for.
  std::uint64_t dropped() const { return _added > _ring.size() ? _added - _ring.size() : 0; }
  std::uint64_t every() const { return _every; }

 private:
  void push(Event event);
  bool is_kept(std::uint64_t repeat) const { return repeat % _every == 0; }

  std::uint64_t _every;
  std::vector<Event> _ring;
  std::uint64_t _added = 0;
  std::uint64_t _superstep = 0, _iterations = 0, _iteration = 0;
  std::uint32_t _plan = kNone, _step = kNone;
  bool _keeps = false;
  std::vector<std::uint64_t> _repeats;  ///< by plan: iterations, or runs of one without loops, so far
};

/// Adds what happens in its scope to a timeline, if there is one.
class TimelineScope {
 public:
  TimelineScope(Timeline* timeline, Timeline::Kind kind, std::uint32_t plan = Timeline::kNone)
      : _timeline(timeline), _kind(kind), _plan(plan), _begin(timeline == nullptr ? 0 : Timeline::now()) {}
  ~TimelineScope() {
    if (_timeline != nullptr) _timeline->add(_kind, _begin, Timeline::now(), _plan);
  }
  TimelineScope(const TimelineScope&) = delete;
  TimelineScope& operator=(const TimelineScope&) = delete;

 private:
  Timeline* _timeline;
  Timeline::Kind _kind;
  std::uint32_t _plan;
  Timeline::Time _begin;
};

}  // namespace kasen
