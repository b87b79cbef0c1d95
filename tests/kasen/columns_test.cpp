/// @file
/// Columns of several types, beside a plain serial parse of the same text; and what is refused of files and calls.
#include "kasen/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kasen/session/engine.h"
#include "tests/io/temporary_directory.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

using Strings = std::vector<std::string>;
const std::vector<WantedColumn> kWanted{
    {"key", ColumnType::integer}, {"price", ColumnType::number}, {"day", ColumnType::date}, {"mode", ColumnType::word}};

class ColumnsTest : public ProgramMistakes {
 protected:
  /// Fields of one column, which `of` makes of text.
  template <class Of>
  static auto column(const std::vector<Strings>& rows, std::size_t k, Of of) {
    std::vector<decltype(of(rows[0][k]))> values;
    for (const Strings& row : rows) values.push_back(of(row[k]));
    return values;
  }
  /// Collective. Reads a file whose columns are key, price, day, mode, and compares it with these rows of fields.
  void expect_rows(const std::string& path, const std::vector<Strings>& rows) {
    const Columns table = read_columns(path, kWanted);
    ASSERT_EQ(table.rows().length(), rows.size());
    EXPECT_EQ(table.integers("key").get(),
              column(rows, 0, [](const std::string& s) { return std::int64_t{std::stoll(s)}; }));
    EXPECT_EQ(table.numbers("price").get(), column(rows, 1, [](const std::string& s) { return std::stod(s); }));
    const auto day = column(rows, 2, [](const std::string& s) {
      return day_of(std::stoi(s), static_cast<unsigned>(std::stoi(s.substr(5))),
                    static_cast<unsigned>(std::stoi(s.substr(8))));
    });
    EXPECT_EQ(table.dates("day").get(), day);
    for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(date_of(day[k]), rows[k][2]);
    const auto [code, words] = table.words("mode");
    std::set<std::string> distinct;
    for (const Strings& row : rows) distinct.insert(row[3]);
    ASSERT_EQ(words.size(), distinct.size());
    EXPECT_TRUE(std::equal(
        distinct.begin(), distinct.end(), Strings(distinct.size()).begin(),
        [&, k = std::int32_t{0}](const std::string& word, const std::string&) mutable { return words[k++] == word; }));
    EXPECT_EQ(code.get(), column(rows, 3, [&](const std::string& s) {
                return static_cast<std::int32_t>(std::distance(distinct.begin(), distinct.find(s)));
              }));
  }
  std::string expect_refused(const std::string& text, const std::string& message) {
    const std::string path = directory.write("bad.csv", text);
    const std::string found = refusal([&] { read_columns(path, kWanted); });
    EXPECT_EQ(found, path + message);
    return found;
  }
  void TearDown() override {
    _files.reset();  // which workers remove together
    ProgramMistakes::TearDown();
  }
  std::optional<io::TemporaryDirectory> _files{std::in_place, session->engine().control()};
  const io::TemporaryDirectory& directory = *_files;
};

TEST_F(ColumnsTest, AreThoseOfASerialParse) {
  const Strings modes{"AIR", "REG AIR", "", "MAIL", "a,b", "the \"best\"", "Ähre", "zebra"};
  std::vector<Strings> rows;
  std::string text = "key,other,\"price\",day,mode\n";
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t limit) {
    return (state = state * 6364136223846793005u + 1442695040888963407u) / 65536 % limit;
  };
  for (int k = 0; k < 997; ++k) {
    Strings row{std::to_string(static_cast<std::int64_t>(draw(2000)) - 1000) + (k % 50 == 0 ? "00000000000000" : ""),
                std::to_string(draw(100000)) + "." + std::to_string(10 + draw(90)),
                date_of(static_cast<std::int32_t>(draw(40000)) - 10000), modes[draw(k < 500 ? 4 : modes.size())]};
    std::string mode = row[3];
    for (std::size_t at = 0; (at = mode.find('"', at)) != std::string::npos; at += 2) mode.insert(at, "\"");
    if (mode != row[3] || mode.find(',') != std::string::npos || k % 9 == 0) mode = '"' + mode + '"';
    text +=
        row[0] + ",#x " + std::to_string(k) + "," + row[1] + " , " + row[2] + "," + mode + (k % 3 == 0 ? "\r\n" : "\n");
    if (k % 100 == 0) text += "\n# a comment\n";
    rows.push_back(std::move(row));
  }
  expect_rows(directory.write("t.csv", text), rows);
  std::string tabs = text;  // without what stands in quotes
  std::replace(tabs.begin(), tabs.end(), ',', '\t');
  for (Strings& row : rows) std::replace(row[3].begin(), row[3].end(), ',', '\t');
  expect_rows(directory.write("t.txt", tabs), rows);
}

