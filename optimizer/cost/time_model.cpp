#include "optimizer/cost/time_model.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

#include "optimizer/cost/symbols.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kBlockEdge = std::uint64_t{1} << 16;  // of matrices in blocks, inputs and outputs
constexpr std::uint64_t kBlockGroups = 17;                    // of runs: by length up to 16, and the long ones
constexpr std::uint64_t kCacheLine = 64;                      // bytes
constexpr std::uint64_t kIndexBytes = 4, kPointerBytes = 8;   // of a compressed matrix
constexpr std::uint64_t kMille = 1000;
constexpr std::uint64_t kWord = 8;         // bytes: what the profile's rates are per
constexpr std::uint64_t kCacheShare = 2;   // one part in so many of a level is counted on
constexpr std::uint64_t kQuarters = 4;     // of an exponential, in Work
constexpr std::uint64_t kIterations = 16;  // what an inner loop counts
// What is taken for the operations per word of a function that nothing is known of. Over structs, loops are guarded
// against a defect of the compiler, and members are often chosen between.
constexpr std::uint32_t kOfABlackBox = 4, kOfAStruct = 16;
/// Of a function that gets a whole vector, for each word of that: a multiplication and an addition, or such.
constexpr std::uint32_t kOfAWhole = 2;
constexpr std::uint64_t kOfReducingStructs = 8;
// Products with a dense matrix compute such functions in vectors: one part in so many of what they take one by one.
constexpr std::uint64_t kDenseVectors = 2;
constexpr std::uint64_t kSafelyFew = 16;               // one non-zero in so many is pushed, whatever the times
constexpr std::uint64_t kThreadShare = 4096;           // elements and non-zeros that a thread is woken for
constexpr std::uint64_t kTeamPicoseconds = 1'000'000;  // waking threads, and waiting for the last one

std::uint64_t words(std::uint64_t bytes) { return std::max<std::uint64_t>(1, (bytes + kWord - 1) / kWord); }
std::uint64_t share(std::uint64_t all, std::uint64_t parts) { return (all + parts - 1) / parts; }

/// Picoseconds of reaching an element of so many bytes where an access takes so long: each of its cache lines, and
/// further words in the first-level cache.
std::uint64_t reaching(std::uint64_t bytes, std::uint64_t access, const Profile& profile) {
  const std::uint64_t lines = std::max<std::uint64_t>(1, share(bytes, kCacheLine));
  return lines * access + (words(bytes) - lines) * profile.move_picoseconds;
}

class SweepTimer {
 public:
  SweepTimer(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile)
      : _plan(plan), _step(step), _sweep(std::get<Sweep>(step.what)), _stats(stats), _profile(profile) {}

  SweepTime run() const {
    SweepTime time;
    time.launches = ticks_of_entering(_stats.workers, _profile);
    if (active_of(_sweep) != kNone<ValueId>)
      time.launches = sum_of(time.launches, ticks_of_reduction(_stats.workers, _profile));
    std::uint64_t read = _step.stream.bytes_read, written = _step.stream.bytes_written;
    if (_sweep.matrix != kNone<MatrixId>) {
      const bool dense = _stats.matrices.at(index_of(_sweep.matrix)).dense;
      const bool blocked = _sweep.walk == Walk::blocked;
      const RandomBytes random = dense ? cached_accesses() : blocked ? block_accesses(time) : random_accesses(time);
      read -= random.read;
      written -= random.written;
      if (dense) read += dense_reads();
    }
    for (const Launch& launch : _sweep.launches) {
      if (launch.op == Op::take) read -= range(launch.roles) * bytes(launch.in[0]);
      time.random = sum_of(time.random, ticks_of_keys(launch, _plan.values, range(launch.roles), _stats, _profile));
    }
    const std::uint64_t initialised = initialised_bytes();
    const ByteRates rates = byte_rates(_profile);
    time.stream = sum_of(product_of(read, rates.read), product_of(written + initialised, rates.write));
    for (const Launch& launch : _sweep.launches) {
      const std::uint64_t elements = range(launch.roles);
      const std::uint64_t times =
          is_matrix_op(launch.op) ? _stats.matrices.at(index_of(_sweep.matrix)).nonzeros : elements;
      const Ticks compute = ticks_of_compute(launch, _plan.values, times, _profile);
      time.compute = sum_of(time.compute, finds_vectors(launch) ? compute / kDenseVectors : compute);
      time.random = sum_of(time.random, one_by_one(launch));
      time.launches = sum_of(time.launches, launches(launch, elements));
    }
    for (const Place& place : _sweep.places) {
      if (place.late_copy) time.compute = sum_of(time.compute, copying(place.value));
    }
    wait_for_the_slowest(time);
    time.unhidden = ticks_of_unhidden(time.stream, time.compute, _profile);
    return time;
  }

