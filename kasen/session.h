/// @file
/// A session: one program's workers, options, data and plans. The first object of every Kasen program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kasen/base/counts.h"
#include "kasen/base/options.h"
#include "kasen/base/source_location.h"

namespace CLI {
class App;
}

namespace kasen {

class Engine;

/// What a session has done so far, summed over workers and plans.
struct RunCounts {
  Counts predicted;              ///< by formula (the stream column), times the entries of each block
  Counts measured;               ///< by counters
  Counts model;                  ///< the paper's terms, by formula
  Counts witnessed;              ///< elements by counting iterators in programs that link kasen::checked; else 0
  std::uint64_t iterations = 0;  ///< of outermost recorded loops
  std::uint64_t plans = 0;       ///< made; the rest were found again
  std::uint64_t runs = 0;
  double seconds = 0;                           ///< running plans, on the slowest worker
  double seconds_predicted = 0;                 ///< the same by the profile
  double loop_seconds_predicted = 0;            ///< in outermost recorded loops
  std::vector<std::vector<Activity>> activity;  ///< by plan and step: what was pushed instead of walking a matrix
};

/// What a program begins with: it takes the options, and starts MPI unless somebody has. MPI that was started here runs
/// until the process ends, so that one session may follow another.
/// @code
/// char name[] = "program";
/// char* argv[] = {name, nullptr};  // those of main(argc, argv)
/// Session session(1, argv);
/// session.print("on " + std::to_string(session.workers()) + " workers\n");
/// @endcode
class Session {
 public:
  /// Collective. Starts MPI if nobody has, and takes Kasen's options from the command line (see --help). Errors that
  /// nobody catches from here on end the program with one message and their exit status: 2 for a wrong command line,
  /// and for a checkpoint of other options, else 1.
  /// @throws ProgramError if another session is alive
  Session(int argc, char** argv, SourceLocation where = SourceLocation::current());
  /// With the program's own options in `app`; Kasen's are added to it.
  Session(int argc, char** argv, CLI::App& app, SourceLocation where = SourceLocation::current());
  /// For programs that embed Kasen and for tests: options as given, the caller deals with errors.
  explicit Session(const Options& options, SourceLocation where = SourceLocation::current());
  /// Collective. Finishes.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The session that is alive. @throws ProgramError if there is none, with the line if it is given.
  static Session& current();
  static Session& current(SourceLocation where);

  const Options& options() const;
  int workers() const;
  int rank() const;
  /// Prints on one worker; nothing with --quiet.
  void print(const std::string& text) const;

  /// The outermost loops to come will do at most so many iterations in all: what --progress estimates the time left by.
  void expect_iterations(std::uint64_t iterations);

  /// Collective. @throws AgreedError if a worker does something else
  RunCounts counts(SourceLocation where = SourceLocation::current()) const;
  /// Names of the plans' steps, for tests: the text of every plan made, in order.
  std::string plan_text() const;
  /// Collective, once; the destructor calls it. Writes the report, the drawing, the record and the trace that were
  /// asked for.
  /// @throws AgreedError, also if a program that is resumed ends before it has come to its checkpoint
  void finish();

  Engine& engine() { return *_engine; }  ///< for Kasen's own use

 private:
  void require_none() const;
  /// `app` is null for a program without options of its own.
  void start(int argc, char** argv, CLI::App* app);
  void start(const Options& options);
  std::unique_ptr<Engine> _engine;
  SourceLocation _made_at;
  bool _finished = false;
};

}  // namespace kasen
