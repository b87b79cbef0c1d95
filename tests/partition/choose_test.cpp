/// @file
/// What automatic choice counts, against sets; what it chooses, against its definition; METIS.

#include "partition/choose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "kasen/base/error.h"
#include "partition/hybrid_cut.h"
#include "partition/metis_kway.h"
#include "partition/metis_partitioner.h"
#include "partition/tally.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

Entries all_entries(const tests::Edges& edges) { return {edges.source, edges.target, {}, 0}; }

/// By sets, one non-zero after the other.
Tally by_definition(const tests::Edges& edges, const Partitioning& partitioning) {
  std::map<GlobalIndex, std::uint64_t> in;
  for (const GlobalIndex target : edges.target) ++in[target];
  std::set<std::pair<GlobalIndex, Rank>> rows, columns;
  std::vector<std::uint64_t> nonzeros(static_cast<std::size_t>(partitioning.rows.parts()));
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    const GlobalIndex i = edges.source[k], j = edges.target[k];
    const Rank part = partitioning.part(i, j, in[j] > partitioning.rule.threshold);
    ++nonzeros[static_cast<std::size_t>(part)];
    if (partitioning.rows.owner(i) != part) rows.emplace(i, part);
    if (partitioning.columns.owner(j) != part) columns.emplace(j, part);
  }
  return {rows.size(), columns.size(), nonzeros};
}

std::vector<EntryRule> all_rules() {
  using Kind = EntryRule::Kind;
  return {{Kind::row, 0},       {Kind::column, 0},     {Kind::grid, 0},         EntryRule::hybrid(3),
          EntryRule::hybrid(6), EntryRule::hybrid(10), EntryRule::hybrid(1000), EntryRule::hybrid(kNoThreshold),
          EntryRule::hybrid(0)};
}

Family family_of(const Assignment& rows, const Assignment& columns) { return {rows, columns, all_rules()}; }

void expect_tallies(const comm::Communicator& communicator, const tests::Edges& edges,
                    const std::vector<Family>& families) {
  const auto counted = tally(&communicator, entries_read(edges, communicator, false), families);
  ASSERT_EQ(counted.size(), families.size());
  for (std::size_t f = 0; f < families.size(); ++f) {
    ASSERT_EQ(counted[f].size(), families[f].rules.size());
    for (std::size_t r = 0; r < counted[f].size(); ++r) {
      SCOPED_TRACE("family " + std::to_string(f) + ", rule " + std::to_string(r));
      const Tally expected = by_definition(edges, {families[f].rows, families[f].columns, families[f].rules[r]});
      EXPECT_EQ(counted[f][r].row_replicas, expected.row_replicas);
      EXPECT_EQ(counted[f][r].column_replicas, expected.column_replicas);
      EXPECT_EQ(counted[f][r].nonzeros, expected.nonzeros);
    }
  }
}

TEST(Tally, CountsWhatSetsContain) {
  const comm::Communicator communicator;
  for (const int parts : {1, 2, 6, 300}) {
    const Assignment vertices = Assignment::hash(256, parts);
    std::vector<Rank> owners(256);
    for (std::size_t i = 0; i < owners.size(); ++i) owners[i] = static_cast<Rank>(i * i % 97) % parts;
    const Assignment table = Assignment::table(owners, parts), block = Assignment::block(256, parts);
    expect_tallies(communicator, tests::rmat(8, 6, 4),
                   {family_of(vertices, vertices), family_of(block, block), family_of(table, table)});
    expect_tallies(communicator, tests::uniform_edges(300, 40, 900, 6),
                   {family_of(Assignment::block(300, parts), Assignment::hash(40, parts, 3))});
  }
  expect_tallies(communicator, {}, {family_of(Assignment::hash(5, 3), Assignment::hash(5, 3))});
}

