/// @file
/// Workers that do not do the same, or not with the same values: one error on all of them.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kasen/io/data/matrix_rows.h"
#include "kasen/session/engine.h"
#include "tests/io/temporary_directory.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

using WorkerMistakes = ProgramMistakes;

constexpr int mixed_table = 1;

// ---- workers that do not do the same ----

TEST_F(WorkerMistakes, WhatOneWorkerDoesAlone) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const bool first = session->rank() == 0;
  const auto end = [&] { session->finish(); };
  const auto expect_both = [&](const std::string& what, const auto& here, const auto& there) {
    const std::string message = first ? refusal(here) : refusal(there);
    EXPECT_NE(message.find("worker 0 " + what), std::string::npos) << message;
  };
  const std::string at_end = " while worker 1 is at the end of the program";
  EXPECT_EQ(x.get().size(), 12u);
  expect_both(
      "computes a result" + at_end, [&] { map(plus, x, 1.0).get(); }, end);
  expect_both(
      "reads a vector" + at_end, [&] { x.get(); }, end);
  expect_both(
      "asks for the top of a vector" + at_end, [&] { top(x, 1); }, end);
  expect_both(
      "takes its block of a vector while worker 1 reads a vector", [&] { block_values(x); }, [&] { x.get(); });
  const Vector<bool> large = map(KASEN_FN((auto v), v > 3.0), x);
  const Vector<std::int64_t> keys = iota(12);
  EXPECT_FALSE(large.get()[0]);
  EXPECT_EQ(keys.get()[1], 1);
  expect_both(
      "takes its block of a vector while worker 1 scans, sorts, joins, filters", [&] { block_values(large); },
      [&] { compact(large, x); });
  expect_both(
      "takes its block of a vector while worker 1 scans, sorts, joins, filters", [&] { block_values(keys); },
      [&] { index_of(keys, keys); });
  const auto make = [] { make_matrix<double>(4, 4, {}); };
  expect_both(
      "reads a vector while worker 1 makes a matrix", [&] { x.get(); }, make);
  expect_both("makes a matrix" + at_end, make, end);
  expect_both(
      "writes while worker 1 reads a vector", [&] { write(x, "never.tsv"); }, [&] { x.get(); });
  const std::vector<double> block(block_of(Space(12)).count, 1.0);
  expect_both(
      "makes a vector while worker 1 makes a matrix", [&] { make_vector<double>(Space(12), block); }, make);
  expect_both(
      "asks for counts" + at_end, [&] { session->counts(); }, end);
  expect_both(
      "reads a file" + at_end, [&] { read_matrix<Pattern>("none.txt"); }, end);
  expect_both(
      "reads a file" + at_end, [&] { read_table("none.csv"); }, end);
  expect_both(
      "calls partition_by" + at_end, [&] { partition_by([](auto, int) { return 0; }); }, end);
  expect_both(
      "calls partition_by" + at_end, [&] { partition_by(separate_space(9, "apart"), [](auto, int) { return 0; }); },
      end);
  const io::VertexIds ids = io::numbered_vertices(session->engine().control(), 12, 0);
  expect_both(
      "looks names up" + at_end, [&] { names(ids, {}); }, end);
  expect_both(
      "looks names up while worker 1 looks vertices up", [&] { names(ids, {}); }, [&] { vertices(ids, {}); });
  const io::TemporaryDirectory directory(session->engine().control());
  Output output(directory.path("x.h5"));
  expect_both(
      "commits an output" + at_end, [&] { output.commit(); }, end);
  const Table table = read_table(directory.write("t.csv", "1,2\n3,4\n"));
  expect_both(
      "makes a matrix" + at_end, [&] { table.matrix(); }, end);
  expect_both(
      "calls workers::sum" + std::string(", max"), [&] { workers::sum(1); }, end);
  expect_both(
      "calls workers::sum" + std::string(", max"), [&] { workers::agree([] {}); }, end);
  EXPECT_EQ(reduce(plus, x).get(), 78.0) << "the workers are in step";
  expect_both(
      "computes a result" + at_end, [&] { constant(17, 1.0).get(); }, end);  // of a space that is new
}

