/// @file
/// That predicted == measured can fail: plans and halos with one thing wrong, and counters that say one thing more than
/// was done. Nothing of the product knows of these mutations.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

using optimizer::Place;
using optimizer::Plan;
using optimizer::Step;
using optimizer::Sweep;

Options quiet() {
  Options options;
  options.quiet = true;
  options.partition = Partition::hybrid_cut;
  options.threshold = 6;
  return options;
}

Matrix<Pattern> random_graph(Session& session) {
  const Edges edges = rmat(6, 5, 1, {session.rank(), session.workers()});
  Entries entries;
  entries.row = edges.source;
  entries.column = edges.target;
  return make_matrix(64, 64, std::move(entries));
}

/// PageRank's program, planned but not run: what follows runs the plan, or what a mutation made of it.
class Mutations : public testing::Test {
 protected:
  using Mutation = std::function<void(Plan&)>;

  Mutations() {
    const auto G = random_graph(session);
    auto pr = constant(G.rows(), 1.0);
    const auto degree = mxvt(first, plus, G, pr);
    Shared<std::int64_t> k = 0;
    auto diff = reduce(plus, pr);
    while_(likely([&] { return k < std::int64_t{3}; }), [&] {
      const auto sum = mxv(first, plus, G, zip_with(divides, pr, degree));
      const auto next = map([](double x) { return 0.15 + 0.85 * x; }, sum);
      diff = reduce(plus, zip_with([](double a, double b) { return kasen::abs(a - b); }, pr, next));
      pr = next;
      k = k + std::int64_t{1};
    });
    _pending = engine().recorder().take(pr.slot());
    _plan = optimizer::optimize(_pending.program, engine().placement().stats(), engine().options());
  }

  Engine& engine() { return session.engine(); }
  const Plan& plan() const { return _plan; }

  /// Runs the mutated plan. What its counters say beside what the plan before the mutation predicts: their differences.
  std::string differences_after(const Mutation& mutate) {
    Plan mutated = _plan;
    mutate(mutated);
    const comm::Communicator& control = engine().control();
    const comm::Communicator steps(control.native(), "mutated.steps");
    runtime::BufferPool pool;
    ThreadTeam team;
    runtime::Executor executor(control, steps, engine().placement(), pool, team,
                               runtime::RunLimits(engine().options()));
    runtime::RunInputs inputs;
    for (const auto& stored : _pending.live_in) inputs.values.push_back(stored->value);
    const auto result = executor.run(mutated, _pending.kernels, engine().recorder().reducers(), inputs);

    Counts predicted;
    optimizer::for_each_step(_plan.steps,
                             [&](const Step& step) { predicted += step.stream.times(result.entered.at(step.block)); });
    predicted.buffer_bytes = _plan.buffer_bytes;
    Counts measured = result.measured;
    for (const auto& field : Counts::fields()) control.sum(std::span<std::uint64_t>(&(measured.*field.member), 1));
    return differences("predicted", predicted, "measured", measured);
  }

  /// The loop of the plan.
  static optimizer::Loop& loop_of(Plan& plan) {
    for (Step& step : plan.steps) {
      if (auto* loop = std::get_if<optimizer::Loop>(&step.what)) return *loop;
    }
    throw std::logic_error("the plan has no loop");
  }
  static Step& element_sweep_of(std::vector<Step>& steps) {
    for (Step& step : steps) {
      const auto* sweep = std::get_if<Sweep>(&step.what);
      if (sweep != nullptr && sweep->matrix == kNone<MatrixId>) return step;
    }
    throw std::logic_error("no element sweep");
  }

  Session session{quiet()};

 private:
  recording::Pending _pending;
  Plan _plan;
};

TEST_F(Mutations, NoneIsNeeded) {
  EXPECT_EQ(differences_after([](Plan&) {}), "");
}

