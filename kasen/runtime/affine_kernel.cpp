#include "kasen/runtime/affine_kernel.h"

#include <utility>

#include "kasen/base/evaluate.h"
#include "kasen/runtime/access.h"

namespace kasen::runtime {
namespace {

struct AffineContext {
  Expression coefficient;
  std::vector<Scalar> plain;
};

template <class T, Operator Op>
void run(const void* context, const Tile& tile) {
  const auto& affine = *static_cast<const AffineContext*>(context);
  const T c = evaluate(affine.coefficient, [&](const Node& node) {
                return node.op == Operator::plain ? affine.plain.at(node.position)
                                                  : Scalar::load(node.type, tile.shared[node.position]);
              }).template as<T>();
  const auto in = access(static_cast<const T*>(tile.in[0]), counter(tile.read, 0));
  const auto out = access(static_cast<T*>(tile.out), tile.written);
  const std::uint32_t n = tile.n;
  KASEN_SIMD
  for (std::uint32_t k = 0; k < n; ++k) {
    if constexpr (Op == Operator::multiply) {
      out[k] = static_cast<T>(c * in[k]);
    } else {
      out[k] = static_cast<T>(in[k] + c);
    }
  }
}

}  // namespace

ElementKernel affine_kernel(Operator op, Expression coefficient, std::vector<Scalar> plain) {
  ElementKernel kernel;
  kernel.run = with_type(coefficient.result().type, [&]<class T>(std::type_identity<T>) {
    return op == Operator::multiply ? &run<T, Operator::multiply> : &run<T, Operator::add>;
  });
  kernel.context = context_of(AffineContext{std::move(coefficient), std::move(plain)});
  return kernel;
}

}  // namespace kasen::runtime
