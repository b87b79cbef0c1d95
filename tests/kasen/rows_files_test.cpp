/// @file
/// Rows that are written come back as rows of a table, from text and from HDF5.
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

}  // namespace
}  // namespace kasen::tests
