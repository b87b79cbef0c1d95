#include <fmt/format.h>

#include <set>

#include "optimizer/print.h"

namespace kasen::optimizer {
namespace {

class Drawer {
 public:
  explicit Drawer(const Plan& plan) : _plan(plan), _names(plan.reducers) {}

  std::string run() {
    _text =
        "digraph plan {\n  rankdir=TB;\n  node [fontname=\"Helvetica\", fontsize=11];\n  edge [fontname=\"Helvetica\", "
        "fontsize=9];\n";
    steps(_plan.steps, 1);
    for (const auto& [from, to] : _back_edges) {
      _text += fmt::format("  {} -> {} [style=bold, color=gray50, constraint=false, label=\"next\"];\n", from, to);
    }
    return _text + "}\n";
  }

 private:
  std::string node(ValueId value) {
    const std::string name = _names.of(value);
    if (_drawn.insert(value).second) {
      const State& state = _plan.states[index_of(value)];
      const bool shared = _plan.values[index_of(value)].kind == Value::Kind::shared;
      const char* colour = state.kind == State::Kind::partitioned  ? "white"
                           : state.kind == State::Kind::consistent ? "palegreen"
                                                                   : "lightsalmon";
      _text += fmt::format("  {} [label=\"{}\\n{}\", shape={}, style=filled, fillcolor={}];\n", name, name,
                           _names.of(state), shared ? "diamond" : "ellipse", colour);
    }
    return name;
  }

  void arrow(ValueId from, ValueId to, const std::string& label, const char* style) {
    const std::string tail = node(from), head = node(to);
    _text += fmt::format("  {} -> {} [label=\"{}\"{}];\n", tail, head, label, style);
  }

  void open(const std::string& label, const char* style) {
    _text += fmt::format("  subgraph cluster_{} {{ label=\"{}\"; {}\n", _clusters++, label, style);
  }

  void steps(const std::vector<Step>& steps_of_block, int depth) {
    for (const Step& step : steps_of_block) {
      if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
        open(headline(_plan, step, _names), "style=rounded; color=black;");
        for (const Launch& launch : sweep->launches) {
          for (std::size_t k = 0; k < launch.out.size(); ++k) node(launch.out[k]);
        }
        _text += "  }\n";
        for (const Launch& launch : sweep->launches) operands(launch);
      } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
        constexpr const char* kDashed = ", style=dashed, color=blue, fontcolor=blue";
        for (const Move& move : exchange->gathers) arrow(move.from, move.to, "gather", kDashed);
        for (const Move& move : exchange->scatters) arrow(move.from, move.to, "scatter", kDashed);
        for (const Move& move : exchange->reductions) arrow(move.from, move.to, "reduce", kDashed);
      } else if (const auto* scalar = std::get_if<Scalar>(&step.what)) {
        for (ValueId in : scalar->in) arrow(in, scalar->out, scalar->label, "");
        node(scalar->out);
      } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
        draw_loop(*loop, depth);
      } else {
        const auto& branch = std::get<Branch>(step.what);
        open("then", "style=dashed;");
        steps(branch.then, depth + 1);
        _text += "  }\n";
        open("otherwise", "style=dashed;");
        steps(branch.otherwise, depth + 1);
        _text += "  }\n";
        for (std::size_t k = 0; k < branch.results.size(); ++k) {
          arrow(branch.then_yields[k], branch.results[k], "then", "");
          arrow(branch.otherwise_yields[k], branch.results[k], "otherwise", "");
        }
      }
    }
  }

  void operands(const Launch& launch) {
    for (std::size_t k = 0; k < launch.out.size(); ++k) {
      for (std::size_t i = 0; i < launch.in.size(); ++i) {
        if (launch.out.size() == 1 || i == k) arrow(launch.in[i], launch.out[k], launch.label, "");
      }
      for (ValueId shared : launch.shared) arrow(shared, launch.out[k], "", ", color=gray60");
    }
  }

  void draw_loop(const Loop& loop, int depth) {
    for (std::size_t k = 0; k < loop.arguments.size(); ++k)
      arrow(loop.initial[k], loop.arguments[k], "", ", color=gray50");
    open("while " + _names.of(loop.test), "style=bold; color=gray40;");
    steps(loop.body, depth + 1);
    _text += "  }\n";
    for (std::size_t k = 0; k < loop.arguments.size(); ++k) {
      _back_edges.emplace_back(node(loop.yields[k]), node(loop.arguments[k]));
      arrow(loop.arguments[k], loop.results[k], "", ", color=gray50");
    }
  }

  const Plan& _plan;
  Names _names;
  std::string _text;
  std::set<ValueId> _drawn;
  std::vector<std::pair<std::string, std::string>> _back_edges;
  int _clusters = 0;
};

}  // namespace

std::string draw(const Plan& plan) { return Drawer(plan).run(); }

}  // namespace kasen::optimizer
