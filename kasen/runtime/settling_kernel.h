/// @file
/// Kernels of an MxV that goes on from what it improves: y[index[e]] = op(y[index[e]], f_z(v, value[e])), e of input i,
/// with v = x[i] at first, and then v = op(x[i], y[i]) wherever that is no longer x[i]. Of two of them that read the
/// same x, v is made of both outputs, and is pushed along both matrices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/element_set.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"
#include "kasen/runtime/pending_set.h"
#include "kasen/runtime/settling_order.h"

namespace kasen::runtime {

namespace detail {

template <class T, class Element, class Fz, class Op>
class SettlingFunction {
  using Context = MatrixContext<T, Fz, Op>;
  using Term = MatrixTerm<T, T, Element, Fz>;
  using Order = SettlingOrder<T, Op::kind>;

 public:
  static void reach(const void* context, Settling& settling, void* order_of_these, LocalIndex first, std::uint32_t n) {
    Order& order = *static_cast<Order*>(order_of_these);
    order.begin(*settling.pending);
    SettlingFunction function(context, settling, settling.puts_off ? &order : nullptr);
    const auto pointer = access(settling.matrix.pointer + 1, settling.read);
    const auto x = access(static_cast<const T*>(settling.in), settling.read);
    for (LocalIndex i = first; i < first + n; ++i) {
      const std::uint64_t begin = settling.matrix.pointer[i], end = pointer[i];
      const T value = x[i];
      const bool master = i < settling.masters;
      const bool later = settling.puts_off && master && order.puts_off(i, value);
      if (master) settling.put_off->put(i, later);
      if (later) {
        settling.entries_put_off += end - begin;
        continue;
      }
      if (master && settling.is_first) order.push(i, end - begin);
      function.push(begin, end, value);
    }
  }

  static std::shared_ptr<void> make_order(LocalIndex masters) { return std::make_shared<Order>(masters); }
  static void forget(void* order, bool in_order) { static_cast<Order*>(order)->forget(in_order); }

  static void settle(const void* context, Settling& settling, void* order_of_these, const OtherSettling* other) {
    PendingSet& pending = *settling.pending;
    Order& order = *static_cast<Order*>(order_of_these);
    order.begin(pending);
    SettlingFunction function(context, settling, &order);
    std::uint64_t entries = 0;
    bool improved = false;
    const auto look = [&](LocalIndex i, T& value) {
      std::uint64_t count = function.look(i, value);
      if (other != nullptr) count += other->kernel.look(other->kernel.context.get(), other->settling, i, &value);
      return count;
    };
    const auto value_of = [&](LocalIndex i) {
      T value = static_cast<const T*>(settling.in)[i];
      look(i, value);
      return value;
    };
    const std::uint64_t most_elements =
        std::max<std::uint64_t>(settling.most_in_order / std::max<std::uint64_t>(function.entries_each(), 1), 1);
    for (;;) {
      order.go_on(most_elements, value_of);
      if (pending.size() == 0) break;
      // Of elements that are put off nobody else knows: if nothing was improved anywhere, the loop would end.
      const std::uint64_t most = order.in_order() ? settling.most_in_order : settling.most_entries;
      const bool too_many = !order.in_order() && pending.size() > settling.most_pending;
      if (improved && (too_many || entries > most)) break;
      function.approach();
      pending.visit_next([&](LocalIndex i) {
        const T before = static_cast<const T*>(settling.in)[i];
        T value = before;
        const std::uint64_t count = look(i, value);
        const bool is_better = differ(value, before);
        if (!settling.put_off->put(i, false) && !is_better) return;
        improved = improved || is_better;
        entries += count;
        settling.settled->put(i, true);
        order.push(i, count);
        function.push_on(i, value);
        if (other != nullptr) other->kernel.push_on(other->kernel.context.get(), other->settling, i, &value, &order);
      });
    }
    if (settling.puts_off && order.in_order()) {
      order.put_off(*settling.put_off);
      settling.settled->insert_all(*settling.put_off);
    } else {
      order.end();
      while (pending.size() > 0) pending.visit_next([&](LocalIndex i) { settling.settled->put(i, false); });
    }
  }

  // ---- for one that settles another one too ----

  static std::uint64_t look(const void* context, Settling& settling, LocalIndex i, void* value) {
    return SettlingFunction(context, settling, nullptr).look(i, *static_cast<T*>(value));
  }
  static void push_on(const void* context, Settling& settling, LocalIndex i, const void* value, void* order) {
    SettlingFunction(context, settling, static_cast<Order*>(order)).push_on(i, *static_cast<const T*>(value));
  }

 private:
  /// @param order null: all that is improved is pending
  SettlingFunction(const void* context, Settling& settling, Order* order)
      : _settling(settling),
        _order(order),
        _op(static_cast<const Context*>(context)->op),
        _term{static_cast<const Context*>(context)->f_z,
              static_cast<const typename Term::Value*>(settling.matrix.value)} {}

  /// By their bits, so that nan is like itself.
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  static bool differ(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) != 0; }

  /// Fetches what elements that are visited soon will be made of, as far as it is this product's: each is far from the
  /// last.
  void approach() {
    const LocalIndex far = _settling.pending->guess(8);
    __builtin_prefetch(_settling.matrix.pointer + far);
    __builtin_prefetch(static_cast<const T*>(_settling.in) + far);
    __builtin_prefetch(static_cast<const T*>(_settling.out) + far);
    const std::uint64_t entry = _settling.matrix.pointer[_settling.pending->guess(4)];
    __builtin_prefetch(_settling.matrix.index + entry);
    if constexpr (!std::is_void_v<Element>)
      __builtin_prefetch(static_cast<const Element*>(_settling.matrix.value) + entry);
  }

  /// Of the masters, on average.
  std::uint64_t entries_each() const {
    return _settling.matrix.pointer[_settling.masters] / std::max<std::uint64_t>(_settling.masters, 1);
  }

  /// Adds x[i] and y[i] to a value. @return the number of entries of i
  std::uint64_t look(LocalIndex i, T& value) {
    const std::uint64_t end = access(_settling.matrix.pointer + 1, _settling.read)[i];
    const T x = access(static_cast<const T*>(_settling.in), _settling.read)[i];
    value = _op(value, _op(x, access(static_cast<const T*>(_settling.out), _settling.read)[i]));
    ++_settling.elements;
    return end - _settling.matrix.pointer[i];
  }

  void push_on(LocalIndex i, const T& value) {
    const std::uint64_t begin = _settling.matrix.pointer[i], end = _settling.matrix.pointer[i + 1];
    _settling.entries += end - begin;
    push(begin, end, value);
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
      if (_order != nullptr) {
        _order->add(i, after, value);
      } else {
        _settling.pending->insert(i);
      }
    }
  }

  Settling& _settling;
  Order* const _order;
  Local<Op> _op;
  const Term _term;
};

}  // namespace detail

/// Adds to the kernels of an MxV, whose context is that of matrix_kernel.h, those that go on from what they improve.
/// @tparam T what it reads and makes
template <class T, class Element, class Fz, class Op>
void add_settling(MatrixKernel& kernel) {
  using Function = detail::SettlingFunction<T, Element, Fz, Op>;
  kernel.reach = &Function::reach;
  kernel.make_order = &Function::make_order;
  kernel.forget = &Function::forget;
  kernel.settle = &Function::settle;
  kernel.look = &Function::look;
  kernel.push_on = &Function::push_on;
}

}  // namespace kasen::runtime
