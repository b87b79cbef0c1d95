#include "kasen/row_products.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "kasen/detail/record_reducers.h"
#include "kasen/detail/record_sums.h"
#include "kasen/runtime/row_product.h"

namespace kasen {

namespace {

struct Widths {
  std::uint64_t left, right;
};
struct OfProduct;

}  // namespace

template <detail::MultipliedNumber T>
Rows<T> detail::product_of_rows(const Rows<T>& X, const Rows<T>& W, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  const Widths widths{width_of(X, line), width_of(W, line)};
  if (const std::uint64_t rows = length_of(W.slot(), line); rows != widths.left) {
    recording::refuse(line, "product",
                      fmt::format("the first has rows of {} numbers, and the second {} rows: it needs a row for each",
                                  widths.left, rows));
  }
  const recording::SlotId in[] = {W.slot(), X.slot()};
  recording::Call call;
  call.op = Op::with_wholes;
  call.wholes = 1;
  call.primitive = "product";
  call.where = line;
  call.vectors = in;
  call.out = recording::type_of_rows<T>(widths.right);
  call.key = recording::function_key<OfProduct*, T>(widths.left, widths.right);
  call.kernel = is_reproducible(line) ? runtime::row_by_row_product_kernel<T>(widths.left, widths.right)
                                      : runtime::row_product_kernel<T>(widths.left, widths.right);
  return recording::RowsResult<T>{recording::record(std::move(call))};
}

template <detail::MultipliedNumber T>
Rows<T> detail::cross_of_rows(const Rows<T>& X, const Rows<T>& Y, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  const Widths widths{width_of(X, line), width_of(Y, line)};
  const recording::SlotId in[] = {X.slot(), Y.slot()};
  recording::Call call;
  call.op = Op::reduce_by_key;
  call.primitive = "cross";
  call.where = line;
  call.vectors = in;
  call.space = Space(widths.left, where).id();
  call.out = recording::type_of_rows<T>(widths.right);
  call.reducer = reducer_of_rows<T>("cross", line, where, plus, widths.right);
  if (is_reproducible(line)) {
    require_few(line, "cross", recording::recorder(line).space_of(X.slot(), line));
    sum_in_bins(call, widths.right, widths.left * widths.right);
    call.kernel = runtime::binned_cross_kernel<T>(widths.left, widths.right);
    return recording::RowsResult<T>{record_sums<T>(std::move(call), recording::type_of_rows<T>(widths.right))};
  }
  call.kernel = runtime::row_cross_kernel<T>(widths.left, widths.right);
  return recording::RowsResult<T>{recording::record(std::move(call))};
}

template Rows<double> detail::product_of_rows(const Rows<double>&, const Rows<double>&, SourceLocation);
template Rows<float> detail::product_of_rows(const Rows<float>&, const Rows<float>&, SourceLocation);
template Rows<double> detail::cross_of_rows(const Rows<double>&, const Rows<double>&, SourceLocation);
template Rows<float> detail::cross_of_rows(const Rows<float>&, const Rows<float>&, SourceLocation);

}  // namespace kasen
