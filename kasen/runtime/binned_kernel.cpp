#include "kasen/runtime/binned_kernel.h"

#include <cstring>
#include <new>

namespace kasen::runtime {
namespace {

struct Width {
  std::uint64_t numbers;
};
struct Widths {
  std::uint64_t left, right;
};

void begin_sums(const void* context, void* lanes) {
  auto* const sums = static_cast<BinnedSum*>(lanes);
  for (std::uint64_t k = 0; k < static_cast<const Width*>(context)->numbers; ++k) ::new (sums + k) BinnedSum;
}

template <class T>
void fold_sums(const void* context, void* lanes, const Tile& tile) {
  const std::uint64_t width = static_cast<const Width*>(context)->numbers;
  auto* const sums = static_cast<BinnedSum*>(lanes);
  const auto* const in = static_cast<const T*>(tile.in[0]);
  if (width == 1) {
    sums->add(in, tile.n);
  } else {
    for (std::uint64_t k = 0; k < width; ++k) {
      BinnedAdder adder(sums[k]);
      for (std::uint32_t i = 0; i < tile.n; ++i) adder.add(static_cast<double>(in[i * width + k]));
      sums[k] = adder.sum();
    }
  }
  if (AccessCount* const count = counter(tile.read, 0); kCountAccesses && count != nullptr) *count += tile.n;
}

bool finish_sums(const void* context, void* lanes, void* out) {
  std::memcpy(out, lanes, static_cast<const Width*>(context)->numbers * sizeof(BinnedSum));
  return true;
}

template <class T>
void take_value(const void* context, const void* const* in, void* out) {
  const auto* const sums = static_cast<const BinnedSum*>(in[0]);
  auto* const numbers = static_cast<T*>(out);
  for (std::uint64_t k = 0; k < static_cast<const Width*>(context)->numbers; ++k)
    numbers[k] = static_cast<T>(sums[k].value());
}

/// A number may take the place of its sum, which is larger, in order.
template <class T>
void take_values(const void* context, const Tile& tile) {
  const std::uint64_t width = static_cast<const Width*>(context)->numbers;
  const auto* const sums = static_cast<const BinnedSum*>(tile.in[0]);
  auto* const numbers = static_cast<T*>(tile.out);
  for (std::uint64_t k = 0; k < tile.n * width; ++k) numbers[k] = static_cast<T>(sums[k].value());
  if (AccessCount* const count = counter(tile.read, 0); kCountAccesses && count != nullptr) *count += tile.n;
  if (kCountAccesses && tile.written != nullptr) *tile.written += tile.n;
}

template <class T>
std::uint32_t add_cross(const void* context, const KeyTile& tile) {
  const auto& widths = *static_cast<const Widths*>(context);
  const auto* x = static_cast<const T*>(tile.key);
  const auto* y = static_cast<const T*>(tile.in);
  for (std::uint32_t k = 0; k < tile.n; ++k, x += widths.left, y += widths.right) {
    auto* sums = static_cast<BinnedSum*>(tile.table);
    for (std::uint64_t i = 0; i < widths.left; ++i) {
      for (std::uint64_t j = 0; j < widths.right; ++j, ++sums) sums->add(static_cast<double>(x[i]) * y[j]);
    }
  }
  if (kCountAccesses && tile.keys_read != nullptr) *tile.keys_read += tile.n;
  if (kCountAccesses && tile.elements_read != nullptr) *tile.elements_read += tile.n;
  return tile.n;
}

struct Add {
  BinnedSum operator()(const BinnedSum& a, const BinnedSum& b) const { return a + b; }
};

}  // namespace

template <class T>
FoldKernel binned_fold_kernel(std::uint64_t width) {
  FoldKernel kernel;
  kernel.context = context_of(Width{width});
  kernel.lanes_bytes = static_cast<std::uint32_t>(width * sizeof(BinnedSum));
  kernel.begin = &begin_sums;
  kernel.fold = &fold_sums<T>;
  kernel.finish = &finish_sums;
  return kernel;
}

template <class T>
ElementKernel binned_values_kernel(std::uint64_t width) {
  ElementKernel kernel;
  kernel.context = context_of(Width{width});
  kernel.run = &take_values<T>;
  return kernel;
}

template <class T>
ApplyKernel binned_value_kernel(std::uint64_t width) {
  ApplyKernel kernel;
  kernel.context = context_of(Width{width});
  kernel.run = &take_value<T>;
  return kernel;
}

template <class T>
KeyKernel binned_cross_kernel(std::uint64_t left, std::uint64_t right) {
  KeyKernel kernel;
  kernel.context = context_of(Widths{left, right});
  kernel.run = &add_cross<T>;
  return kernel;
}

KASEN_BINNED_KERNELS(, float);
KASEN_BINNED_KERNELS(, double);

Reducer binned_reducer(Type type) {
  const std::uint64_t width = type.bytes / sizeof(BinnedSum);
  Reducer reducer;
  reducer.type = type;
  reducer.combine = combine_rows<BinnedSum>(Add(), width);
  reducer.identity.resize(width * sizeof(BinnedSum));
  reducer.name = "plus in bins";
  reducer.clear_padding = [](void*) {};
  return reducer;
}

}  // namespace kasen::runtime
