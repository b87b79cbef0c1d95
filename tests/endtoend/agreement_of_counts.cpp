#include "tests/endtoend/agreement_of_counts.h"

#include <numeric>
#include <span>

#include "kasen/runtime/access.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

std::string line(const std::string& what, const char* one, std::uint64_t a, const char* other, std::uint64_t b) {
  if (a == b) return {};
  return what + ": " + one + " " + std::to_string(a) + ", " + other + " " + std::to_string(b) + "\n";
}

/// What reductions of Shareds add by definition, and of the numbers of active elements, from the plans' shape and how
/// often their steps were entered.
struct SharedTraffic {
  std::uint64_t bytes = 0, messages = 0;      ///< over all workers, as docs/model.md has them
  std::uint64_t calls = 0, packed_bytes = 0;  ///< of MPI_Allreduce, on each worker: values and a flag byte for each
};

SharedTraffic shared_traffic(Session& session) {
  SharedTraffic traffic;
  const auto workers = static_cast<std::uint64_t>(session.workers());
  if (workers == 1) return traffic;
  for (const auto& record : session.engine().plans()) {
    std::size_t index = 0;
    optimizer::for_each_step(record->plan.steps, [&](const optimizer::Step& step) {
      const std::uint64_t entered = record->entered[index++];
      std::uint64_t bytes = 0;
      const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
      if (sweep != nullptr && optimizer::active_of(*sweep) != kNone<ValueId>) {
        bytes = (optimizer::in_delta_loop(*sweep) ? 2 : 1) * sizeof(std::uint64_t);
        traffic.packed_bytes += entered * bytes;
        traffic.bytes += entered * workers * (workers - 1) * bytes;
        traffic.messages += entered * workers * (workers - 1);
        traffic.calls += entered;
        return;
      }
      const auto* exchange = std::get_if<optimizer::Exchange>(&step.what);
      if (exchange == nullptr || exchange->reductions.empty()) return;
      for (const auto& move : exchange->reductions) bytes += record->plan.values[index_of(move.to)].type.bytes;
      traffic.bytes += entered * workers * (workers - 1) * bytes;
      traffic.messages += entered * workers * (workers - 1);
      traffic.calls += entered;
      traffic.packed_bytes += entered * (bytes + exchange->reductions.size());
    });
  }
  return traffic;
}

}  // namespace

std::string network_disagreements(Session& session, const Counts& measured) {
  const SharedTraffic shared = shared_traffic(session);
  const Witness mine = witness("kasen.steps");
  std::uint64_t sums[] = {mine.vector_bytes, mine.vector_messages};
  session.engine().control().sum(std::span<std::uint64_t>(sums));
  const std::uint64_t reduced =
      std::accumulate(mine.reduction_bytes.begin(), mine.reduction_bytes.end(), std::uint64_t{0});
  return line("bytes_sent of vectors", "measured", measured.bytes_sent - shared.bytes, "MPI saw", sums[0]) +
         line("messages of vectors", "measured", measured.messages - shared.messages, "MPI saw", sums[1]) +
         line("reductions", "plans", shared.calls, "MPI saw", mine.reduction_bytes.size()) +
         line("bytes of these reductions", "plans", shared.packed_bytes, "MPI saw", reduced);
}

std::string differences(const char* one, const Counts& a, const char* other, const Counts& b) {
  std::string lines;
  for (const auto& field : Counts::fields()) lines += line(field.name, one, a.*field.member, other, b.*field.member);
  return lines;
}

std::string disagreements_of_plans(Session& session) {
  const RunCounts counts = session.counts();
  return differences("predicted", counts.predicted, "measured", counts.measured);
}

std::string disagreements(Session& session) {
  const RunCounts counts = session.counts();
  std::string wrong = differences("predicted", counts.predicted, "measured", counts.measured);
  wrong += network_disagreements(session, counts.measured);
  if (runtime::kCountAccesses) {
    const Counts& seen = counts.witnessed;
    wrong += line("elements_read", "measured", counts.measured.elements_read, "iterators saw", seen.elements_read);
    wrong +=
        line("elements_written", "measured", counts.measured.elements_written, "iterators saw", seen.elements_written);
  }
  return wrong;
}

}  // namespace kasen::tests