/// Indices that need more than 64 bits a non-zero, and lengths that nobody could allocate.
TEST(Tally, OfAVeryLargeMatrix) {
  const comm::Communicator communicator;
  tests::Edges edges = tests::rmat(7, 6, 4);
  for (GlobalIndex& source : edges.source) source = (GlobalIndex{1} << 40) - 1 - source * 0x10000001;
  for (GlobalIndex& target : edges.target) target = (GlobalIndex{1} << 41) - 1 - target * 0x100000003;
  for (const int parts : {4, 64}) {
    const std::uint64_t rows = std::uint64_t{1} << 40, columns = std::uint64_t{1} << 41;
    expect_tallies(communicator, edges,
                   {family_of(Assignment::hash(rows, parts), Assignment::hash(columns, parts, 1)),
                    family_of(Assignment::block(rows, parts), Assignment::block(columns, parts))});
  }
}

Shape square(std::uint64_t length) { return {length, length, true, 1, nullptr, nullptr}; }

Shape rectangle(std::uint64_t rows, std::uint64_t columns) { return {rows, columns, false, 2, nullptr, nullptr}; }

void expect_choice(const ChosenPartitioning& choice, const tests::Edges& edges, const Shape& shape, int parts) {
  ASSERT_FALSE(choice.candidates.empty());
  const PartitionCandidate* chosen = nullptr;
  for (const PartitionCandidate& candidate : choice.candidates) {
    EXPECT_FALSE(candidate.reason.empty());
    if (candidate.chosen) {
      EXPECT_EQ(chosen, nullptr);
      chosen = &candidate;
    }
  }
  ASSERT_NE(chosen, nullptr);
  const Tally tally = by_definition(edges, choice.partitioning);
  EXPECT_EQ(chosen->row_replicas, tally.row_replicas);
  EXPECT_EQ(chosen->column_replicas, tally.column_replicas);
  const auto imbalance_of = [&](const std::vector<std::uint64_t>& load) {
    double sum = 0;
    for (const std::uint64_t of_part : load) sum += static_cast<double>(of_part);
    return static_cast<double>(*std::max_element(load.begin(), load.end())) * parts / sum;
  };
  EXPECT_DOUBLE_EQ(chosen->nonzero_imbalance, imbalance_of(tally.nonzeros));
  std::vector<std::uint64_t> load = tally.nonzeros;
  for (std::uint64_t i = 0; i < shape.rows; ++i)
    load[static_cast<std::size_t>(choice.partitioning.rows.owner(static_cast<GlobalIndex>(i)))] += kElementLoad;
  for (std::uint64_t j = 0; !shape.one_space && j < shape.columns; ++j)
    load[static_cast<std::size_t>(choice.partitioning.columns.owner(static_cast<GlobalIndex>(j)))] += kElementLoad;
  EXPECT_DOUBLE_EQ(chosen->load_imbalance, imbalance_of(load));
  const auto imbalance = [](const PartitionCandidate& c) { return c.load_imbalance; };
  bool any = false;
  for (const PartitionCandidate& candidate : choice.candidates) {
    if (!candidate.counted || imbalance(candidate) > kMostImbalance) continue;
    any = true;
    EXPECT_LE(imbalance(*chosen), kMostImbalance);
    EXPECT_LE(chosen->replicas(), candidate.replicas()) << candidate.name;
  }
  if (!any) {
    for (const PartitionCandidate& candidate : choice.candidates) EXPECT_LE(imbalance(*chosen), imbalance(candidate));
  }
  EXPECT_EQ(choice.partitioning.rows.length(), shape.rows);
  EXPECT_EQ(choice.partitioning.columns.length(), shape.columns);
}

TEST(Choose, TakesTheFewestReplicasThatAreBalanced) {
  const comm::Communicator communicator;
  for (const int parts : {2, 7, 24})
    for (const auto& [edges, shape] : {std::pair(tests::rmat(9, 8, 4), square(512)),
                                       std::pair(tests::uniform_edges(1000, 50, 3000, 6), rectangle(1000, 50)),
                                       std::pair(tests::uniform_edges(5, 5, 12, 1), square(5))}) {
      const Entries entries = entries_read(edges, communicator, false);
      const ChosenPartitioning choice = choose_partitioning(&communicator, entries, shape, parts);
      expect_choice(choice, edges, shape, parts);
      // The same on one worker that has all entries, and every time.
      const ChosenPartitioning alone = choose_partitioning(nullptr, all_entries(edges), shape, parts);
      EXPECT_EQ(candidates_text(alone.candidates), candidates_text(choice.candidates));
      EXPECT_EQ(alone.partitioning.rows, choice.partitioning.rows);
      EXPECT_EQ(alone.partitioning.columns, choice.partitioning.columns);
      EXPECT_EQ(alone.partitioning.rule, choice.partitioning.rule);
    }
}