/// Rows whose fields are all empty are none less.
TEST_F(ColumnsTest, OfEmptyFieldsAreRows) {
  const std::vector<WantedColumn> wanted{{"a", ColumnType::word}, {"b", ColumnType::word}};
  for (const char* const text : {"a,b\nx,y\n,\nz,w\n", "a\tb\nx\ty\n\t\nz\tw\n\n"}) {
    const Columns table = read_columns(directory.write("empty", text), wanted);
    EXPECT_EQ(table.words("a").code.get(), (std::vector<std::int32_t>{1, 0, 2})) << text;
    EXPECT_EQ(table.words("b").code.get(), (std::vector<std::int32_t>{2, 0, 1})) << text;
  }
}

TEST_F(ColumnsTest, AreReadOfADirectoryAndOfFewRows) {
  if (session->rank() == 0) std::filesystem::create_directory(directory.path("parts"));
  session->engine().control().barrier();
  directory.write("parts/a", "day mode key price\n1970-01-02 x 9223372036854775807 1e3\n");
  directory.write("parts/b", "day mode key price\n1969-12-31 w -9223372036854775808 inf\n2000-02-29 x +7 2");
  const Columns table = read_columns(directory.path("parts"), kWanted, {.allow_non_finite = true});
  EXPECT_EQ(table.integers("key").get(), (std::vector<std::int64_t>{INT64_MAX, INT64_MIN, 7}));
  EXPECT_EQ(table.numbers("price").get(), (std::vector<double>{1000, infinity, 2}));
  EXPECT_EQ(table.dates("day").get(), (std::vector<std::int32_t>{1, -1, 11016}));
  EXPECT_EQ(table.words("mode").code.get(), (std::vector<std::int32_t>{1, 0, 1}));
  // Its first line is that of the first file, however it is written.
  if (session->rank() == 0) std::filesystem::create_directory(directory.path("unlike"));
  session->engine().control().barrier();
  directory.write("unlike/a", "key,mode\n1,x\n");
  directory.write("unlike/b", "\"key\",mode \r\n2,y\r\n");
  const WordColumn modes = read_columns(directory.path("unlike"), {{"mode", ColumnType::word}}).words("mode");
  EXPECT_EQ(modes.code.get(), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(modes.dictionary.size(), 2u);
  expect_rows(directory.write("empty.tsv", "mode\tkey\tprice\tday\tcode\n\t1\t2\t1970-01-01\t\n"),
              {{"1", "2", "1970-01-01", ""}});
  expect_rows(directory.write("none.csv", "mode,key,price,day\n"), {});
}

TEST_F(ColumnsTest, MayBeNamedByTheProgram) {
  const TableNames names{'|', {"key", "", "day", "mode", "price", ""}};
  const std::string path = directory.write("t.tbl", "1|a, b; c|1970-01-02|x y|2.5|\n2|# 7|1970-01-03|\"a|b\"|-1|\r\n");
  const Columns table = read_columns(path, kWanted, {}, names);
  EXPECT_EQ(table.integers("key").get(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(table.numbers("price").get(), (std::vector<double>{2.5, -1}));
  EXPECT_EQ(table.dates("day").get(), (std::vector<std::int32_t>{1, 2}));
  const WordColumn mode = table.words("mode");
  EXPECT_EQ(mode.dictionary[mode.code.get()[0]], "x y");
  EXPECT_EQ(mode.dictionary[mode.code.get()[1]], "a|b");
  // A row of words that are the names is a row, and there may be none.
  const TableNames words{'\t', {"w", "v"}};
  const std::string same = directory.write("same.tsv", "w\tv\nw\tv\n");
  EXPECT_EQ(read_columns(same, {{"w", ColumnType::word}}, {}, words).rows().length(), 2u);
  EXPECT_EQ(read_columns(directory.write("none", ""), {{"w", ColumnType::word}}, {}, words).rows().length(), 0u);
  EXPECT_EQ(refusal([&] {
              read_columns(path, kWanted, {}, {'|', {"key", "price", "day", "mode"}});
            }),
            path + ":1:3: expected a number, found 'a, b; c'");
  EXPECT_EQ(refusal([&] {
              read_columns(path, kWanted, {}, {'|', {"key", "", "day", "mode", "price"}});
            }),
            path + ":1:30: expected 5 fields, found more: ''");
  EXPECT_EQ(refusal([&] {
              read_columns(path, kWanted, {}, {'|', {"key", "day"}});
            }),
            path + ": expected a column named 'price', found only key, day");
}

TEST_F(ColumnsTest, DictionariesFindWords) {
  const std::string path = directory.write("d.csv", "w\nb\nd\nb\n\"\"\n");
  const Dictionary words = read_columns(path, {{"w", ColumnType::word}}).words("w").dictionary;
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[0], "");
  EXPECT_EQ(words.code_of("b"), 1);
  EXPECT_EQ(words.code_of("c"), -1);
  EXPECT_EQ(words.code_of("e"), -1);
  EXPECT_EQ(words.first_from("c"), 2);
  EXPECT_EQ(words.first_from("e"), 3);
  EXPECT_EQ(Dictionary().code_of(""), -1);
}

TEST_F(ColumnsTest, BadFilesAreRefusedWithTheirPlace) {
  const std::string head = "key,price,day,mode\n";
  expect_refused("", ": the file is empty");
  expect_refused("1,2,3,4\n", ": expected a first line that names the columns, found none");
  expect_refused("key,price,day,code\n", ": expected a column named 'mode', found only key, price, day, code");
  expect_refused("key,price,day,mode,day\n", ": expected one column named 'day', found several");
  expect_refused(head + "1,2,1999-01-01,x\n1.5,2,1999-01-01,x\n", ":3:1: expected a whole number, found '1.5'");
  expect_refused(head + "9223372036854775808,2,1999-01-01,x\n",
                 ":2:1: expected a whole number of 64 bits, found '9223372036854775808'");
  expect_refused(head + "1, y,1999-01-01,x\n", ":2:4: expected a number, found 'y'");
  expect_refused(head + "1,,1999-01-01,x\n", ":2:3: expected a number, found nothing");
  expect_refused(
      head + "1,inf,1999-01-01,x\n",
      ":2:3: expected a number that is finite, found 'inf'; --allow-non-finite takes infinite numbers and nan");
  for (const char* date : {"1999-02-29", "1999-1-01", "1999-13-01", "99-01-01", "1999/01/01", "1999-01-0x"}) {
    expect_refused(head + "1,2," + date + ",x\n",
                   std::string(":2:5: expected a date as 1998-09-02, found '") + date + "'");
  }
  expect_refused(head + "1,2,1999-01-01\n", ":2:15: expected 4 fields, found 3");
  expect_refused(head + "1,2,1999-01-01,x,y\n", ":2:18: expected 4 fields, found more: 'y'");
  expect_refused(head + "1,2,1999-01-01,\"x\n", ":2:16: expected a quote that closes in its line, found '\"x'");
  expect_refused(head + "1,2,1999-01-01,x\1\n", ":2:17: not a text file: there is a byte 0x01");
  const std::string path = directory.write("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  EXPECT_EQ(refusal([&] { read_columns(path, kWanted); }),
            path + ": is read as matrix-market, expected a table in text");
  std::string many = head;
  for (int k = 0; k < 300; ++k) many += "1,2,1999-01-01,x\n";
  expect_refused(many + "x,2,1999-01-01,x\n" + many, ":302:1: expected a whole number, found 'x'");
}

TEST_F(ColumnsTest, WrongCallsAreRefused) {
  const std::string path = directory.write("t.csv", "key,price,day,mode\n1,2,1999-01-01,x\n");
  const Columns table = read_columns(path, kWanted);
  expect_at(__LINE__, "the column 'day' is of dates: dates(\"...\")", refusal([&] { table.numbers("day"); }));
  expect_at(__LINE__, "no column 'no' was read, only key, price, day, mode", refusal([&] { table.words("no"); }));
  expect_at(__LINE__, "no columns are wanted", refusal([&] { read_columns(path, {}); }));
  const std::vector<WantedColumn> twice{{"key", ColumnType::word}, {"key", ColumnType::integer}};
  expect_at(__LINE__, "the column 'key' is wanted twice", refusal([&] { read_columns(path, twice); }));
  const TableNames letters{'e', {"key"}};
  const TableNames nameless{'|', {}};
  expect_at(__LINE__, "a separator goes with the names", refusal([&] { read_columns(path, kWanted, {}, nameless); }));
  expect_at(__LINE__, "fields cannot be separated", refusal([&] { read_columns(path, kWanted, {}, letters); }));
  if (session->workers() > 1) {
    const auto type = session->rank() == 0 ? ColumnType::word : ColumnType::integer;
    EXPECT_NE(refusal([&] { read_columns(path, {{"key", type}}); }), "no error");
  }
}

}  // namespace
}  // namespace kasen::tests
