/// @file
/// Measurement of element functions over structs, in the cache: the cost of working around a compiler's defect
/// (kasen/runtime/unmasked.h), beside the plain loop, which that compiler may make wrong numbers of, and beside loops
/// without if-conversion, which other kernels are.
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/measure.h"
#include "kasen/runtime/element_kernel.h"

namespace {

using kasen::runtime::Tile;
using kasen::runtime::VectorOperand;

template <class T, int N>
struct Row {
  T v[N];
};

/// A function of all members.
template <class Member>
struct Each {
  template <class T, int N>
  Row<T, N> operator()(const Row<T, N>& a, const Row<T, N>& b) const {
    Row<T, N> r{};
    for (int k = 0; k < N; ++k) Member()(r.v[k], a.v[k], b.v[k]);
    return r;
  }
};

struct Product {
  template <class T>
  void operator()(T& r, const T& a, const T& b) const {
    r = a * b + a;
  }
};
struct Choice {
  template <class T>
  void operator()(T& r, const T& a, const T& b) const {
    r = a > 0 ? b : T{0};
  }
};
struct Condition {
  template <class T>
  void operator()(T& r, const T& a, const T& b) const {
    if (a > 0) r = b;
  }
};
struct And {
  template <class T>
  void operator()(T& r, const T& a, const T& b) const {
    r = static_cast<T>(a > 0 && b < 5);
  }
};
struct Smaller {
  template <class T>
  void operator()(T& r, const T& a, const T& b) const {
    r = b < a ? b : a;
  }
};
struct Whole {
  template <class R>
  R operator()(const R& a, const R& b) const {
    return a.v[0] > 0 ? b : a;
  }
};

template <class R, class F>
void compare(const std::string& type, const std::string& function) {
  const std::size_t n = 10000 / sizeof(R);
  std::vector<R> a(n), b(n), out(n);
  std::uint32_t state = 1;
  for (auto* vector : {&a, &b}) {
    for (R& row : *vector) {
      for (auto& x : row.v) {
        state = state * 1664525 + 1013904223;
        x = static_cast<std::remove_reference_t<decltype(x)>>(static_cast<int>((state >> 16) % 11) - 5);
      }
    }
  }
  using Function = kasen::runtime::detail::ElementFunction<R, F, VectorOperand<R>, VectorOperand<R>>;
  const auto kernel = kasen::runtime::element_kernel<R>(F(), VectorOperand<R>(), VectorOperand<R>());
  const void* in[] = {a.data(), b.data()};
  Tile tile;
  tile.in = in;
  tile.out = out.data();
  tile.n = static_cast<std::uint32_t>(n);
  const auto variant = [&](const char* name, void (*run)(const void*, const Tile&)) {
    return bench::Variant{name, [&kernel, &tile, run] {
                            for (int k = 0; k < 200; ++k) run(kernel.context.get(), tile);
                          }};
  };
  std::vector<bench::Variant> variants = {variant("kernel", kernel.run), variant("plain", &Function::run),
                                          variant("unmasked", kasen::runtime::unmasked<&Function::run, R>())};
  bench::measure(variants, 21);
  bench::print_ratio("struct_sweep", type + "/" + function, variants[0], variants[1]);
  bench::print_ratio("struct_sweep", type + "/" + function, variants[2], variants[1]);
}

template <class T, int N>
void compare(const std::string& type) {
  using R = Row<T, N>;
  compare<R, Each<Product>>(type, "product");
  compare<R, Each<Choice>>(type, "choice");
  compare<R, Each<Condition>>(type, "condition");
  compare<R, Each<And>>(type, "and");
  compare<R, Each<Smaller>>(type, "smaller");
  compare<R, Whole>(type, "whole");
}

}  // namespace

int main() {
  compare<double, 4>("double-4");
  compare<double, 8>("double-8");
  compare<double, 10>("double-10");
  compare<std::int64_t, 8>("int64-8");
  compare<float, 16>("float-16");
  compare<std::int32_t, 6>("int32-6");
  compare<double, 32>("double-32");
  return 0;
}
