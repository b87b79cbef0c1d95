/// @file
/// Runs that go on from each of their checkpoints, beside the run that was never interrupted: the same bits, and counts
/// that agree with their predictions.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/error.h"
#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "tests/checkpoint/programs.h"
#include "tests/io/temporary_directory.h"

namespace kasen::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAll = 1'000'000;

struct Outcome {
  Numbers numbers;
  std::map<std::string, std::vector<double>> series;
  CheckpointCounts checkpoints;
  std::string resumed_from;         ///< the name of its file
  std::uint64_t elements_read = 0;  ///< by this run, not by those it goes on from
};

Outcome run(const Options& options, SmallProgram program) {
  Session session(options);
  Outcome outcome{program(), {}, {}, {}};
  for (const Progress::Series& series : session.engine().progress().series())
    outcome.series[series.name] = series.values;
  const RunCounts counts = session.counts();
  EXPECT_EQ(counts.predicted, counts.measured);
  outcome.elements_read = counts.measured.elements_read;
  if (const Checkpoints* const checkpoints = session.engine().checkpoints()) {
    outcome.checkpoints = checkpoints->counts();
    outcome.resumed_from = fs::path(checkpoints->resumed_from()).filename().string();
  }
  return outcome;
}

void expect_same_bits(const Numbers& got, const Numbers& want) {
  ASSERT_EQ(got.size(), want.size());
  EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(double)), 0);
}

/// Numbers of the checkpoints in a folder, oldest first.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Goes on from checkpoints of a run, of so many from one, each alone in a folder. @return the run
template <class Check>
Outcome go_on(std::size_t every, const comm::Communicator& workers, SmallProgram program, const Options& writing,
              const Options& resuming, const Check& check) {
  const io::TemporaryDirectory folder(workers);
  Options with = writing;
  with.checkpoint = folder.path("all");
  const Outcome whole = run(with, program);
  const std::vector<std::string> names = files_in(with.checkpoint);
  EXPECT_EQ(names.size(), whole.checkpoints.taken);
  EXPECT_EQ(whole.checkpoints.failed, 0u);
  EXPECT_EQ(whole.checkpoints.bytes, whole.checkpoints.bytes_predicted);
  check(whole);
  for (std::size_t k = 0; k < names.size(); k += every) {
    const std::string& name = names[k];
    SCOPED_TRACE(name);
    const std::string alone = folder.path(name + ".folder");
    if (workers.rank() == 0) {
      fs::create_directory(alone);
      fs::copy(with.checkpoint + "/" + name, alone + "/" + name);
    }
    workers.barrier();
    Options again = resuming;
    again.resume = alone;
    const Outcome rest = run(again, program);
    EXPECT_EQ(rest.resumed_from, name);
    check(rest);
  }
  return whole;
}

struct Case {
  std::string name;
  SmallProgram program;
  Sync sync;
  Fusion fusion;
};

class Resume : public testing::TestWithParam<Case> {
 protected:
  Options options(Partition partition = Partition::automatic) const {
    Options options;
    options.quiet = true;
    options.sync = GetParam().sync;
    options.fusion = GetParam().fusion;
    options.partition = partition;
    options.checkpoint_interval = 0;
    options.checkpoints_kept = kAll;
    return options;
  }

  /// From each, on more than two workers from every third: many take long to begin and end.
  template <class Check>
  Outcome from_each(const Options& writing, const Options& resuming, const Check& check) {
    return go_on(_workers.size() < 3 ? 1 : 3, _workers, GetParam().program, writing, resuming, check);
  }

  comm::Communicator _workers;
};

TEST_P(Resume, GivesTheSameBitsFromEveryBoundary) {
  const Outcome plain = run(options(), GetParam().program);
  const Outcome whole = from_each(options(), options(), [&](const Outcome& outcome) {
    expect_same_bits(outcome.numbers, plain.numbers);
    EXPECT_EQ(outcome.series, plain.series);
  });
  EXPECT_GT(whole.checkpoints.taken, 2u);
}

/// And writes checkpoints itself, from which others go on.
TEST_P(Resume, GoesOnWhereElementsAreElsewhere) {
  if (_workers.size() == 1) GTEST_SKIP() << "with one worker all is where it was";
  const Outcome plain = run(options(Partition::block), GetParam().program);
  from_each(options(Partition::hybrid_cut), options(Partition::block), [&](const Outcome& outcome) {
    ASSERT_EQ(outcome.numbers.size(), plain.numbers.size());
    for (std::size_t k = 0; k < plain.numbers.size(); ++k)
      EXPECT_NEAR(outcome.numbers[k], plain.numbers[k], GetParam().name == "pagerank" ? 1e-12 : 0) << k;
  });
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [name, program] : small_programs()) {
    all.push_back({name, program, Sync::hybrid, Fusion::greedy});
    all.push_back({name, program, Sync::lazy, Fusion::greedy});
    all.push_back({name, program, Sync::eager, Fusion::off});
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Case>& of) {
  const Sync sync = of.param.sync;
  return of.param.name + (sync == Sync::hybrid ? "_hybrid" : sync == Sync::lazy ? "_lazy" : "_eager");
}

