#include "kasen/runtime/law_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/source_line.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/states/rules.h"

namespace kasen::runtime {
namespace {

using optimizer::Launch;

constexpr std::uint32_t kMostSampled = 8;  ///< elements of a tile

double as_double(const Scalar& value) { return converted(value, ScalarType::float64).as<double>(); }

/// Values of the argument that are tried, in pairs.
std::vector<Scalar> values(const LawClaim& claim, const Tile& tile) {
  const ScalarType type = *claim.reducer->scalar;
  std::vector<Scalar> all;
  for (const double special : {0.0, 1.0, -1.0, 2.5, -37.0}) {
    all.push_back(converted(converted(Scalar::of(special), is_floating(type) ? type : ScalarType::int64), type));
  }
  if (!claim.reducer->identity.empty()) all.push_back(Scalar::load(type, claim.reducer->identity.data()));
  const auto* at = static_cast<const std::byte*>(tile.in[claim.argument]);
  for (std::uint32_t k = 0; k < std::min(tile.n, kMostSampled); ++k) {
    all.push_back(Scalar::load(type, at + std::uint64_t{k} * bytes_of(type)));
  }
  return all;
}

/// Elements of one type, side by side.
class Column {
 public:
  explicit Column(std::uint32_t element_bytes) : _element_bytes(element_bytes) {}
  void push(const void* element) {
    const auto* bytes = static_cast<const std::byte*>(element);
    _bytes.insert(_bytes.end(), bytes, bytes + _element_bytes);
  }
  void* data() { return _bytes.data(); }
  std::byte* bytes_at(std::size_t k) { return _bytes.data() + k * _element_bytes; }
  Scalar at(ScalarType type, std::size_t k) const { return Scalar::load(type, _bytes.data() + k * _element_bytes); }