  /// The number of threads that share the sweep's elements on a worker.
  std::uint64_t threads(std::uint32_t most) const {
    std::uint64_t weight = _sweep.matrix == kNone<MatrixId> ? 0 : _stats.matrices.at(index_of(_sweep.matrix)).nonzeros;
    std::uint64_t elements = 0;
    for (const Launch& launch : _sweep.launches) elements = std::max(elements, range(launch.roles));
    weight += elements;
    return pushes(_sweep) ? 1 : std::clamp<std::uint64_t>(weight / _stats.workers / kThreadShare, 1, most);
  }

  /// Sets the times of pushing active elements, and up to how many it takes less than `walk`, the sweep's own time.
  void time_active(Step& step, std::uint64_t walk) const {
    PartialCosts& costs = step.active;
    const Launch& launch = _sweep.launches.at(0);
    const ByteRates rates = byte_rates(_profile);
    const std::uint64_t out_bytes = bytes(launch.out[0]);
    const auto run_of = [&](const PartialCosts& of) {
      Ticks run = sum_of(ticks_of_entering(_stats.workers, _profile), ticks_of_reduction(_stats.workers, _profile));
      run = sum_of(run, product_of(of.run.bytes_read, rates.read));
      run = sum_of(run, product_of(of.run.elements_initialised * out_bytes, rates.write));
      return picoseconds_per_worker(run, _stats.workers);
    };
    costs.run_picoseconds = run_of(costs);
    step.delta.run_picoseconds = run_of(step.delta);
    const auto access = [&](ValueId value) {
      return reaching(bytes(value), random_access_picoseconds(elements_of(value) * bytes(value), _profile), _profile);
    };
    // Active elements lie apart: each has pointers and entries of its own. Where one is found is a branch that is not
    // foreseen; they are found twice, to know how many they are, and to push them.
    constexpr std::uint64_t kTurns = 2;
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const std::uint64_t entries = matrix.nonzeros;
    const std::uint64_t entry_bytes = share(entries, _stats.workers) * (kIndexBytes + matrix.value_bytes);
    costs.element_picoseconds = access(launch.in[0]) + _profile.launch_picoseconds +
                                kTurns * _profile.turn_picoseconds +
                                random_access_picoseconds(elements_of(launch.in[0]) * kPointerBytes, _profile) +
                                random_access_picoseconds(entry_bytes, _profile);
    costs.entry_picoseconds =
        access(launch.out[0]) + ticks_of_compute(launch, _plan.values, 1, _profile) / kTicksPerPicosecond;
    step.delta.element_picoseconds = costs.element_picoseconds;
    step.delta.entry_picoseconds = costs.entry_picoseconds;

    step.whole_from = share(entries, kSafelyFew);
    if (entries == 0 || walk <= costs.run_picoseconds) return;
    const double elements_per_entry = static_cast<double>(elements_of(launch.in[0])) / static_cast<double>(entries);
    const double each = static_cast<double>(costs.entry_picoseconds) +
                        elements_per_entry * static_cast<double>(costs.element_picoseconds);
    const double most = static_cast<double>(walk - costs.run_picoseconds) * _stats.workers / std::max(each, 1.0);
    const auto as_fast = static_cast<std::uint64_t>(std::min(most, static_cast<double>(entries)));
    step.whole_from = std::max(step.whole_from, as_fast);
  }