INSTANTIATE_TEST_SUITE_P(Programs, Resume, testing::ValuesIn(cases()), name_of);

// ---- refusals and damage ----

class Checkpoint : public testing::Test {
 protected:
  Options writing() const {
    Options options;
    options.quiet = true;
    options.checkpoint_interval = 0;
    options.checkpoint = _folder.path("all");
    return options;
  }
  Options resuming() const {
    Options options;
    options.quiet = true;
    options.resume = _folder.path("all");
    return options;
  }
  static SmallProgram named(const std::string& name) {
    for (const auto& [each, program] : small_programs()) {
      if (each == name) return program;
    }
    return nullptr;
  }
  /// The message with which a run ends.
  std::string refusal(const Options& options, SmallProgram program) {
    try {
      Session session(options);
      program();
      session.finish();
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  /// Changes the newest checkpoint on one worker; the others wait.
  template <class Change>
  void change_newest(const Change& change) {
    _workers.barrier();
    if (_workers.rank() == 0) change(writing().checkpoint + "/" + files_in(writing().checkpoint).back());
    _workers.barrier();
  }

  comm::Communicator _workers;
  io::TemporaryDirectory _folder{_workers};
};

/// Elements that one worker has put off are nowhere but in its order.
TEST_F(Checkpoint, HasWhatWaits) {
  Options options;
  options.quiet = true;
  options.partition = Partition::block;
  options.checkpoint_interval = 0;
  options.checkpoints_kept = kAll;
  options.settled_entries = 10;
  for (const SmallProgram program : {ways, ways_by_two}) {
    const Outcome plain = run(options, program);
    const Outcome whole = go_on(_workers.size() < 3 ? 4 : 12, _workers, program, options, options,
                                [&](const Outcome& outcome) { expect_same_bits(outcome.numbers, plain.numbers); });
    EXPECT_GT(whole.checkpoints.taken, 10u);
  }
}

TEST_F(Checkpoint, KeepsTheLastTwo) {
  const Outcome whole = run(writing(), named("nested"));
  EXPECT_GT(whole.checkpoints.taken, 5u);
  EXPECT_EQ(files_in(writing().checkpoint).size(), 2u);
}

/// The newest one, or, if that is damaged, the one before.
TEST_F(Checkpoint, ThatIsDamagedIsPassedOver) {
  const Outcome whole = run(writing(), named("products"));
  const std::vector<std::string> names = files_in(writing().checkpoint);
  ASSERT_EQ(names.size(), 2u);
  const Outcome newest = run(resuming(), named("products"));
  EXPECT_EQ(newest.resumed_from, names.back());
  expect_same_bits(newest.numbers, whole.numbers);
  change_newest([](const std::string& path) { fs::resize_file(path, fs::file_size(path) / 2); });
  const Outcome before = run(resuming(), named("products"));
  EXPECT_EQ(before.resumed_from, names.front());
  expect_same_bits(before.numbers, whole.numbers);
  EXPECT_LT(newest.elements_read, before.elements_read);
  EXPECT_LT(before.elements_read, whole.elements_read);
}

TEST_F(Checkpoint, WithAByteFlippedIsPassedOverOrMeansTheSame) {
  const Outcome plain = run(writing(), named("products"));
  std::uint64_t bytes = 0;
  change_newest([&](const std::string& path) { bytes = fs::file_size(path); });
  bytes = _workers.max(bytes);
  const std::vector<std::string> names = files_in(writing().checkpoint);
  int passed_over = 0;
  for (std::uint64_t at = 8; at < bytes; at += bytes / 23) {
    const auto flip = [&](const std::string& path) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(at));
      const char byte = static_cast<char>(file.get() ^ 0x10);
      file.seekp(static_cast<std::streamoff>(at));
      file.put(byte);
    };
    change_newest(flip);
    const Outcome rest = run(resuming(), named("products"));
    expect_same_bits(rest.numbers, plain.numbers);
    if (rest.resumed_from != names.back()) {
      EXPECT_EQ(rest.resumed_from, names.front());
      ++passed_over;
    }
    change_newest(flip);
  }
  EXPECT_GT(passed_over, 0);
}

