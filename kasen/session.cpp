#include "kasen/session.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/command_line.h"
#include "kasen/engine.h"
#include "kasen/io/output_file.h"
#include "kasen/report.h"
#include "optimizer/optimize.h"

namespace kasen {

namespace recording {
void set_recorder(Recorder* recorder);
}

namespace {

Session* current_session = nullptr;

}  // namespace

Session::Session(int argc, char** argv, CLI::App& app) {
  std::set_terminate(comm::fail_with_current_exception);
  Options options;
  static const comm::Environment environment;  // outlives every session of the process
  const bool first = comm::Communicator().rank() == 0;
  if (!parse_command_line(app, argc, argv, first, options)) {
    std::exit(0);
  }
  start(options);
}

namespace {
CLI::App& plain_app() {
  static CLI::App app;
  return app;
}
}  // namespace

Session::Session(int argc, char** argv) : Session(argc, argv, plain_app()) {}

Session::Session(const Options& options) { start(options); }

void Session::start(const Options& options) {
  if (current_session != nullptr) throw ProgramError("a kasen::Session is alive already");
  optimizer::check_passes(options);
  _engine = std::make_unique<Engine>(options);
  for (const std::string& file : {options.report, options.dump_dag, options.record, options.output}) {
    if (!file.empty()) io::require_writable(_engine->control(), file);
  }
  current_session = this;
  recording::set_recorder(&_engine->recorder());
}

Session::~Session() {
  if (_engine && std::uncaught_exceptions() == 0) {
    try {
      finish();
    } catch (...) {
      comm::fail_with_current_exception();
    }
  }
  recording::set_recorder(nullptr);
  current_session = nullptr;
}

Session& Session::current() {
  if (current_session == nullptr) throw ProgramError("no kasen::Session is alive: make one first in main");
  return *current_session;
}

const Options& Session::options() const { return _engine->options(); }
int Session::workers() const { return _engine->control().size(); }
int Session::rank() const { return _engine->control().rank(); }
void Session::print(const std::string& text) const { _engine->print(text); }
void Session::expect_iterations(std::uint64_t iterations) { _engine->progress().expect(iterations); }
RunCounts Session::counts() const { return _engine->counts(); }
const std::string& Session::plan_text() const { return _engine->plan_text(); }

void Session::finish() {
  const Options& options = _engine->options();
  if (!options.report.empty() && !_finished) write_report(*_engine, options.report);
  if (!options.dump_dag.empty() && !_finished) write_drawing(*_engine, options.dump_dag);
  if (!options.record.empty() && !_finished) write_record(*_engine, options.record);
  if (options.analyze && !_finished && _engine->plans().empty())
    _engine->print("analyze: the program asked for no result, so there was nothing to plan\n");
  _finished = true;
}

}  // namespace kasen
