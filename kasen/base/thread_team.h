/// @file
/// Class ThreadTeam: the threads of a worker, on which it runs the parts of its work.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "kasen/base/timeline.h"

namespace kasen {

/// A number of threads, the one that made the team among them, which wait for work as long as the team lives.
class ThreadTeam {
 public:
  static constexpr std::uint32_t kMostThreads = 1024;

  /// Local. @param spins whether threads that wait look for work for a while before they sleep: for threads that have
  /// a core each. @param at_start called on each of the further threads, with its number from 1, before all else; must
  /// not throw. @throws Error if the system does not give as many threads.
  explicit ThreadTeam(std::uint32_t threads = 1, bool spins = true,
                      std::function<void(std::uint32_t thread)> at_start = {});
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  std::uint32_t size() const { return static_cast<std::uint32_t>(_helpers.size()) + 1; }

  /// Has the shares of the further threads added to a timeline while it keeps them; null: to none. It must outlive the
  /// team's work.
  void observe(Timeline* timeline) { _timeline = timeline; }

  /// Runs task(k) for all k < tasks <= size(), each on a thread of its own and task(0) on this one, the thread that
  /// made the team. Returns when all have ended. What tasks throw is thrown when all have ended; of several exceptions,
  /// that of the lowest task. One task is a plain call. Allocates nothing. Not to be called within a task.
  template <class Task>
  void run(std::uint32_t tasks, const Task& task) {
    if (tasks == 1) return task(std::uint32_t{0});
    run(
        tasks, [](const void* of, std::uint32_t k) { (*static_cast<const Task*>(of))(k); }, &task);
  }

  /// Has the thread that made the team of this thread call `end`, which does not return, as soon as it has ended its
  /// own task, so that one thread alone talks to the rest of the job. Returns on a thread that is no further one of a
  /// team.
  static void leave_ending(const std::function<void()>& end);

 private:
  using Call = void (*)(const void* task, std::uint32_t k);
  void run(std::uint32_t tasks, Call call, const void* task);
  void help(std::uint32_t thread);
  void end();
  void wait_for_helpers();
  void execute(std::uint32_t k);

  const bool _spins;
  // What the threads are to do, as of the last round.
  Call _call = nullptr;
  const void* _task = nullptr;
  std::uint32_t _tasks = 0;
  Timeline* _timeline = nullptr;
  bool _timed = false;  ///< whether the round is to be added to the timeline
  struct Share {
    Timeline::Time begin = 0, end = 0;
  };
  std::vector<Share> _shares;               ///< by task, of a round that is timed
  std::vector<std::exception_ptr> _thrown;  ///< by task
  alignas(64) std::atomic<std::uint32_t> _round = 0;
  alignas(64) std::atomic<std::uint32_t> _at_work = 0;  ///< further threads that have not ended the round
  std::atomic<const std::function<void()>*> _ending = nullptr;
  std::atomic<bool> _ends = false;
  std::vector<std::thread> _helpers;
};

}  // namespace kasen
