#include "tests/optimizer/random_program.h"

#include <functional>
#include <random>
#include <utility>

#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {
namespace {

class Writer {
 public:
  Writer(unsigned seed, bool keys) : _keys(keys), _random(seed) {
    _b.knows_functions = true;
    _b.know_extrema();
  }

  ProgramBuilder write() {
    Scope scope;
    scope.vectors = {_b.live_in(kSpace0), _b.live_in(kSpace1, State::consistent({column_role(1)}), pick(2) == 0),
                     _b.live_in(kSpace0, State::pre_reduced(kPlus, {row_role(0), column_role(0)}), true)};
    scope.shareds = {_b.live_shared()};
    for (const LiveIn& live : _b.program.live_in) {
      if (!live.dies) _b.live_out(live.value);
    }
    statements(scope, 4 + pick(5), 0);
    for (std::size_t k = scope.vectors.size() - 2; k < scope.vectors.size(); ++k) {
      _b.live_out(scope.vectors[k], pick(2) == 0);
    }
    _b.live_out(scope.shareds.back());
    return std::move(_b);
  }

 private:
  struct Scope {
    std::vector<ValueId> vectors, shareds;
    std::vector<std::function<ValueId()>> calls;  ///< of element work and products, to be made once more
  };

  std::size_t pick(std::size_t n) { return _random() % n; }
  /// Mostly one of the latest.
  ValueId some(const std::vector<ValueId>& values) {
    return pick(3) > 0 ? values[values.size() - 1 - pick(std::min<std::size_t>(3, values.size()))]
                       : values[pick(values.size())];
  }
  ValueId some_over(const Scope& scope, SpaceId space) {
    std::vector<ValueId> fitting;
    for (ValueId value : scope.vectors) {
      if (_b.value(value).space == space) fitting.push_back(value);
    }
    return some(fitting);
  }

  void statements(Scope& scope, std::size_t count, int depth) {
    for (std::size_t k = 0; k < count; ++k) {
      if (_keys && pick(3) == 0) {
        scope.vectors.push_back(by_keys(scope));
        continue;
      }
      switch (pick(depth < 2 ? 14 : 12)) {
        case 0:
        case 1:
          scope.vectors.push_back(map(scope));
          break;
        case 2:
        case 3:
        case 4:
          scope.vectors.push_back(zip(scope));
          break;
        case 5:
          scope.vectors.push_back(_b.source(pick(2) == 0 ? kSpace0 : kSpace1, pick(2) == 0));
          break;
        case 6:
          scope.shareds.push_back(pick(3) == 0 ? fold(scope)
                                               : _b.reduce(pick(3) == 0 ? kMax : kPlus, some(scope.vectors)));
          break;
        case 7:
          scope.shareds.push_back(_b.apply(pick(4) == 0 ? first() : mix(), {some(scope.shareds), some(scope.shareds)}));
          break;
        case 8:
        case 9:
          scope.vectors.push_back(pick(3) == 0 ? product_of_ends(scope) : matrix_product(scope));
          break;
        case 10:
        case 11:
          if (!scope.calls.empty()) scope.vectors.push_back(scope.calls[pick(scope.calls.size())]());
          break;
        case 12:
          loop(scope, depth);
          break;
        default:
          branch(scope, depth);
      }
    }
  }

  ValueId repeatable(Scope& scope, std::function<ValueId()> call) {
    scope.calls.push_back(std::move(call));
    return scope.calls.back()();
  }
  ValueId element(Scope& scope, const Function& f, const std::vector<ValueId>& in,
                  const std::vector<ValueId>& shared = {}) {
    return repeatable(scope, [this, f, in, shared] { return _b.element(f, in, shared); });
  }
  template <class Product>
  ValueId product(Scope& scope, Product primitive, std::uint32_t matrix, ValueId v, SpaceId space, ReducerId op) {
    return repeatable(scope, [=, this] { return (_b.*primitive)(matrix, v, space, op, 1); });
  }

  ValueId fold(Scope& scope) {
    std::vector<ValueId> in{some(scope.vectors)}, shared;
    if (pick(2) == 0) in.push_back(some_over(scope, _b.value(in[0]).space));
    if (pick(2) == 0 && !scope.shareds.empty()) shared.push_back(some(scope.shareds));
    return _b.fold(pick(3) == 0 ? kMax : kPlus, mix(), in, shared);
  }

  ValueId map(Scope& scope) {
    const ValueId v = some(scope.vectors);
    switch (pick(7)) {
      case 6:
        return element(scope, affine(5, 11), {v});
      case 5:
        return element(scope, first(), {v});
      case 0:
        return element(scope, scale(3), {v});
      case 1:
        return element(scope, shift(7), {v});
      case 2:
        return element(scope, scale_by_shared(), {v}, {some(scope.shareds)});
      case 3:
        return element(scope, partial(mix()), {v}, {some(scope.shareds)});
      default:
        return element(scope, mix(), {v});
    }
  }

  ValueId zip(Scope& scope) {
    const ValueId v = some(scope.vectors);
    const ValueId w = some_over(scope, _b.value(v).space);
    switch (pick(6)) {
      case 5:
        return element(scope, first(), {v, w});
      case 0:
        return element(scope, add(), {v, w});
      case 1:
        return element(scope, minus(), {v, w});
      case 2:
        return element(scope, tests::product(), {v, w, some_over(scope, _b.value(v).space)});
      case 3:
        return element(scope, larger(), {v, w});
      default:
        return element(scope, mix(), {v, w});
    }
  }