TEST_F(WorkerMistakes, TheSameCallWithSomethingElse) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const bool first = session->rank() == 0;
  Vector<double> u = map(plus, x, 1.0), v = map(plus, x, 100.0);
  Shared<double> a = reduce(plus, u), b = reduce(plus, v);
  Shared<int> k = 0;
  EXPECT_EQ(u.get()[0], 2);
  EXPECT_EQ(v.get()[0], 101);
  EXPECT_EQ(a.get(), 90);
  EXPECT_EQ(b.get(), 1278);
  const std::string other = "workers 0 and 1 ";  // have other programs, or the same of other values
  expect_at(__LINE__, "read different vectors", refusal([&] { (first ? u : v).get(); }));
  expect_at(__LINE__, other, refusal([&] { reduce(plus, first ? u : v).get(); }));
  expect_at(__LINE__, other, refusal([&] { reduce(plus, map(times, x, first ? a : b)).get(); }));
  while_([&] { return k < (first ? a : b); }, [&] { k = k + 1; });
  expect_at(__LINE__, other, refusal([&] { k.get(); }));
  expect_at(__LINE__, "ask for the top of different vectors", refusal([&] { top(first ? u : v, 1); }));
  expect_at(__LINE__, "more and fewer", refusal([&] { top(u, first ? 1 : 2); }));
  const OwnerFunction to_first = [](GlobalIndex, int) { return 0; };
  const Space here = separate_space(9, "here"), there = separate_space(9, "there");
  expect_at(__LINE__, "call it for different spaces", refusal([&] { partition_by(first ? here : there, to_first); }));
  expect_at(__LINE__, "with and without", refusal([&] { partition_by(first ? to_first : OwnerFunction()); }));
  const auto differently = [&] { first ? partition_by(to_first) : partition_by(here, to_first); };
  EXPECT_NE(refusal(differently).find("with and without a function"), std::string::npos);
  const io::VertexIds ids = io::numbered_vertices(session->engine().control(), 12, 0);
  const std::vector<std::string> wanted{first ? "3" : "4"};
  expect_at(__LINE__, "look up other vertices", refusal([&] { vertices(ids, wanted); }));
  expect_at(__LINE__, "write different", refusal([&] { write(first ? u : v, "never.tsv"); }));
  expect_at(__LINE__, "write different", refusal([&] { write(u, first ? "never.tsv" : "ever.tsv"); }));
  expect_at(__LINE__, "write different", refusal([&] { write(u, "never.tsv", first ? "u" : "v"); }));
  expect_at(__LINE__, "read different files", refusal([&] { read_table(first ? "none.csv" : "no.csv"); }));
  const io::TemporaryDirectory directory(session->engine().control());
  const std::string file = directory.write("t.csv", "1,2\n3,4\n");
  const std::string reads = refusal([&] { first ? (void)read_table(file) : (void)read_matrix<Pattern>(file); });
  EXPECT_NE(reads.find("or the same one in another way"), std::string::npos) << reads;
  const Table one = read_table(file), two = read_table(file);
  expect_at(__LINE__, "columns of different tables", refusal([&] { (first ? one : two).column(0); }));
  expect_at(__LINE__, "make matrices of different tables", refusal([&] { (first ? one : two).matrix(); }));
  Output output(directory.path("x.h5"));
  output.attribute(first ? "a" : "b", 1.0);
  expect_at(__LINE__, "commit different outputs", refusal([&] { output.commit(); }));
  const std::vector<double> block(block_of(Space(12)).count, 1.0);
  const auto p = make_vector<double>(Space(12), block), q = make_vector<double>(Space(12), block);
  expect_at(__LINE__, "from different vectors", refusal([&] { reduce(plus, first ? p : q).get(); }));
  const auto vector_of = [&](auto element, std::int64_t length) {
    const std::vector<decltype(element)> values(block_of(Space(length)).count);
    return refusal([&] { make_vector<decltype(element)>(Space(length), values); });
  };
  const std::string lengths = "make vectors over different spaces or of different types";
  EXPECT_NE(vector_of(1.0, first ? 9 : 4000).find(lengths), std::string::npos);
  EXPECT_NE((first ? vector_of(1.0, 9) : vector_of(std::int64_t{1}, 9)).find(lengths), std::string::npos);
  const std::string shapes = "make matrices of different tables, over different spaces";
  expect_at(__LINE__, shapes, refusal([&] { make_matrix<double>(first ? 5 : 6, 6, {}); }));
  EXPECT_NE(refusal([&] {
              if (first) {
                make_matrix<double>(5, 6, {});
              } else {
                make_matrix<float>(5, 6, {});
              }
            }).find(shapes),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              if (first) {
                make_matrix<double>(5, 6, {});
              } else {
                make_matrix<std::int64_t>(5, 6, {});
              }
            }).find(shapes),
            std::string::npos);
  const auto equal = first ? EqualEntries::refused : EqualEntries::meant;
  expect_at(__LINE__, shapes, refusal([&] { make_matrix<double>(5, 6, {}, equal); }));
  const std::string graph = directory.write("g.txt", "1 2\n2 3\n1 2\n");
  const std::string way = "read different files, or the same one in another way";
  ReadOptions once;
  once.drop_duplicates = first;
  expect_at(__LINE__, way, refusal([&] { read_matrix<Pattern>(graph, once); }));
  const std::string values =
      refusal([&] { first ? (void)read_matrix<Pattern>(graph) : (void)read_matrix<int>(graph); });
  EXPECT_NE(values.find(way), std::string::npos) << values;
  const std::string numbers = "call different ones of workers::sum";
  expect_at(__LINE__, numbers, refusal([&] { first ? workers::sum(1) : workers::max(1); }));
  expect_at(__LINE__, numbers, refusal([&] { first ? (void)workers::sum(1) : (void)workers::sum(1.0); }));
  expect_at(__LINE__, numbers, refusal([&] { first ? (void)workers::all_gather('a') : (void)workers::all_gather(1); }));
  std::vector<std::uint64_t> counts(first ? 2 : 3);
  expect_at(__LINE__, numbers, refusal([&] { workers::sum(std::span<std::uint64_t>(counts)); }));
  EXPECT_EQ(workers::sum(1), session->workers());
  EXPECT_EQ(reduce(plus, x).get(), 78.0) << "the workers are in step";
}

