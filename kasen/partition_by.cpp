#include "kasen/partition_by.h"

#include <optional>
#include <utility>

#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen {
namespace {

Engine& engine_for(SourceLocation where) {
  Engine& engine = Session::current(where).engine();
  if (engine.recorder().in_block())
    recording::refuse(recording::source_line(where), "partition_by", "not allowed in a recorded block");
  return engine;
}

}  // namespace

void partition_by(OwnerFunction owner, SourceLocation where) {
  constexpr std::uint64_t kOfNoSpace = ~std::uint64_t{0};
  Engine& engine = engine_for(where);
  engine.meet(Meeting::owners, recording::source_line(where), {kOfNoSpace, owner ? 1u : 0u});
  engine.placement().partition_by(std::move(owner));
}

void partition_by(Space space, const OwnerFunction& owner, SourceLocation where) {
  recording::require_session(space.session(), "partition_by", recording::source_line(where));
  Engine& engine = engine_for(where);
  engine.meet(Meeting::owners, recording::source_line(where), {index_of(space.id()), space.length(), owner ? 1u : 0u});
  partition::Placement& placement = engine.placement();
  if (placement.space(space.id()).assigned())
    recording::refuse(recording::source_line(where), "partition_by",
                      "index space '" + placement.space(space.id()).name() + "' has owners already");
  if (!owner) recording::refuse(recording::source_line(where), "partition_by", "the function is empty");
  std::optional<partition::Assignment> assignment;
  try {
    assignment = partition::assignment_by(engine.control(), owner, space.length());
  } catch (const AgreedError& error) {
    recording::refuse(recording::source_line(where), "partition_by", error.what());
  }
  placement.assign(space.id(), *assignment);
}

}  // namespace kasen