  /// Sets the times of visiting the elements that a delta iteration may have changed: each of them is a random access
  /// to every vector.
  void time_delta_update(PartialCosts& costs) const {
    Ticks run = sum_of(ticks_of_entering(_stats.workers, _profile),
                       product_of(costs.run.bytes_read, byte_rates(_profile).read));
    Ticks compute = 0;
    for (const Launch& launch : _sweep.launches) {
      run = sum_of(run, _profile.launch_picoseconds * kTicksPerPicosecond * _stats.workers);
      compute = sum_of(compute, ticks_of_compute(launch, _plan.values, 1, _profile));
    }
    costs.run_picoseconds = picoseconds_per_worker(run, _stats.workers);
    costs.element_picoseconds = static_cast<std::uint64_t>(compute / kTicksPerPicosecond);
    for (const Place& place : _sweep.places) {
      if (place.kind == Place::Kind::temporary) continue;
      const std::uint64_t size = bytes(place.value);
      costs.element_picoseconds +=
          reaching(size, random_access_picoseconds(elements_of(place.value) * size, _profile), _profile);
    }
  }

 private:
  /// The worker with the most non-zeros, or elements, is waited for.
  void wait_for_the_slowest(SweepTime& time) const {
    constexpr std::uint64_t kMean = 1024;
    const double imbalance = _sweep.matrix == kNone<MatrixId> ? _stats.spaces.at(index_of(_sweep.space)).imbalance
                                                              : _stats.matrices.at(index_of(_sweep.matrix)).imbalance;
    const auto most = static_cast<std::uint64_t>(imbalance * kMean + 0.5);
    if (most <= kMean) return;
    for (Ticks* part : {&time.stream, &time.compute, &time.random}) *part = product_of(*part, most) / kMean;
  }

  /// What a function of numbers takes longer on the entries of a sparse matrix, which are not vectors. The first
  /// operation of the reducer is in the access.
  Ticks one_by_one(const Launch& launch) const {
    if (!is_matrix_op(launch.op)) return 0;
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const bool numbers = bytes(launch.in[0]) <= kWord && bytes(launch.out[0]) <= kWord;
    if (matrix.dense || !numbers || !launch.work.known) return 0;
    const std::uint64_t each = _profile.entry_operation_picoseconds -
                               std::min(_profile.entry_operation_picoseconds, _profile.flop_picoseconds);
    const std::uint64_t operations = std::uint64_t{launch.work.arithmetic} + launch.work.integers;
    const std::uint64_t reducing = !launch.work.whole          ? 0
                                   : bytes(launch.out[0]) == 1 ? _profile.byte_entry_picoseconds
                                                               : _profile.integer_entry_picoseconds;
    return product_of(product_of(matrix.nonzeros, launch.out.size()),
                      (operations * each + reducing) * kTicksPerPicosecond);
  }

  /// Whether the sweep computes a function over structs, of which nothing is known, in vectors.
  bool finds_vectors(const Launch& launch) const {
    return is_matrix_op(launch.op) && _stats.matrices.at(index_of(_sweep.matrix)).dense && !launch.work.known &&
           std::max(bytes(launch.in[0]), bytes(launch.out[0])) > kWord;
  }

  /// A tile of the value is made beside what it takes the place of, and copied there at the tile's end.
  Ticks copying(ValueId value) const {
    const std::uint64_t moves = 2 * words(bytes(value)) * range(_sweep.space, {});
    return product_of(moves, _profile.move_picoseconds * kTicksPerPicosecond);
  }

  std::uint64_t bytes(ValueId value) const { return _plan.values[index_of(value)].type.bytes; }

  std::uint64_t range(const RoleSet& roles) const { return range(_sweep.space, roles); }
  std::uint64_t range(SpaceId space, const RoleSet& roles) const {
    const std::uint64_t replicas = roles.empty() ? 0 : _stats.of(space, roles).replicas;
    return _stats.spaces.at(index_of(space)).masters + replicas;
  }

  Ticks launches(const Launch& launch, std::uint64_t elements) const {
    if (!is_matrix_op(launch.op)) return ticks_of_launches(elements, _sweep.tile_elements, _stats.workers, _profile);
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const Role::Side walked = walked_side(launch);
    if (_sweep.walk == Walk::blocked) {
      const auto edges = [&](std::uint64_t local) { return share(local, kBlockEdge); };
      const std::uint64_t blocks = edges(elements_of(launch.in[0])) * edges(elements_of(launch.out[0]));
      const std::uint64_t each = _profile.launch_picoseconds + kBlockGroups * _profile.turn_picoseconds;
      return product_of(blocks * _stats.workers, each * kTicksPerPicosecond);
    }
    const Ticks calls = ticks_of_launches(elements, _sweep.tile_elements, _stats.workers, _profile);
    if (matrix.dense) return calls;
    const Ticks rows = product_of(elements, _profile.row_picoseconds * kTicksPerPicosecond);
    const Ticks turns = product_of(matrix.blocks(walked).turns, _profile.turn_picoseconds * kTicksPerPicosecond);
    return sum_of(calls, sum_of(rows, turns));
  }