TEST_F(Checkpoint, OfNothingIsRefused) {
  EXPECT_NE(refusal(resuming(), named("products")).find("cannot be read"), std::string::npos);
  if (_workers.rank() == 0) fs::create_directory(writing().checkpoint);
  _workers.barrier();
  EXPECT_NE(refusal(resuming(), named("products")).find("has no whole checkpoint"), std::string::npos);
}

TEST_F(Checkpoint, OfOtherOptionsIsRefused) {
  run(writing(), named("products"));
  Options other = resuming();
  other.sync = Sync::eager;
  EXPECT_NE(refusal(other, named("products")).find("--sync was 'hybrid' and is 'eager'"), std::string::npos);
  other = resuming();
  other.of_program = {{"--rank", "7"}};
  EXPECT_NE(refusal(other, named("products")).find("--rank was not given and is '7'"), std::string::npos);
}

TEST_F(Checkpoint, OfAnotherProgramIsRefused) {
  run(writing(), named("products"));
  EXPECT_NE(refusal(resuming(), named("pagerank")).find("another"), std::string::npos);
  EXPECT_NE(refusal(resuming(), [] { return Numbers(); }).find("computed more than this one"), std::string::npos);
}

Numbers scaled(double first, double factor) {
  const Space space(10);
  const BlockRange mine = block_of(space);
  Numbers block(mine.count, first);
  Vector<double> v = make_vector(space, std::span<const double>(block));
  Shared<int> k = 0;
  while_([&] { return k < 3; },
         [&] {
           v = map(times, v, factor);
           ++k;
         });
  return v.get();
}

TEST_F(Checkpoint, OfOtherDataOrPlainValuesIsRefused) {
  run(writing(), [] { return scaled(1, 2); });
  EXPECT_NE(refusal(resuming(), [] { return scaled(3, 2); }).find("the vector made here differs"), std::string::npos);
  EXPECT_NE(refusal(resuming(), [] { return scaled(1, 5); }).find("plain value"), std::string::npos);
  expect_same_bits(run(resuming(), [] { return scaled(1, 2); }).numbers, Numbers(10, 8.0));
}

/// Three runs, of which the second has another factor; goes on after errors.
template <int factor>
Numbers caught_turns() {
  Numbers all;
  for (int turn = 0; turn < 3; ++turn) {
    try {
      all.push_back(scaled(1, turn == 1 ? factor : 2)[0]);
    } catch (const Error&) {
      all.push_back(-1);
    }
  }
  return all;
}

TEST_F(Checkpoint, ThatIsRefusedStaysRefusedWhereErrorsAreCaught) {
  run(writing(), caught_turns<2>);
  EXPECT_NE(refusal(resuming(), caught_turns<3>).find("plain value"), std::string::npos);
  EXPECT_EQ(run(resuming(), caught_turns<2>).numbers, (Numbers{8, 8, 8}));
}

/// What is saved is what is live: one vector of 10 numbers, the count and the test.
TEST_F(Checkpoint, HasTheBytesOfWhatIsLive) {
  const Outcome whole = run(writing(), [] { return scaled(1, 2); });
  EXPECT_EQ(whole.checkpoints.taken, 3u);
  EXPECT_EQ(whole.checkpoints.bytes, 3u * (10 * sizeof(double) + sizeof(int) + sizeof(bool)));
}

/// What the program makes of data it makes again.
TEST_F(Checkpoint, HasNothingThatTheProgramMakesAgain) {
  const SmallProgram program = [] {
    const Space space = separate_space(10, "samples");
    const Numbers block(block_of(space).count, 3.0);
    const Vector<double> made = make_vector(space, std::span<const double>(block));
    Vector<float> v = constant(Space(10), 1.0f);
    Shared<double> sum = 0.0;
    Shared<int> k = 0;
    while_([&] { return k < 3; },
           [&] {
             v = map(times, v, 2.0f);
             sum = reduce(plus, map(times, made, k));
             ++k;
           });
    Numbers all{sum.get()};
    for (const double x : made.get()) all.push_back(x);
    for (const float x : v.get()) all.push_back(x);
    return all;
  };
  const Outcome plain = run(writing(), program);
  EXPECT_EQ(plain.numbers[0], 60);
  const std::uint64_t shareds = sizeof(double) + sizeof(int) + sizeof(bool);
  EXPECT_EQ(plain.checkpoints.bytes, plain.checkpoints.taken * (10 * sizeof(float) + shareds));
  expect_same_bits(run(resuming(), program).numbers, plain.numbers);
}

