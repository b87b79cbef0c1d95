#include "kasen/recording/trace_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kasen/base/evaluate.h"

namespace kasen::recording {
namespace {

constexpr std::size_t kTries = 3;
/// Of either sign, and of either side of one; on no border that a function is likely to have.
constexpr double kReals[] = {0.3137, -1.7213, 2.6459, 41.2731, -0.0417};
constexpr int kWholes[] = {3, 7, 2, 5, 1};

Scalar sample(ScalarType type, std::size_t which) {
  if (type == ScalarType::boolean) return Scalar::of(which % 2 == 0);
  if (is_floating(type)) return converted(Scalar::of(kReals[which % std::size(kReals)]), type);
  return converted(Scalar::of(kWholes[which % std::size(kWholes)]), type);
}

double as_double(const Scalar& value) { return converted(value, ScalarType::float64).as<double>(); }

/// Whether C++ defines the result of this operator, so that the compiled function can be called.
bool is_defined(const Node& node, std::span<const Scalar> values) {
  const auto operand = [&](std::size_t k) -> const Scalar& { return values[node.in[k]]; };
  switch (node.op) {
    case Operator::divide:
    case Operator::remainder:
      return is_floating(node.type) || as_double(operand(1)) != 0;
    case Operator::shift_left:
    case Operator::shift_right: {
      const double amount = as_double(operand(1));
      return amount >= 0 && amount < 8 * bytes_of(node.type);
    }
    case Operator::cast:
      if (!is_floating(operand(0).type) || is_floating(node.type)) return true;
      return std::abs(as_double(operand(0))) < 1 || as_double(converted(operand(0), node.type)) != 0;
    default:
      return true;
  }
}

bool alike(const Scalar& a, const Scalar& b, double scale) {
  if (a == b) return true;
  if (a.type != b.type || !is_floating(a.type)) return false;
  const double x = as_double(a), y = as_double(b);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y || std::abs(x - y) <= (a.type == ScalarType::float32 ? 1e-3 : 1e-9) * scale;
}

}  // namespace

bool computes(const Expression& expression, std::span<const TracedOperand> operands,
              Scalar (*compiled)(const void* function, const Scalar* operands), const void* function) {
  std::vector<Scalar> given(operands.size());
  const auto input = [&](const Node& node) {
    std::uint32_t position = node.position;
    const auto found = std::find_if(operands.begin(), operands.end(), [&](const TracedOperand& operand) {
      return operand.kind == node.op && position-- == 0;
    });
    return given[static_cast<std::size_t>(found - operands.begin())];
  };
  for (std::size_t trial = 0; trial < kTries; ++trial) {
    for (std::size_t k = 0; k < given.size(); ++k) given[k] = sample(operands[k].type, trial + 2 * k);
    const std::vector<Scalar> values = values_of(expression, input);
    if (!std::all_of(expression.nodes.begin(), expression.nodes.end(),
                     [&](const Node& node) { return is_defined(node, values); }))
      continue;
    double scale = 1;  // the largest number on the way: what rounding is measured by
    for (const Scalar& value : values) {
      if (const double size = std::abs(as_double(value)); std::isfinite(size)) scale = std::max(scale, size);
    }
    if (!alike(values.back(), compiled(function, given.data()), scale)) return false;
  }
  return true;
}

}  // namespace kasen::recording
