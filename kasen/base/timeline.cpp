#include "kasen/base/timeline.h"

#include <algorithm>
#include <tuple>

namespace kasen {

void Timeline::begin_run(std::uint32_t plan, bool has_loops) {
  _plan = plan;
  if (_repeats.size() <= plan) _repeats.resize(plan + 1);
  _keeps = has_loops || is_kept(_repeats[plan]++);
}

void Timeline::end_run() {
  _plan = kNone;
  _step = kNone;
  _iteration = 0;
  _keeps = false;
}

void Timeline::begin_iteration() {
  _iteration = ++_iterations;
  _keeps = is_kept(_repeats[_plan]++);
}

void Timeline::end_loop() {
  _iteration = 0;
  _keeps = true;
}

void Timeline::add_step(std::uint32_t step, Time begin, Time end, std::uint64_t bytes_sent) {
  push({begin, end, _superstep, _iteration, bytes_sent, _plan, step, 0, Kind::step});
}

void Timeline::add_wait(std::uint32_t step, Time begin, Time end) {
  push({begin, end, _superstep, _iteration, 0, _plan, step, 0, Kind::wait});
}

void Timeline::add_thread(std::uint32_t thread, Time begin, Time end) {
  push({begin, end, _superstep, _iteration, 0, _plan, _step, thread, Kind::thread});
}

void Timeline::add(Kind kind, Time begin, Time end, std::uint32_t plan) {
  push({begin, end, _superstep, _iteration, 0, plan, kNone, 0, kind});
}

void Timeline::push(Event event) { _ring[_added++ % _ring.size()] = event; }

std::vector<Timeline::Event> Timeline::events() const {
  std::vector<Event> events(_ring.begin(),
                            _ring.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(_added, _ring.size())));
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tuple(a.thread, a.begin, -a.end) < std::tuple(b.thread, b.begin, -b.end);
  });
  return events;
}

}  // namespace kasen