/// An error that one worker may meet alone ends the job where there are others.
TEST_F(Checkpoint, HasRunsInWhichOneWorkerFailed) {
  if (_workers.size() > 1) GTEST_SKIP() << "such an error ends the job of several workers";
  const SmallProgram program = [] {
    const Space space(10);
    Vector<double> v = constant(space, 1.0);
    Numbers all;
    for (int turn = 0; turn < 3; ++turn) {
      all.push_back(v.get()[0]);
      const auto key = map(times, iota(space), GlobalIndex{turn == 1 ? 7 : 1});  // some are too large
      try {
        all.push_back(reduce(plus, take(v, key)).get());
      } catch (const Error& error) {
        all.push_back(static_cast<double>(std::string(error.what()).size()));
      }
      Shared<int> k = 0;
      while_([&] { return k < 3; },
             [&] {
               v = map(times, v, 2.0);
               ++k;
             });
    }
    const Numbers rest = v.get();
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  };
  Options options = writing();
  options.checkpoints_kept = kAll;
  const Outcome plain = run(options, program);
  EXPECT_GT(plain.numbers[3], 20);  // the length of a message
  go_on(1, _workers, program, options, options,
        [&](const Outcome& outcome) { expect_same_bits(outcome.numbers, plain.numbers); });
}

struct Padded {
  double a;
  std::int32_t b;
  bool c;
};

/// Bytes between members are of no account: they are others in each run.
TEST_F(Checkpoint, ComparesNoPadding) {
#ifdef __clang__
  GTEST_SKIP() << "Clang does not clear padding";
#endif
  const SmallProgram program = [] {
    static int garbage = 0;
    const Space space = separate_space(10, "samples");
    std::vector<Padded> block(block_of(space).count);
    std::vector<Entry<Padded>> entries(block.size());
    std::memset(static_cast<void*>(block.data()), ++garbage, block.size() * sizeof(Padded));
    std::memset(static_cast<void*>(entries.data()), ++garbage, entries.size() * sizeof(Entry<Padded>));
    for (std::size_t k = 0; k < block.size(); ++k) {
      const GlobalIndex i = block_of(space).first + static_cast<GlobalIndex>(k);
      block[k].a = 1, block[k].b = 2, block[k].c = true;
      entries[k].row = i, entries[k].column = (i + 3) % 10;
      entries[k].value.a = 3, entries[k].value.b = 4, entries[k].value.c = true;
    }
    Vector<Padded> v = make_vector(space, block);
    const Matrix<Padded> A = make_matrix(space, space, entries);
    Vector<double> sum = constant(space, 1.0);
    Shared<int> k = 0;
    while_([&] { return k < 3; },
           [&] {
             sum = mxv([](double x, const Padded& p) { return x * p.a + p.b; }, plus, A, sum);
             v = map([](Padded p) { return Padded{p.a + p.b, p.b, p.c}; }, v);
             ++k;
           });
    Numbers all = sum.get();
    for (const Padded& p : v.get()) all.push_back(p.a);
    return all;
  };
  const Outcome plain = run(writing(), program);
  expect_same_bits(run(resuming(), program).numbers, plain.numbers);
}

/// As long as it lives, files of this process cannot be longer; the limit stands for a disk that is full.
class ShortFiles {
 public:
  ShortFiles() {
    ::getrlimit(RLIMIT_FSIZE, &_before);
    const rlimit limit{4096, _before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ShortFiles() { ::setrlimit(RLIMIT_FSIZE, &_before); }
  ShortFiles(const ShortFiles&) = delete;
  ShortFiles& operator=(const ShortFiles&) = delete;

 private:
  rlimit _before{};
};

TEST_F(Checkpoint, ThatHasNoRoomEndsNothing) {
  const Options options = writing();
  Session session(options);
  EXPECT_EQ(scaled(1, 2), Numbers(10, 8.0));  // so that MPI has the files that it makes
  const std::vector<std::string> before = files_in(options.checkpoint);
  _workers.barrier();
  {
    const ShortFiles limit;
    EXPECT_EQ(scaled(1, 2), Numbers(10, 8.0));
    _workers.barrier();
  }
  EXPECT_GE(session.engine().checkpoints()->counts().failed, 3u);
  EXPECT_EQ(files_in(options.checkpoint), before);
}

/// A folder that is gone: the run goes on.
TEST_F(Checkpoint, ThatCannotBeWrittenEndsNothing) {
  Options options = writing();
  Session session(options);
  if (_workers.rank() == 0) fs::remove_all(options.checkpoint);
  _workers.barrier();
  EXPECT_EQ(scaled(1, 2), Numbers(10, 8.0));
  EXPECT_EQ(session.engine().checkpoints()->counts().taken, 0u);
  EXPECT_EQ(session.engine().checkpoints()->counts().failed, 3u);
}

}  // namespace
}  // namespace kasen::tests
