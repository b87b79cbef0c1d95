#include "kasen/checkpoint/pace.h"

#include <algorithm>
#include <array>
#include <span>

#include "comm/job.h"
#include "kasen/base/steady_time.h"

namespace kasen::checkpoint {
namespace {

constexpr double kQuestions = 20;        ///< between two checkpoints
constexpr double kLongestPause = 0.5;    ///< seconds
constexpr double kMostBoundaries = 1e6;  ///< between questions, however short they have been

}  // namespace

Pace::Pace(const comm::Communicator& workers, double seconds)
    : _workers(&workers), _seconds(seconds), _last(now()), _asked(_last) {}

bool Pace::due() {
  if (_seconds <= 0) return true;
  if (++_passed < _until_asked) return false;
  std::array<std::uint64_t, 2> word{};  // how many workers hold it due, and after how many boundaries to ask again
  if (comm::held_request() != 0) word[0] = 1;
  if (_workers->rank() == 0) {
    const double time = now(), spent = std::max(time - _asked, 1e-9);
    const double pause = std::min(_seconds / kQuestions, kLongestPause);
    const double boundaries = static_cast<double>(_passed) * std::min(pause / spent, 4.0);
    word = {word[0] | (time - _last >= _seconds ? std::uint64_t{1} : 0),
            static_cast<std::uint64_t>(std::clamp(boundaries, 1.0, kMostBoundaries))};
    _asked = time;
  }
  _workers->sum(std::span<std::uint64_t>(word));
  _passed = 0;
  _until_asked = word[1];
  return word[0] != 0;
}

void Pace::taken() { _last = _asked = now(); }

}  // namespace kasen::checkpoint
