/// @file
/// The main function of distributed tests: every worker runs the same tests, worker 0 prints, and a test fails if it
/// failed on any worker. A worker that leaves a test early does not hang the others for long.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "comm/environment.h"

namespace {

constexpr unsigned kGraceSeconds = 20;

extern "C" void end_job(int) {
  constexpr char message[] = "a worker failed and the others did not finish the test with it: giving up\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof message - 1);
  _exit(1);  // the launcher then ends the other workers
}

/// Makes one worker's failure everybody's. Uses MPI's profiling names, so that tests that count MPI calls see only
/// those of the code under test.
class Agreement : public testing::EmptyTestEventListener {
 public:
  explicit Agreement(MPI_Comm communicator) : _communicator(communicator) {
    PMPI_Comm_rank(communicator, &_rank);
    PMPI_Comm_size(communicator, &_size);
    std::signal(SIGALRM, end_job);
  }

  bool failed() const { return _failed; }

 private:
  void OnTestStart(const testing::TestInfo& test) override {
    _test = std::string(test.test_suite_name()) + "." + test.name();  // asked for later, GoogleTest would deadlock
  }

  /// A failed worker may have left its test while the others wait for it there: time runs from here.
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    if (_size > 1) alarm(kGraceSeconds);
    if (_rank == 0) return;
    std::string text = "[worker " + std::to_string(_rank) + " of " + std::to_string(_size) + "] " + _test + "\n";
    if (result.file_name() != nullptr) {
      text += std::string(result.file_name()) + ":" + std::to_string(result.line_number()) + ": Failure\n";
    }
    text += std::string(result.message()) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    std::string others = failed_workers(test.result()->Failed());
    if (!others.empty() && _rank == 0) ADD_FAILURE() << "failed on worker" << others;
  }

  void OnTestProgramEnd(const testing::UnitTest& tests) override { failed_workers(!tests.Passed()); }

  /// Collective. The workers other than 0 that failed, by number.
  std::string failed_workers(bool failed_here) {
    const int mine = failed_here ? 1 : 0;
    std::vector<int> all(static_cast<std::size_t>(_size));
    PMPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, _communicator);
    alarm(0);
    std::string names;
    for (int worker = 0; worker < _size; ++worker) {
      if (all[static_cast<std::size_t>(worker)] == 0) continue;
      _failed = true;
      if (worker > 0) names += " " + std::to_string(worker);
    }
    return names;
  }

  MPI_Comm _communicator;
  int _rank = 0;
  int _size = 1;
  std::string _test;
  bool _failed = false;
};

int run(int argc, char** argv) {
  const kasen::comm::Communicator communicator;
  testing::InitGoogleTest(&argc, argv);
  // Whatever is random must be the same on all workers.
  if (GTEST_FLAG_GET(random_seed) == 0) GTEST_FLAG_SET(random_seed, 1);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (communicator.rank() != 0) {
    GTEST_FLAG_SET(output, "");
    delete listeners.Release(listeners.default_result_printer());
  }
  auto* agreement = new Agreement(communicator.native());  // owned by the listeners
  listeners.Append(agreement);
  // The listeners call the last one first at a test's end: the printer sees what the agreement found.
  const int status = RUN_ALL_TESTS();
  return status != 0 || agreement->failed() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const kasen::comm::Environment environment;
  return run(argc, argv);
}