 private:
  std::uint32_t _element_bytes;
  std::vector<std::byte> _bytes;
};

/// Whether `a` and `b` are the same up to rounding of numbers as large as `scale`.
bool same(const Scalar& a, const Scalar& b, double scale) {
  if (!is_floating(a.type)) return a == b;
  const double x = as_double(a), y = as_double(b);
  const double tolerance = a.type == ScalarType::float32 ? 1e-3 : 1e-6;
  return x == y || std::abs(x - y) <= tolerance * std::max({std::abs(x), std::abs(y), scale});
}

bool defined(const Scalar& whole, const LawClaim& claim) {
  if (!is_floating(whole.type)) return true;
  const double value = as_double(whole);
  const bool extremum = claim.reducer->kind == ReducerKind::minimum || claim.reducer->kind == ReducerKind::maximum;
  return !std::isnan(value) && (extremum || !std::isinf(value));
}

/// Whether a sum or product of integers does not fit their type.
bool overflows(const LawClaim& claim, const Scalar& a, const Scalar& b, const Scalar& reduced) {
  const ReducerKind kind = claim.reducer->kind;
  if (!is_integer(a.type) || (kind != ReducerKind::plus && kind != ReducerKind::times)) return false;
  const double x = as_double(a), y = as_double(b);
  return as_double(reduced) != (kind == ReducerKind::plus ? x + y : x * y);
}

double finite_magnitude(const Scalar& value) {
  const double number = std::abs(as_double(value));
  return std::isfinite(number) ? number : 0;
}

}  // namespace

std::optional<std::string> counter_example(const LawClaim& claim, const Tile& tile) {
  if (!claim.reducer->scalar || tile.n == 0) return std::nullopt;
  const ScalarType type = *claim.reducer->scalar;
  const std::uint32_t bytes = bytes_of(type);

  // All pairs at once, with the other vectors' elements in turn.
  const std::vector<Scalar> tried = values(claim, tile);
  std::vector<Column> others;
  for (const std::uint32_t size : claim.element_bytes) others.emplace_back(size);
  Column a(bytes), b(bytes), reduced(bytes);
  std::uint32_t n = 0;
  for (const Scalar& x : tried) {
    for (const Scalar& y : tried) {
      a.push(&x.bits), b.push(&y.bits), reduced.push(&x.bits);
      const std::uint64_t from = n % std::min(tile.n, kMostSampled);
      for (std::size_t v = 0; v < others.size(); ++v) {
        others[v].push(static_cast<const std::byte*>(tile.in[v]) + from * claim.element_bytes[v]);
      }
      ++n;
    }
  }
  const auto fold = [&](Column& into, Column& from) {
    const Combine& combine = claim.reducer->combine;
    combine.fold(combine.context.get(), into.data(), nullptr, from.data(), n);
  };
  const auto f = [&](Column& of) {
    Column out(bytes);
    const Scalar nothing{type, 0};
    for (std::uint32_t k = 0; k < n; ++k) out.push(&nothing.bits);
    std::vector<const void*> in;
    for (Column& other : others) in.push_back(other.data());
    in[claim.argument] = of.data();
    Tile run;
    run.in = in.data();
    run.out = out.data();
    run.shared = tile.shared;
    run.n = n;
    claim.kernel->run(claim.kernel->context.get(), run);
    return out;
  };
  fold(reduced, b);
  const Column whole = f(reduced);
  const Column f_a = f(a), f_b = claim.pushes_down ? b : f(b);
  Column parts = f_a, second = f_b;
  fold(parts, second);

  for (std::uint32_t k = 0; k < n; ++k) {
    const Scalar left = whole.at(type, k), right = parts.at(type, k);
    const double scale = std::max(finite_magnitude(f_a.at(type, k)), finite_magnitude(f_b.at(type, k)));
    if (!defined(left, claim) || overflows(claim, a.at(type, k), b.at(type, k), reduced.at(type, k))) continue;
    if (same(left, right, scale)) continue;
    const std::string& r = claim.reducer->name;
    return fmt::format("for a = {} and b = {}, F({}(a, b)) is {}, and {}(F(a), {}) is {}", to_text(a.at(type, k)),
                       to_text(b.at(type, k)), r, to_text(left), r, claim.pushes_down ? "b" : "F(b)", to_text(right));
  }
  return std::nullopt;
}

/// Elements may be of any type.
std::optional<std::string> not_idempotent(const Reducer& reducer, const std::byte* elements, std::uint32_t n) {
  const std::size_t bytes = reducer.type.bytes;
  std::vector<std::byte> made(bytes), element(bytes);
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::byte* const x = elements + k * bytes;
    std::copy_n(x, bytes, made.begin());
    std::copy_n(x, bytes, element.begin());
    reducer.combine.fold(reducer.combine.context.get(), made.data(), nullptr, x, 1);
    reducer.clear_padding(made.data());
    reducer.clear_padding(element.data());
    if (made != element) return fmt::format("it is not idempotent: f(x, x) is not x, of element {}", k);
  }
  return std::nullopt;
}

