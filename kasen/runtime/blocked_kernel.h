/// @file
/// Matrix kernels that pull over one block of a matrix in blocks: out[j] = op(out[j], op over the entries e of a run
/// of j of f_z(in[input[e]], value[e])).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kasen/base/matrix_format.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"

namespace kasen::runtime::detail {

/// Computes `Count` MxVs over one block. Several runs of equal length are summed at a time, long ones into as many
/// partial results: additions that need not wait for each other, in registers. Vectors, which the compiler would make
/// by loading element by element, take longer: measured 1.1 to 1.4 times. The order of operations is the same for
/// every Count, and an output has the same bits whether its run is summed with others or alone, which depends on where
/// the matrix is cut: terms are settled in both loops. Long runs are all summed by one loop.
template <class Out, class In, class Element, class Fz, class Op, std::uint32_t Count>
class BlockedFunction {
  using Context = MatrixContext<Out, Fz, Op>;
  using Term = MatrixTerm<Out, In, Element, Fz>;
  static constexpr std::uint32_t kLongestGroup = MatrixFormat::kLongestGroup, kRunsAtOnce = MatrixFormat::kRunsAtOnce;

 public:
  static void run(const void* context, const MatrixBlock& block) {
    const auto& c = *static_cast<const Context*>(context);
    BlockedFunction walk(c, block);
    for (std::uint32_t length = 1; length <= kLongestGroup; ++length) walk.group(length, block.runs[length]);
    walk.long_runs(block.runs[0]);
  }

 private:
  BlockedFunction(const Context& context, const MatrixBlock& block)
      : _block(block), _op(context.op), _term{context.f_z, static_cast<const typename Term::Value*>(block.value)} {}

  Access<const In> in(std::size_t k) const {
    return access(static_cast<const In*>(_block.in[k]), counter(_block.read, k));
  }
  /// Entries and outputs are counted for the first vector.
  Access<const std::uint16_t> input(std::size_t k) const {
    return access(_block.input, k == 0 ? _block.entries : nullptr);
  }
  Access<const std::uint16_t> output(std::size_t k) const {
    return access(_block.output, k == 0 ? _block.lists : nullptr);
  }
  [[gnu::always_inline]] void fetch(std::uint64_t entry) const {
    if (_block.far) prefetch_entries<Element>(_block.input, _block.value, entry);
  }
  void add(std::size_t k, std::uint32_t j, const Out& result) const {
    const auto so_far = access(static_cast<const Out*>(_block.out[k]), counter(_block.accumulated, k));
    const auto to = access(static_cast<Out*>(_block.out[k]), counter(_block.written, k));
    to[j] = _op(so_far[j], result);
  }

  void group(std::uint32_t length, std::uint32_t runs) {
    std::uint32_t done = 0;
    for (; done + kRunsAtOnce <= runs; done += kRunsAtOnce) {
      for (std::size_t k = 0; k < Count; ++k) at_once(k, length);
      _entry += std::uint64_t{kRunsAtOnce} * length;
      _run += kRunsAtOnce;
    }
    for (; done < runs; ++done) {
      for (std::size_t k = 0; k < Count; ++k) {
        const auto index = input(k);
        const auto vector = in(k);
        Out sum = _term.settled(vector, index[_entry], _entry);
        for (std::uint64_t e = _entry + 1; e < _entry + length; ++e) {
          sum = _op(sum, _term.settled(vector, index[e], e));
        }
        add(k, output(k)[_run], sum);
      }
      _entry += length;
      ++_run;
    }
  }

  void at_once(std::size_t k, std::uint32_t length) const {
    const auto index = input(k);
    const auto vector = in(k);
    const auto to = output(k);
    const std::uint64_t end = _entry + std::uint64_t{kRunsAtOnce} * length;
    const Local<Op> op = _op;
    const Term term = _term;
    if constexpr (std::is_arithmetic_v<Out>) {
      Out sum[kRunsAtOnce];
#pragma GCC unroll 8
      for (std::uint32_t r = 0; r < kRunsAtOnce; ++r) sum[r] = term.settled(vector, index[_entry + r], _entry + r);
      fetch(_entry);
      for (std::uint64_t e = _entry + kRunsAtOnce; e < end; e += kRunsAtOnce) {
        fetch(e);
#pragma GCC unroll 8
        for (std::uint32_t r = 0; r < kRunsAtOnce; ++r) sum[r] = op(sum[r], term.settled(vector, index[e + r], e + r));
      }
      for (std::uint32_t r = 0; r < kRunsAtOnce; ++r) add(k, to[_run + r], sum[r]);
    } else {
      for (std::uint32_t r = 0; r < kRunsAtOnce; ++r) {
        Out sum = term.settled(vector, index[_entry + r], _entry + r);
        for (std::uint64_t e = _entry + r + kRunsAtOnce; e < end; e += kRunsAtOnce) {
          sum = op(sum, term.settled(vector, index[e], e));
        }
        add(k, to[_run + r], sum);
      }
    }
  }

  void long_runs(std::uint32_t runs) {
    const auto lengths = access(_block.length, _block.lists);
    for (std::uint32_t r = 0; r < runs; ++r) {
      const std::uint64_t end = _entry + lengths[r];
      for (std::size_t k = 0; k < Count; ++k) long_run(k, end);
      _entry = end;
      ++_run;
    }
  }

  /// Sums a long run into kRunsAtOnce partial results, and those in order.
  void long_run(std::size_t k, std::uint64_t end) const {
    const auto index = input(k);
    const auto vector = in(k);
    const Local<Op> op = _op;
    const Term term = _term;
    const auto add_from = [&](Out sum, std::uint64_t e) {
      for (; e < end; ++e) sum = op(sum, term(vector, index[e], e));
      add(k, output(k)[_run], sum);
    };
    if constexpr (std::is_arithmetic_v<Out>) {
      Out lane[kRunsAtOnce];
#pragma GCC unroll 8
      for (std::uint32_t r = 0; r < kRunsAtOnce; ++r) lane[r] = term(vector, index[_entry + r], _entry + r);
      std::uint64_t e = _entry + kRunsAtOnce;
      for (; e + kRunsAtOnce <= end; e += kRunsAtOnce) {
        fetch(e);
#pragma GCC unroll 8
        for (std::uint32_t r = 0; r < kRunsAtOnce; ++r) lane[r] = op(lane[r], term(vector, index[e + r], e + r));
      }
      Out sum = lane[0];
      for (std::uint32_t r = 1; r < kRunsAtOnce; ++r) sum = op(sum, lane[r]);
      add_from(sum, e);
    } else {
      add_from(term(vector, index[_entry], _entry), _entry + 1);
    }
  }

  const MatrixBlock& _block;
  Local<Op> _op;
  Term _term;
  std::uint64_t _entry = 0;  ///< the first of the current run
  std::uint64_t _run = 0;
};

}  // namespace kasen::runtime::detail
