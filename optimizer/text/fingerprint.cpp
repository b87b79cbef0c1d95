#include "optimizer/text/fingerprint.h"

#include "kasen/base/hash.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer {

std::uint64_t fingerprint(const Plan& plan) {
  Fnv1a hash;
  hash.add(print_steps(plan));
  // What the text leaves out: which functions run, on which Shareds, and what is asked for.
  for_each_step(plan.steps, [&](const Step& step) {
    if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
      hash.add(sweep->tile_elements);
      hash.add(sweep->tile_matrix_bytes);
      if (sweep->delta) hash.add(sweep->delta->start), hash.add(sweep->delta->most);
      if (sweep->delta) {
        for (const DeltaUpdate::Rest& rest : sweep->delta->rests)
          hash.add(index_of(rest.of)), hash.add(rest.value.bits);
      }
      for (const Launch& launch : sweep->launches) {
        hash.add(index_of(launch.kernel));
        for (ValueId value : launch.shared) hash.add(index_of(value));
      }
    } else if (const auto* scalar = std::get_if<ScalarWork>(&step.what)) {
      hash.add(index_of(scalar->kernel));
    }
  });
  for (const Value& value : plan.values) hash.add(value.type.hash);
  for (const Result& result : plan.results) hash.add(index_of(result.held));
  for_each_step(plan.steps, [&](const Step& step) {
    hash.add(step.stream.bytes_read);
    hash.add(step.stream.bytes_written);
    hash.add(step.stream.bytes_sent);
    hash.add(step.stream.messages);
    hash.add(step.whole_from);
    if (const auto* exchange = std::get_if<Exchange>(&step.what))
      hash.add(exchange->to_neighbours), hash.add(exchange->sparse);
    for (const UnderWay& one : step.under_way) hash.add(one.exchange), hash.add(static_cast<std::uint8_t>(one.kind));
  });
  hash.add(plan.buffer_bytes);
  return hash.value();
}

}  // namespace kasen::optimizer
