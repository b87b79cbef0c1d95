/// @file
/// Check of storage states while a plan runs: follows what steps do to buffers, and refuses to read elements that
/// nobody has written, partial results that two values hold, and to gather what is gathered. Builds with
/// KASEN_CHECK_STATES check every run.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/program.h"
#include "kasen/runtime/contents.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

struct RunContext;

/// A witness beside the executor: it derives from launches and moves alone what buffers hold, and compares that with
/// the states the plan gives. A worker on which they differ takes part in the run to its end, so that none waits for
/// it. Cost: a walk over the plan's values for each step.
class StateCheck {
 public:
  explicit StateCheck(RunContext& context) : _context(context) {}

  /// Local. To be called when live-ins are in their buffers; values made outside of plans are as their states say.
  void open();
  /// Local. To be called for vectors that have been restored; they are as the plan's states say.
  void restored(const std::vector<ValueId>& values);
  /// Local. To be called around each sweep and exchange.
  void before(const optimizer::Step& step);
  void after();
  /// Collective. To be called after the last step; checks the results. @throws on all workers, if anything was wrong
  /// on any: the first step it was found at, its line, the value and the element.
  void close();

 private:
  template <class Check>
  void run(const Check& check);
  void check_live_ins() const;
  void check_results() const;
  void before(const optimizer::Sweep& sweep);
  void before(const optimizer::Exchange& exchange);
  void require_single_holders(const std::string& step) const;
  void read(const optimizer::Sweep& sweep, const optimizer::Launch& launch) const;
  void require_use_of_partials(const optimizer::Launch& launch) const;
  Contents element_output(const optimizer::Launch& launch, const optimizer::Place& place) const;
  Contents keyed_output(const optimizer::Launch& launch, ValueId out) const;
  Contents product_output(const optimizer::Sweep& sweep, const optimizer::Launch& launch, ValueId out) const;
  void require(const std::string& step, ValueId value, const Contents& contents, const Ranges& ranges) const;
  void require_state(const std::string& step, ValueId value, const Contents& contents, const State& state) const;
  Contents& contents(ValueId value) const;
  /// Of a vector that was written in this state.
  Contents contents_of(ValueId value, const State& state) const;
  const Contents& seen(ValueId value) const;
  SpaceId space_of(ValueId value) const;
  bool without_replicas(SpaceId space, const RoleSet& roles) const;
  Ranges range(SpaceId space, const RoleSet& roles) const;
  Ranges replicas(SpaceId space, const RoleSet& roles) const;
  std::string name(ValueId value) const;

  RunContext& _context;
  std::map<ValueId, Contents> _made;  ///< contents that the step which runs makes
  std::set<ValueId> _scattered;       ///< of these, what is valid stays valid
  std::string _wrong;                 ///< the first error found
};

}  // namespace kasen::runtime