const PartitionCandidate& chosen_of(const std::vector<PartitionCandidate>& candidates) {
  return *std::find_if(candidates.begin(), candidates.end(), [](const PartitionCandidate& c) { return c.chosen; });
}

/// Many non-zeros are sampled: estimates are near what all are counted to be, and the balance of what is taken is
/// exact.
TEST(Choose, ComparesOnASampleOfManyNonzeros) {
  const comm::Communicator communicator;
  for (const auto& [edges, shape] : {std::pair(tests::rmat(15, 16, 4), square(1 << 15)),
                                     std::pair(tests::uniform_edges(30000, 9000, 300000, 6), rectangle(30000, 9000))}) {
    const ChosenPartitioning choice =
        choose_partitioning(&communicator, entries_read(edges, communicator, false), shape, 4);
    const ChosenPartitioning alone = choose_partitioning(nullptr, all_entries(edges), shape, 4);
    EXPECT_EQ(candidates_text(alone.candidates), candidates_text(choice.candidates));
    EXPECT_EQ(alone.partitioning.rows, choice.partitioning.rows);
    EXPECT_EQ(alone.partitioning.columns, choice.partitioning.columns);
    EXPECT_EQ(alone.partitioning.rule, choice.partitioning.rule);

    const PartitionCandidate& chosen = chosen_of(choice.candidates);
    ASSERT_TRUE(chosen.sampled);
    EXPECT_NE(candidates_text(choice.candidates).find(" ~"), std::string::npos);
    const PartitionCandidate exact = measured(nullptr, all_entries(edges), shape, chosen.name, choice.partitioning);
    EXPECT_DOUBLE_EQ(chosen.load_imbalance, exact.load_imbalance);
    EXPECT_LE(chosen.load_imbalance, kMostImbalance);
    const auto expect_near = [](std::uint64_t estimate, std::uint64_t counted) {
      EXPECT_NEAR(static_cast<double>(estimate), static_cast<double>(counted),
                  0.1 * static_cast<double>(counted) + 200);
    };
    expect_near(chosen.row_replicas, exact.row_replicas);
    expect_near(chosen.column_replicas, exact.column_replicas);
    // No other is far better.
    const Assignment rows = Assignment::hash(shape.rows, 4),
                     columns = Assignment::hash(shape.columns, 4, shape.one_space ? 0 : shape.column_salt);
    const std::vector<Tally> others = tally(nullptr, all_entries(edges), {family_of(rows, columns)})[0];
    for (const Tally& other : others)
      EXPECT_LT(static_cast<double>(exact.replicas()),
                1.1 * static_cast<double>(other.row_replicas + other.column_replicas));
  }
}

/// What label propagation could save is weighed with its time.
TEST(Choose, TriesLabelPropagationWhereManyReplicasCouldBeSaved) {
  const tests::Edges edges = tests::rmat(10, 16, 4);
  const auto tried = [&](int parts) {
    const ChosenPartitioning choice = choose_partitioning(nullptr, all_entries(edges), square(1024), parts);
    const PartitionCandidate& last = choice.candidates.back();
    EXPECT_EQ(last.name, "label-propagation");
    std::uint64_t fewest = ~std::uint64_t{0};
    for (const PartitionCandidate& each : choice.candidates)
      if (&each != &last && each.load_imbalance <= kMostImbalance) fewest = std::min(fewest, each.replicas());
    const std::uint64_t load = edges.source.size() + kElementLoad * 1024;
    EXPECT_EQ(last.counted, fewest > load / kLoadPerReplica);
    EXPECT_EQ(last.reason == "not tried: it could not save its time", !last.counted);
    return last.counted;
  };
  EXPECT_FALSE(tried(2));
  EXPECT_TRUE(tried(12));
}

