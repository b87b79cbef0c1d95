#include "kasen/session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "comm/agreement.h"
#include "comm/environment.h"
#include "comm/failure.h"
#include "kasen/base/error.h"
#include "kasen/base/vector_math.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/recording/handle.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/instruction_set.h"
#include "kasen/runtime/running.h"
#include "kasen/session/command_line.h"
#include "kasen/session/engine.h"
#include "kasen/session/report.h"
#include "kasen/session/trace_file.h"
#include "optimizer/optimize.h"
#include "optimizer/text/print.h"

namespace kasen {

namespace {

Session* current_session = nullptr;
const std::terminate_handler first_terminate = std::get_terminate();

/// Ends the program if what nobody has caught is no error.
void end_without_error() {
  try {
    if (std::current_exception()) throw;
  } catch (const Stopped&) {
    std::exit(0);  // the session that is alive meets the other workers once more
  } catch (const EndRequested& request) {
    comm::fail(request.what(), request.exit_status());
  } catch (...) {
  }
}

/// What ends a program with an error that nobody caught; one that a user's function threw with its line, if there is
/// memory for it.
[[noreturn]] void end_with_current_exception() {
  end_without_error();
  if (runtime::running.label == nullptr) comm::fail_with_current_exception();
  try {
    // Where loops are vectorised, an exception is lost that had something to destroy on its way.
    if (!std::current_exception()) comm::fail(runtime::told_of(runtime::running, "threw an exception"), 1);
    try {
      throw;
    } catch (const std::exception& error) {
      comm::fail(runtime::told_of(runtime::running, "threw: " + std::string(error.what())), 1);
    } catch (...) {
      comm::fail(runtime::told_of(runtime::running, "threw an unknown exception"), 1);
    }
  } catch (const std::bad_alloc&) {
    comm::fail_with_current_exception();
  }
}

/// The last session has ended by an exception, which is no end that workers have compared.
bool thrown_out = false;

/// Of a program that calls exit() while its session is alive, which is not destroyed then, or that ends after an error:
/// others may go on.
void end_at_exit() {
  if (comm::is_failing() || !comm::mpi_is_running()) return;
  if (thrown_out) comm::leave_together("a worker has ended after an error of its own");
  if (current_session == nullptr) return;
  if (runtime::running.label != nullptr) comm::fail(runtime::told_of(runtime::running, "calls exit"), 1);
  if (comm::is_agreeing()) comm::fail("exit was called by one worker while all were at one task", 1);
  try {
    current_session->engine().meet(Meeting::exit, {});
  } catch (...) {
    comm::fail_with_current_exception();
  }
}

}  // namespace

namespace {

/// Unless somebody has. It then runs until the process ends, whatever sessions there are.
void start_mpi() { static const comm::Environment environment; }

/// A program takes --output as every one does, whatever it does with it.
void tell_of_unwritten_output(const Engine& engine) {
  const Options& options = engine.options();
  if (options.analyze || options.quiet || options.output.empty() || engine.control().rank() != 0) return;
  if (io::is_unwritten(options.output))
    std::fprintf(stderr, "warning: --output %s: the program has written nothing there\n", options.output.c_str());
}

}  // namespace

namespace recording {

void refuse_without_session(SourceLine where) {
  // Of a program that never made one nobody has said how its errors end it.
  if (std::get_terminate() == first_terminate) std::set_terminate(end_with_current_exception);
  refuse(where, "session", "no kasen::Session is alive: make one first in main, and let it outlive what is computed");
}

}  // namespace recording

Session::Session(int argc, char** argv, SourceLocation where) : _made_at(where) { start(argc, argv, nullptr); }
Session::Session(int argc, char** argv, CLI::App& app, SourceLocation where) : _made_at(where) {
  start(argc, argv, &app);
}
Session::Session(const Options& options, SourceLocation where) : _made_at(where) { start(options); }

void Session::start(int argc, char** argv, CLI::App* app) {
  require_none();
  Options options;
  start_mpi();
  std::set_terminate(end_with_current_exception);
  const bool first = comm::Communicator().rank() == 0;
  const bool goes_on = app == nullptr ? parse_command_line(argc, argv, first, options)
                                      : parse_command_line(*app, argc, argv, first, options);
  if (!goes_on) throw Stopped();
  start(options);
}

/// Before anything is done that the session which is alive would notice.
void Session::require_none() const {
  if (current_session == nullptr) return;
  const SourceLine first = recording::source_line(current_session->_made_at);
  recording::refuse(recording::source_line(_made_at), "Session",
                    "a second session while one is alive, which was made at " + std::string(first.file) + ":" +
                        std::to_string(first.line));
}

void Session::start(const Options& options) {
  require_none();
  start_mpi();
  check_options(options);
  optimizer::check_passes(options);
  set_agreeing_math(options.reproducible);
  _engine = std::make_unique<Engine>(options);
  std::set_terminate(end_with_current_exception);
  runtime::require_one_instruction_set(_engine->control());
  [[maybe_unused]] static const int registered = std::atexit(end_at_exit);
  io::require_outputs(_engine->control(),
                      {options.report, options.dump_dag, options.record, options.trace, options.output});
  current_session = this;
  thrown_out = false;
  recording::set_recorder(&_engine->recorder());
}

Session::~Session() {
  const bool leaves_alone = std::uncaught_exceptions() > 0 && _engine && !_engine->has_stopped();
  if (_engine && !leaves_alone) {
    try {
      finish();
      _engine->meet(Meeting::leave, {});
      tell_of_unwritten_output(*_engine);
    } catch (...) {
      end_without_error();
      comm::fail_with_current_exception();
    }
  }
  thrown_out = leaves_alone;
  recording::set_recorder(nullptr);
  current_session = nullptr;
}

Session& Session::current() {
  if (current_session == nullptr) recording::refuse_without_session({});
  return *current_session;
}

Session& Session::current(SourceLocation where) {
  if (current_session == nullptr) recording::refuse_without_session(recording::source_line(where));
  return *current_session;
}

const Options& Session::options() const { return _engine->options(); }
int Session::workers() const { return _engine->control().size(); }
int Session::rank() const { return _engine->control().rank(); }
void Session::print(const std::string& text) const { _engine->print(text); }
void Session::expect_iterations(std::uint64_t iterations) { _engine->progress().expect(iterations); }
RunCounts Session::counts(SourceLocation where) const {
  _engine->meet(Meeting::counts, recording::source_line(where));
  return _engine->counts();
}
std::string Session::plan_text() const {
  std::string text;
  for (const auto& record : _engine->plans()) text += optimizer::print_steps(record->plan);
  return text;
}

void Session::finish() {
  const Options& options = _engine->options();
  if (!_finished) _engine->run_effects();
  if (!_finished) _engine->meet(Meeting::end, {});
  if (!_finished && _engine->checkpoints() != nullptr) _engine->checkpoints()->require_resumed();
  if (!options.report.empty() && !_finished) write_report(*_engine, options.report);
  if (!options.dump_dag.empty() && !_finished) write_drawing(*_engine, options.dump_dag);
  if (!options.record.empty() && !_finished) write_record(*_engine, options.record);
  if (!options.trace.empty() && !_finished) write_trace(*_engine, options.trace);
  if (options.analyze && !_finished && _engine->plans().empty())
    _engine->print("analyze: the program asked for no result, so there was nothing to plan\n");
  _finished = true;
}

}  // namespace kasen
