#include "kasen/recording/trace_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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

/// C++ says what this operator gives, and so does the compiled function.
bool is_defined(const Node& node, std::span<const Scalar> in) {
  switch (node.op) {
    case Operator::divide:
    case Operator::remainder:
      return is_floating(node.type) || as_double(in[1]) != 0;
    case Operator::shift_left:
    case Operator::shift_right: {
      const double amount = as_double(in[1]);
      return amount >= 0 && amount < 8 * bytes_of(node.type);
    }
    case Operator::cast:
      if (!is_floating(in[0].type) || is_floating(node.type)) return true;
      return std::abs(as_double(in[0])) < 1 || as_double(converted(in[0], node.type)) != 0;
    default:
      return true;
  }
}

struct Result {
  Scalar value;
  double scale = 1;  ///< the largest number on the way: what rounding is measured by
};

/// None where an operator is not defined.
std::optional<Result> evaluated(const Expression& expression, std::span<const TracedOperand> operands,
                                const std::vector<Scalar>& given) {
  std::vector<Scalar> values;
  Result result;
  for (const Node& node : expression.nodes) {
    const auto count = static_cast<std::size_t>(operands_of(node.op));
    if (node.op == Operator::literal) {
      values.push_back({node.type, node.bits});
    } else if (count == 0) {
      std::uint32_t position = node.position;
      const auto is_it = [&](const TracedOperand& operand) { return operand.kind == node.op && position-- == 0; };
      const auto found = std::find_if(operands.begin(), operands.end(), is_it);
      values.push_back(given[static_cast<std::size_t>(found - operands.begin())]);
    } else {
      std::array<Scalar, 3> in;
      for (std::size_t k = 0; k < count; ++k) in[k] = values[node.in[k]];
      if (!is_defined(node, in)) return std::nullopt;
      values.push_back(evaluate(node.op, node.type, {in.data(), count}));
    }
    if (const double size = std::abs(as_double(values.back())); std::isfinite(size))
      result.scale = std::max(result.scale, size);
  }
  result.value = values.back();
  return result;
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
  for (std::size_t trial = 0; trial < kTries; ++trial) {
    for (std::size_t k = 0; k < given.size(); ++k) given[k] = sample(operands[k].type, trial + 2 * k);
    const std::optional<Result> expected = evaluated(expression, operands, given);
    if (expected && !alike(expected->value, compiled(function, given.data()), expected->scale)) return false;
  }
  return true;
}

}  // namespace kasen::recording
