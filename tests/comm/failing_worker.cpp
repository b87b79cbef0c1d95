/// @file
/// Fails in the way that its argument names; failing_worker_test.py looks at how the job ends.
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "comm/agreement.h"
#include "comm/communicator.h"
#include "comm/environment.h"
#include "comm/failure.h"
#include "kasen/base/error.h"

namespace {

using kasen::comm::Communicator;

void wait_for_ever(const Communicator& communicator) {
  for (;;) communicator.barrier();
}

const std::map<std::string, std::function<void(const Communicator&)>> kModes{
    {"none", [](const Communicator&) {}},
    {"all", [](const Communicator&) { throw kasen::Error("met by all", 3); }},
    {"all_agreed",
     [](const Communicator& c) {
       kasen::comm::agree(c, [&] {
         if (c.rank() == c.size() - 1) throw kasen::InputError("agreed on");
       });
     }},
    {"one",
     [](const Communicator& c) {
       if (c.rank() == c.size() - 1) throw kasen::Error("met by one", 3);
       wait_for_ever(c);
     }},
    {"all_but_one",
     [](const Communicator& c) {
       if (c.size() > 1 && c.rank() == 1) wait_for_ever(c);
       throw std::runtime_error("met by most");
     }},
    {"one_caught_outside",  // its message is printed by main, below
     [](const Communicator& c) {
       if (c.rank() == c.size() - 1) throw kasen::Error("caught", 3);
       wait_for_ever(c);
     }},
};

int run(const std::string& mode) {
  const kasen::comm::Environment environment;
  const Communicator communicator;
  if (communicator.rank() == 0) std::printf("buffered output\n");
  kModes.at(mode)(communicator);
  return 0;
}

}  // namespace

int main(int, char** argv) {
  const std::string mode = argv[1];
  if (mode == "before_init") kasen::comm::fail("without MPI", 4);
  if (mode == "after_finalize") {
    run("none");
    kasen::comm::fail("without MPI", 4);
  }
  if (mode == "one_caught_outside") {
    try {
      return run(mode);
    } catch (const kasen::Error& error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      return error.exit_status();
    }
  }
  return run(mode);
}
