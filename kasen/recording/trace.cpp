#include "kasen/recording/trace.h"

#include <algorithm>
#include <cmath>

#include "kasen/base/error.h"

namespace kasen::recording {
namespace {

Trace* current_trace = nullptr;

struct TooManyBranches {};

/// Whether a node is known not to be NaN: it is a literal, or was an integer.
bool is_number(const ExpressionWriter& writer, const Node& node) {
  if (node.op == Operator::cast) return !is_floating(writer.node(node.in[0]).type);
  return node.op == Operator::literal &&
         !std::isnan(converted(Scalar{node.type, node.bits}, ScalarType::float64).as<double>());
}

}  // namespace

Trace& Trace::current() {
  if (current_trace == nullptr) throw InternalError("a symbol outside of a trace");
  return *current_trace;
}

ExpressionRef Trace::of(std::uint32_t (*traced)(Trace&, const void* subject), const void* subject) {
  Trace trace;
  Trace* const outer = std::exchange(current_trace, &trace);
  ExpressionRef expression;
  try {
    do {
      trace._at = 0;
      const std::uint32_t result = traced(trace, subject);
      trace._paths.push_back({trace._decisions, result});
      // The next path: the last branch that went one way only goes the other way.
      while (!trace._decisions.empty() && !trace._decisions.back().second) trace._decisions.pop_back();
      if (!trace._decisions.empty()) trace._decisions.back().second = false;
    } while (!trace._decisions.empty() && trace._paths.size() < kMostPaths);
    if (trace._decisions.empty()) expression = trace._writer.take(trace.join(0, trace._paths.size(), 0));
  } catch (...) {
    // A function that fails on symbols is a black box, whatever the reason.
  }
  current_trace = outer;
  return expression;
}

bool Trace::decide(std::uint32_t condition) {
  const Node& node = _writer.node(condition);
  if (node.op == Operator::literal) return node.bits != 0;
  if (node.op == Operator::logical_not) return !decide(node.in[0]);
  const auto known = std::find_if(_decisions.begin(), _decisions.begin() + static_cast<std::ptrdiff_t>(_at),
                                  [&](const auto& decision) { return decision.first == condition; });
  if (known != _decisions.begin() + static_cast<std::ptrdiff_t>(_at)) return known->second;
  if (_at == _decisions.size()) {
    if (_at == kMostDecisions) throw TooManyBranches{};
    _decisions.emplace_back(condition, true);
  }
  return _decisions[_at++].second;
}

std::uint32_t Trace::select(std::uint32_t condition, std::uint32_t a, std::uint32_t b) {
  if (a == b) return a;
  const Node test = _writer.node(condition), yes = _writer.node(a), no = _writer.node(b);
  if (test.op == Operator::literal) return test.bits != 0 ? a : b;
  if (yes.type == ScalarType::boolean && yes.op == Operator::literal && no.op == Operator::literal) {
    return yes.bits != 0 ? condition : _writer.apply(Operator::logical_not, ScalarType::boolean, condition);
  }
  // Where one of both is NaN the choice is b, and the minimum or maximum is NaN: they are the same if a is never NaN.
  const bool number = !is_floating(yes.type) || is_number(_writer, yes);
  if (number && (test.op == Operator::less || test.op == Operator::less_equal)) {
    // Compared is what is chosen from, or its promotion.
    const auto same = [&](std::uint32_t compared, std::uint32_t chosen) {
      const Node& node = _writer.node(compared);
      const bool promoted =
          node.op == Operator::cast && node.in[0] == chosen && holds_all(node.type, _writer.node(chosen).type);
      return compared == chosen || promoted;
    };
    if (same(test.in[0], b) && same(test.in[1], a)) return _writer.apply(Operator::maximum, yes.type, b, a);
    if (same(test.in[0], a) && same(test.in[1], b)) return _writer.apply(Operator::minimum, yes.type, a, b);
  }
  return _writer.apply(Operator::select, yes.type, condition, a, b);
}

std::uint32_t Trace::join(std::size_t first, std::size_t last, std::size_t depth) {
  if (_paths[first].decisions.size() == depth) return _paths[first].result;
  const std::uint32_t condition = _paths[first].decisions[depth].first;
  std::size_t middle = first;
  while (middle < last && _paths[middle].decisions[depth].second) ++middle;
  const std::uint32_t yes = join(first, middle, depth + 1), no = join(middle, last, depth + 1);
  return select(condition, yes, no);
}

}  // namespace kasen::recording