TEST(Choose, AFullMatrixIsCutIntoBlocksOfRows) {
  tests::Edges edges;
  for (GlobalIndex i = 0; i < 20; ++i)
    for (GlobalIndex j = 0; j < 6; ++j) {
      edges.source.push_back(i);
      edges.target.push_back(j);
    }
  const comm::Communicator communicator;
  const ChosenPartitioning choice =
      choose_partitioning(&communicator, entries_read(edges, communicator, false), rectangle(20, 6), 4);
  EXPECT_TRUE(choice.candidates.empty());
  EXPECT_EQ(choice.partitioning.rows, Assignment::block(20, 4));
  EXPECT_EQ(choice.partitioning.rule.kind, EntryRule::Kind::row);
}

TEST(Choose, KeepsOwnersThatAreFixed) {
  const tests::Edges edges = tests::uniform_edges(300, 40, 2000, 6);
  const Assignment rows = Assignment::hash(300, 6, 9), columns = Assignment::block(40, 6);
  Shape shape = rectangle(300, 40);
  shape.row_owners = &rows;
  for (const bool both : {false, true}) {
    if (both) shape.column_owners = &columns;
    const ChosenPartitioning choice = choose_partitioning(nullptr, all_entries(edges), shape, 6);
    EXPECT_EQ(choice.partitioning.rows, rows);
    if (both) {
      EXPECT_EQ(choice.partitioning.columns, columns);
    }
    std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max(), counted = 0;
    for (const auto& candidate : choice.candidates) {
      if (candidate.chosen) counted = candidate.replicas();
      if (candidate.load_imbalance <= kMostImbalance) fewest = std::min(fewest, candidate.replicas());
    }
    EXPECT_LE(counted, fewest);
    const Tally tally = by_definition(edges, choice.partitioning);
    EXPECT_EQ(tally.row_replicas + tally.column_replicas, counted);
  }
}

/// The replicas of hash kinds against what is expected of an ideal hash.
TEST(Partitioners, OfHashesMakeTheExpectedReplicas) {
  const std::uint64_t length = 20000;
  const tests::Edges edges = tests::uniform_edges(length, length, 160000, 3);
  std::map<GlobalIndex, std::set<GlobalIndex>> out, in;
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    if (edges.source[k] == edges.target[k]) continue;
    out[edges.source[k]].insert(edges.target[k]);
    in[edges.target[k]].insert(edges.source[k]);
  }
  const auto expected = [](const auto& neighbours, int parts) {
    double sum = 0;
    for (const auto& [index, others] : neighbours)
      sum += (parts - 1) * (1 - std::pow(1 - 1.0 / parts, static_cast<double>(others.size())));
    return sum;
  };
  using Kind = EntryRule::Kind;
  for (const int parts : {4, 16, 60}) {
    const Assignment owners = Assignment::hash(length, parts);
    const int across = grid_columns(parts);
    const std::vector<Tally> counted =
        tally(nullptr, all_entries(edges), {{owners, owners, {{Kind::row, 0}, {Kind::column, 0}, {Kind::grid, 0}}}})[0];
    const std::pair<double, double> goals[] = {
        {0, expected(in, parts)}, {expected(out, parts), 0}, {expected(out, across), expected(in, parts / across)}};
    for (std::size_t r = 0; r < counted.size(); ++r) {
      EXPECT_NEAR(static_cast<double>(counted[r].row_replicas), goals[r].first, 0.01 * goals[r].first);
      EXPECT_NEAR(static_cast<double>(counted[r].column_replicas), goals[r].second, 0.01 * goals[r].second);
    }
  }
}

