/// @file
/// Two slow loops in one run that track a value, for progress_test.py.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>

#include "kasen/kasen.h"

int main(int argc, char** argv) {
  CLI::App app("Sleeps in every iteration");
  std::uint64_t iterations = 0, fail_in = 0;
  bool unknown = false;
  app.add_option("--iterations", iterations)->required();
  app.add_option("--fail-in", fail_in, "the iteration, from 1, that throws");
  app.add_flag("--unknown", unknown, "does not say how many iterations there will be");
  kasen::Session session(argc, argv, app);
  if (!unknown) session.expect_iterations(iterations);

  kasen::Vector<double> v = kasen::constant(kasen::Space(6), 1.0 / 3);
  kasen::Shared<std::uint64_t> k = 0;
  const auto next = [fail_in](std::uint64_t done) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (done + 1 == fail_in) throw std::runtime_error("the loop failed as asked");
    return done + 1;
  };
  for (const std::uint64_t end : {iterations / 2, iterations}) {
    kasen::while_([&] { return k < kasen::Shared<std::uint64_t>(end); },
                  [&] {
                    k = kasen::apply(next, k);
                    v = kasen::map(kasen::times, v, -1e9);  // from short numbers to long ones
                    kasen::track("residual", kasen::reduce(kasen::plus, v));
                  });
  }
  const auto ended = k.get();
  session.print(fmt::format("ended after {}\n", ended));
  return 0;
}
