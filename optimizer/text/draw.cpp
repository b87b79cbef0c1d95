/// @file
/// Nodes are written where their values are made, inside the clusters of sweeps and loops; arrows at the end, so that
/// none draws a node into the wrong cluster.
#include "optimizer/text/draw.h"

#include <fmt/format.h>

#include <set>

#include "optimizer/plan/step_tools.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer {
namespace {

constexpr const char* kHead = R"(digraph plan {
  rankdir=TB; compound=true; nodesep=0.35; ranksep=0.45;
  graph [fontname="Helvetica", fontsize=11, labeljust=l];
  node [fontname="Helvetica", fontsize=10, style=filled, margin="0.08,0.04"];
  edge [fontname="Helvetica", fontsize=10, color=gray25, arrowsize=0.7];
)";

constexpr const char* kPartitioned = "#ffffff";
constexpr const char* kConsistent = "#a6dba0";
constexpr const char* kPreReduced = "#f7a35c";
constexpr const char* kShared = "#e3e3e3";
constexpr const char* kGather = ", color=\"#c0392b\", fontcolor=\"#c0392b\", penwidth=2.5, style=bold";
constexpr const char* kScatter = ", color=\"#1f5fbf\", fontcolor=\"#1f5fbf\", penwidth=2.5, style=bold";
constexpr const char* kReduction = ", color=\"#7d3c98\", fontcolor=\"#7d3c98\", penwidth=1.5, style=dashed";
constexpr const char* kThin = ", color=gray65, penwidth=0.7";

constexpr const char* kLegend = R"(  legend [shape=plain, fillcolor=white, label=<
    <table border="0" cellborder="1" cellspacing="0" cellpadding="4">
    <tr><td bgcolor="{}">partitioned</td><td bgcolor="{}">consistent</td><td bgcolor="{}">pre-reduced</td>
    <td bgcolor="{}">Shared</td><td bgcolor="#fdf6e3">sweep (sub-DDAG)</td>
    <td><font color="#c0392b"><b>gather</b></font></td><td><font color="#1f5fbf"><b>scatter</b></font></td>
    <td><font color="#7d3c98">reduction</font></td><td>dashed outline: in tile buffers only</td></tr></table>>];
)";

/// The text for a label in quotes, cut so that nodes stay readable.
std::string label_of(const std::string& text) {
  constexpr std::size_t kMost = 44;
  std::string label;
  for (const char c : text.size() > kMost ? text.substr(0, kMost - 3) + "..." : text) {
    if (c == '"' || c == '\\') label += '\\';
    label += c;
  }
  return label;
}

class Drawer {
 public:
  explicit Drawer(const Plan& plan) : _plan(plan), _names(plan.reducers) {}

