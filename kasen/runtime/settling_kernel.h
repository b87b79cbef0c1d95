/// @file
/// Kernels of an MxV that goes on from what it improves: y[index[e]] = op(y[index[e]], f_z(v, value[e])), e of input i,
/// with v = x[i] at first, and then v = op(x[i], y[i]) wherever that is no longer x[i].
#pragma once

#include <cstdint>
#include <cstring>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/element_set.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"
#include "kasen/runtime/pending_set.h"

namespace kasen::runtime {

namespace detail {

template <class T, class Element, class Fz, class Op>
class SettlingFunction {
  using Context = MatrixContext<T, Fz, Op>;
  using Term = MatrixTerm<T, T, Element, Fz>;

 public:
  static void reach(const void* context, Settling& settling, LocalIndex first, std::uint32_t n) {
    SettlingFunction function(context, settling);
    const auto pointer = access(settling.matrix.pointer + 1, settling.read);
    const auto x = access(static_cast<const T*>(settling.in), settling.read);
    for (LocalIndex i = first; i < first + n; ++i) function.push(settling.matrix.pointer[i], pointer[i], x[i]);
  }

  static void settle(const void* context, Settling& settling) {
    SettlingFunction function(context, settling);
    PendingSet& pending = *settling.pending;
    while (pending.size() > 0 && pending.size() <= settling.most_pending && settling.entries <= settling.most_entries)
      pending.visit_next([&](LocalIndex i) { function.visit(i); });
  }

 private:
  SettlingFunction(const void* context, Settling& settling)
      : _settling(settling),
        _op(static_cast<const Context*>(context)->op),
        _term{static_cast<const Context*>(context)->f_z,
              static_cast<const typename Term::Value*>(settling.matrix.value)} {}

  /// By their bits, so that nan is like itself.
  static bool differ(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) != 0; }

  void visit(LocalIndex i) {
    const std::uint64_t end = access(_settling.matrix.pointer + 1, _settling.read)[i];
    const T x = access(static_cast<const T*>(_settling.in), _settling.read)[i];
    const T value = _op(x, access(static_cast<const T*>(_settling.out), _settling.read)[i]);
    ++_settling.elements;
    if (!differ(value, x)) return;
    _settling.settled->insert(i);
    _settling.entries += end - _settling.matrix.pointer[i];
    push(_settling.matrix.pointer[i], end, value);
  }

  void push(std::uint64_t entry, std::uint64_t end, const T& value) {
    const auto index = access(_settling.matrix.index, _settling.read);
    const auto so_far = access(static_cast<const T*>(_settling.out), _settling.read);
    const auto y = access(static_cast<T*>(_settling.out), _settling.written);
    for (; entry < end; ++entry) {
      const LocalIndex i = index[entry];
      const T before = so_far[i];
      const T after = _op(before, _term.of(value, entry));
      y[i] = after;
      if (i >= _settling.masters || !differ(before, after)) continue;
      _settling.reached->insert(i);
      _settling.pending->insert(i);
    }
  }

  Settling& _settling;
  Local<Op> _op;
  const Term _term;
};

}  // namespace detail

/// Adds to the kernels of an MxV, whose context is that of matrix_kernel.h, those that go on from what they improve.
/// @tparam T what it reads and makes
template <class T, class Element, class Fz, class Op>
void add_settling(MatrixKernel& kernel) {
  kernel.reach = &detail::SettlingFunction<T, Element, Fz, Op>::reach;
  kernel.settle = &detail::SettlingFunction<T, Element, Fz, Op>::settle;
}

}  // namespace kasen::runtime
