/// @file
/// The exceptions that Kasen throws, by whose fault an error is; each knows the exit status it leads to.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace kasen {

/// Base of all errors of Kasen. `exit_status()` is what a program that does not catch it ends with.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, int exit_status = 1)
      : std::runtime_error(message), _exit_status(exit_status) {}
  int exit_status() const noexcept { return _exit_status; }

 private:
  int _exit_status;
};

/// A wrong command line: exit status 2.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(message, 2) {}
};

/// Input that cannot be read as what it should be, or output that cannot be written. The message names the file,
/// and the line where there is one: "FILE:LINE: what was found, what was expected".
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message) {}
};

/// A program that the model does not allow (shapes, types, storage, scope). The message starts with "FILE:LINE:"
/// of the user's source.
class ProgramError : public Error {
 public:
  explicit ProgramError(const std::string& message) : Error(message) {}
};

/// A defect of Kasen itself.
class InternalError : public Error {
 public:
  explicit InternalError(const std::string& message) : Error("internal error: " + message) {}
};

/// The error of some worker, thrown on every worker with the same message; see comm/agreement.h.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// No error: the help or the analysis that was asked for has been printed, and nothing is left to do. A program in
/// which nobody catches it ends with exit status 0. No std::exception, so that what deals with errors lets it pass.
class Stopped {};

/// No error either: a signal has asked the program to end, and the checkpoint that it is to go on from has been
/// written. Thrown by all workers alike; what catches it ends the program. No std::exception, as Stopped.
class EndRequested {
 public:
  EndRequested(std::string what, int exit_status) : _what(std::move(what)), _exit_status(exit_status) {}

  const std::string& what() const noexcept { return _what; }  ///< "ended by signal 15 (SIGTERM)"
  int exit_status() const noexcept { return _exit_status; }   ///< 128 and the signal's number

 private:
  std::string _what;
  int _exit_status;
};

}  // namespace kasen