  std::string run() {
    name_as_printed(_plan.steps);
    for (const Result& result : _plan.results) {
      _alive.insert(result.held);
      _read.insert(result.held);
    }
    for_each_step(_plan.steps, [&](const Step& step) {
      const std::vector<ValueId> reads = reads_of(step);
      _read.insert(reads.begin(), reads.end());
      if (const auto* loop = std::get_if<Loop>(&step.what)) {
        _read.insert(loop->yields.begin(), loop->yields.end());
      } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
        _read.insert(branch->then_yields.begin(), branch->then_yields.end());
        _read.insert(branch->otherwise_yields.begin(), branch->otherwise_yields.end());
      }
    });
    _text = kHead;
    _text += fmt::format(kLegend, kPartitioned, kConsistent, kPreReduced, kShared);
    for (const LiveIn& live : _plan.live_in) {
      if (_read.contains(live.value)) node(live.value, "live");
    }
    steps(_plan.steps);
    return _text + _edges + "}\n";
  }

 private:
  /// Values get the numbers that print_steps gives them.
  void name_as_printed(const std::vector<Step>& steps_of_block) {
    for (const Step& step : steps_of_block) {
      headline(step, _names, SourceLines::hidden);
      details(_plan, step, _names, SourceLines::hidden);
      if (const auto* loop = std::get_if<Loop>(&step.what)) {
        name_as_printed(loop->body);
      } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
        name_as_printed(branch->then);
        name_as_printed(branch->otherwise);
      }
    }
  }

  /// Each value is drawn once, where it is made.
  void node(ValueId value, const std::string& what, SourceLine where = {}, bool in_tile = false) {
    if (!_drawn.insert(value).second) return;
    const State& state = _plan.states[index_of(value)];
    const bool shared = _plan.values[index_of(value)].kind == Value::Kind::shared;
    const bool partial = state.kind == State::Kind::pre_reduced;
    const char* const colour = partial                                 ? kPreReduced
                               : shared                                ? kShared
                               : state.kind == State::Kind::consistent ? kConsistent
                                                                       : kPartitioned;
    const std::string name = _names.of(value);
    std::string label = what.empty() ? name : name + " = " + what;
    label = label_of(label);
    if (!shared || partial) label += "\\n" + label_of(_names.of(state));
    if (const std::string place = place_of(where); !place.empty()) label += "\\n" + label_of(place);
    _text += fmt::format("  {} [label=\"{}\", shape={}, fillcolor=\"{}\"{}{}];\n", name, label,
                         shared ? "ellipse" : "box", colour, in_tile ? ", style=\"filled,dashed\"" : "",
                         _alive.contains(value) ? ", peripheries=2" : "");
  }

  void arrow(ValueId from, ValueId to, const std::string& attributes = "") {
    _edges += fmt::format("  {} -> {} [label=\"\"{}];\n", _names.of(from), _names.of(to), attributes);
  }

  void transition(const Move& move, const char* what, const char* style) {
    node(move.to, "");
    _edges += fmt::format("  {} -> {} [label=\" {} {}\"{}];\n", _names.of(move.from), _names.of(move.to), what,
                          Names::of(move.roles), style);
  }

  static std::string behind(SourceLine where) {
    const std::string place = place_of(where);
    return place.empty() ? "" : ", " + place;
  }

  void open(const std::string& label, const char* style) {
    _text += fmt::format("  subgraph cluster_{} {{ label=\"{}\"; {}\n", _clusters++, label_of(label), style);
  }

  void steps(const std::vector<Step>& steps_of_block) {
    for (const Step& step : steps_of_block) {
      if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
        draw_sweep(*sweep);
      } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
        for (const Move& move : exchange->gathers) transition(move, "gather", kGather);
        for (const Move& move : exchange->scatters) transition(move, "scatter", kScatter);
        for (const Move& move : exchange->reductions) transition(move, "reduce", kReduction);
      } else if (const auto* scalar = std::get_if<ScalarWork>(&step.what)) {
        node(scalar->out, scalar->label, scalar->where);
        for (ValueId in : scalar->in) arrow(in, scalar->out, kThin);
      } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
        draw_loop(*loop);
      } else {
        draw_branch(std::get<Branch>(step.what));
      }
    }
  }

  void draw_sweep(const Sweep& sweep) {
    const SweepSize size = size_of(sweep);
    open(fmt::format("sweep over {}: {}-in, {}-out", range_name(sweep), size.inputs, size.outputs),
         "style=\"rounded,filled\"; fillcolor=\"#fdf6e3\"; color=\"#b58900\";");
    std::set<ValueId> in_tile;
    for (const Place& place : sweep.places) {
      if (place.kind == Place::Kind::temporary) in_tile.insert(place.value);
    }
    for (const Launch& launch : sweep.launches) {
      for (ValueId out : launch.out) node(out, launch.label, launch.where, in_tile.contains(out));
    }
    _text += "  }\n";
    for (const Launch& launch : sweep.launches) {
      for (std::size_t k = 0; k < launch.out.size(); ++k) {
        for (std::size_t i = 0; i < launch.in.size(); ++i) {
          if (launch.out.size() == 1 || i == k) arrow(launch.in[i], launch.out[k]);
        }
        for (ValueId shared : launch.shared) arrow(shared, launch.out[k], kThin);
        if (launch.active != kNone<ValueId>) arrow(launch.active, launch.out[k], kThin);
      }
    }
  }

  void draw_loop(const Loop& loop) {
    open("while " + _names.of(loop.test) + behind(loop.where), "style=\"rounded,bold\"; color=gray30;");
    for (ValueId argument : loop.arguments) node(argument, "carried");
    _text += "  { rank=same;";
    for (ValueId argument : loop.arguments) _text += " " + _names.of(argument) + ";";
    _text += " }\n";
    steps(loop.body);
    _text += "  }\n";
    for (std::size_t k = 0; k < loop.arguments.size(); ++k) {
      arrow(loop.initial[k], loop.arguments[k], kThin);
      if (loop.yields[k] != loop.arguments[k]) {
        _edges += fmt::format(
            "  {} -> {} [label=\" next\", style=dotted, color=gray40, fontcolor=gray40, constraint=false];\n",
            _names.of(loop.yields[k]), _names.of(loop.arguments[k]));
      }
      if (!_read.contains(loop.results[k])) continue;  // nobody looks at it after the loop
      node(loop.results[k], "");
      arrow(loop.arguments[k], loop.results[k], kThin);
    }
  }

  void draw_branch(const Branch& branch) {
    const struct {
      const char* label;
      const std::vector<Step>& steps;
      const std::vector<ValueId>& yields;
    } sides[] = {{"if ", branch.then, branch.then_yields}, {"if not ", branch.otherwise, branch.otherwise_yields}};
    for (const auto& side : sides) {
      if (side.steps.empty()) continue;
      open(side.label + _names.of(branch.test) + behind(branch.where), "style=\"rounded,dashed\"; color=gray30;");
      steps(side.steps);
      _text += "  }\n";
    }
    for (std::size_t k = 0; k < branch.results.size(); ++k) {
      node(branch.results[k], "either");
      arrow(branch.test, branch.results[k], kThin);
      for (const auto& side : sides) arrow(side.yields[k], branch.results[k], kThin);
    }
  }

  const Plan& _plan;
  Names _names;
  std::string _text, _edges;
  std::set<ValueId> _drawn, _read, _alive;
  int _clusters = 0;
};

}  // namespace

std::string draw(const Plan& plan) { return Drawer(plan).run(); }

}  // namespace kasen::optimizer
