/// @file
/// Laws of random expressions, which use the vector in question in any place, or not at all: every law that is claimed
/// is tried by value. Of 8 bits on all pairs of values, of 32 and 64 bits on random and special ones, of doubles over
/// minimum and maximum on infinite ones and NaN too.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "kasen/base/evaluate.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::tests {
namespace {

struct NamedReducer {
  ReducerKind kind;
  const char* name;
};
constexpr NamedReducer kReducers[] = {{ReducerKind::plus, "plus"},
                                      {ReducerKind::times, "times"},
                                      {ReducerKind::minimum, "min"},
                                      {ReducerKind::maximum, "max"},
                                      {ReducerKind::bit_or, "bit_or"},
                                      {ReducerKind::bit_and, "bit_and"},
                                      {ReducerKind::bit_xor, "bit_xor"},
                                      {ReducerKind::logical_or, "logical_or"},
                                      {ReducerKind::logical_and, "logical_and"}};

template <class T>
T reduced(ReducerKind kind, T a, T b) {
  switch (kind) {
    case ReducerKind::minimum:
      return a != a ? a : b != b ? b : a < b ? a : b;
    case ReducerKind::maximum:
      return a != a ? a : b != b ? b : a > b ? a : b;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    switch (kind) {
      case ReducerKind::plus:
        return static_cast<T>(x + y);
      case ReducerKind::times:
        return static_cast<T>(x * y);
      case ReducerKind::bit_or:
        return static_cast<T>(x | y);
      case ReducerKind::bit_and:
        return static_cast<T>(x & y);
      case ReducerKind::bit_xor:
        return static_cast<T>(x ^ y);
      case ReducerKind::logical_or:
        return static_cast<T>(x != 0 || y != 0);
      default:
        return static_cast<T>(x != 0 && y != 0);
    }
  }
  return a + b;
}

using Random = std::mt19937_64;

template <class T>
T random_number(Random& random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random() % 2 != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    constexpr T kSpecial[] = {0, 1, -1, 2.5, kInfinity, -kInfinity, std::numeric_limits<T>::quiet_NaN()};
    return random() % 2 ? kSpecial[random() % std::size(kSpecial)] : static_cast<T>(random() % 129) / 8 - 8;
  } else {
    constexpr T kSpecial[] = {
        0, 1, 2, static_cast<T>(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
    return random() % 3 ? static_cast<T>(random()) : kSpecial[random() % std::size(kSpecial)];
  }
}

/// A tree over two vectors, a Shared, a plain operand, a condition and literals.
template <class T>
class Tree {
 public:
  explicit Tree(Random& random) : _random(random) {}

  Expression grown() {
    _few = _random() % 2 != 0;
    return _writer.take(number(static_cast<int>(1 + _random() % 4)));
  }

 private:
  static constexpr ScalarType kType = *scalar_type_of<T>();
  static constexpr bool kFlags = std::is_same_v<T, bool>, kReals = std::is_floating_point_v<T>;

  std::uint32_t leaf() {
    switch (_random() % 8) {
      case 0:
      case 1:
      case 2:
        return _writer.input(Operator::element, kType, 0);
      case 3:
        return _writer.input(Operator::element, kType, 1);
      case 4:
        return _writer.input(Operator::shared, kType, 0);
      case 5:
        return _writer.input(Operator::plain, kType, 0);
      default: {
        constexpr int kSmall[] = {0, 1, -1, 2, 3, 7};
        if (_random() % 2 == 0) {
          return _writer.literal(converted(Scalar::of(kSmall[_random() % std::size(kSmall)]), kType));
        }
        return _writer.literal(Scalar::of(random_number<T>(_random)));
      }
    }
  }

  std::uint32_t condition(int depth) {
    if (_random() % 2 != 0) return _writer.input(Operator::shared, ScalarType::boolean, 1);
    constexpr Operator kCompare[] = {Operator::less, Operator::less_equal, Operator::equal, Operator::not_equal};
    return _writer.apply(kCompare[_random() % 4], ScalarType::boolean, number(depth - 1), number(depth - 1));
  }

  std::uint32_t number(int depth) {
    if (depth <= 0) return leaf();
    const auto some = [&] { return number(depth - 1 - static_cast<int>(_random() % 2)); };
    const auto any_of = [&](std::initializer_list<Operator> all) { return all.begin()[_random() % all.size()]; };
    if (_random() % 8 == 0) {
      const std::uint32_t chosen = condition(depth), a = some(), b = some();
      return _writer.apply(Operator::select, kType, chosen, a, b);
    }
    if constexpr (kFlags) {
      if (_random() % 5 == 0) return _writer.apply(Operator::logical_not, kType, some());
      const Operator op = any_of({Operator::logical_and, Operator::logical_or, Operator::bit_xor, Operator::not_equal});
      const std::uint32_t a = some();
      return _writer.apply(op, kType, a, some());
    } else if constexpr (kReals) {
      if (_random() % 4 == 0) {
        const Operator op =
            any_of({Operator::negate, Operator::floor, Operator::ceil, Operator::exp, Operator::tanh, Operator::atan,
                    Operator::acos, Operator::square_root, Operator::log, Operator::absolute, Operator::erfc});
        return _writer.apply(op, kType, some());
      }
      if (_random() % 12 == 0) {
        return _writer.cast(_writer.input(Operator::shared, ScalarType::int32, 2), kType);
      }
      const Operator op = any_of({Operator::add, Operator::subtract, Operator::multiply, Operator::divide,
                                  Operator::minimum, Operator::maximum});
      const std::uint32_t a = some();
      return _writer.apply(op, kType, a, some());
    } else {
      if (_random() % 6 == 0) {
        return _writer.apply(any_of({Operator::negate, Operator::bit_not, Operator::absolute}), kType, some());
      }
      if (_random() % 6 == 0) {
        const Operator op = any_of({Operator::shift_left, Operator::shift_right});
        const std::uint32_t a = some();
        return _writer.apply(op, kType, a, _writer.literal(converted(Scalar::of(int(1 + _random() % 5)), kType)));
      }
      if (_random() % 8 == 0) {
        constexpr ScalarType kOther[] = {ScalarType::int32, ScalarType::uint32, ScalarType::int64, ScalarType::uint8};
        const ScalarType other = kOther[_random() % 4];
        const std::uint32_t a = _writer.cast(some(), other), b = _writer.cast(some(), other);
        const Operator op = any_of({Operator::add, Operator::multiply, Operator::bit_and, Operator::bit_xor,
                                    Operator::minimum, Operator::subtract});
        return _writer.cast(_writer.apply(op, other, a, b), kType);
      }
      // Trees of few operators obey more laws.
      const Operator op =
          _few ? any_of({Operator::bit_and, Operator::bit_or, Operator::bit_xor})
               : any_of({Operator::add, Operator::subtract, Operator::multiply, Operator::minimum, Operator::maximum,
                         Operator::bit_and, Operator::bit_or, Operator::bit_xor, Operator::divide});
      const std::uint32_t a = some();
      return _writer.apply(op, kType, a, some());
    }
  }

  Random& _random;
  ExpressionWriter _writer;
  bool _few = false;
};

/// Up to rounding, which may differ a little between parts and whole.
template <class T>
bool equal(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
  } else {
    return a == b;
  }
}

/// How often each law was claimed and tried: "xor P".
using Counts = std::map<std::string, int>;

template <class T>
void try_laws(int trees, Counts& counts) {
  Random random(*scalar_type_of<T>() == ScalarType::float64 ? 5 : sizeof(T));
  std::vector<T> all;  // of 8 bits in order
  if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
    for (int k = 0; k < 256; ++k) all.push_back(static_cast<T>(k));
  } else if constexpr (std::is_same_v<T, bool>) {
    all = {false, true};
  } else {
    for (int k = 0; k < 16; ++k) all.push_back(random_number<T>(random));
  }
  for (int tree = 0; tree < trees; ++tree) {
    const Expression expression = Tree<T>(random).grown();
    for (const std::uint32_t argument : {0u, 1u}) {
      for (const NamedReducer& reducer : kReducers) {
        // In floating point laws over plus and times hold but for rounding and where nothing is infinite.
        const bool extremum = reducer.kind == ReducerKind::minimum || reducer.kind == ReducerKind::maximum;
        if (std::is_floating_point_v<T> && !extremum) continue;
        const optimizer::Obeyed found = optimizer::obeyed_over(reducer.kind, expression, argument);
        if (!found.distributes && !found.pushes_down) continue;
        counts[std::string(reducer.name) + " D"] += found.distributes;
        counts[std::string(reducer.name) + " P"] += found.pushes_down;
        for (int round = 0; round < 3; ++round) {
          std::map<std::pair<Operator, std::uint32_t>, Scalar> others;
          const auto f = [&](T x) {
            const auto input = [&](const Node& node) {
              if (node.op == Operator::element && node.position == argument) return Scalar::of(x);
              Scalar made;
              with_type(node.type,
                        [&]<class U>(std::type_identity<U>) { made = Scalar::of(random_number<U>(random)); });
              return others.try_emplace({node.op, node.position}, made).first->second;
            };
            return evaluate(expression, input).template as<T>();
          };
          std::vector<T> f_all;
          for (const T x : all) f_all.push_back(f(x));
          for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = 0; j < all.size(); ++j) {
              const T a = all[i], b = all[j], f_a = f_all[i], both = reduced(reducer.kind, a, b);
              const T whole = all.size() == 256 ? f_all[static_cast<std::uint8_t>(both)] : f(both);
              const bool distributes = equal(whole, reduced<T>(reducer.kind, f_a, f_all[j]));
              const bool pushes_down = equal(whole, reduced<T>(reducer.kind, f_a, b));
              if ((distributes || !found.distributes) && (pushes_down || !found.pushes_down)) continue;
              FAIL() << (found.distributes && !distributes ? "not distributive" : "not pushed down") << " over "
                     << reducer.name << " at " << argument << ": " << to_text(expression) << ", for "
                     << to_text(Scalar::of(a)) << " and " << to_text(Scalar::of(b));
            }
          }
        }
      }
    }
  }
}

