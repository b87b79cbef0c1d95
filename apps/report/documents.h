/// @file
/// What kasen-report shows: run reports, analyses and traces that programs have written.
#pragma once

#include <string>

#include "optimizer/record/json_reader.h"

namespace apps {

/// One file's content, checked as far as the page relies on it.
struct Document {
  std::string name;  ///< what the page calls it
  std::string kind;  ///< report, analysis, trace
  kasen::optimizer::Json content;
};

/// Local. Reads a file of --report, --trace, or `kasen-analyze --json`, which it tells apart by what is in them.
/// @throws kasen::InputError "FILE: reason": not JSON, none of these, or a field is missing or of another type
Document read_document(const std::string& path);

/// Local. The analysis that kasen-analyze has just made. @param name as above
Document analysis_document(std::string name, kasen::optimizer::Json analysis);

}  // namespace apps