/// A grid of points, each joined with its neighbours both ways; numbered line by line, or at random.
tests::Edges mesh(std::uint64_t side, bool in_order = false) {
  const auto id = [&](std::uint64_t x, std::uint64_t y) {
    return static_cast<GlobalIndex>((x * side + y) * (in_order ? 1 : 7919) % (side * side));
  };
  tests::Edges edges;
  const auto join = [&](GlobalIndex a, GlobalIndex b) {
    edges.source.insert(edges.source.end(), {a, b});
    edges.target.insert(edges.target.end(), {b, a});
  };
  for (std::uint64_t x = 0; x < side; ++x)
    for (std::uint64_t y = 0; y < side; ++y) {
      if (x + 1 < side) join(id(x, y), id(x + 1, y));
      if (y + 1 < side) join(id(x, y), id(x, y + 1));
    }
  return edges;
}

TEST(Choose, TakesRangesAtOnceWhereFewNonzerosLeaveThem) {
  const comm::Communicator communicator;
  const tests::Edges edges = mesh(60, true);
  const ChosenPartitioning choice =
      choose_partitioning(&communicator, entries_read(edges, communicator, false), square(3600), 3);
  ASSERT_EQ(choice.candidates.size(), 1u);
  EXPECT_EQ(choice.candidates[0].name, "range");
  // Two borders through the middle of a line: across each are 60 neighbours of the next line and one of its own.
  EXPECT_EQ(choice.candidates[0].reason,
            "244 of 14160 non-zeros leave their range: no other was tried, as none could save much");
  const Tally tally = by_definition(edges, choice.partitioning);
  EXPECT_EQ(tally.row_replicas, 0u);
  EXPECT_EQ(tally.column_replicas, 240u);
  EXPECT_LT(static_cast<double>(*std::max_element(tally.nonzeros.begin(), tally.nonzeros.end())), 1.02 * 14160 / 3);
  Options asked;
  asked.threshold = 7;
  EXPECT_GT(partition_as_asked(nullptr, asked, all_entries(edges), square(3600), 3).candidates.size(), 5u);
  const Assignment blocks = Assignment::block(3600, 3);
  Shape fixed = square(3600);
  fixed.row_owners = fixed.column_owners = &blocks;
  const ChosenPartitioning kept =
      choose_partitioning(&communicator, entries_read(edges, communicator, false), fixed, 3);
  ASSERT_EQ(kept.candidates.size(), 1u);
  EXPECT_EQ(kept.candidates[0].name, "row");
  EXPECT_NE(kept.candidates[0].reason.find("leave their part"), std::string::npos) << kept.candidates[0].reason;
  EXPECT_EQ(kept.partitioning.rows, blocks);
  EXPECT_EQ(kept.partitioning.rule.kind, EntryRule::Kind::row);
  // With more parts more non-zeros leave theirs: everything is tried.
  EXPECT_GT(choose_partitioning(nullptr, all_entries(edges), square(3600), 24).candidates.size(), 10u);
}

TEST(Metis, FindsTheBordersOfAMesh) {
  const tests::Edges edges = mesh(60);
  const Partitioning found = metis_partitioner()->partition(square(3600), 4, all_entries(edges));
  const Tally tally = by_definition(edges, found);
  EXPECT_LT(tally.row_replicas + tally.column_replicas, 320u);  // two cuts of 60 points, both sides: 240 at best
  EXPECT_EQ(found.rows.kind(), Assignment::Kind::table);
}

/// The edges both ways, each once, without loops.
tests::Edges both_ways(const tests::Edges& edges) {
  std::set<std::pair<GlobalIndex, GlobalIndex>> joined;
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    if (edges.source[k] == edges.target[k]) continue;
    joined.insert({edges.source[k], edges.target[k]});
    joined.insert({edges.target[k], edges.source[k]});
  }
  tests::Edges result;
  for (const auto& [from, to] : joined) {
    result.source.push_back(from);
    result.target.push_back(to);
  }
  return result;
}

