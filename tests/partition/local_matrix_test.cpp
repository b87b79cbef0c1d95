/// @file
/// Both compressed forms of a local matrix, of whatever they are made, against a stable sort of its entries.

#include "partition/local_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tests/support/graphs.h"

namespace kasen::partition {
namespace {

struct Coordinates {
  LocalIndex rows, columns;
  RawVector<LocalIndex> row, column;
  RawVector<std::byte> value;
  std::uint32_t value_bytes;
};

/// Values tell the position of the entry, so that every entry can be followed.
Coordinates random_entries(LocalIndex rows, LocalIndex columns, std::uint64_t number, std::uint32_t value_bytes) {
  Coordinates entries{rows, columns, {}, {}, {}, value_bytes};
  const tests::Edges edges = tests::uniform_edges(rows, columns, number, 11);
  entries.row.assign(edges.source.begin(), edges.source.end());
  entries.column.assign(edges.target.begin(), edges.target.end());
  entries.value.resize(number * value_bytes);
  for (std::size_t k = 0; k < number; ++k)
    for (std::uint32_t b = 0; b < value_bytes; ++b)
      entries.value[k * value_bytes + b] = static_cast<std::byte>(k * 31 + b * 7);
  return entries;
}

LocalMatrix make(const Coordinates& from) {
  return {from.rows, from.columns, from.row, from.column, from.value, from.value_bytes};
}

void expect_compressed(const CompressedView& view, const Coordinates& from, bool by_column, LocalIndex outputs) {
  const RawVector<LocalIndex>& output = by_column ? from.column : from.row;
  const RawVector<LocalIndex>& input = by_column ? from.row : from.column;
  std::vector<std::size_t> order(output.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(output[a], input[a]) < std::pair(output[b], input[b]);
  });
  ASSERT_EQ(view.pointer.size(), std::size_t{outputs} + 1);
  ASSERT_EQ(view.index.size(), order.size());
  EXPECT_EQ(view.value == nullptr, from.value_bytes == 0 || order.empty());
  for (LocalIndex j = 0; j < outputs; ++j)
    EXPECT_EQ(view.pointer[j + 1] - view.pointer[j],
              static_cast<std::uint64_t>(std::count(output.begin(), output.end(), j)));
  for (std::size_t k = 0; k < order.size(); ++k) {
    EXPECT_EQ(view.index[k], input[order[k]]);
    if (from.value_bytes != 0) {
      EXPECT_EQ(
          std::memcmp(view.value + k * from.value_bytes, &from.value[order[k] * from.value_bytes], from.value_bytes),
          0);
    }
  }
}

TEST(LocalMatrix, BothFormsInEitherOrder) {
  for (std::uint32_t value_bytes : {0u, 1u, 3u, 4u, 8u, 16u, 24u}) {
    const Coordinates entries = random_entries(17, 9, 200, value_bytes);  // with duplicates
    LocalMatrix first = make(entries), second = make(entries);
    EXPECT_EQ(first.nonzeros(), 200u);
    EXPECT_EQ(first.value_bytes(), value_bytes);
    expect_compressed(first.by_column(), entries, true, 9);
    expect_compressed(first.by_row(), entries, false, 17);
    expect_compressed(first.by_column(), entries, true, 9);
    expect_compressed(second.by_row(), entries, false, 17);
    expect_compressed(second.by_column(), entries, true, 9);
  }
}

TEST(LocalMatrix, EntriesThatComeInOrder) {
  Coordinates entries = random_entries(17, 9, 200, 4);
  std::sort(entries.row.begin(), entries.row.end());
  LocalMatrix by_column = make(entries), by_row = make(entries);
  expect_compressed(by_column.by_column(), entries, true, 9);
  expect_compressed(by_column.by_row(), entries, false, 17);
  expect_compressed(by_row.by_row(), entries, false, 17);
}

/// The entries in the order of one of the forms, but for some neighbours that have changed places.
Coordinates in_order(const Coordinates& entries, bool by_column, std::size_t swaps) {
  std::vector<std::size_t> order(entries.row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t k) {
    const std::pair at(entries.row[k], entries.column[k]);
    return by_column ? std::pair(at.second, at.first) : at;
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
  for (std::size_t k = 1; k < order.size() && swaps > 0; ++k) {
    if (place(order[k - 1]).first != place(order[k]).first || place(order[k - 1]) == place(order[k])) continue;
    std::swap(order[k - 1], order[k]);
    --swaps;
  }
  Coordinates sorted = entries;
  for (std::size_t k = 0; k < order.size(); ++k) {
    sorted.row[k] = entries.row[order[k]];
    sorted.column[k] = entries.column[order[k]];
    std::copy_n(entries.value.begin() + static_cast<std::ptrdiff_t>(order[k] * entries.value_bytes),
                entries.value_bytes, sorted.value.begin() + static_cast<std::ptrdiff_t>(k * entries.value_bytes));
  }
  return sorted;
}

TEST(LocalMatrix, EntriesInTheOrderOfAFormNeedNoSort) {
  for (const std::uint32_t value_bytes : {0u, 3u, 8u})
    for (const bool sorted_by_column : {false, true})
      for (const std::size_t swaps : {0u, 1u, 200u}) {
        const Coordinates entries = in_order(random_entries(67, 59, 300, value_bytes), sorted_by_column, swaps);
        for (const bool column_first : {false, true}) {
          LocalMatrix matrix = make(entries);
          for (const bool column : {column_first, !column_first})
            expect_compressed(column ? matrix.by_column() : matrix.by_row(), entries, column, column ? 59 : 67);
        }
      }
}

TEST(LocalMatrix, WithoutEntriesOrWithoutExtent) {
  for (LocalIndex extent : {0u, 1u, 4u}) {
    const Coordinates entries{extent, 2, {}, {}, {}, 8};
    LocalMatrix matrix = make(entries);
    expect_compressed(matrix.by_column(), entries, true, 2);
    expect_compressed(matrix.by_row(), entries, false, extent);
  }
}

TEST(LocalMatrix, CoversSpacesThatGrow) {
  const Coordinates entries = random_entries(6, 5, 30, 4);
  LocalMatrix matrix = make(entries);
  expect_compressed(matrix.by_column(), entries, true, 5);
  matrix.covering(8, 9);
  expect_compressed(matrix.by_column(), entries, true, 9);
  expect_compressed(matrix.by_row(), entries, false, 8);
}

using Form = MatrixStorage::Form;

constexpr MatrixStorage kColumns{Role::Side::column}, kRows{Role::Side::row};
constexpr MatrixStorage kColumnBlocks{Role::Side::column, Form::blocks}, kRowBlocks{Role::Side::row, Form::blocks};
constexpr MatrixStorage kColumnStencils{Role::Side::column, Form::stencils},
    kRowStencils{Role::Side::row, Form::stencils};

using Storages = std::vector<MatrixStorage>;

TEST(LocalMatrix, MakesDroppedStoragesAgainOfAnyThatIsLeft) {
  for (const std::uint32_t value_bytes : {0u, 3u, 8u}) {
    for (const std::uint32_t edge : {4u, 1024u}) {
      for (const MatrixStorage& left : {kColumns, kRows, kColumnBlocks, kRowBlocks, kColumnStencils, kRowStencils}) {
        const Coordinates entries = random_entries(90, 70, 3000, value_bytes);
        LocalMatrix matrix = make(entries);
        if (left.form == Form::compressed) (void)matrix.by(left.outputs);
        if (left.form == Form::blocks) (void)matrix.blocked(left.outputs, edge, 2);
        if (left.form == Form::stencils) (void)matrix.stencils(left.outputs);
        EXPECT_FALSE(matrix.walk(Storages{left}, kWalksOfStorage, Storages{left}));
        ASSERT_EQ(matrix.storages(), Storages{left});
        matrix.covering(95, 71);
        expect_compressed(matrix.by_row(), entries, false, 95);
        expect_compressed(matrix.by_column(), entries, true, 71);
      }
    }
  }
}

TEST(LocalMatrix, DropsWhatIsLeftIdle) {
  LocalMatrix matrix = make(random_entries(17, 9, 200, 8));
  (void)matrix.by_row();
  (void)matrix.by_column();
  const Storages both{kRows, kColumns};
  for (std::uint64_t k = 0; k < 3 * kWalksOfStorage; ++k) {  // in turns
    EXPECT_FALSE(matrix.walk(Storages{kRows}, 1, Storages{kRows}));
    EXPECT_FALSE(matrix.walk(Storages{kColumns}, 1, Storages{kColumns}));
  }
  EXPECT_FALSE(matrix.walk(Storages{kColumns}, kWalksOfStorage, both));  // rows are needed later
  EXPECT_EQ(matrix.storages(), both);
  EXPECT_TRUE(matrix.walk(Storages{kColumns}, 1, Storages{kColumns}));
  EXPECT_EQ(matrix.storages(), Storages{kColumns});
  (void)matrix.by_row();  // and stays, now that it was asked for again
  EXPECT_FALSE(matrix.walk(Storages{kColumns}, 5 * kWalksOfStorage, Storages{kColumns}));
  EXPECT_EQ(matrix.storages(), both);
}

TEST(LocalMatrix, FormsThatOthersAreMadeOfDoNotStay) {
  LocalMatrix matrix = make(random_entries(17, 9, 200, 8));
  (void)matrix.measure_blocks(Role::Side::column, 4);
  EXPECT_EQ(matrix.storages(), Storages{kColumns});
  (void)matrix.blocked(Role::Side::column, 4);
  EXPECT_EQ(matrix.storages(), Storages{kColumnBlocks});
  (void)matrix.blocked(Role::Side::row, 4);  // by way of the compressed form
  EXPECT_EQ(matrix.storages(), (Storages{kRowBlocks, kColumnBlocks}));
}

/// What came into being on the way to another form is there until it is known that nobody asks for it.
TEST(LocalMatrix, FormsThatCameForNothingAreKeptForAWhile) {
  const Coordinates entries = in_order(random_entries(17, 9, 200, 8), false, 0);
  LocalMatrix asked = make(entries), unasked = make(entries);
  for (LocalMatrix* const matrix : {&asked, &unasked}) {
    (void)matrix->by_column();
    EXPECT_EQ(matrix->storages(), (Storages{kRows, kColumns}));
  }
  (void)asked.by_row();
  asked.drop_unasked({});
  EXPECT_EQ(asked.storages(), (Storages{kRows, kColumns}));
  unasked.drop_unasked(Storages{kRows});
  EXPECT_EQ(unasked.storages(), (Storages{kRows, kColumns}));
  unasked.drop_unasked({});
  EXPECT_EQ(unasked.storages(), Storages{kColumns});
  unasked.drop_unasked({});
  EXPECT_EQ(unasked.storages(), Storages{kColumns}) << "the only one stays";
  expect_compressed(unasked.by_row(), entries, false, 17);
  LocalMatrix counted = make(random_entries(17, 9, 200, 8));
  (void)counted.measure_blocks(Role::Side::row, 4);
  counted.drop_unasked(Storages{kColumns});
  expect_compressed(counted.by_column(), random_entries(17, 9, 200, 8), true, 9);
}

TEST(LocalMatrix, FormsThatAreAskedForStayBesideWhatIsMadeOfThem) {
  LocalMatrix matrix = make(random_entries(17, 9, 200, 8));
  const CompressedView view = matrix.by_column();
  (void)matrix.blocked(Role::Side::column, 4);
  EXPECT_EQ(matrix.storages(), (Storages{kColumns, kColumnBlocks}));
  EXPECT_EQ(matrix.by_column().index.data(), view.index.data());
}

}  // namespace
}  // namespace kasen::partition
