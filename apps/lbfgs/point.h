/// @file
/// Points of the space of weights: weights, gradients and directions, and arithmetic on them.
#pragma once

#include <optional>

#include "apps/lbfgs/lanes.h"

namespace apps {

/// A number for every feature and, in models that have one, for the intercept.
template <class T>
struct Point {
  kasen::Vector<T> features;
  std::optional<kasen::Shared<T>> intercept;
};

template <class T>
Point<T> operator+(const Point<T>& a, const Point<T>& b) {
  Point<T> result{kasen::zip_with(each<T>(kasen::plus), a.features, b.features), {}};
  if (a.intercept) result.intercept = kasen::apply(each<T>(kasen::plus), *a.intercept, *b.intercept);
  return result;
}
template <class T>
Point<T> operator-(const Point<T>& a, const Point<T>& b) {
  Point<T> result{kasen::zip_with(each<T>(kasen::minus), a.features, b.features), {}};
  if (a.intercept) result.intercept = kasen::apply(each<T>(kasen::minus), *a.intercept, *b.intercept);
  return result;
}

template <class T>
kasen::Vector<T> scaled(const kasen::Vector<T>& a, const kasen::Shared<T>& by) {
  return kasen::map(each<T>(kasen::times), a, by);
}
template <class T>
Point<T> scaled(const Point<T>& a, const kasen::Shared<T>& by) {
  Point<T> result{scaled(a.features, by), {}};
  if (a.intercept) result.intercept = kasen::apply(each<T>(kasen::times), *a.intercept, by);
  return result;
}

template <class T>
kasen::Shared<T> dot(const kasen::Vector<T>& a, const kasen::Vector<T>& b) {
  return sum(kasen::Vector<T>(kasen::zip_with(each<T>(kasen::times), a, b)));
}
template <class T>
kasen::Shared<T> dot(const Point<T>& a, const Point<T>& b) {
  const kasen::Shared<T> of_features = dot(a.features, b.features);
  if (!a.intercept) return of_features;
  return kasen::apply(each<T>(KASEN_FN((auto d, auto x, auto y), d + x * y)), of_features, *a.intercept, *b.intercept);
}

/// The Euclidean norm.
template <class T>
kasen::Shared<T> norm(const Point<T>& a) {
  return kasen::apply(each<T>(KASEN_FN((auto d), kasen::sqrt(d))), dot(a, a));
}

}  // namespace apps
