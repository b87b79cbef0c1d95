/// @file
/// Reads a drawing as Graphviz would, line by line.
#pragma once

#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "optimizer/plan/plan.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer::tests {

struct Drawing {
  std::map<std::string, int> nodes;  ///< how often each value is declared
  std::map<std::string, std::string> attributes;
  std::map<std::string, int> cluster;  ///< the innermost cluster around a value; -1: none
  std::map<int, std::string> labels;   ///< of clusters
  std::vector<std::pair<std::string, std::string>> arrows;
  std::map<std::string, int> transitions;  ///< "gather", "scatter", "reduce": how often
};

inline Drawing read_drawing(const std::string& text) {
  Drawing drawing;
  std::vector<int> open;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, second, third;
    words >> first >> second >> third;
    const bool is_value =
        first.size() > 1 && first[0] == 'v' && std::isdigit(static_cast<unsigned char>(first[1])) != 0;
    if (first == "subgraph") {
      open.push_back(std::stoi(second.substr(std::string("cluster_").size())));
      const std::size_t label = line.find("label=\"") + 7;
      drawing.labels[open.back()] = line.substr(label, line.find("\";", label) - label);
    } else if (line == "  }") {
      open.pop_back();
    } else if (is_value && second == "->") {
      drawing.arrows.emplace_back(first, third);
      std::string label;
      words >> label >> label;
      for (const char* what : {"gather", "scatter", "reduce"}) drawing.transitions[what] += label == what ? 1 : 0;
    } else if (is_value) {
      ++drawing.nodes[first];
      drawing.attributes[first] = line;
      drawing.cluster[first] = open.empty() ? -1 : open.back();
    }
  }
  return drawing;
}

/// How many values the plan has that anybody looks at.
inline std::size_t values_to_draw(const Plan& plan) {
  std::set<ValueId> values, read;
  for (const Result& result : plan.results) read.insert(result.held);
  for_each_step(plan.steps, [&](const Step& step) {
    const std::vector<ValueId> reads = reads_of(step);
    read.insert(reads.begin(), reads.end());
    if (const auto* loop = std::get_if<Loop>(&step.what)) {
      values.insert(loop->arguments.begin(), loop->arguments.end());
      read.insert(loop->yields.begin(), loop->yields.end());
    } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
      for (const auto* yields : {&branch->results, &branch->then_yields, &branch->otherwise_yields})
        values.insert(yields->begin(), yields->end());
    } else {
      for (ValueId value : defined_by(step)) values.insert(value);
    }
  });
  values.insert(read.begin(), read.end());
  return values.size();
}

}  // namespace kasen::optimizer::tests
