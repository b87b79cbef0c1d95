/// @file
/// A program whose function throws on one worker only, and that catches it and goes on; in its second session, as the
/// first must not end MPI.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "kasen/kasen.h"

int main(int argc, char** argv) {
  kasen::Options quiet;
  quiet.quiet = true;
  std::printf("%d\n", kasen::Session(quiet).workers() > 0 ? 1 : 0);
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
