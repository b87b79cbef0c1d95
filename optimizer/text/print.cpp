#include "optimizer/text/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

std::string indentation(int depth) { return std::string(static_cast<std::size_t>(2 * depth), ' '); }

void print_block(const Block& block, int depth, Names& names, std::string& text) {
  for (const Statement& statement : block.statements) {
    text += indentation(depth) + names.of(statement.out) + " = " + statement.label;
    if (!statement.in.empty()) text += " " + names.of(statement.in);
    if (!statement.shared.empty()) text += " | " + names.of(statement.shared);
    text += "\n";
    for (const Block& region : statement.regions) {
      text += indentation(depth + 1) + "(" + names.of(region.arguments) + ")\n";
      print_block(region, depth + 1, names, text);
      if (region.test != kNone<ValueId>) text += indentation(depth + 1) + "test " + names.of(region.test) + "\n";
      text += indentation(depth + 1) + "yield " + names.of(region.yields) + "\n";
    }
  }
}

std::string at(SourceLine where, SourceLines lines) {
  const std::string place = lines == SourceLines::shown ? place_of(where) : "";
  return place.empty() ? "" : ", " + place;
}

std::string describe(const Plan& plan, const Launch& launch, const Sweep& sweep, Names& names, SourceLines lines) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < launch.out.size(); ++k) {
    const ValueId out = launch.out[k];
    std::string inputs;
    for (std::size_t i = 0; i < launch.in.size(); ++i) {
      if (launch.out.size() > 1 && i != k) continue;
      inputs += fmt::format(" {}:{}", names.of(launch.in[i]), names.of(plan.states[index_of(launch.in[i])]));
    }
    if (launch.active != kNone<ValueId>)
      inputs += fmt::format(" where {}:{}", names.of(launch.active), names.of(plan.states[index_of(launch.active)]));
    std::string line =
        fmt::format("{}{} -> {}:{}", launch.label, inputs, names.of(out), names.of(plan.states[index_of(out)]));
    if (launch.of_batch) line += ", of batch " + names.of(batch_of(launch));
    for (const Place& place : sweep.places) {
      if (place.value != out) continue;
      if (place.kind == Place::Kind::temporary) line += ", in tile";
      if (place.replaces != kNone<ValueId>) line += ", over " + names.of(place.replaces);
    }
    parts.push_back(line);
  }
  std::string text = fmt::format("{}", fmt::join(parts, "; "));
  text += fmt::format(", rule {}", launch.rule);
  if (!launch.copied_roles.empty()) text += ", replicas copied";
  if (launch.push) text += ", pushed";
  if (settles(launch) && launch.connects) {
    text += ", at once to all that is connected";
  } else if (settles(launch)) {
    text += ", and on from what it improves";
  }
  return text + at(launch.where, lines);
}

std::string under_way_line(const UnderWay& one) {
  switch (one.kind) {
    case UnderWay::Kind::ends:
      return fmt::format("exchange {} ends after the blocks of masters", one.exchange);
    case UnderWay::Kind::begins:
      return fmt::format("exchange {} begins after the blocks of replicas", one.exchange);
    default:
      return fmt::format("exchange {} is under way", one.exchange);
  }
}

std::string delta_line(const DeltaUpdate& delta, Names& names) {
  std::vector<std::string> read;
  for (const DeltaUpdate::Product& product : delta.products) read.push_back(names.of(product.read));
  std::string text = fmt::format("in delta iterations where {} or what it carries has changed", fmt::join(read, ", "));
  for (const DeltaUpdate::Rest& rest : delta.rests)
    text += fmt::format(", and where {} is not {}", names.of(rest.of), to_text(rest.value));
  return text;
}

void print_steps(const Plan& plan, const std::vector<Step>& steps, int depth, Names& names, std::string& text) {
  for (const Step& step : steps) {
    text += indentation(depth) + headline(step, names, SourceLines::hidden) + "\n";
    for (const std::string& line : details(plan, step, names, SourceLines::hidden)) {
      text += indentation(depth + 1) + line + "\n";
    }
    if (const auto* loop = std::get_if<Loop>(&step.what)) {
      print_steps(plan, loop->body, depth + 1, names, text);
    } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
      text += indentation(depth) + "then\n";
      print_steps(plan, branch->then, depth + 1, names, text);
      text += indentation(depth) + "otherwise\n";
      print_steps(plan, branch->otherwise, depth + 1, names, text);
    }
  }
}

}  // namespace

