#include "kasen/base/thread_team.h"

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "kasen/base/error.h"

namespace kasen {
namespace {

/// How often a thread looks before it sleeps: some 2 to 3 milliseconds, longer than what one thread does alone between
/// two sweeps of a loop, as a rule. Where hosts are virtual, a thread that sleeps may be woken milliseconds late.
constexpr int kLooks = 50'000;

/// What a thread that ends the program adds to those at work: more than can have ended their share meanwhile, so that
/// the number is not again what a waiting thread knows.
constexpr std::uint32_t kEnding = 1u << 16;
static_assert(kEnding > ThreadTeam::kMostThreads);

/// The team that this thread is a further one of.
thread_local ThreadTeam* helped = nullptr;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` is no longer `known`.
void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t known, bool spins) {
  for (int look = 0; spins && look < kLooks; ++look) {
    if (value.load(std::memory_order_acquire) != known) return;
    relax();
  }
  value.wait(known, std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(std::uint32_t threads, bool spins, std::function<void(std::uint32_t thread)> at_start)
    : _spins(spins), _shares(threads), _thrown(threads) {
  _helpers.reserve(threads);
  try {
    for (std::uint32_t k = 1; k < threads; ++k) {
      _helpers.emplace_back([this, k, at_start] {
        if (at_start) at_start(k);
        help(k);
      });
    }
  } catch (const std::system_error& error) {
    const std::size_t started = _helpers.size() + 1;
    end();
    throw Error("only " + std::to_string(started) + " of " + std::to_string(threads) + " threads: " + error.what());
  }
}

ThreadTeam::~ThreadTeam() { end(); }

void ThreadTeam::end() {
  _ends.store(true, std::memory_order_relaxed);
  _round.fetch_add(1, std::memory_order_release);
  _round.notify_all();
  for (std::thread& helper : _helpers) helper.join();
}

void ThreadTeam::help(std::uint32_t thread) {
  helped = this;
  std::uint32_t round = 0;
  while (true) {
    wait_while(_round, round, _spins);
    ++round;
    if (_ends.load(std::memory_order_relaxed)) return;
    execute(thread);
    if (_at_work.fetch_sub(1, std::memory_order_acq_rel) == 1) _at_work.notify_one();
  }
}

void ThreadTeam::execute(std::uint32_t k) {
  if (k >= _tasks) return;
  if (_timed) _shares[k].begin = Timeline::now();
  try {
    _call(_task, k);
  } catch (...) {
    _thrown[k] = std::current_exception();
  }
  if (_timed) _shares[k].end = Timeline::now();
}

void ThreadTeam::run(std::uint32_t tasks, Call call, const void* task) {
  if (tasks == 0) return;
  _call = call;
  _task = task;
  _tasks = tasks;
  _timed = _timeline != nullptr && _timeline->keeps_threads();
  _at_work.store(size() - 1, std::memory_order_relaxed);
  _round.fetch_add(1, std::memory_order_release);
  _round.notify_all();
  execute(0);
  wait_for_helpers();
  for (std::uint32_t k = 1; _timed && k < tasks; ++k) _timeline->add_thread(k, _shares[k].begin, _shares[k].end);
  for (std::exception_ptr& thrown : _thrown) {
    if (!thrown) continue;
    const std::exception_ptr first = std::exchange(thrown, nullptr);
    for (std::exception_ptr& other : _thrown) other = nullptr;
    std::rethrow_exception(first);
  }
}

/// A thread that ends the program says so before it changes `_at_work`, so one that waits for the number it has read
/// before it looked for that is woken.
void ThreadTeam::wait_for_helpers() {
  while (const std::uint32_t left = _at_work.load(std::memory_order_acquire)) {
    if (const auto* ending = _ending.load(std::memory_order_acquire)) (*ending)();
    wait_while(_at_work, left, _spins);
  }
}

void ThreadTeam::leave_ending(const std::function<void()>& end) {
  if (helped == nullptr) return;
  const std::function<void()>* none = nullptr;
  helped->_ending.compare_exchange_strong(none, &end, std::memory_order_acq_rel);
  helped->_at_work.fetch_add(kEnding, std::memory_order_acq_rel);  // which wakes the thread that waits
  helped->_at_work.notify_one();
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace kasen
