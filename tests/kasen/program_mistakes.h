/// @file
/// Programs that are wrong, and the errors that they end with.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/kasen.h"

namespace kasen::tests {

inline Options quiet() {
  Options options;
  options.quiet = true;
  return options;
}

/// The message of the error that `program` ends with.
template <class F>
std::string refusal(const F& program) {
  try {
    program();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// And that this message says `what`.
template <class F>
void expect_refused(const F& program, const std::string& what) {
  const std::string message = refusal(program);
  EXPECT_NE(message.find(what), std::string::npos) << message << "\nshould say: " << what;
}

/// The message begins with this line of the caller's file, and says `what`.
inline void expect_at(unsigned line, const std::string& what, const std::string& message,
                      const char* file = __builtin_FILE()) {
  const std::string start = std::string(file) + ":" + std::to_string(line) + ": ";
  EXPECT_TRUE(message.starts_with(start)) << message << "\nline " << line << " expected";
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

/// A session and a vector of 1, 2, ... 12.
class ProgramMistakes : public testing::Test {
 protected:
  template <class T>
  Matrix<T> on_first_worker(Space rows, Space columns, std::vector<Entry<T>> entries) {
    if (session->rank() != 0) entries.clear();
    return make_matrix<T>(rows, columns, std::span<const Entry<T>>(entries));
  }
  std::optional<Session> session{quiet()};
  Vector<double> x = map([](GlobalIndex i) { return static_cast<double>(i + 1); }, iota(12));
  void TearDown() override { session.reset(); }  // before the handles
};

}  // namespace kasen::tests