/// Of spaces that no data is in, which each worker makes by itself.
TEST_F(WorkerMistakes, SpacesOfOtherLengths) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const bool first = session->rank() == 0;
  const std::string differ = "index spaces, or over one whose lengths differ";
  EXPECT_EQ(x.get().size(), 12u);
  expect_at(__LINE__, differ, refusal([&] { reduce(plus, iota(first ? 61 : 60)).get(); }));
  const Space apart = separate_space(first ? 31 : 30, "apart");
  expect_at(__LINE__, differ, refusal([&] { reduce(plus, constant(apart, 1.0)).get(); }));
  const auto key = map(KASEN_FN((auto v), kasen::cast<std::int64_t>(v)), x);
  expect_at(__LINE__, differ, refusal([&] { reduce(plus, reduce_by_key(plus, key, x, apart)).get(); }));
  const OwnerFunction to_first = [](GlobalIndex, int) { return 0; };
  expect_at(__LINE__, "one whose lengths differ", refusal([&] { partition_by(apart, to_first); }));
  partition_by(to_first);
  expect_at(__LINE__, differ, refusal([&] { reduce(plus, iota(first ? 71 : 70)).get(); }));
  EXPECT_EQ(reduce(plus, x).get(), 78.0) << "the workers are in step";
}

/// Asking for a length reads nothing, so that workers go on to have one program, and a plan is found again.
TEST_F(WorkerMistakes, AskingForALengthIsNone) {
  Vector<double> u = map(plus, x, 1.0), v = map(plus, x, 100.0);
  EXPECT_EQ(u.get()[0], 2);
  EXPECT_EQ(v.get()[0], 101);
  if (session->rank() == 0) {
    EXPECT_EQ(u.length(), 12u);
  }
  EXPECT_EQ(reduce(plus, v).get(), 1278);
  Shared<int> k = 0;
  while_([&] { return k < 3; },
         [&] {
           if (session->rank() == 0) {
             EXPECT_EQ(u.length(), 12u);
           }
           v = map(plus, v, 1.0);
           k = k + 1;
         });
  EXPECT_EQ(reduce(plus, v).get(), 1278 + 3 * 12);
}

/// Blocks of a matrix are counted together, before programs are compared.
TEST_F(WorkerMistakes, ProductsOfOneWorker) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  session.reset();
  Options options = quiet();
  options.storage = Storage::blocked;
  session.emplace(options);
  const bool first = session->rank() == 0;
  const auto v = [] { return constant(12, 1.0); };  // what was pending is lost
  const auto M = on_first_worker<double>(12, 12, {{0, 1, 1.0}, {5, 7, 2.0}});
  const std::string different = "recorded different programs";
  const auto sum = [](const Vector<double>& y) { return reduce(plus, y).get(); };
  const std::string one = refusal([&] { sum(first ? mxv(times, plus, M, v()) : v()); });
  EXPECT_NE(one.find(different), std::string::npos) << one;
  const std::string other = refusal([&] { sum(first ? mxv(times, plus, M, v()) : mxvt(times, plus, M, v())); });
  EXPECT_NE(other.find(different), std::string::npos) << other;
  EXPECT_EQ(reduce(plus, mxv(times, plus, M, v())).get(), 3.0);
  session.reset();
  session.emplace(quiet());
}