  /// Bytes of outputs that are set to their identity, as pushes add to them.
  std::uint64_t initialised_bytes() const {
    std::uint64_t sum = 0;
    for (const Launch& launch : _sweep.launches) {
      if (!launch.push && _sweep.walk != Walk::blocked) continue;
      for (ValueId out : launch.out) {
        sum += bytes(out) * range(_plan.values[index_of(out)].space, launch.filled_roles);
      }
    }
    return sum;
  }

  struct RandomBytes {
    std::uint64_t read = 0, written = 0;
  };

  /// All the vectors that the sweep reaches through its matrix, read by pulls and added to by pushes, are in the caches
  /// together. What a push has read it writes in the cache.
  /// @return bytes of the step's reads and writes that are random accesses.
  RandomBytes random_accesses(SweepTime& time) const {
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    std::set<ValueId> vectors = read_through_matrix(_sweep);
    RandomBytes all;
    bool by_columns = false;
    for (const Launch& launch : _sweep.launches) {
      if (is_matrix_op(launch.op)) by_columns = walked_side(launch) == Role::Side::column;
      if (!launch.push) continue;
      vectors.insert(launch.out.begin(), launch.out.end());
      for (ValueId value : launch.out) all.written += matrix.nonzeros * bytes(value);
    }
    const SpaceId space = by_columns ? matrix.rows : matrix.columns;
    const RoleSet roles{Role{_sweep.matrix, by_columns ? Role::Side::row : Role::Side::column}};
    const std::uint64_t elements = share(range(space, roles), _stats.workers);
    std::uint64_t working_set = 0, at_once = 0;
    for (ValueId value : vectors) working_set += elements * bytes(value);
    const std::uint64_t each = access_in_order(by_columns ? Role::Side::column : Role::Side::row, working_set);
    for (ValueId value : vectors) {
      at_once += reaching(bytes(value), each, _profile);
      all.read += matrix.nonzeros * bytes(value);
    }
    time.random = product_of(product_of(matrix.nonzeros, at_once), kTicksPerPicosecond);
    return all;
  }

  /// Picoseconds of one access through the matrix, as far as the order of elements has locality in the nearest cache.
  std::uint64_t access_in_order(Role::Side outputs, std::uint64_t working_set) const {
    constexpr std::uint64_t kAll = PlacementStats::Matrix::Blocks::kCachedOf;
    const std::uint64_t cached = _stats.matrices.at(index_of(_sweep.matrix)).blocks(outputs).cached;
    return (cached * _profile.random_access_picoseconds[0] +
            (kAll - cached) * random_access_picoseconds(working_set, _profile)) /
           kAll;
  }

  /// A dense matrix is walked together with its vectors, in order: what they are read and added to again and again
  /// happens in the caches.
  RandomBytes cached_accesses() const {
    const std::uint64_t nonzeros = _stats.matrices.at(index_of(_sweep.matrix)).nonzeros;
    RandomBytes all;
    for (ValueId value : read_through_matrix(_sweep)) all.read += nonzeros * bytes(value);
    for (const Launch& launch : _sweep.launches) {
      if (!launch.push) continue;
      for (ValueId value : launch.out) {
        all.read += nonzeros * bytes(value);
        all.written += nonzeros * bytes(value);
      }
    }
    return all;
  }