std::string print(const Program& program) {
  std::vector<std::string> reducers;
  for (const ReducerInfo& reducer : program.reducers) reducers.push_back(reducer.name);
  Names names(reducers);
  std::string text;
  print_block(program.top, 0, names, text);
  return text;
}

SweepSize size_of(const Sweep& sweep) {
  SweepSize size;
  for (const Launch& launch : sweep.launches) size.operations += launch.out.size();
  for (const Place& place : sweep.places) {
    size.inputs += place.kind == Place::Kind::input ? 1 : 0;
    size.outputs += place.kind == Place::Kind::output ? 1 : 0;
  }
  return size;
}

std::string range_name(const Sweep& sweep) {
  const std::string space = fmt::format("space {}", index_of(sweep.space));
  const std::string matrix = fmt::format("matrix {}", index_of(sweep.matrix));
  if (sweep.matrix == kNone<MatrixId>) return "elements of " + space;
  if (sweep.walk == Walk::rectangles) return matrix + " in rectangles";
  if (sweep.walk == Walk::blocked) return matrix + " in blocks";
  if (sweep.walk == Walk::stencils) return (only_pulls(sweep) ? matrix : matrix + " and " + space) + " by stencils";
  return only_pulls(sweep) ? matrix : matrix + " and " + space;
}

std::string headline(const Step& step, Names& names, SourceLines lines) {
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
    const SweepSize size = size_of(*sweep);
    return fmt::format("sweep over {}: {} operation{}, {} in, {} out", range_name(*sweep), size.operations,
                       size.operations == 1 ? "" : "s", size.inputs, size.outputs);
  }
  if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    return fmt::format("exchange: {} gathered, {} scattered, {} reduced", exchange->gathers.size(),
                       exchange->scatters.size(), exchange->reductions.size());
  }
  if (const auto* scalar = std::get_if<ScalarWork>(&step.what)) {
    return fmt::format("scalar: {} {} -> {}", scalar->label, names.of(scalar->in), names.of(scalar->out)) +
           at(scalar->where, lines);
  }
  if (const auto* loop = std::get_if<Loop>(&step.what)) {
    return fmt::format("while {}, carrying {} from {}", names.of(loop->test), names.of(loop->arguments),
                       names.of(loop->initial)) +
           at(loop->where, lines);
  }
  const auto& branch = std::get<Branch>(step.what);
  return "if " + names.of(branch.test) + at(branch.where, lines);
}

std::vector<std::string> details(const Plan& plan, const Step& step, Names& names, SourceLines shown) {
  std::vector<std::string> lines;
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
    for (const Launch& launch : sweep->launches) lines.push_back(describe(plan, launch, *sweep, names, shown));
    if (sweep->delta) lines.push_back(delta_line(*sweep->delta, names));
    for (const UnderWay& one : step.under_way) lines.push_back(under_way_line(one));
  } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    const auto line = [&](const char* what, const Move& move) {
      lines.push_back(fmt::format("{} {}:{} -> {}:{}", what, names.of(move.from),
                                  names.of(plan.states[index_of(move.from)]), names.of(move.to),
                                  names.of(plan.states[index_of(move.to)])));
    };
    for (const Move& move : exchange->gathers) line("gather", move);
    for (const Move& move : exchange->scatters) line("scatter", move);
    for (const Move& move : exchange->reductions) line("reduce", move);
    if (exchange->sparse) lines.push_back("only what is not at the identity");
    if (exchange->to_neighbours) lines.push_back("to neighbours alone");
    if (exchange->overlapped != kNotOverlapped)
      lines.push_back(fmt::format("overlapped, as exchange {}", exchange->overlapped));
  } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
    lines.push_back("next " + names.of(loop->yields));
    lines.push_back("then " + names.of(loop->results));
  } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
    lines.push_back(fmt::format("{} = {} or {}", names.of(branch->results), names.of(branch->then_yields),
                                names.of(branch->otherwise_yields)));
  }
  return lines;
}

std::string place_of(SourceLine where) {
  if (where.line == 0) return "";
  const std::string file = where.file;
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), where.line);
}

std::string print_steps(const Plan& plan) {
  Names names(plan.reducers);
  std::string text;
  print_steps(plan, plan.steps, 0, names, text);
  return text;
}

}  // namespace kasen::optimizer