  ValueId matrix_product(Scope& scope) {
    const ReducerId op = pick(4) == 0 ? kMax : kPlus;
    switch (pick(4)) {
      case 0:
        return product(scope, &ProgramBuilder::mxv, 0, some_over(scope, kSpace0), kSpace0, op);
      case 1:
        return product(scope, &ProgramBuilder::mxvt, 0, some_over(scope, kSpace0), kSpace0, op);
      case 2:
        return product(scope, &ProgramBuilder::mxv, 1, some_over(scope, kSpace0), kSpace1, op);
      default:
        return product(scope, &ProgramBuilder::mxvt, 1, some_over(scope, kSpace1), kSpace0, op);
    }
  }

  ValueId product_of_ends(Scope& scope) {
    const bool square = pick(2) == 0;
    const Op op = pick(2) == 0 ? Op::mxv : Op::mxvt;
    const SpaceId columns = square ? kSpace0 : kSpace1;
    const SpaceId from = op == Op::mxv ? kSpace0 : columns, to = op == Op::mxv ? columns : kSpace0;
    std::vector<ValueId> inputs{some_over(scope, from)}, outputs;
    if (pick(4) == 0) inputs.push_back(some_over(scope, from));
    for (std::size_t k = pick(8) == 0 ? 0 : 1 + pick(4) / 3; k > 0; --k) outputs.push_back(some_over(scope, to));
    const ReducerId reducer = pick(4) == 0 ? kMax : kPlus;
    const Function f = pick(2) == 0 ? minus_of_ends() : mix();
    return repeatable(scope, [=, this] { return _b.of_ends(op, square ? 0 : 1, f, inputs, outputs, to, reducer); });
  }

  static Function minus_of_ends() {
    return {"minus of ends", [](const Numbers& in, const Numbers&) { return in.front() - in.back(); }, {}};
  }

  ValueId by_keys(Scope& scope) {
    const ValueId key = some(scope.vectors);
    if (pick(2) == 0) {
      const ValueId from = some(scope.vectors);
      if (pick(2) == 0) return repeatable(scope, [=, this] { return _b.take(from, key); });
      std::vector<ValueId> wholes{from}, in{key};
      if (pick(3) == 0) wholes.push_back(some(scope.vectors));
      if (pick(2) == 0) in.push_back(some_over(scope, _b.value(key).space));
      return repeatable(scope, [=, this] { return _b.with_wholes(mix(), wholes, in); });
    }
    const ValueId v = some_over(scope, _b.value(key).space);
    const ReducerId op = pick(4) == 0 ? kMax : kPlus;
    const SpaceId keys = pick(2) == 0 ? kSpace0 : kSpace1;
    return repeatable(scope, [=, this] { return _b.reduce_by_key(op, key, v, keys); });
  }

  /// A value of the scope that fits where `like` is.
  ValueId fitting(const Scope& scope, ValueId like) {
    return _b.value(like).kind == Value::Kind::shared ? some(scope.shareds) : some_over(scope, _b.value(like).space);
  }

  /// Sometimes a vector grows by what a product of it reaches.
  bool spreads(ValueId value) { return _b.value(value).space == kSpace0 && pick(3) == 0; }
  ValueId spread(ValueId value) {
    const ValueId from = pick(3) == 0 ? _b.element(mix(), {value}) : value;
    const ValueId there = _b.mxv(0, from, kSpace0, kMax, 1);
    const ValueId reached = pick(3) == 0 ? _b.element(larger(), {there, _b.mxvt(0, from, kSpace0, kMax, 1)}) : there;
    return _b.element(larger(), {value, reached});
  }

  void loop(Scope& scope, int depth) {
    ProgramBuilder::Values initial{some(scope.vectors), some(scope.vectors), some(scope.shareds)};
    const auto results = _b.repeat(
        pick(4), initial,
        [&](const ProgramBuilder::Values& arguments) {
          Scope inner = scope;
          inner.vectors.insert(inner.vectors.end(), arguments.begin(), arguments.end() - 1);
          inner.shareds.push_back(arguments.back());
          statements(inner, 2 + pick(4), depth + 1);
          ProgramBuilder::Values yields;
          for (ValueId value : arguments) yields.push_back(spreads(value) ? spread(value) : fitting(inner, value));
          return yields;
        },
        pick(2) == 0);
    scope.vectors.insert(scope.vectors.end(), results.begin(), results.end() - 1);
    scope.shareds.push_back(results.back());
  }

  void branch(Scope& scope, int depth) {
    const ProgramBuilder::Values like{some(scope.vectors), some(scope.shareds)};
    const auto side = [&] {
      Scope inner = scope;
      statements(inner, pick(4), depth + 1);
      return ProgramBuilder::Values{fitting(inner, like[0]), fitting(inner, like[1])};
    };
    const ValueId test =
        _b.apply({"odd", [](const Numbers&, const Numbers& s) { return s[0] & 1; }, {}}, {some(scope.shareds)});
    // Another one with the same test may follow, with work between them.
    for (std::uint32_t left = pick(3) == 0 ? 2 : 1; left > 0; --left) {
      const auto results = _b.branch(test, side, side);
      scope.vectors.push_back(results[0]);
      scope.shareds.push_back(results[1]);
      if (left > 1) statements(scope, pick(3), depth + 1);
    }
  }

  ProgramBuilder _b;
  const bool _keys;
  std::mt19937 _random;
};

}  // namespace

ProgramBuilder random_program(unsigned seed, bool keys) { return Writer(seed, keys).write(); }

}  // namespace kasen::optimizer::tests
