#include "kasen/session/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "kasen/base/steady_time.h"

namespace kasen {
namespace {

constexpr double kSecondsBetween = 0.5;
constexpr std::size_t kBarWidth = 20;

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string bar(std::uint64_t done, std::uint64_t of) {
  const std::size_t full = std::min(kBarWidth, static_cast<std::size_t>(kBarWidth * done / of));
  return "[" + std::string(full, '=') + std::string(kBarWidth - full, ' ') + "] ";
}

/// Characters that fit in a line of the terminal as it is now; one more would begin another. Where it does not say how
/// wide it is, 80 columns.
std::size_t room() {
  winsize size{};
  return (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80) - 1;
}

}  // namespace

Progress::Progress(bool speaks, bool in_logs)
    : _terminal(isatty(STDERR_FILENO) != 0), _shows(speaks && (in_logs || _terminal)) {}

void Progress::expect(std::uint64_t iterations) {
  _expected = iterations;
  _done = 0;
  _start = now();
}

Progress::Series& Progress::series(const std::string& name) {
  const auto found = std::find_if(_series.begin(), _series.end(), [&](const Series& s) { return s.name == name; });
  return found != _series.end() ? *found : _series.emplace_back(Series{name, {}});
}

std::string Progress::line(double time) const {
  std::string text = fmt::format("iteration {}", _done);
  if (_expected > 0) text += fmt::format(" of {}", _expected);
  for (const Series& series : _series) {
    if (series.values.size() > series.shown) text += fmt::format(", {} {:.8g}", series.name, series.values.back());
  }
  if (_expected > 0 && _done > 0 && _done < _expected) {
    const double left = (time - _start) / static_cast<double>(_done) * static_cast<double>(_expected - _done);
    text += fmt::format(", {} left at most", duration(left));
  }
  return text;
}

void Progress::after_iteration() {
  ++_done;
  if (!_shows) return;
  const double time = now();
  if (_start == 0) _start = time;
  if (time - _last < kSecondsBetween) return;
  _last = time;
  std::string text = line(time);
  if (_terminal) {
    const std::size_t most = room();
    if (_expected > 0 && text.size() + kBarWidth + 3 <= most) text.insert(0, bar(_done, _expected));
    text.resize(std::min(text.size(), most));
    std::fprintf(stderr, "\r%-*s", static_cast<int>(std::min(_width, most)), text.c_str());  // over what was longer
    _width = std::max<std::size_t>(text.size(), 1);
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  for (Series& series : _series) series.shown = series.values.size();
}

void Progress::after_run() {
  if (std::exchange(_width, 0) > 0) std::fputs("\n", stderr);
}

}  // namespace kasen
