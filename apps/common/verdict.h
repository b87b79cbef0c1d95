/// @file
/// The verdict of --verify: a line if the result holds, else an error that ends the program.
#pragma once

#include <string>

#include "kasen/base/error.h"
#include "kasen/session.h"

namespace apps {

/// Prints "verified: ..." on one worker. @throws Error "verification failed: ..." unless it holds; `holds` is the same
/// on all workers.
inline void verdict(bool holds, const std::string& findings) {
  if (!holds) throw kasen::Error("verification failed: " + findings);
  kasen::Session::current().print("verified: " + findings + "\n");
}

}  // namespace apps
