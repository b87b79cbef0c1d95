#include "tests/fuzz/check.h"

#include <fmt/format.h>
#include <mpi.h>

#include <cstring>
#include <exception>

#include "kasen/session.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/fuzz/partition_file.h"
#include "tests/fuzz/printer.h"
#include "tests/fuzz/shrink.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests::fuzz {
namespace {

constexpr double kRelative = 1e-9, kRelativeNarrow = 1e-4;

bool agree(bool exact, const Number<double>& want, double got) {
  if (want.value == got) return true;  // one zero is as good as the other
  return !exact && std::abs(want.value - got) <= kRelative * std::max(want.size, std::abs(want.value));
}
bool agree(bool exact, const PairOfNumbers& want, const Pair& got) {
  return agree(exact, want.x, got.x) && want.n.value == got.n;
}
template <class T>
bool agree(bool, const Number<T>& want, T got) {
  return want.value == got;
}
bool agree(bool exact, const Number<float>& want, float got) {
  if (want.value == got) return true;
  return !exact && std::abs(want.value - got) <= kRelativeNarrow * std::max<double>(want.size, std::abs(want.value));
}
bool agree(bool exact, const WideOfNumbers& want, const Wide& got) {
  bool all = true;
  for (std::size_t k = 0; k < want.x.size(); ++k) all = all && agree(exact, want.x[k], got.x[k]);
  return all;
}
bool agree(bool, const Color& want, const Color& got) { return want.r == got.r && want.g == got.g && want.b == got.b; }
bool agree(bool, bool want, bool got) { return want == got; }

bool agree(bool exact, const Value& want, const Plain& got) {
  if (want.index() != got.index()) return false;
  return std::visit(
      [&](const auto& w) {
        using T = std::decay_t<decltype(w)>;
        return agree(exact, w, std::get<kAlternative<T, Value>>(got));
      },
      want);
}

int workers() {
  int workers = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  return workers;
}

std::string text(const Plain& value) {
  return std::visit([](const auto& v) { return shown(v); }, value);
}

/// Of structs those of their members: between them is padding.
bool same_bits(const Plain& a, const Plain& b) {
  if (const auto* pair = std::get_if<Pair>(&a)) {
    const auto& other = std::get<Pair>(b);
    return std::memcmp(&pair->x, &other.x, sizeof(double)) == 0 && pair->n == other.n;
  }
  return a.index() == b.index() && std::visit(
                                       [&](const auto& value) {
                                         using T = std::decay_t<decltype(value)>;
                                         return std::memcmp(&value, &std::get<T>(b), sizeof(T)) == 0;
                                       },
                                       a);
}

std::string not_repeated(const std::vector<Result>& first, const std::vector<Result>& second) {
  for (std::size_t k = 0; k < first.size(); ++k) {
    for (std::size_t i = 0; i < first[k].values.size(); ++i) {
      if (!same_bits(first[k].values[i], second.at(k).values.at(i))) {
        return "result " + std::to_string(k) + ", element " + std::to_string(i) +
               " has other bits with another number of threads\n";
      }
    }
  }
  return {};
}

/// Collective. The first worker's text that is not empty, on all of them.
std::string of_any_worker(const std::string& mine) {
  int rank = 0, from = mine.empty() ? 1 << 30 : 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (from == 0) from = rank;
  PMPI_Allreduce(MPI_IN_PLACE, &from, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (from == 1 << 30) return {};
  std::string text = mine;
  auto length = static_cast<int>(text.size());
  PMPI_Bcast(&length, 1, MPI_INT, from, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  PMPI_Bcast(text.data(), length, MPI_CHAR, from, MPI_COMM_WORLD);
  return "worker " + std::to_string(from) + ": " + text;
}

}  // namespace

std::string differences(bool exact, const std::vector<Expected>& expected, const std::vector<Result>& got) {
  if (expected.size() != got.size()) return "another number of results\n";
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const auto& want = expected[k].values;
    const std::string result = "result " + std::to_string(k);
    if (got[k].lost && !expected[k].lost) return result + " cannot be read\n";
    if (got[k].lost) continue;
    if (want.size() != got[k].values.size()) return result + " has another length\n";
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (agree(exact, want[i], got[k].values[i])) continue;
      return result + ", element " + std::to_string(i) + " of " + std::to_string(want.size()) + ": " +
             text(got[k].values[i]) + ", expected " + text(plain(want[i])) + "\n";
    }
  }
  return {};
}

