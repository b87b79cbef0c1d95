/// @file
/// The analysis of a program as JSON.
#pragma once

#include "optimizer/analysis/analysis.h"
#include "optimizer/record/json_reader.h"

namespace kasen::optimizer {

/// The analysis as JSON for tools; docs/analyzer.md names the fields.
Json analysis_json(const Analysis& analysis);

}  // namespace kasen::optimizer
