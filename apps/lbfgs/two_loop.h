/// @file
/// Class History: the inverse Hessian of L-BFGS, applied by the two loops of Nocedal and Wright, Numerical
/// Optimization, 2nd edition, algorithm 7.4.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/lbfgs/point.h"

namespace apps {

/// The last steps and the changes of the gradient in them, newest first.
template <class T>
class History {
 public:
  /// The history before the loop. @param first the first gradient's norm: the first direction has length 1, or is 0
  History(std::size_t length, const Point<T>& zero, const kasen::Shared<T>& first)
      : _s(length, zero),
        _y(length, zero),
        _rho(length, kasen::Shared<T>(spread<T>(0))),
        _scale(kasen::apply(each<T>(KASEN_FN((auto n), kasen::min(1.0 / n, 1e300))), first)) {}

  /// Adds a step and forgets the oldest. One along which the gradient does not grow is left out: its rho is 0.
  void push(const Point<T>& s, const Point<T>& y) {
    for (std::size_t k = _s.size(); k-- > 1;) _s[k] = _s[k - 1], _y[k] = _y[k - 1], _rho[k] = _rho[k - 1];
    const auto sy = dot(s, y), yy = dot(y, y);
    const auto curved = each<T>(KASEN_FN((auto a, auto b), a > 1e-16 * b));
    const kasen::Shared<EachOf<T, bool>> grows = kasen::apply(curved, sy, yy);
    _s[0] = s, _y[0] = y;
    _rho[0] = kasen::apply(each<T>(KASEN_FN((auto c, auto a), kasen::select(c, 1.0 / a, 0.0))), grows, sy);
    _scale = kasen::apply(each<T>(KASEN_FN((auto c, auto a, auto b, auto old), kasen::select(c, a / b, old))), grows,
                          sy, yy, _scale);
  }

  /// The direction of descent, -H g.
  Point<T> descent(const Point<T>& gradient) const {
    const auto times = each<T>(kasen::times);
    std::vector<kasen::Shared<T>> alpha;
    Point<T> r = scaled(gradient, kasen::Shared<T>(spread<T>(-1)));
    for (std::size_t k = 0; k < _s.size(); ++k) {
      alpha.push_back(kasen::apply(times, _rho[k], dot(_s[k], r)));
      r = r - scaled(_y[k], alpha[k]);
    }
    r = scaled(r, _scale);
    for (std::size_t k = _s.size(); k-- > 0;) {
      const auto beta = kasen::apply(times, _rho[k], dot(_y[k], r));
      r = r + scaled(_s[k], kasen::apply(each<T>(kasen::minus), alpha[k], beta));
    }
    return r;
  }

 private:
  std::vector<Point<T>> _s, _y;
  std::vector<kasen::Shared<T>> _rho;  ///< 1 / s'y
  kasen::Shared<T> _scale;             ///< s'y / y'y of the newest step; finite, so that what is 0 stays 0
};

}  // namespace apps
