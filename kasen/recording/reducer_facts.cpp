#include "kasen/recording/reducer_facts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kasen/base/evaluate.h"

namespace kasen::recording {
namespace {

double as_double(const Scalar& value) { return converted(value, ScalarType::float64).as<double>(); }

/// The values that are tried, all different.
std::vector<Scalar> tried(ScalarType type) {
  std::vector<Scalar> all;
  for (const double value : {1.0, 2.0, 3.0, 5.0, 0.5, -1.0, -7.0, 100.0, -1000.0, 0.0}) {
    const bool whole = value == std::floor(value), fits = value >= 0 || is_signed(type);
    if (!is_floating(type) && (!whole || !fits)) continue;
    const Scalar scalar = converted(converted(Scalar::of(value), is_floating(type) ? type : ScalarType::int64), type);
    if (std::find(all.begin(), all.end(), scalar) == all.end()) all.push_back(scalar);
  }
  return all;
}

/// Up to rounding; where a result is not defined nothing is said against it.
bool same(const Scalar& a, const Scalar& b) {
  if (!is_floating(a.type)) return a == b;
  const double x = as_double(a), y = as_double(b);
  if (std::isnan(x) || std::isnan(y)) return true;
  const double tolerance = a.type == ScalarType::float32 ? 1e-3 : 1e-6;
  return x == y || std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
}

Scalar result(const Expression& function, const Scalar& a, const Scalar& b) {
  return evaluate(function, [&](const Node& node) { return node.position == 0 ? a : b; });
}

/// Whether a node is one of the elements, whatever they are.
bool is_an_element(const Expression& function, const Node& node) {
  const auto is = [&](std::uint32_t in) { return is_an_element(function, function.nodes[in]); };
  switch (node.op) {
    case Operator::element:
      return true;
    case Operator::select:
      return is(node.in[1]) && is(node.in[2]);
    case Operator::minimum:
    case Operator::maximum:
      return is(node.in[0]) && is(node.in[1]);
    default:
      return false;
  }
}

}  // namespace

ReducerFacts::ReducerFacts(ExpressionRef function) : _function(std::move(function)) {
  if (!_function) return;
  const Expression& f = *_function;
  _selects = is_an_element(f, f.result());
  const std::vector<Scalar> values = tried(f.result().type);
  _commutes = _associates = false;
  for (const Scalar& a : values) {
    for (const Scalar& b : values) {
      if (a == b) continue;
      _commutes = _commutes || same(result(f, a, b), result(f, b, a));
      for (const Scalar& c : values) {
        if (values.size() > 2 && (c == a || c == b)) continue;
        _associates = _associates || same(result(f, result(f, a, b), c), result(f, a, result(f, b, c)));
      }
    }
  }
}

bool ReducerFacts::starts_at(const Scalar& identity) const {
  const auto keeps = [&](const Scalar& x) { return same(result(*_function, identity, x), x); };
  const std::vector<Scalar> values = tried(identity.type);
  if (identity.type == ScalarType::boolean) return std::all_of(values.begin(), values.end(), keeps);
  return std::any_of(values.begin(), values.end(), [&](const Scalar& x) { return x != identity && keeps(x); });
}

const char* ReducerFacts::wrong(const std::optional<Scalar>& identity) const {
  if (!_function) return nullptr;
  if (!_commutes) return " reduces nothing: it is not commutative, and elements are taken in any order";
  if (!_associates) return " reduces nothing: it is not associative, and elements are taken in any order";
  if (identity && !starts_at(*identity)) return " has another identity: f(e, x) is x for no value that was tried";
  return nullptr;
}

}  // namespace kasen::recording
