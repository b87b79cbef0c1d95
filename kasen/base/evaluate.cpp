#include "kasen/base/evaluate.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace kasen {
namespace {

template <class T>
T wrapped(std::uint64_t bits) {
  return static_cast<T>(bits);
}

template <class T>
T divide(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else if constexpr (std::is_same_v<T, bool>) {
    return b && a;
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return wrapped<T>(0 - static_cast<std::uint64_t>(a));
    }
    return static_cast<T>(a / b);
  }
}

/// Operators whose operands and result have one type T.
template <class T>
T same_type(Operator op, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
      case Operator::negate:
        return -a;
      case Operator::add:
        return a + b;
      case Operator::subtract:
        return a - b;
      case Operator::multiply:
        return a * b;
      case Operator::divide:
        return divide(a, b);
      case Operator::minimum:
        return b < a || std::isnan(b) ? b : a;
      case Operator::maximum:
        return a < b || std::isnan(b) ? b : a;
      case Operator::absolute:
        return std::fabs(a);
      case Operator::floor:
        return std::floor(a);
      case Operator::ceil:
        return std::ceil(a);
      case Operator::square_root:
        return std::sqrt(a);
      case Operator::power:
        return std::pow(a, b);
      case Operator::exp:
        return std::exp(a);
      case Operator::expm1:
        return std::expm1(a);
      case Operator::log:
        return std::log(a);
      case Operator::log1p:
        return std::log1p(a);
      case Operator::sin:
        return std::sin(a);
      case Operator::cos:
        return std::cos(a);
      case Operator::tan:
        return std::tan(a);
      case Operator::asin:
        return std::asin(a);
      case Operator::acos:
        return std::acos(a);
      case Operator::atan:
        return std::atan(a);
      case Operator::tanh:
        return std::tanh(a);
      case Operator::erf:
        return std::erf(a);
      case Operator::erfc:
        return std::erfc(a);
      default:
        std::abort();
    }
  } else {
    // Of any integer type, extended by its sign.
    const auto wide = [](T x) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(x)); };
    const std::uint64_t wide_a = wide(a), wide_b = wide(b);
    switch (op) {
      case Operator::negate:
        return wrapped<T>(0 - wide_a);
      case Operator::add:
        return wrapped<T>(wide_a + wide_b);
      case Operator::subtract:
        return wrapped<T>(wide_a - wide_b);
      case Operator::multiply:
        return wrapped<T>(wide_a * wide_b);
      case Operator::divide:
        return divide(a, b);
      case Operator::remainder:
        return wrapped<T>(wide_a - wide_b * static_cast<std::uint64_t>(divide(a, b)));
      case Operator::minimum:
        return b < a ? b : a;
      case Operator::maximum:
        return a < b ? b : a;
      case Operator::absolute:
        return a < T{} ? wrapped<T>(0 - wide_a) : a;
      case Operator::logical_not:
        return static_cast<T>(!a);
      case Operator::logical_and:
        return static_cast<T>(a && b);
      case Operator::logical_or:
        return static_cast<T>(a || b);
      case Operator::bit_not:
        return wrapped<T>(~wide_a);
      case Operator::bit_and:
        return wrapped<T>(wide_a & wide_b);
      case Operator::bit_or:
        return wrapped<T>(wide_a | wide_b);
      case Operator::bit_xor:
        return wrapped<T>(wide_a ^ wide_b);
      default:
        std::abort();
    }
  }
}

template <class T>
bool compare(Operator op, T a, T b) {
  switch (op) {
    case Operator::less:
      return a < b;
    case Operator::less_equal:
      return a <= b;
    case Operator::equal:
      return a == b;
    case Operator::not_equal:
      return a != b;
    default:
      std::abort();
  }
}

template <class T>
T shift(Operator op, T a, std::uint64_t amount) {
  constexpr std::uint64_t width = 8 * sizeof(T);
  amount %= width;
  if constexpr (std::is_integral_v<T>) {
    if (op == Operator::shift_left) return wrapped<T>(static_cast<std::uint64_t>(a) << amount);
    return static_cast<T>(a >> amount);
  } else {
    std::abort();
  }
}

}  // namespace

Scalar evaluate(Operator op, ScalarType result, std::span<const Scalar> operands) {
  if (op == Operator::cast) return converted(operands[0], result);
  if (op == Operator::select) return operands[0].as<bool>() ? operands[1] : operands[2];
  return with_type(operands[0].type, [&]<class T>(std::type_identity<T>) {
    const T a = operands[0].as<T>();
    if (op == Operator::shift_left || op == Operator::shift_right) {
      return Scalar::of(shift(op, a, converted(operands[1], ScalarType::uint64).bits));
    }
    const T b = operands.size() > 1 ? operands[1].as<T>() : T{};
    if (op >= Operator::less && op <= Operator::not_equal) return Scalar::of(compare(op, a, b));
    return Scalar::of(same_type(op, a, b));
  });
}

std::vector<Scalar> values_of(const Expression& expression, const std::function<Scalar(const Node&)>& input) {
  std::vector<Scalar> values;
  values.reserve(expression.nodes.size());
  for (const Node& node : expression.nodes) {
    const auto count = static_cast<std::size_t>(operands_of(node.op));
    if (node.op == Operator::literal) {
      values.push_back({node.type, node.bits});
    } else if (count == 0) {
      values.push_back(input(node));
    } else {
      std::array<Scalar, 3> operands;
      for (std::size_t k = 0; k < count; ++k) operands[k] = values[node.in[k]];
      values.push_back(evaluate(node.op, node.type, {operands.data(), count}));
    }
  }
  return values;
}

Scalar evaluate(const Expression& expression, const std::function<Scalar(const Node&)>& input) {
  return values_of(expression, input).back();
}

}  // namespace kasen