TEST_F(Mutations, SweepRunTwice) {
  const std::string wrong = differences_after([](Plan& mutated) {
    auto& body = loop_of(mutated).body;
    Step& sweep = element_sweep_of(body);
    Step again = sweep;
    // What the first run made is overwritten by the second: buffers come on top, in each of the three iterations.
    again.dies.clear();
    for (Place& place : std::get<Sweep>(again.what).places) {
      place.replaces = kNone<ValueId>;
      if (place.kind == Place::Kind::output) mutated.classes[mutated.class_of[index_of(place.value)]].count += 3;
    }
    body.insert(body.begin() + (&sweep - body.data()), again);
  });
  EXPECT_NE(wrong.find("elements_read"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("bytes_written"), std::string::npos) << wrong;
}

/// The vector of the next iteration stays in its tile buffer: the loop goes on with that of the iteration before.
TEST_F(Mutations, OutputDropped) {
  const std::string wrong = differences_after([](Plan& mutated) {
    optimizer::Loop& loop = loop_of(mutated);
    Sweep& sweep = std::get<Sweep>(element_sweep_of(loop.body).what);
    const auto dropped = std::find_if(sweep.places.begin(), sweep.places.end(), [&](const Place& place) {
      return place.kind == Place::Kind::output &&
             std::find(loop.yields.begin(), loop.yields.end(), place.value) != loop.yields.end();
    });
    ASSERT_NE(dropped, sweep.places.end());
    for (std::size_t k = 0; k < loop.yields.size(); ++k) {
      if (loop.yields[k] != dropped->value) continue;
      loop.yields[k] = loop.arguments[k];
      for (Step& step : loop.body) std::erase(step.dies, loop.arguments[k]);
    }
    // Its input lives on, so nobody may take its buffer over.
    for (Place& place : sweep.places) place.replaces = kNone<ValueId>;
    for (auto& shape : mutated.classes) shape.count += 3;
    if (!dropped->late_copy) dropped->slot = sweep.slots++;
    dropped->late_copy = false;
    dropped->kind = Place::Kind::temporary;
  });
  EXPECT_NE(wrong.find("elements_written"), std::string::npos) << wrong;
}

TEST_F(Mutations, OneReplicaTooManySent) {
  if (session.workers() == 1) GTEST_SKIP() << "needs replicas";
  // The halo is the product's; one more of worker 0's masters goes to worker 1 with every scatter by this role.
  const optimizer::Move* scatter = nullptr;
  optimizer::for_each_step(plan().steps, [&](const Step& step) {
    const auto* exchange = std::get_if<optimizer::Exchange>(&step.what);
    if (exchange != nullptr && !exchange->scatters.empty()) scatter = &exchange->scatters.front();
  });
  ASSERT_NE(scatter, nullptr);
  const SpaceId space = plan().values[index_of(scatter->to)].space;
  auto& halo = const_cast<comm::Halo&>(engine().placement().space(space).halo(scatter->roles));
  const auto add = [](std::vector<std::uint64_t>& offsets, std::vector<std::uint32_t>& index, std::size_t worker) {
    index.insert(index.begin() + static_cast<std::ptrdiff_t>(offsets[worker + 1]), 0);
    for (std::size_t w = worker + 1; w < offsets.size(); ++w) ++offsets[w];
  };
  if (session.rank() == 0) add(halo.master_offsets, halo.master_index, 1);
  if (session.rank() == 1) add(halo.replica_offsets, halo.replica_index, 0);
  halo.contiguous = false;
  halo.largest_count += 1;
  const std::string wrong = differences_after([](Plan&) {});
  EXPECT_NE(wrong.find("bytes_sent"), std::string::npos) << wrong;
}

/// The MPI profiling layer against counters that say a byte or a message more than was sent, or less.
TEST(Witness, FindsWrongCounts) {
  reset_witness();
  Session session(quiet());
  const auto G = random_graph(session);
  const auto x = mxv(first, plus, G, map([](GlobalIndex i) { return static_cast<double>(i); }, iota(G.rows())));
  reduce(max, x).get();
  EXPECT_EQ(disagreements(session), "");
  Counts measured = session.counts().measured;
  EXPECT_EQ(network_disagreements(session, measured), "");
  measured.bytes_sent += 8;
  EXPECT_NE(network_disagreements(session, measured).find("bytes_sent"), std::string::npos);
  measured = session.counts().measured;
  measured.messages += 1;
  EXPECT_NE(network_disagreements(session, measured).find("messages"), std::string::npos);

  // Traffic that no counter saw.
  if (session.workers() == 1) return;
  const comm::Communicator other(session.engine().control().native(), "kasen.steps");
  const auto workers = static_cast<std::size_t>(session.workers());
  std::vector<int> counts(workers, 1), offsets(workers);
  for (std::size_t w = 0; w < workers; ++w) offsets[w] = static_cast<int>(w);
  std::vector<char> from(workers), to(workers);
  MPI_Alltoallv(from.data(), counts.data(), offsets.data(), MPI_BYTE, to.data(), counts.data(), offsets.data(),
                MPI_BYTE, other.native());
  EXPECT_NE(disagreements(session).find("bytes_sent"), std::string::npos);
}

}  // namespace
}  // namespace kasen::tests
