/// @file
/// A walk over the tree of steps, with what each step writes.
#include "kasen/runtime/step_values.h"

#include <variant>

namespace kasen::runtime {
namespace {

struct Defined {
  std::set<ValueId> values;

  void insert(const std::vector<ValueId>& added) { values.insert(added.begin(), added.end()); }
  void add(const std::vector<optimizer::Step>& steps) {
    for (const auto& step : steps) std::visit([this](const auto& what) { (*this)(what); }, step.what);
  }

  void operator()(const optimizer::Sweep& sweep) {
    for (const auto& launch : sweep.launches) insert(launch.out);
  }
  void operator()(const optimizer::Exchange& exchange) {
    for (const auto* moves : {&exchange.gathers, &exchange.scatters, &exchange.reductions}) {
      for (const auto& move : *moves) values.insert(move.to);
    }
  }
  void operator()(const optimizer::Scalar& scalar) { values.insert(scalar.out); }
  void operator()(const optimizer::Loop& loop) {
    insert(loop.arguments);
    insert(loop.results);
    add(loop.body);
  }
  void operator()(const optimizer::Branch& branch) {
    insert(branch.results);
    add(branch.then);
    add(branch.otherwise);
  }
};

}  // namespace

std::set<ValueId> values_defined(const std::vector<optimizer::Step>& steps) {
  Defined defined;
  defined.add(steps);
  return defined.values;
}

}  // namespace kasen::runtime