std::string check_run(const Program& program, const std::vector<Expected>& expected, const Combination& combination,
                      std::vector<Result>* got, Coverage* coverage) {
  std::string wrong;
  if (combination.options.partition == Partition::file) {
    const auto text = partition_text(program, workers());
    if (!text) return {};  // this program, a smaller one, cannot have a file
    write_partition_file(*text);
  }
  try {
    reset_witness();
    Session session(combination.options);
    std::vector<Result> results;
    bool caught = false;
    {
      Machine machine(program);
      if (coverage != nullptr) machine.before_late_matrix([&] { coverage->add_waiting(session); });
      results = machine.run();
      caught = machine.caught();
    }
    if (coverage != nullptr) {
      coverage->add_options(combination);
      coverage->add_session(session);
      if (caught) coverage->add_caught();
    }
    wrong = differences(program.exact, expected, results);
    wrong += caught ? disagreements_of_plans(session) : disagreements(session);
    if (got != nullptr) *got = std::move(results);
  } catch (const std::exception& error) {
    wrong += std::string("error: ") + error.what() + "\n";
  }
  return of_any_worker(wrong);
}

std::vector<Finding> check(const Program& program, int count, Defect defect, Coverage* coverage) {
  if (coverage != nullptr) coverage->add_program(program);
  const std::vector<Expected> expected = Interpreter(program, defect).run();
  std::vector<Finding> findings;
  bool first = true;
  for (const Combination& combination : combinations(program, count)) {
    std::vector<Result> once, again;
    std::string wrong = check_run(program, expected, combination, &once, coverage);
    if (wrong.empty() && std::exchange(first, false)) {
      Combination other = combination;
      other.options.threads = combination.options.threads % 3 + 1;
      wrong = check_run(program, expected, other, &again);
      if (wrong.empty()) wrong = of_any_worker(not_repeated(once, again));
    }
    if (wrong.empty()) continue;
    findings.push_back({shrink(program,
                               [&](const Program& smaller) {
                                 std::vector<Expected> wanted;
                                 try {
                                   wanted = Interpreter(smaller, defect).run();
                                 } catch (const OutOfBounds&) {
                                   return false;
                                 }
                                 return !check_run(smaller, wanted, combination).empty();
                               }),
                        combination, wrong});
    break;  // one finding a program is enough to look at
  }
  return findings;
}

std::string report(const Finding& finding) {
  const Program& program = finding.program;
  std::string how = "Random program, shrunk. KASEN_FUZZ_SEED=" + std::to_string(program.seed) +
                    (program.exact ? ", exact" : ", rounded") + "\nmpirun -n " + std::to_string(workers()) +
                    " ./program " + finding.combination.command_line + "\n";
  const Options& options = finding.combination.options;
  const auto lowered = [&](const char* name, std::uint64_t value, std::uint64_t usual) {
    if (value != usual) how += fmt::format("with Options::{} = {}\n", name, value);
  };
  lowered("part_elements", options.part_elements, Options().part_elements);
  lowered("exchange_limit", options.exchange_limit, Options().exchange_limit);
  lowered("settled_entries", options.settled_entries, Options().settled_entries);
  lowered("settled_walks", options.settled_walks, Options().settled_walks);
  if (finding.combination.options.partition == Partition::file) {
    how += "where the file is\n" + partition_text(program, workers()).value_or("");
  }
  how += "Before shrinking: " + finding.wrong;
  std::string text = "\n" + cpp(program, how);
  try {
    text += "// expected:\n" + printed(Interpreter(program).run());
  } catch (const OutOfBounds&) {  // only what a defective interpreter runs
  }
  return text;
}

}  // namespace kasen::tests::fuzz
