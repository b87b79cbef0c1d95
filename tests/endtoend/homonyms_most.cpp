#include <algorithm>
#include <cmath>

#include "tests/endtoend/homonyms.h"

namespace kasen::tests {
namespace {

struct Row {
  double first, second;
  Row operator+(const Row& other) const { return {first + other.first, std::min(second, other.second)}; }
};

struct Pick {
  template <class T>
  static constexpr T identity() {
    return -infinity;
  }
  double operator()(double a, double b) const { return std::max(a, b); }
};

struct Weigh {
  double operator()(double a, double b) const { return 2 * a - b; }
};

}  // namespace

static auto combine() {
  return with_identity(
      [](double a, double b) {
        const double x = std::abs(a), y = std::abs(b);
        return b == 0 || (a != 0 && (x < y || (x == y && a < b))) ? a : b;
      },
      0.0);
}

static auto move() {
  return [](double a) { return a * a * a; };
}

static auto stretch() {
  return [](double a) { return a * std::abs(a); };
}

const Homonyms& homonyms_that_take_the_most() {
  static const HomonymsOf all(Row{}, Pick{}, Weigh{}, combine(), move(), stretch());
  return all;
}

}  // namespace kasen::tests