  /// Bytes that a dense sweep reads beside what its counts say of it: vectors that it reads as a whole, once each; and
  /// the matrix again for each product after the first, unless pulls have it to themselves, or a piece that all
  /// products can do before the next fits the cache: a row, or so many columns as a cache line has elements.
  std::uint64_t dense_reads() const {
    std::uint64_t sum = 0, products = 0;
    bool by_columns = false;
    for (ValueId value : read_through_matrix(_sweep)) {
      const SpaceId space = _plan.values[index_of(value)].space;
      sum += bytes(value) * range(space, _stats.all_roles(space));
    }
    for (const Launch& launch : _sweep.launches) {
      const bool product = is_matrix_op(launch.op);
      if (!product) continue;
      ++products;
      by_columns = walked_side(launch) == Role::Side::column;
    }
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const auto masters = [&](SpaceId space) { return _stats.spaces.at(index_of(space)).masters; };
    const std::uint64_t piece = by_columns ? kCacheLine * share(masters(matrix.rows), _stats.workers)
                                           : matrix.value_bytes * masters(matrix.columns);
    if (only_pulls(_sweep) || piece <= _profile.cache_bytes[1] / kCacheShare) return sum;
    return sum + (products - 1) * matrix.nonzeros * matrix.value_bytes;
  }

  /// As random_accesses(), within blocks: entries read their part of the inputs, runs read and write theirs of the
  /// outputs.
  RandomBytes block_accesses(SweepTime& time) const {
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const Role::Side outputs = walked_side(_sweep.launches.front());
    const std::uint64_t runs = matrix.blocks(outputs).runs;
    const std::set<ValueId> in = read_through_matrix(_sweep);
    std::vector<ValueId> out;
    std::set<ValueId> at_outputs;
    for (const Launch& launch : _sweep.launches) {
      out.insert(out.end(), launch.out.begin(), launch.out.end());
      for (std::size_t k = 0; k < launch.in.size(); ++k) {
        if (is_at_outputs(launch, k)) at_outputs.insert(launch.in[k]);
      }
    }
    std::uint64_t working_set = 0, of_entry = 0, of_run = 0;
    RandomBytes all;
    Ticks parts = 0;
    const auto add = [&](ValueId value) {
      working_set += std::min(kBlockEdge, elements_of(value)) * bytes(value);
      parts = sum_of(parts, block_parts(value, runs, in, out));
    };
    std::for_each(in.begin(), in.end(), add);
    std::for_each(out.begin(), out.end(), add);
    std::for_each(at_outputs.begin(), at_outputs.end(), add);
    const std::uint64_t entry_access = access_in_order(outputs, working_set);
    const std::uint64_t run_access = random_access_picoseconds(working_set, _profile);
    for (ValueId value : in) {
      of_entry += reaching(bytes(value), entry_access, _profile);
      all.read += matrix.nonzeros * bytes(value);
    }
    for (ValueId value : out) {
      of_run += 2 * reaching(bytes(value), run_access, _profile);
      all.read += runs * bytes(value);
      all.written += runs * bytes(value);
    }
    for (ValueId value : at_outputs) {
      of_run += reaching(bytes(value), run_access, _profile);
      all.read += runs * bytes(value);
    }
    const Ticks accesses = sum_of(product_of(matrix.nonzeros, of_entry), product_of(runs, of_run));
    time.random = sum_of(product_of(accesses, kTicksPerPicosecond), parts);
    return all;
  }

  /// Blocks bring their parts of a vector into the near caches, from where the whole of it lies: every output's own
  /// block its cache lines, and each further run a line at most. Inputs are taken to be spread as outputs are.
  Ticks block_parts(ValueId value, std::uint64_t runs, const std::set<ValueId>& in,
                    const std::vector<ValueId>& out) const {
    const auto edges = [&](std::uint64_t local) { return share(local, kBlockEdge); };
    const std::uint64_t blocks = edges(elements_of(*in.begin())) * edges(elements_of(out.front()));
    if (blocks <= 1) return 0;
    const std::uint64_t outputs = std::min(runs, elements_of(out.front()) * _stats.workers);
    const std::uint64_t bytes_once = elements_of(value) * _stats.workers * bytes(value);
    const std::uint64_t times = edges(elements_of(value)) == 0 ? 0 : blocks / edges(elements_of(value));
    const std::uint64_t further = (runs - outputs) * std::max(bytes(value), kCacheLine);
    const std::uint64_t brought = bytes_once + std::min(further, bytes_once * (times - 1));
    return product_of(brought, byte_rates(_profile).read);
  }

  /// The elements of a value on one worker.
  std::uint64_t elements_of(ValueId value) const {
    const SpaceId space = _plan.values[index_of(value)].space;
    return share(range(space, _stats.all_roles(space)), _stats.workers);
  }

