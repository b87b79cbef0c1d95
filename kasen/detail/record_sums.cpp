#include "kasen/detail/record_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kasen::detail {

void refuse_order(SourceLine line, std::string_view call, std::string_view function) {
  const bool is_scan = call.ends_with("_scan");
  recording::refuse(
      line, call,
      fmt::format("with --reproducible, {} may make other bits in another order of elements: sums are {}; "
                  "a function that rounds nothing is declared, laws(f, in_any_order)",
                  function,
                  is_scan ? "scans of numbers, of structs one for each member"
                          : "reduce(plus, map(f, v)), of structs whose numbers kasen::NumbersOf tells"));
}

void require_few(SourceLine line, std::string_view call, SpaceId space) {
  if (recording::recorder(line).length_of(space) > std::numeric_limits<std::uint32_t>::max())
    recording::refuse(line, call, "with --reproducible, sums are of at most 4294967295 elements");
}

/// An addition to a BinnedSum is some fourteen operations that wait for each other, which takes as long as so many that
/// are alone do: 37 to 64 in PageRank, 30 in K-means.
constexpr std::uint64_t kAloneInAddition = 45;

void sum_in_bins(recording::Call& call, std::uint64_t width, std::uint64_t additions) {
  recording::Recorder& recorder = recording::recorder(call.where);
  call.out = recording::type_of_rows<BinnedSum>(width);
  recording::FunctionKey key{&recording::type_mark<Plus, recording::RowOf<BinnedSum>>, {}};
  recording::append_bytes(key.bytes, &width, sizeof width);
  call.reducer = recorder.intern_reducer(std::move(key), runtime::binned_reducer(call.out));
  call.keeps_identity = false;
  call.may_be_active = false;
  call.family = nullptr;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  call.alone = static_cast<std::uint32_t>(std::min(kMost, std::min(kMost, additions) * kAloneInAddition));
}

template <class T>
recording::SlotId record_sums(recording::Call call, Type out) {
  const SourceLine line = call.where;
  const bool is_shared = is_reduction(call.op);
  const std::uint64_t width = call.out.bytes / sizeof(BinnedSum);
  const Sums sums(recording::record(std::move(call)));
  const recording::SlotId slot = sums.slot();
  recording::Call values;
  values.op = is_shared ? Op::apply : Op::element;
  values.primitive = "value_of_sum";
  values.where = line;
  (is_shared ? values.shareds : values.vectors) = {&slot, 1};
  values.out = out;
  values.key = recording::function_key<T, BinnedSum>(out.hash, width);
  if (is_shared) {
    values.kernel = runtime::binned_value_kernel<T>(width);
  } else {
    values.kernel = runtime::binned_values_kernel<T>(width);
  }
  return recording::record(std::move(values));
}
template recording::SlotId record_sums<float>(recording::Call call, Type out);
template recording::SlotId record_sums<double>(recording::Call call, Type out);

}  // namespace kasen::detail
