/// @file
/// Class Progress: shows a running program's iterations, the values that it tracks, and the time left.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace kasen {

class Progress {
 public:
  /// Every value that one name of `track` has had, in order.
  struct Series {
    std::string name;
    std::vector<double> values;
    std::size_t shown = 0;  ///< how many of them have been shown
  };

  /// @param speaks whether this worker is the one that shows something. @param in_logs whether lines are shown where
  /// stderr is no terminal; on a terminal there is always a bar.
  Progress(bool speaks, bool in_logs);

  /// Announces that the outermost loops to come will do at most so many iterations in all.
  void expect(std::uint64_t iterations);
  /// The series of this name; made when it does not exist. The reference stays valid.
  Series& series(const std::string& name);
  const std::deque<Series>& series() const { return _series; }

  /// To be called after each iteration of an outermost loop. Shows something a few times a second at most.
  void after_iteration();
  /// To be called after each run. Ends the bar.
  void after_run();

 private:
  std::string line(double time) const;

  bool _terminal, _shows;
  std::uint64_t _expected = 0;   ///< 0: not known
  std::uint64_t _done = 0;       ///< iterations of outermost loops, since `expect`
  double _start = 0, _last = 0;  ///< seconds; 0: not yet
  std::size_t _width = 0;        ///< of the bar that is on the screen
  std::deque<Series> _series;
};

}  // namespace kasen