  const Plan& _plan;
  const Step& _step;
  const Sweep& _sweep;
  const PlacementStats& _stats;
  const Profile& _profile;
};

/// What is at rest is looked at, not sent.
void time_sparse(Step& step, const PlacementStats& stats, const Profile& profile) {
  const Ticks sent = product_of(step.stream.bytes_sent - step.active.run.bytes_sent, byte_rates(profile).send);
  const Ticks byte = byte_rates(profile).send;
  step.active.run_picoseconds =
      step.picoseconds - std::min(step.picoseconds, picoseconds_per_worker(sent, stats.workers));
  step.active.element_picoseconds = step.active.element.bytes_sent * byte / kTicksPerPicosecond;
  step.active.entry_picoseconds = step.active.entry.bytes_sent * byte / kTicksPerPicosecond;
}

Ticks ticks_of(const Plan& plan, const Exchange& exchange, const Counts& counts, const PlacementStats& stats,
               const Profile& profile) {
  const std::uint64_t workers = stats.workers;
  // The counts of Shareds are by definition; what they cost is a reduction.
  std::uint64_t bytes = counts.bytes_sent;
  Ticks reduction = 0;
  for (const Move& move : exchange.reductions) {
    bytes -= workers * (workers - 1) * plan.values[index_of(move.from)].type.bytes;
  }
  if (!exchange.reductions.empty()) {
    reduction = ticks_of_reduction(workers, profile);
  }
  const std::uint64_t messages = messages_of_vectors(exchange, counts, workers);
  Ticks vectors = sum_of(ticks_of_messages(messages, profile), product_of(bytes, byte_rates(profile).send));
  vectors = sum_of(vectors, ticks_of_route(exchange.idle_pairs, exchange.to_neighbours ? messages : 0));
  for (const std::vector<Move>* moves : {&exchange.gathers, &exchange.scatters}) {
    for (const Move& move : *moves) {
      const Value& value = plan.values[index_of(move.from)];
      vectors = sum_of(vectors, ticks_of_packing(value, stats.of(value.space, move.roles).replicas, stats, profile));
    }
  }
  return sum_of(vectors, reduction);
}

void assign(Plan& plan, std::vector<Step>& steps, int depth, const PlacementStats& stats, const Profile& profile,
            std::uint32_t threads) {
  for (Step& step : steps) {
    const Ticks ticks = ticks_of(plan, step, stats, profile, threads);
    step.picoseconds = picoseconds_per_worker(ticks, stats.workers);
    if (const auto* sweep = std::get_if<Sweep>(&step.what); sweep && active_of(*sweep) != kNone<ValueId>) {
      // On one thread: how many there are changes nothing that is computed.
      const Ticks alone = ticks_of(plan, step, stats, profile);
      SweepTimer(plan, step, stats, profile).time_active(step, picoseconds_per_worker(alone, stats.workers));
    } else if (const auto* exchange = std::get_if<Exchange>(&step.what); exchange && exchange->sparse) {
      time_sparse(step, stats, profile);
    } else if (sweep != nullptr && sweep->delta) {
      SweepTimer(plan, step, stats, profile).time_delta_update(step.delta);
    }
    Ticks& sum = depth > 0 ? plan.time.loops : plan.time.rest;
    sum = sum_of(sum, product_of(ticks, weight_at(depth)));
    if (auto* loop = std::get_if<Loop>(&step.what)) {
      assign(plan, loop->body, depth + 1, stats, profile, threads);
    } else if (auto* branch = std::get_if<Branch>(&step.what)) {
      assign(plan, branch->then, depth, stats, profile, threads);
      assign(plan, branch->otherwise, depth, stats, profile, threads);
    }
  }
}

}  // namespace

Ticks sum_of(Ticks a, Ticks b) { return a > kMost - b ? kMost : a + b; }

Ticks product_of(Ticks a, std::uint64_t b) { return b != 0 && a > kMost / b ? kMost : a * b; }

Ticks ticks_per_byte(std::uint64_t bytes_per_second) {
  const std::uint64_t rate = std::max<std::uint64_t>(bytes_per_second, 1);
  return std::max<Ticks>(1, (kTicksPerPicosecond * kPicosecondsPerSecond + rate / 2) / rate);
}