void expect_claims(const Counts& counts, const std::vector<std::string>& laws) {
  for (const std::string& law : laws) {
    const auto at = counts.find(law);
    EXPECT_GT(at == counts.end() ? 0 : at->second, 8) << law << ": too few trees obey it for this to be a test";
  }
}

TEST(RandomLaws, OfFlagsHold) {
  Counts counts;
  try_laws<bool>(400, counts);
  expect_claims(counts, {"plus D", "plus P", "times D", "times P", "bit_xor D", "bit_xor P", "logical_or D",
                         "logical_or P", "logical_and D", "logical_and P", "min P", "max P"});
}

TEST(RandomLaws, OfIntegersHold) {
  Counts counts;
  try_laws<std::uint8_t>(300, counts);
  try_laws<std::int8_t>(300, counts);
  try_laws<std::int32_t>(300, counts);
  try_laws<std::int64_t>(300, counts);
  try_laws<std::uint64_t>(300, counts);
  expect_claims(counts, {"plus D", "plus P", "times D", "times P", "min D", "min P", "max D", "max P", "bit_or D",
                         "bit_or P", "bit_and D", "bit_and P", "bit_xor D", "bit_xor P"});
}

TEST(RandomLaws, OfDoublesHoldOverMinimumAndMaximum) {
  Counts counts;
  try_laws<double>(2000, counts);
  expect_claims(counts, {"min D", "min P", "max D", "max P"});
}

}  // namespace
}  // namespace kasen::tests
