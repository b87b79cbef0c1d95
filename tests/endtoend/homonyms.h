/// @file
/// Several source files whose functions and element types bear the same names and differ: what each computes, in Kasen
/// and serially. Results are exact.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {

/// A reducing lambda that is the same in all files that include this one.
inline auto header_sum() {
  return with_identity([](double a, double b) { return a + b; }, 0.0);
}

class Homonyms {
 public:
  virtual ~Homonyms() = default;

  // ---- recorded; `Pick` reduces, `combine()` too, from 0; `Weigh` is a function of elements, `move()` one that
  // exchanges with Pick, `stretch()` one that exchanges with what combine() returns; `Row` is a struct ----
  virtual Vector<double> weigh_and_pick(const Matrix<double>& m, const Vector<double>& v) const = 0;
  virtual Vector<double> weigh_and_combine(const Matrix<double>& m, const Vector<double>& w) const = 0;  ///< transposed
  virtual Vector<double> weigh_and_sum(const Matrix<double>& m, const Vector<double>& v) const = 0;
  virtual Vector<double> rows(const Matrix<double>& m, const Vector<double>& v) const = 0;
  virtual Vector<double> moved(const Vector<double>& v) const = 0;
  virtual Vector<double> stretched(const Vector<double>& w) const = 0;
  virtual Vector<double> weighed(const Vector<double>& v, const Shared<double>& by) const = 0;
  virtual Shared<double> weighed(const Shared<double>& x, const Shared<double>& by) const = 0;
  virtual Shared<double> picked(const Vector<double>& v) const = 0;
  virtual Shared<double> combined(const Vector<double>& v) const = 0;
  virtual Shared<double> row(const Vector<double>& v) const = 0;

  // ---- serially ----
  virtual double weigh(double a, double b) const = 0;
  virtual double pick(double a, double b) const = 0;
  virtual double pick_from() const = 0;
  virtual double combine(double a, double b) const = 0;
  virtual double move(double a) const = 0;
  virtual double stretch(double a) const = 0;
  virtual double in_rows(const std::vector<double>& v) const = 0;

  // ---- what the recorder takes for equal ----
  virtual ReducerId pick_id() const = 0;
  virtual ReducerId header_sum_id() const = 0;
  virtual Type row_type() const = 0;
};

/// The functions of one file: all types are its own.
template <class Row, class Pick, class Weigh, class Combine, class Move, class Stretch>
class HomonymsOf final : public Homonyms {
 public:
  HomonymsOf(Row, Pick pick, Weigh weigh, Combine combine, Move move, Stretch stretch)
      : _pick(pick), _weigh(weigh), _combine(combine), _move(move), _stretch(stretch) {}

  Vector<double> weigh_and_pick(const Matrix<double>& m, const Vector<double>& v) const override {
    return mxv(_weigh, _pick, m, v);
  }
  Vector<double> weigh_and_combine(const Matrix<double>& m, const Vector<double>& w) const override {
    return mxvt(_weigh, _combine, m, w);
  }
  Vector<double> weigh_and_sum(const Matrix<double>& m, const Vector<double>& v) const override {
    return mxv(_weigh, header_sum(), m, v);
  }
  Vector<double> rows(const Matrix<double>& m, const Vector<double>& v) const override {
    return map([](const Row& row) { return value(row); },
               mxv([](double a, double b) { return row_of(a * b); }, plus, m, v));
  }
  Vector<double> moved(const Vector<double>& v) const override { return map(laws(_move, exchanges_with(_pick)), v); }
  Vector<double> stretched(const Vector<double>& w) const override {
    return map(laws(_stretch, exchanges_with(_combine)), w);
  }
  Vector<double> weighed(const Vector<double>& v, const Shared<double>& by) const override {
    return map(_weigh, v, by);
  }
  Shared<double> weighed(const Shared<double>& x, const Shared<double>& by) const override {
    return apply(_weigh, x, by);
  }
  Shared<double> picked(const Vector<double>& v) const override { return reduce(_pick, v); }
  Shared<double> combined(const Vector<double>& v) const override { return reduce(_combine, v); }
  Shared<double> row(const Vector<double>& v) const override {
    return apply(&HomonymsOf::value, reduce(plus, map([](double a) { return row_of(a); }, v)));
  }

  double weigh(double a, double b) const override { return _weigh(a, b); }
  double pick(double a, double b) const override { return _pick(a, b); }
  double pick_from() const override { return Pick::template identity<double>(); }
  double combine(double a, double b) const override { return _combine(a, b); }
  double move(double a) const override { return _move(a); }
  double stretch(double a) const override { return _stretch(a); }
  double in_rows(const std::vector<double>& v) const override {
    Row all{};
    for (const double a : v) all = all + row_of(a);
    return value(all);
  }

  ReducerId pick_id() const override { return kasen::detail::reducer_of<double>("reduce", Where::current(), _pick); }
  ReducerId header_sum_id() const override {
    return kasen::detail::reducer_of<double>("reduce", Where::current(), header_sum());
  }
  Type row_type() const override { return recording::type_of<Row>(); }

 private:
  static Row row_of(double a) { return {a * a, a}; }
  static double value(const Row& r) { return r.first + 100 * r.second; }

  Pick _pick;
  Weigh _weigh;
  Combine _combine;
  Move _move;
  Stretch _stretch;
};

const Homonyms& homonyms_that_take_the_least();
const Homonyms& homonyms_that_take_the_most();

}  // namespace kasen::tests