std::uint64_t bytes_per_second(Ticks ticks_per_byte) {
  return std::max<std::uint64_t>(1, kTicksPerPicosecond * kPicosecondsPerSecond / ticks_per_byte);
}

ByteRates byte_rates(const Profile& profile) {
  return {ticks_per_byte(profile.read_bytes_per_second[0]), ticks_per_byte(profile.write_bytes_per_second),
          ticks_per_byte(profile.network_bytes_per_second)};
}

std::uint64_t at_working_set(std::uint64_t bytes, const std::uint64_t (&costs)[Profile::kSizes]) {
  const auto& sizes = Profile::kWorkingSets;
  if (bytes <= sizes[0]) return costs[0];
  for (std::size_t k = 1; k < Profile::kSizes; ++k) {
    if (bytes > sizes[k]) continue;
    const std::uint64_t apart = sizes[k] - sizes[k - 1], beyond = bytes - sizes[k - 1];
    return (product_of(costs[k - 1], apart - beyond) + product_of(costs[k], beyond)) / apart;
  }
  return costs[Profile::kSizes - 1];
}

std::uint64_t random_access_picoseconds(std::uint64_t working_set, const Profile& profile) {
  return at_working_set(working_set, profile.random_access_picoseconds);
}

Ticks ticks_of_compute(const Operation& operation, const std::vector<Value>& values, std::uint64_t applications,
                       const Profile& profile) {
  const auto bytes = [&](ValueId value) { return std::uint64_t{values[index_of(value)].type.bytes}; };
  const bool product = is_matrix_op(operation.op);
  std::uint64_t moved = 0, widest = 1;  // of one application, in bytes
  for (std::size_t k = 0; k < operation.in.size(); ++k) {
    const std::uint64_t size = bytes(operation.in[k]);
    if (!reads_whole(operation, k)) moved += size;
    widest = std::max(widest, size);
  }
  for (ValueId value : operation.out) {
    if (operation.op == Op::fold && bytes(value) > kWord) continue;  // a step changes some of it
    if (!is_any_reduction(operation.op)) moved += bytes(value);
    widest = std::max(widest, bytes(value));
  }
  if (product) moved = 0;  // which is what random accesses and the stream count
  const bool numbers = widest <= kWord;
  Work work = operation.work;
  if (!work.known && operation.op != Op::reduce && !follows_keys(operation.op))
    work.arithmetic = numbers ? kOfABlackBox : kOfAStruct;
  const bool reduces = product || operation.op == Op::reduce || operation.op == Op::reduce_by_key;
  const std::uint64_t operations = work.arithmetic + (!reduces ? 0 : numbers ? 1 : kOfReducingStructs);
  // Ticks by which one byte is slower; rates are per word.
  const std::uint64_t each = operations * profile.flop_picoseconds + work.integers * profile.integer_picoseconds +
                             work.divisions * profile.division_picoseconds +
                             work.transcendentals * profile.transcendental_picoseconds / kQuarters;
  const std::uint64_t results = product ? operation.out.size() : 1;
  const Ticks one = sum_of(product_of(moved, profile.move_picoseconds), product_of(widest * results, each));
  return product_of(product_of(one, kTicksPerPicosecond / kWord), applications);
}

Ticks ticks_of_keys(const Operation& operation, const std::vector<Value>& values, std::uint64_t applications,
                    const PlacementStats& stats, const Profile& profile) {
  const auto masters = [&](const Value& value) { return stats.spaces.at(index_of(value.space)).masters; };
  if (operation.op == Op::with_wholes) {
    std::uint64_t whole = 0;
    for (std::size_t k = 0; k < operation.wholes; ++k) {
      const Value& value = values[index_of(operation.in[k])];
      whole += masters(value) * words(value.type.bytes);
    }
    const std::uint64_t each = kOfAWhole * profile.flop_picoseconds + profile.move_picoseconds;
    return product_of(product_of(applications, whole), each * kTicksPerPicosecond);
  }
  if (!follows_keys(operation.op)) return 0;
  const bool takes = operation.op == Op::take;
  const Value& reached = values[index_of(takes ? operation.in[0] : operation.out[0])];
  if (const Type& key = values[index_of(operation.in[0])].type; !takes && key.bytes > kWord) {
    // Rows in the place of keys: each number of one meets each of the other.
    const std::uint64_t each = kOfAWhole * words(key.bytes) * words(reached.type.bytes) * profile.flop_picoseconds;
    return product_of(product_of(applications, each), kTicksPerPicosecond);
  }
  const std::uint64_t working_set = masters(reached) * reached.type.bytes;
  const std::uint64_t each =
      reaching(reached.type.bytes, random_access_picoseconds(working_set, profile), profile) * (takes ? 1 : 2);
  return product_of(product_of(applications, each), kTicksPerPicosecond);
}

