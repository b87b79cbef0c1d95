#include "tests/endtoend/end_to_end.h"

#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {

void EndToEnd::SetUp() {
  reset_witness();
  _session.emplace(GetParam().options);
}

void EndToEnd::TearDown() {
  const std::string wrong = disagreements(*_session);
  EXPECT_TRUE(wrong.empty()) << wrong << _session->plan_text();
  _session.reset();
}

std::vector<double> added(std::vector<double> v, double by) {
  for (double& a : v) a += by;
  return v;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
Shared<double> dot(const Vector<double>& a, const Vector<double>& b) { return reduce(plus, zip_with(times, a, b)); }

double exact_number(std::uint64_t k) {
  k = (k ^ (k >> 7)) * 0x9e3779b97f4a7c15u;
  return static_cast<double>(static_cast<std::int64_t>((k >> 40) % 41) - 20) / 4;
}

std::vector<double> exact_numbers(std::uint64_t count, std::uint64_t seed) {
  std::vector<double> numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(exact_number(i * 31 + seed));
  return numbers;
}

Vector<double> exact_vector(Space space, std::uint64_t seed) {
  return map([](GlobalIndex i, std::uint64_t s) { return exact_number(static_cast<std::uint64_t>(i) * 31 + s); },
             iota(space), seed);
}

Sparse<Pattern> small_graph(int scale, std::uint64_t edges_per_vertex, std::uint64_t seed) {
  const Edges edges = rmat(scale, edges_per_vertex, seed);
  Sparse<Pattern> graph{std::uint64_t{1} << scale, std::uint64_t{1} << scale, {}};
  for (std::size_t k = 0; k < edges.source.size(); ++k) graph.entries.push_back({edges.source[k], edges.target[k]});
  return graph;
}

Sparse<double> small_matrix(std::uint64_t height, std::uint64_t width, std::uint64_t entries, std::uint64_t seed) {
  const Edges edges = uniform_edges(height, width, entries, seed);
  Sparse<double> matrix{height, width, {}};
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    matrix.entries.push_back({edges.source[k], edges.target[k], exact_number(k + seed)});
  }
  return matrix;
}

testing::AssertionResult near(const std::vector<double>& got, const std::vector<double>& want, double relative,
                              double floor) {
  if (got.size() != want.size()) {
    return testing::AssertionFailure() << got.size() << " elements, " << want.size() << " wanted";
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(std::abs(got[i] - want[i]) <= relative * std::max(std::abs(want[i]), floor))) {
      return testing::AssertionFailure() << "element " << i << ": " << got[i] << ", wanted " << want[i];
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace kasen::tests
