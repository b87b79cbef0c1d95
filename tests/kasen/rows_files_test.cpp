/// @file
/// Rows and vectors that are written come back as a table's, from text and from HDF5, as they were when they were
/// added.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "kasen/session/engine.h"
#include "tests/io/temporary_directory.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

using RowsFiles = ProgramMistakes;

TEST_F(RowsFiles, AreReadAsTheyWereWritten) {
  const auto fill = [](GlobalIndex i, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = static_cast<double>(i) + static_cast<double>(c) / 8;
  };
  const Rows<double> X = map(fill, iota(11), width(3));
  const std::vector<double> all = X.get();
  const io::TemporaryDirectory directory(session->engine().control());
  write(X, directory.path("x.tsv"), "x");
  write(X, directory.path("x.h5"), "x");
  const Table text = read_table(directory.path("x.tsv"));
  EXPECT_EQ(text.names(), (std::vector<std::string>{"x_0", "x_1", "x_2"}));
  EXPECT_EQ(text.as_rows().get(), all);
  ReadOptions options;
  options.dataset = "x";
  const Rows<double> back = read_table(directory.path("x.h5"), options).as_rows();
  EXPECT_EQ(back.width(), 3u);
  EXPECT_EQ(back.get(), all);
}

TEST_F(RowsFiles, HaveWhatVectorsWereWhenTheyWereAdded) {
  const auto more = [](double a) { return a + 1; };
  Vector<double> v = map(more, constant(Space(11), 1.0));
  Rows<double> X =
      map([](GlobalIndex i, std::span<double> out) { out[0] = out[1] = static_cast<double>(i); }, iota(11), width(2));
  const std::vector<double> vector = v.get(), rows = X.get();
  const io::TemporaryDirectory directory(session->engine().control());
  Output hdf5(directory.path("x.h5")), text(directory.path("x.tsv"));
  hdf5.add("v", v).add("x", X);
  text.add("v", v).add("x", X);
  v = map(more, v);
  X = zip_with(
      [](std::span<const double> a, std::span<const double> b, std::span<double> out) {
        for (std::size_t c = 0; c < out.size(); ++c) out[c] = a[c] + b[c];
      },
      X, X, width(2));
  EXPECT_EQ(v.get(), std::vector<double>(11, 3.0));
  EXPECT_NE(X.get(), rows);
  hdf5.commit();
  text.commit();
  ReadOptions options;
  options.dataset = "v";
  EXPECT_EQ(read_table(directory.path("x.h5"), options).column(0).get(), vector);
  options.dataset = "x";
  EXPECT_EQ(read_table(directory.path("x.h5"), options).as_rows().get(), rows);
  const Table table = read_table(directory.path("x.tsv"));
  EXPECT_EQ(table.column("v").get(), vector);
  for (std::size_t k = 0; k < 11; ++k) EXPECT_EQ(table.column("x_1").get()[k], rows[2 * k + 1]);
}

}  // namespace
}  // namespace kasen::tests
