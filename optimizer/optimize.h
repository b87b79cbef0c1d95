/// @file
/// The optimizer: a pure function from a program to a plan, run identically by every worker.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "kasen/base/program.h"
#include "optimizer/plan/plan.h"
#include "optimizer/states/place_transitions.h"

namespace kasen::optimizer {

/// What observers learn of a pass: its name, how long it took, and the program or plan after it as text, which is made
/// only if `text` is called.
struct PassReport {
  std::string_view name;
  double seconds = 0;
  bool skipped = false;
  std::function<std::string()> text;
};
using PassObserver = std::function<void(const PassReport&)>;

/// Names of all passes, in order; `--print-after` takes them.
std::vector<std::string_view> pass_names();
/// Names of what `--passes` can switch off: passes without which there still is a plan, but for those that have an
/// option of their own, and parts of passes.
std::vector<std::string_view> optional_passes();

/// @throws UsageError if options.passes_off names what cannot be switched off, or what the options ask for, or
/// print_after no pass.
void check_passes(const Options& options);

/// Turns a program into the cheapest plan the options allow. Local; uses nothing but its arguments, so that every
/// worker gets the same plan, and any number of workers can be planned for.
/// @param attempts sees every placement of transitions that is tried.
/// @throws UsageError for an unknown name in options.passes_off, InternalError for a defect.
Plan optimize(const Program& program, const PlacementStats& stats, const Options& options, const Profile& profile = {},
              const PassObserver& observer = {}, const AttemptObserver& attempts = {});

/// The same steps, with what they cost for another placement: counts, routes and times, as if the plan had been taken
/// for it. What overlap hides of an exchange is taken to be the same share of it. Local. @param program that it plans
Plan costed_for(Plan plan, const Program& program, const PlacementStats& stats, const Options& options,
                const Profile& profile = {});

}  // namespace kasen::optimizer
