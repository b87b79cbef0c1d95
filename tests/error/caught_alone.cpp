/// @file
/// A program whose function throws on one worker only, and that catches it and goes on.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "kasen/kasen.h"

int main(int argc, char** argv) {
  const kasen::Session session(argc, argv);
  const bool here = session.rank() == session.workers() - 1;
  const auto sum = kasen::reduce(kasen::plus, kasen::iota(kasen::Space(10)));
  const auto thrown = kasen::apply(
      [here](kasen::GlobalIndex a) { return here ? throw std::runtime_error("this worker only") : a; }, sum);
  try {
    thrown.get();
  } catch (const std::exception& error) {
    std::printf("caught: %s\n", error.what());
  }
  std::printf("%d\n", static_cast<int>(kasen::reduce(kasen::plus, kasen::iota(kasen::Space(11))).get()));
}
