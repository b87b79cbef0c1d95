// Loops over structs whose functions have conditions, as kernels have them: prints those that come out wrong, and fails
// then. Compiled and run when Kasen is configured, and when a program that uses it is (compiler.cmake).
#include <cstdint>
#include <cstdio>

#include "kasen/runtime/unmasked.h"

namespace {

constexpr int kElements = 67;

template <class T, int N>
struct Row {
  T v[N];
};

template <class T, int N, class F>
void loop(Row<T, N>* __restrict out, const Row<T, N>* __restrict a, const Row<T, N>* __restrict b, int n) {
#pragma omp simd
  for (int k = 0; k < n; ++k) out[k] = F()(a[k], b[k]);
}

template <class T, int N, class F>
Row<T, N> of_copies(const Row<T, N> a, const Row<T, N> b) {
  return F()(a, b);
}

template <class T, int N, class F>
void loop_over_copies(Row<T, N>* __restrict out, const Row<T, N>* __restrict a, const Row<T, N>* __restrict b, int n) {
  for (int k = 0; k < n; ++k) out[k] = of_copies<T, N, F>(a[k], b[k]);
}

struct Choose {
  template <class T, int N>
  Row<T, N> operator()(const Row<T, N>& a, const Row<T, N>& b) const {
    Row<T, N> r;
    for (int k = 0; k < N; ++k) r.v[k] = a.v[k] > 0 ? b.v[k] : T{0};
    return r;
  }
};

struct ShortCut {
  template <class T, int N>
  Row<T, N> operator()(const Row<T, N>& a, const Row<T, N>& b) const {
    Row<T, N> r;
    for (int k = 0; k < N; ++k) r.v[k] = static_cast<T>(a.v[k] > 0 && b.v[k] < 5);
    return r;
  }
};

template <class T, int N, class F, class Run>
int wrong(const char* name, Run* function) {
  Run* volatile run = function;
  static Row<T, N> a[kElements], b[kElements], out[kElements];
  for (int i = 0; i < kElements; ++i) {
    for (int k = 0; k < N; ++k) {
      a[i].v[k] = static_cast<T>((i * 7 + k * 3) % 11 - 5);
      b[i].v[k] = static_cast<T>((i * 5 + k) % 13 - 6);
    }
  }
  run(out, a, b, kElements);
  int count = 0;
  for (int i = 0; i < kElements; ++i) {
    const volatile Row<T, N>&x = a[i], &y = b[i];
    Row<T, N> first, second;
    for (int k = 0; k < N; ++k) first.v[k] = x.v[k], second.v[k] = y.v[k];
    const Row<T, N> expected = F()(first, second);
    for (int k = 0; k < N; ++k) count += out[i].v[k] != expected.v[k];
  }
  if (count != 0)
    std::printf("%s over %d numbers of %d bytes: %d wrong\n", name, N, static_cast<int>(sizeof(T)), count);
  return count;
}

template <class T, int N, class F>
int wrong(const char* name) {
  return wrong<T, N, F>(name, kasen::runtime::unmasked<&loop<T, N, F>, Row<T, N>>()) +
         wrong<T, N, F>(name, kasen::runtime::memberwise<&loop<T, N, F>, &loop_over_copies<T, N, F>, Row<T, N>>());
}

template <class T, int N>
int wrong() {
  return wrong<T, N, Choose>("a choice") + wrong<T, N, ShortCut>("a condition that short-cuts");
}

}  // namespace

int main() {
  const int all = wrong<double, 8>() + wrong<double, 10>() + wrong<std::int64_t, 8>() + wrong<float, 16>() +
                  wrong<float, 20>() + wrong<std::int32_t, 24>();
  return all == 0 ? 0 : 1;
}
