// What a compiler refuses, each with what it says of that line.
#include <cmath>

#include "kasen/kasen.h"

using namespace kasen;

void run(const Vector<double>& x, const Vector<bool>& flags, const Matrix<double>& M, const Shared<double>& s) {
  reduce(minus, x);                                       // refused: minus, divides, first and count reduce nothing
  reduce(divides, x);                                     // refused: minus, divides, first and count reduce nothing
  reduce(with_identity(first, 0.0), x);                   // refused: minus, divides, first and count reduce nothing
  mxv(times, with_identity(minus, 0.0), M, x);            // refused: minus, divides, first and count reduce nothing
  reduce(plus, flags);                                    // refused: plus of bool is `or`
  reduce(logical_or, x);                                  // refused: logical_or and logical_and reduce bools
  reduce(plus, map(KASEN_FN((auto a), std::abs(a)), x));  // refused: KASEN_FN has something
  reduce(plus, map(KASEN_FN((double a), 2 * a), x));      // refused: KASEN_FN has something
  const double captured = x.get()[0];
  reduce(plus, map(KASEN_FN((auto a), captured * a), x));  // refused: 'captured' is not captured
  map([&](double a) { return a * s; }, x);                 // refused: elements are trivially copyable types
  map([n = 0](double a) mutable { return a + ++n; }, x);   // refused: cannot be called with these elements
  const Vector<double> fraction = constant(2.5, 1.0);      // refused: no matching function
}