/// METIS for the least volume finds fewer replicas than for the least cut on some of these graphs, and more on others.
TEST(Metis, TakesTheObjectiveOfFewerReplicas) {
  if (comm::Communicator().rank() != 0) return;
  bool cut_better = false, volume_better = false;
  for (const auto& [points, edges] : {std::pair{std::uint64_t{400}, mesh(20)},
                                      {256, both_ways(tests::rmat(8, 4, 1))},
                                      {256, both_ways(tests::rmat(8, 2, 2))},
                                      {300, both_ways(tests::uniform_edges(300, 300, 600, 3))}}) {
    MetisGraph graph;
    std::vector<std::vector<std::int32_t>> neighbours(points);
    for (std::size_t k = 0; k < edges.source.size(); ++k)
      neighbours[static_cast<std::size_t>(edges.source[k])].push_back(static_cast<std::int32_t>(edges.target[k]));
    graph.begin.push_back(0);
    for (std::vector<std::int32_t>& each : neighbours) {
      std::sort(each.begin(), each.end());
      graph.neighbour.insert(graph.neighbour.end(), each.begin(), each.end());
      graph.begin.push_back(static_cast<std::int32_t>(graph.neighbour.size()));
      graph.loads.insert(graph.loads.end(), {static_cast<std::int32_t>(each.size()), 1});
    }
    graph.constraints = 2;
    for (const int parts : {2, 3, 5, 8}) {
      const auto replicas = [&edges = edges](const Partitioning& made) {
        const Tally tally = by_definition(edges, made);
        return tally.row_replicas + tally.column_replicas;
      };
      const auto by = [&, points = points](bool volume) {
        graph.sizes.assign(volume ? points : 0, 1);
        const std::vector<std::int32_t> part = metis_kway(graph, parts);
        const Assignment owners = Assignment::table(std::vector<Rank>(part.begin(), part.end()), parts);
        return replicas({owners, owners, {}});
      };
      const std::uint64_t of_volume = by(true), of_cut = by(false);
      cut_better = cut_better || of_cut < of_volume;
      volume_better = volume_better || of_volume < of_cut;
      EXPECT_EQ(replicas(metis_partitioner()->partition(square(points), parts, all_entries(edges))),
                std::min(of_volume, of_cut));
    }
  }
  EXPECT_TRUE(cut_better);
  EXPECT_TRUE(volume_better);
}

TEST(Metis, PlacesTheSidesOfARectangle) {
  // Samples in groups, each group with features of its own.
  tests::Edges edges = tests::uniform_edges(4000, 25, 40000, 3);
  for (std::size_t k = 0; k < edges.source.size(); ++k) edges.target[k] = edges.target[k] * 8 + edges.source[k] % 8;
  const Partitioning found = metis_partitioner()->partition(rectangle(4000, 200), 8, all_entries(edges));
  const Tally tally = by_definition(edges, found);
  EXPECT_LT(tally.row_replicas + tally.column_replicas, 100u);
  EXPECT_LT(static_cast<double>(*std::max_element(tally.nonzeros.begin(), tally.nonzeros.end())), 1.1 * 40000 / 8);
}

TEST(Metis, TakesWhatIsOddToo) {
  if (comm::Communicator().rank() != 0) return;
  for (const int parts : {1, 2, 3, 8, 50})
    for (const std::uint64_t length : {0u, 1u, 9u, 61u, 1001u})
      for (const std::uint64_t number : {0u, 1u, 30u, 3000u}) {
        if (length == 0 && number != 0) continue;
        tests::Edges edges;
        if (number != 0) edges = tests::uniform_edges(length, length, number, 2);
        for (const Shape& shape : {square(length), rectangle(length, length)}) {
          const Partitioning found = metis_partitioner()->partition(shape, parts, all_entries(edges));
          ASSERT_EQ(found.rows.length(), length);
          ASSERT_EQ(found.columns.length(), length);
          for (std::uint64_t i = 0; i < length; ++i) {
            ASSERT_LT(found.rows.owner(static_cast<GlobalIndex>(i)), parts);
            ASSERT_GE(found.rows.owner(static_cast<GlobalIndex>(i)), 0);
          }
        }
      }
}

