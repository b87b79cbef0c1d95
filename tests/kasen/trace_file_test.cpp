/// @file
/// What --trace writes where there is room for few events, and of programs whose loops are not recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"

namespace kasen {
namespace {

/// Collective. The trace of adding up in a native loop of so many runs.
nlohmann::json trace_of(int runs, std::uint64_t room, std::uint64_t every) {
  const comm::Communicator workers;
  Options options;
  options.quiet = true;
  options.trace = testing::TempDir() + "trace_file_test_" + std::to_string(workers.size()) + ".json";
  options.trace_events = room;
  options.trace_every = every;
  {
    Session session(options);
    const Vector<double> v = constant(Space(40), 1.0);
    reduce(plus, v).get();
    for (int k = 0; k < runs; ++k) EXPECT_EQ(reduce(plus, v).get(), 40);
  }
  workers.barrier();
  std::ifstream file(options.trace);
  nlohmann::json trace = nlohmann::json::parse(file);
  workers.barrier();
  if (workers.rank() == 0) std::remove(options.trace.c_str());
  return trace;
}

/// By worker.
std::vector<std::size_t> events_of(const nlohmann::json& trace, const std::string& category) {
  std::vector<std::size_t> events(trace["otherData"]["workers"].get<std::size_t>());
  for (const auto& event : trace["traceEvents"])
    if (event["ph"] == "X" && (category.empty() || event["cat"] == category)) ++events[event["pid"].get<std::size_t>()];
  return events;
}

TEST(TraceFile, SaysHowManyEventsItHadNoRoomFor) {
  const nlohmann::json all = trace_of(20, 1000, 1), few = trace_of(20, 15, 1);
  const std::size_t workers = events_of(all, "").size();
  EXPECT_EQ(all["otherData"]["dropped"], std::vector<std::size_t>(workers));
  EXPECT_EQ(events_of(few, ""), std::vector<std::size_t>(workers, 15));
  for (std::size_t worker = 0; worker < workers; ++worker)
    EXPECT_EQ(few["otherData"]["dropped"][worker], events_of(all, "")[worker] - 15);
}

TEST(TraceFile, HasSomeOfTheRunsOfAPlanWithoutLoops) {
  const nlohmann::json all = trace_of(20, 1000, 1), some = trace_of(20, 1000, 6);
  for (const std::size_t runs : events_of(all, "run")) EXPECT_EQ(runs, 21u);
  for (const std::size_t runs : events_of(some, "run")) EXPECT_EQ(runs, 1u + 4u) << "1 of the first plan; 1, 7, 13, 19";
}

TEST(TraceFile, EndsWithTheSession) {
  const nlohmann::json trace = trace_of(0, 1, 1);
  EXPECT_EQ(trace["traceEvents"].back()["ph"], "X");
}

}  // namespace
}  // namespace kasen
