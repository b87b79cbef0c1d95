#include "tests/kasen/search_runs.h"

#include <gtest/gtest.h>

#include <string>

#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {

Matrix<Pattern> Graph::matrix() const {
  const auto& session = Session::current();
  Entries mine;
  for (auto k = static_cast<std::size_t>(session.rank()); k < edges.size();
       k += static_cast<std::size_t>(session.workers())) {
    mine.row.push_back(edges[k].first);
    mine.column.push_back(edges[k].second);
  }
  return make_matrix(vertices, vertices, std::move(mine));
}

Graph path(std::uint64_t length) {
  Graph graph{length, {}};
  for (std::uint64_t v = 0; v + 1 < length; ++v) graph.add((v * 37) % length, ((v + 1) * 37) % length);
  return graph;
}

Graph grid(std::uint64_t height, std::uint64_t width) {
  Graph graph{height * width, {}};
  for (std::uint64_t y = 0; y < height; ++y) {
    for (std::uint64_t x = 0; x < width; ++x) {
      if (x + 1 < width) graph.add(y * width + x, y * width + x + 1);
      if (y + 1 < height) graph.add(y * width + x, (y + 1) * width + x);
    }
  }
  return graph;
}

/// A dense middle, from which a long tail leads away.
Graph comet() {
  const Edges middle = rmat(7, 4, 1);
  Graph graph{128 + 100, {}};
  for (std::size_t k = 0; k < middle.source.size(); ++k)
    graph.add(static_cast<std::uint64_t>(middle.source[k]), static_cast<std::uint64_t>(middle.target[k]));
  for (std::uint64_t v = 127; v + 1 < graph.vertices; ++v) graph.add(v, v + 1);
  return graph;
}

Graph wave() {
  constexpr std::uint64_t kWidth = 256, kOrdered = 1'600, kLeap = 61;
  Graph graph{2 * kOrdered, {}};
  for (std::uint64_t v = 1; v <= kWidth; ++v) graph.add(0, v);
  for (std::uint64_t v = 1; v + kWidth + 1 < kOrdered; ++v) {
    graph.add(v, v + kWidth);
    if (v % 3 == 0) graph.add(v, v + kWidth + 1);
  }
  graph.add(0, kOrdered);
  for (std::uint64_t v = kOrdered; v + kLeap < graph.vertices; v += kLeap) graph.add(v, v + kLeap);
  return graph;
}

Outcome run(Options options, const std::function<Whole()>& compute) {
  options.quiet = true;
  options.threshold = 6;
  options.block_edge = 16;
  reset_witness();
  Session session(options);
  Outcome result;
  result.numbers = compute();
  const std::string wrong = disagreements(session);
  EXPECT_TRUE(wrong.empty()) << wrong << session.plan_text();
  const RunCounts counts = session.counts();
  for (std::size_t p = 0; p < counts.activity.size(); ++p) {
    const auto& record = session.engine().plans()[p];
    std::size_t index = 0;
    optimizer::for_each_step(record->plan.steps, [&](const optimizer::Step& step) {
      const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
      if (sweep != nullptr && optimizer::active_of(*sweep) != kNone<ValueId>) {
        const Activity& activity = counts.activity[p][index];
        result.known_walks += activity.known;
        result.pushed += activity.partial_runs();
        result.walked += record->entered[index] - activity.partial_runs();
        result.told += activity.pushed.elements + activity.delta.elements;
        result.settled += activity.settled.elements;
        result.connected += activity.settled.runs;
      }
      if (sweep != nullptr && sweep->delta) {
        result.whole_visits += counts.activity[p][index].known;
        result.delta_runs += counts.activity[p][index].delta.runs;
        result.visited += counts.activity[p][index].delta.elements;
        result.entered += record->entered[index];
      }
      ++index;
    });
  }
  return result;
}

std::vector<Options> ways() {
  std::vector<Options> all(8);
  all[1].storage = Storage::blocked;
  all[2].storage = Storage::compressed;
  all[2].sync = Sync::eager;
  all[3].numbering = Numbering::degree;
  all[4].sync = Sync::lazy;
  all[4].roles = false;
  all[5].partition = Partition::block;
  all[6].passes_off = {"in-place"};
  all[7].partition = Partition::hybrid_cut;
  all[7].threads = 2;
  return all;
}

}  // namespace kasen::tests