TEST(Metis, IsIndependentOfTheOrderOfEntries) {
  tests::Edges edges = tests::rmat(9, 6, 4);
  const Partitioning first = metis_partitioner()->partition(square(512), 5, all_entries(edges));
  std::reverse(edges.source.begin(), edges.source.end());
  std::reverse(edges.target.begin(), edges.target.end());
  const Partitioning second = metis_partitioner()->partition(square(512), 5, all_entries(edges));
  EXPECT_EQ(first.rows, second.rows);
  EXPECT_EQ(first.rule, second.rule);
}

TEST(Metis, RefusesWhatItCannotCount) {
  try {
    metis_partitioner()->partition(rectangle(std::uint64_t{1} << 31, 5), 4, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("METIS counts with 32 bits"), std::string::npos) << error.what();
  }
}

/// What was estimated of the choice is known once it is made.
TEST(Placement, KnowsTheReplicasOfASampledChoice) {
  const comm::Communicator communicator;
  if (communicator.size() == 1) return;
  Placement placement(communicator, Options());
  const SpaceId id = placement.space(1 << 14);
  const tests::Edges edges = tests::rmat(14, 16, 4);
  const MatrixId m = placement.add_matrix(id, id, entries_read(edges, communicator, false));
  const PartitionCandidate& chosen = chosen_of(placement.candidates());
  EXPECT_FALSE(chosen.sampled);
  EXPECT_EQ(chosen.row_replicas, placement.stats().of(id, {{m, Role::Side::row}}).replicas);
  EXPECT_EQ(chosen.column_replicas, placement.stats().of(id, {{m, Role::Side::column}}).replicas);
  EXPECT_TRUE(std::any_of(placement.candidates().begin(), placement.candidates().end(),
                          [](const PartitionCandidate& each) { return each.sampled; }));
}

/// Every worker ends up with the same owners, and with what was counted.
TEST(Placement, IsWhatWasChosen) {
  const comm::Communicator communicator;
  for (const Partition partition : {Partition::automatic, Partition::metis, Partition::range, Partition::range_column,
                                    Partition::range_grid, Partition::label_propagation}) {
    Options options;
    options.partition = partition;
    Placement placement(communicator, options);
    const tests::Edges edges = tests::rmat(9, 6, 4);
    const SpaceId id = placement.space(512);
    const MatrixId m = placement.add_matrix(id, id, entries_read(edges, communicator, true));
    const ChosenPartitioning choice =
        partition_as_asked(nullptr, options, all_entries(edges), square(512), communicator.size());
    EXPECT_EQ(placement.space(id).assignment(), choice.partitioning.rows);
    const Tally tally = by_definition(edges, choice.partitioning);
    EXPECT_EQ(placement.stats().of(id, {{m, Role::Side::row}}).replicas, tally.row_replicas);
    EXPECT_EQ(placement.stats().of(id, {{m, Role::Side::column}}).replicas, tally.column_replicas);
    EXPECT_EQ(candidates_text(placement.candidates()), candidates_text(choice.candidates));

    SpaceModel model(choice.partitioning.rows);
    std::map<GlobalIndex, std::uint64_t> in;
    for (const GlobalIndex target : edges.target) ++in[target];
    std::vector<Rank> parts;
    for (std::size_t k = 0; k < edges.source.size(); ++k)
      parts.push_back(choice.partitioning.part(edges.source[k], edges.target[k],
                                               in[edges.target[k]] > choice.partitioning.rule.threshold));
    add_matrix(model, model, m, edges, parts);
    expect_space(model, placement, id, communicator);
    expect_matrix(edges, parts, placement, m, communicator.rank());

    // A further matrix over the same space follows owners and rule.
    const tests::Edges second = tests::rmat(9, 3, 8);
    const MatrixId n = placement.add_matrix(id, id, entries_read(second, communicator, false));
    EXPECT_TRUE(placement.candidates().empty());
    const Tally more = by_definition(second, choice.partitioning);
    EXPECT_EQ(placement.stats().of(id, {{n, Role::Side::row}}).replicas, more.row_replicas);
    EXPECT_EQ(placement.stats().of(id, {{n, Role::Side::column}}).replicas, more.column_replicas);
  }
}

}  // namespace
}  // namespace kasen::partition