/// Said by worker 0, which knows no line if it is at the end.
TEST_F(WorkerMistakes, TheLineOfWhoeverHasOne) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const unsigned line = __LINE__ + 1;
  expect_at(line, "is at the end", refusal([&] { session->rank() == 0 ? session->finish() : (void)x.get(); }));
}

TEST_F(WorkerMistakes, FunctionsThatDifferBetweenWorkers) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const bool first = session->rank() == 0;
  const std::string differs = "a function, a plain value";
  EXPECT_EQ(x.get().size(), 12u);
  const Shared<double> sum = reduce(plus, x);
  EXPECT_EQ(sum.get(), 78);
  Vector<double> v = first ? map([](double a) { return a + 1; }, x) : map([](double a) { return a * 100; }, x);
  expect_at(__LINE__ - 1, differs, refusal([&] { reduce(plus, v).get(); }));
  Shared<double> s = first ? reduce([](double a, double b) { return a + b; }, x)
                           : reduce([](double a, double b) { return std::fmax(a, b); }, x);
  EXPECT_NE(refusal([&] { s.get(); }).find(differs), std::string::npos);
  s = first ? fold(
                  0.0, [](double a, double b) { return a + b; }, plus, x)
            : fold(
                  0.0, [](double a, double b) { return a - b; }, plus, x);
  EXPECT_NE(refusal([&] { s.get(); }).find(differs), std::string::npos);
  const double start = first ? -infinity : 0.0;
  s = fold(
      start, [](double a, double b) { return std::max(a, b); }, kasen::max, x);
  EXPECT_NE(refusal([&] { s.get(); }).find(differs), std::string::npos);
  s = first ? apply([](double a) { return a; }, sum) : apply([](double a) { return -a; }, sum);
  expect_at(__LINE__ - 1, differs, refusal([&] { s.get(); }));
  EXPECT_EQ(reduce(plus, x).get(), 78.0) << "the workers are in step";
}

TEST_F(WorkerMistakes, ValuesThatDifferBetweenWorkers) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const int rank = session->rank();
  const std::string differs = "differs between workers 0 and 1";
  Shared<int> k = 0, own = rank;
  Vector<double> v = constant(12, 1.0), w = v;
  const auto of = [](const auto& vector) { return refusal([&] { reduce(plus, vector).get(); }); };
  v = map(plus, w, static_cast<double>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = map([](double a, double b) { return a + b; }, constant(12, 1.0), static_cast<double>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = constant(12, static_cast<double>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = random(12, static_cast<std::uint64_t>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = random(12, static_cast<std::uint64_t>(rank), k);
  expect_at(__LINE__ - 1, differs, of(v));
  v = constant(12, 1.0);
  if_(own == 0, [&] { v = map(plus, v, 1.0); });
  EXPECT_NE(of(v).find(differs), std::string::npos);
  v = constant(12, 1.0);
  k = 0;
  while_([&] { return k < rank + 1; },
         [&] {
           v = map(plus, v, 1.0);
           k = k + 1;
         });
  EXPECT_NE(of(v).find(differs), std::string::npos);
  EXPECT_EQ(of(map(plus, constant(12, 1.0), 1.0)), "no error") << "the workers are in step";
}

/// Equal members, whatever lies between them.
TEST_F(WorkerMistakes, PaddingDiffersFromNothing) {
  struct Mixed {
    char a;
    double b;
  };
  Mixed mixed;
  std::memset(static_cast<void*>(&mixed), session->rank() + 1, sizeof mixed);
  mixed.a = 1;
  mixed.b = 2;
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  const Shared<Mixed> shared = mixed;
  EXPECT_EQ(apply([](const Mixed& m) { return m.a + m.b; }, shared).get(), 3.0);
#endif
#endif
  const int* own = session->rank() == 0 ? nullptr : &mixed_table;  // what functions capture is their own affair
  EXPECT_EQ(reduce(plus, map([own](double a) { return own == nullptr ? a : a + 0 * *own; }, x)).get(), 78.0);
}

}  // namespace
}  // namespace kasen::tests
