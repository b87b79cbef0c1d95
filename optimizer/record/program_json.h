/// @file
/// Programs as JSON, written and read back exactly. docs/analyzer.md describes the fields.
#pragma once

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"
#include "optimizer/record/json_reader.h"

namespace kasen::optimizer {

Json to_json(const Program& program);
Json to_json(const RoleSet& roles);

/// The program, which may use the spaces and matrices of `stats`. What is well-formed JSON and no program (a value read
/// before it is made, a loop that yields less than it carries) is refused as well, so that passes need not expect it.
/// @throws InputError "PATH: what is wrong"
Program program_from_json(const JsonReader& json, const PlacementStats& stats);
RoleSet roles_from_json(const JsonReader& json, std::size_t matrices);

}  // namespace kasen::optimizer