std::optional<std::string> reducer_counter_example(const Reducer& reducer, const void* elements, std::uint32_t n) {
  if (reducer.idempotent && reducer.kind == ReducerKind::other) {
    if (auto example = not_idempotent(reducer, static_cast<const std::byte*>(elements), std::min(n, kMostSampled)))
      return example;
  }
  if (!reducer.scalar || n == 0) return std::nullopt;
  const ScalarType type = *reducer.scalar;
  const LawClaim about{false, 0, {}, nullptr, &reducer};
  const auto op = [&](const Scalar& a, const Scalar& b) {
    Scalar into = a, from = b;
    reducer.combine.fold(reducer.combine.context.get(), &into.bits, nullptr, &from.bits, 1);
    return into;
  };
  const auto differ = [&](const Scalar& left, const Scalar& right, double scale) {
    return defined(left, about) && defined(right, about) && !same(left, right, scale);
  };
  std::vector<Scalar> tried;
  for (std::uint32_t k = 0; k < std::min(n, kMostSampled); ++k) {
    tried.push_back(Scalar::load(type, static_cast<const std::byte*>(elements) + std::uint64_t{k} * bytes_of(type)));
  }
  if (!reducer.identity.empty()) {
    const Scalar e = Scalar::load(type, reducer.identity.data());
    for (const Scalar& x : tried) {
      if (const Scalar made = op(e, x); differ(made, x, 0))
        return fmt::format("{} is not its identity: of {} it makes {}", to_text(e), to_text(x), to_text(made));
    }
    tried.push_back(e);
  }
  if (reducer.kind != ReducerKind::other) return std::nullopt;
  for (const Scalar& a : tried) {
    for (const Scalar& b : tried) {
      const double scale = std::max(finite_magnitude(a), finite_magnitude(b));
      const Scalar ab = op(a, b), ba = op(b, a);
      if (differ(ab, ba, scale))
        return fmt::format("it is not commutative: for a = {} and b = {}, f(a, b) is {}, and f(b, a) is {}", to_text(a),
                           to_text(b), to_text(ab), to_text(ba));
    }
  }
  for (const Scalar& a : tried) {
    for (const Scalar& b : tried) {
      for (const Scalar& c : tried) {
        const Scalar left = op(op(a, b), c), right = op(a, op(b, c));
        if (differ(left, right, std::max({finite_magnitude(a), finite_magnitude(b), finite_magnitude(c)})))
          return fmt::format(
              "it is not associative: for a = {}, b = {} and c = {}, f(f(a, b), c) is {}, and f(a, f(b, "
              "c)) is {}",
              to_text(a), to_text(b), to_text(c), to_text(left), to_text(right));
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> identity_counter_example(const MatrixKernel& kernel, const Reducer& reducer,
                                                    const Compressed& matrix, LocalIndex first, std::uint32_t n,
                                                    std::uint64_t outputs) {
  Column identities(reducer.type.bytes), results(reducer.type.bytes);
  for (std::uint32_t k = 0; k < n; ++k) identities.push(reducer.identity.data());
  for (std::uint64_t k = 0; k < outputs; ++k) results.push(reducer.identity.data());
  const void* in = identities.data();
  void* out = results.data();
  AccessCount ignored = 0;
  AccessCount* each = &ignored;
  MatrixTile tile;
  tile.matrix = matrix;
  tile.in = &in;
  tile.out = &out;
  tile.first = first;
  tile.n = n;
  tile.entries = tile.pointers = tile.accumulated = each;
  tile.read = tile.written = &each;
  kernel.push(kernel.context.get(), tile);
  std::vector<std::byte> identity = reducer.identity;
  reducer.clear_padding(identity.data());
  for (std::uint64_t k = 0; k < outputs; ++k) {
    std::byte* const result = results.bytes_at(k);
    reducer.clear_padding(result);
    if (!std::equal(identity.begin(), identity.end(), result))
      return fmt::format("of the identity of {} it makes something else", reducer.name);
  }
  return std::nullopt;
}

std::optional<std::string> step_counter_example(const FoldKernel& kernel, const Reducer& reducer,
                                                const std::vector<std::uint32_t>& vectors, const Tile& tile) {
  if (!reducer.scalar || tile.n == 0) return std::nullopt;
  const ScalarType type = *reducer.scalar;
  std::vector<CacheLine> lanes(lines_of(kernel.lanes_bytes));
  const auto folded = [&](std::uint32_t first, std::uint32_t n) {
    std::vector<const void*> in;
    for (std::size_t v = 0; v < vectors.size(); ++v)
      in.push_back(static_cast<const std::byte*>(tile.in[v]) + std::uint64_t{first} * vectors[v]);
    Tile part;
    part.in = in.data();
    part.shared = tile.shared;
    part.n = n;
    Scalar result{type, 0};
    kernel.begin(kernel.context.get(), lanes.data());
    kernel.fold(kernel.context.get(), lanes.data(), part);
    kernel.finish(kernel.context.get(), lanes.data(), &result.bits);
    return result;
  };
  Column accumulators(bytes_of(type));
  Scalar merged = folded(0, 0);
  double scale = 0;
  for (std::uint32_t k = 0; k < tile.n; ++k) {
    Scalar one = folded(k, 1);
    accumulators.push(&one.bits);
    scale += finite_magnitude(one);
    reducer.combine.fold(reducer.combine.context.get(), &merged.bits, nullptr, &one.bits, 1);
  }
  if (auto example = reducer_counter_example(reducer, accumulators.data(), std::min(tile.n, kMostSampled)))
    return example;
  // More than one of them share an accumulator, if there are more than it has lanes.
  const Scalar whole = folded(0, tile.n);
  const LawClaim about{false, 0, {}, nullptr, &reducer};
  if (!defined(whole, about) || !defined(merged, about) || same(whole, merged, scale)) return std::nullopt;
  return fmt::format("of the first {} elements steps make {}, and {} of a step of each makes {}", tile.n,
                     to_text(whole), reducer.name, to_text(merged));
}

LawCheck::LawCheck(const optimizer::Sweep& sweep, const RunContext& context) : _sweep(sweep), _context(context) {
  if (!kCheckLaws) return;
  for (const Launch& launch : sweep.launches) {
    const bool by_law = optimizer::rule(launch.rule).law.has_value();
    const bool reduces = is_any_reduction(launch.op) || is_matrix_op(launch.op);
    _pending.push_back(by_law || (reduces && launch.reducer != kNone<ReducerId>));
    if (_pending.back()) _agreed = false;
  }
}

void LawCheck::see_reduced(std::size_t l, const void* elements, std::uint32_t n) {
  if (!_pending[l] || !_broken.empty()) return;
  _pending[l] = 0;
  const Launch& launch = _sweep.launches[l];
  const Reducer& reducer = _context.reducers[index_of(launch.reducer)];
  if (const auto example = reducer_counter_example(reducer, elements, n)) {
    _broken =
        fmt::format("{}[{}] {} does not reduce: {}", prefix_of(launch.where), launch.label, reducer.name, *example);
  }
}

void LawCheck::see_folded(std::size_t l, const Tile& tile) {
  if (!_pending[l] || !_broken.empty()) return;
  _pending[l] = 0;
  const Launch& launch = _sweep.launches[l];
  const Reducer& reducer = _context.reducers[index_of(launch.reducer)];
  std::vector<std::uint32_t> vectors;
  for (const ValueId in : launch.in) vectors.push_back(_context.element_bytes(in));
  if (const auto example = step_counter_example(_context.kernel<FoldKernel>(launch.kernel), reducer, vectors, tile)) {
    _broken = fmt::format("{}[{}] {} does not merge what steps make: {}", prefix_of(launch.where), launch.label,
                          reducer.name, *example);
  }
}

void LawCheck::see_products() {
  for (std::size_t l = 0; l < _sweep.launches.size(); ++l) {
    const ValueId out = _sweep.launches[l].out.at(0);
    const partition::IndexSpace& space = _context.placement.space(_context.plan.values[index_of(out)].space);
    see_reduced(l, _context.storage.vector(out), space.masters());
  }
}

void LawCheck::see(std::size_t l, const Tile& tile) {
  if (!_pending[l] || !_broken.empty()) return;
  _pending[l] = 0;
  const Launch& launch = _sweep.launches[l];
  const std::optional<Law::Kind> kind = optimizer::rule(launch.rule).law;
  LawClaim claim;
  claim.pushes_down = kind == Law::Kind::pushdown;
  claim.kernel = &_context.kernel<ElementKernel>(launch.kernel);
  for (std::size_t k = 0; k < launch.in.size(); ++k) {
    claim.element_bytes.push_back(_context.element_bytes(launch.in[k]));
    const State& state = _context.plan.states[index_of(launch.in[k])];
    if (state.kind != State::Kind::pre_reduced) continue;
    claim.argument = k;
    claim.reducer = &_context.reducers[index_of(state.reducer)];
  }
  if (claim.reducer == nullptr) return;  // no worker holds replicas: the transition was dropped, the law is not needed
  if (const auto example = counter_example(claim, tile)) {
    const char* law = claim.pushes_down ? "pushdown" : kind == Law::Kind::distributive ? "distributive" : "exchange";
    _broken = fmt::format("{}[{}] the function does not obey the {} law over {} at its argument {}: {}",
                          prefix_of(launch.where), launch.label, law, claim.reducer->name, claim.argument, *example);
  }
}

void LawCheck::agree() {
  if (_agreed) return;
  _agreed = true;
  comm::agree(_context.control, [&] {
    if (!_broken.empty()) throw ProgramError(_broken);
  });
}

}  // namespace kasen::runtime