Ticks ticks_of_unhidden(Ticks traffic, Ticks compute, const Profile& profile) {
  return product_of(std::min(traffic, compute), profile.unhidden_per_mille[0]) / kMille;
}

Ticks ticks_of_entering(std::uint64_t workers, const Profile& profile) {
  return product_of(workers, profile.step_picoseconds * kTicksPerPicosecond);
}

Ticks ticks_of_launches(std::uint64_t elements, std::uint32_t tile_elements, std::uint64_t workers,
                        const Profile& profile) {
  const std::uint64_t tiles = share(share(elements, workers), std::max(1u, tile_elements));
  return product_of(tiles * workers, profile.launch_picoseconds * kTicksPerPicosecond);
}

SweepTime time_of_sweep(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile) {
  return SweepTimer(plan, step, stats, profile).run();
}

std::uint64_t messages_of_vectors(const Exchange& exchange, const Counts& counts, std::uint64_t workers) {
  return counts.messages - (exchange.reductions.empty() ? 0 : workers * (workers - 1));
}

/// As measured with MPICH by bench/exchanges: what the call of all takes more at 64 and 128 workers, of which each had
/// one, two or sixteen neighbours, and what messages take more at two.
constexpr std::uint64_t kIdlePairPicoseconds = 100'000, kOwnMessagePicoseconds = 200'000;

Ticks ticks_of_route(std::uint64_t idle_pairs, std::uint64_t own_messages) {
  return sum_of(product_of(idle_pairs, kIdlePairPicoseconds * kTicksPerPicosecond),
                product_of(own_messages, kOwnMessagePicoseconds * kTicksPerPicosecond));
}

Ticks ticks_of_messages(std::uint64_t messages, const Profile& profile) {
  return product_of(messages, profile.message_picoseconds * kTicksPerPicosecond);
}

Ticks ticks_of_packing(const Value& value, std::uint64_t replicas, const PlacementStats& stats,
                       const Profile& profile) {
  const std::uint64_t owned = share(stats.spaces.at(index_of(value.space)).masters, stats.workers);
  const std::uint64_t far = random_access_picoseconds(owned * value.type.bytes, profile);
  const std::uint64_t access = far - std::min(far, profile.random_access_picoseconds[0]);
  const std::uint64_t each = profile.packing_picoseconds + reaching(value.type.bytes, access, profile);
  return product_of(replicas, each * kTicksPerPicosecond);
}

Ticks ticks_of_reduction(std::uint64_t workers, const Profile& profile) {
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(workers - 1));
  return product_of(workers * doublings, profile.reduction_picoseconds * kTicksPerPicosecond);
}

Ticks ticks_of(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile,
               std::uint32_t threads) {
  const Ticks entering = ticks_of_entering(stats.workers, profile);
  if (std::holds_alternative<Sweep>(step.what)) {
    const SweepTimer timer(plan, step, stats, profile);
    const Ticks alone = timer.run().all();
    const std::uint64_t shares = timer.threads(threads);
    if (shares == 1) return alone;
    const Ticks waking = product_of(stats.workers, kTeamPicoseconds * kTicksPerPicosecond);
    return sum_of(entering, sum_of(waking, (alone - entering) / shares));
  }
  if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    return sum_of(entering, ticks_of(plan, *exchange, step.stream, stats, profile));
  }
  return std::holds_alternative<Scalar>(step.what) ? entering : 0;
}

std::uint64_t weight_at(int depth) {
  std::uint64_t weight = 1;
  for (int k = 1; k < depth; ++k) weight = product_of(weight, kIterations);
  return weight;
}

void assign_times(Plan& plan, const PlacementStats& stats, const Profile& profile, std::uint32_t threads) {
  plan.time = {};
  assign(plan, plan.steps, 0, stats, profile, threads);
}

}  // namespace kasen::optimizer
