#include "optimizer/cost/sweep_timer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "kasen/base/matrix_format.h"
#include "kasen/base/options.h"
#include "optimizer/cost/accesses.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint64_t kBlockEdge = MatrixFormat::kLargestEdge;
constexpr std::uint64_t kBlockGroups = MatrixFormat::kLongestGroup + 1;  // of runs: by length, and the long ones
constexpr std::uint64_t kCacheShare = 2;                                 // one part in so many of a level is counted on
// Products with a dense matrix compute such functions in vectors: one part in so many of what they take one by one.
constexpr std::uint64_t kDenseVectors = 2;
constexpr std::uint64_t kSafelyFew = 16;  // one non-zero in so many is pushed, whatever the times

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
    if (connects(_sweep)) {  // as where nothing is active
      const std::uint64_t begun = _step.stream.elements_initialised * bytes(_sweep.launches.at(0).out[0]);
      time.stream = sum_of(product_of(read + looked_through(), byte_rates(_profile).read),
                           product_of(begun, byte_rates(_profile).write));
      return time;
    }
    if (_sweep.matrix != kNone<MatrixId>) {
      const bool dense = _stats.matrices.at(index_of(_sweep.matrix)).dense;
      const RandomBytes random = dense                           ? cached_accesses()
                                 : _sweep.walk == Walk::blocked  ? block_accesses(time)
                                 : _sweep.walk == Walk::stencils ? stencil_accesses(time)
                                                                 : random_accesses(time);
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
    std::uint64_t shares = weight * numbers_of_element(_sweep, _plan.values) / _stats.workers / kPartElements;
    const auto crosses = [&](const Launch& launch) { return is_cross(launch, _plan.values); };
    if (std::any_of(_sweep.launches.begin(), _sweep.launches.end(), crosses))
      shares = std::min(shares, elements / _stats.workers / kLeastOfCross);
    if (pushes(_sweep) && _sweep.walk == Walk::dense) {  // of others the outputs are shared out
      const std::uint64_t walked = elements / _stats.workers;
      shares = std::min(shares, walked / least_pushed(walked));
    }
    return std::clamp<std::uint64_t>(shares, 1, most);
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
    const std::uint64_t entry_bytes = share(entries, _stats.workers) * (MatrixFormat::kIndexBytes + matrix.value_bytes);
    costs.element_picoseconds =
        access(launch.in[0]) + _profile.launch_picoseconds + kTurns * _profile.turn_picoseconds +
        random_access_picoseconds(elements_of(launch.in[0]) * MatrixFormat::kPointerBytes, _profile) +
        random_access_picoseconds(entry_bytes, _profile);
    // An entry is read in order; its output is reached twice, to be read and to be written.
    constexpr std::uint64_t kAccesses = 2;
    const Ticks each_entry = sum_of(product_of(MatrixFormat::kIndexBytes + matrix.value_bytes, rates.read),
                                    ticks_of_compute(launch, _plan.values, 1, _profile));
    costs.entry_picoseconds = kAccesses * access(launch.out[0]) + each_entry / kTicksPerPicosecond;
    step.delta.element_picoseconds = costs.element_picoseconds;
    step.delta.entry_picoseconds = costs.entry_picoseconds;
    if (connects(_sweep)) {
      time_connected(step);
    } else if (settles(launch)) {
      step.settled.element_picoseconds = costs.element_picoseconds;
      // Where non-zeros differ it is not foreseen which of them improve anything.
      step.settled.entry_picoseconds =
          costs.entry_picoseconds + (matrix.value_bytes > 0 ? _profile.turn_picoseconds : 0);
    }

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
  /// to every vector. Where one is found, and whether an output changes there, are branches that are not foreseen.
  /// Those of tiles that are visited in order are read and written in order, and a few operations mark what is to be
  /// visited again.
  void time_delta_update(Step& step) const {
    PartialCosts& costs = step.delta;
    Ticks run = sum_of(ticks_of_entering(_stats.workers, _profile),
                       product_of(costs.run.bytes_read, byte_rates(_profile).read));
    Ticks compute = 0;
    for (const Launch& launch : _sweep.launches) {
      run = sum_of(run, _profile.launch_picoseconds * kTicksPerPicosecond * _stats.workers);
      compute = sum_of(compute, ticks_of_compute(launch, _plan.values, 1, _profile));
    }
    costs.run_picoseconds = picoseconds_per_worker(run, _stats.workers);
    constexpr std::uint64_t kMarking = 8;
    const ByteRates rates = byte_rates(_profile);
    Ticks in_order = sum_of(compute, kMarking * _profile.integer_picoseconds * kTicksPerPicosecond);
    costs.element_picoseconds = static_cast<std::uint64_t>(compute / kTicksPerPicosecond) + _profile.turn_picoseconds;
    for (const Place& place : _sweep.places) {
      if (place.kind == Place::Kind::temporary) continue;
      if (place.kind == Place::Kind::output) costs.element_picoseconds += _profile.turn_picoseconds;
      const std::uint64_t size = bytes(place.value);
      costs.element_picoseconds +=
          reaching(size, random_access_picoseconds(elements_of(place.value) * size, _profile), _profile);
      const bool written = place.kind == Place::Kind::output;
      in_order = sum_of(in_order, product_of(size, written ? rates.read + rates.write : rates.read));
    }
    for (const DeltaUpdate::Product& product : _sweep.delta->products)  // put back to what they start from
      in_order = sum_of(in_order, product_of(bytes(product.read), rates.write));
    step.in_order_picoseconds = in_order / kTicksPerPicosecond;
  }

 private:
  /// Bytes of the numbers of sets on all workers, where it is looked for what is to be told.
  std::uint64_t looked_through() const {
    return elements_of(_sweep.launches.at(0).in[0]) * _stats.workers * sizeof(LocalIndex);
  }

  /// Of an active element what it is connected with is looked up, in order, and its set's best, which is mostly that of
  /// the one before; the same once more for each that is told, to find which all are looked through. Where it is found
  /// what is connected, each element is made a set of its own before, and numbered after.
  void time_connected(Step& step) const {
    const Launch& launch = _sweep.launches.at(0);
    constexpr std::uint64_t kTelling = 6;  // operations: a bit, what is better, two bits of what is told
    const ByteRates rates = byte_rates(_profile);
    const std::uint64_t elements = elements_of(launch.in[0]), size = bytes(launch.in[0]);
    const std::uint64_t looked_up =
        2 * random_access_picoseconds(0, _profile) + ((sizeof(LocalIndex) + size) * rates.read) / kTicksPerPicosecond;
    for (PartialCosts* costs : {&step.active, &step.delta}) {
      costs->run_picoseconds += picoseconds_per_worker(product_of(looked_through(), rates.read), _stats.workers);
      costs->element_picoseconds = looked_up;
      costs->entry_picoseconds = 0;
    }
    step.settled.element_picoseconds = looked_up + kTelling * _profile.entry_operation_picoseconds +
                                       (size * (rates.read + rates.write)) / kTicksPerPicosecond;
    if (!finds_connected(_sweep)) return;
    Ticks run = sum_of(product_of(step.settled.run.bytes_read, rates.read), uniting(elements));
    run = sum_of(run, product_of(looked_through(), 2 * rates.write + 2 * rates.read));
    run = sum_of(run, product_of(elements * _stats.workers * (sizeof(LocalIndex) + size),  // in new memory
                                 ticks_per_byte(_profile.fresh_bytes_per_second)));
    step.settled.run_picoseconds = picoseconds_per_worker(run, _stats.workers);
  }

  /// An input's root is looked for, and compared with the parent of each non-zero's other end, of two masters'
  /// non-zeros that mirror each other once, which are some operations beside the access, and what lies far is fetched
  /// ahead. What is not foreseen is where an input has another number of non-zeros than the one before.
  Ticks uniting(std::uint64_t elements) const {
    constexpr std::uint64_t kOperations = 10, kLooks = 2, kFetched = std::uint64_t{2} << 20;
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const PlacementStats::Space& space = _stats.spaces.at(index_of(_sweep.space));
    Role::Side inputs = read_side(_sweep.launches.at(0));
    if (matrix.symmetric && !matrix.blocks(inputs).counted) inputs = output_side(_sweep.launches.at(0).op);
    const std::uint64_t access = access_in_order(inputs, std::min(elements * sizeof(LocalIndex), kFetched));
    const std::uint64_t of_input = _profile.row_picoseconds + kLooks * access;
    const std::uint64_t of_entry = access + kOperations * _profile.entry_operation_picoseconds;
    const double masters = static_cast<double>(space.masters) /
                           static_cast<double>(std::max<std::uint64_t>(space.masters + space.replicas, 1));
    const double united = static_cast<double>(matrix.nonzeros) * (matrix.symmetric ? 1 - masters / 2 : 1);
    std::uint64_t picoseconds = product_of(elements * _stats.workers, of_input);
    picoseconds = sum_of(picoseconds, product_of(static_cast<std::uint64_t>(united), of_entry));
    picoseconds = sum_of(picoseconds, product_of(matrix.blocks(inputs).turns, _profile.turn_picoseconds));
    return product_of(picoseconds, kTicksPerPicosecond);
  }

  /// The worker with the most non-zeros, or elements, is waited for.
  void wait_for_the_slowest(SweepTime& time) const {
    constexpr std::uint64_t kMean = 1024;
    const double imbalance = _sweep.matrix == kNone<MatrixId> ? _stats.spaces.at(index_of(_sweep.space)).imbalance
                                                              : _stats.matrices.at(index_of(_sweep.matrix)).imbalance;
    const auto most = static_cast<std::uint64_t>(std::llround(imbalance * kMean));
    if (most <= kMean) return;
    for (Ticks* part : {&time.stream, &time.compute, &time.random}) *part = product_of(*part, most) / kMean;
  }

  /// What a function of numbers takes longer on the entries of a sparse matrix, which are not vectors. The first
  /// operation of the reducer is in the access.
  Ticks one_by_one(const Launch& launch) const {
    if (!is_matrix_op(launch.op)) return 0;
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const bool numbers = bytes(launch.in[0]) <= kWord && bytes(launch.out[0]) <= kWord;
    if (matrix.dense || _sweep.walk == Walk::stencils || !numbers || !launch.work.known) return 0;
    const std::uint64_t each = _profile.entry_operation_picoseconds -
                               std::min(_profile.entry_operation_picoseconds, _profile.flop_picoseconds);
    const std::uint64_t operations = std::uint64_t{launch.work.arithmetic} + launch.work.integers;
    const std::uint64_t reducing = !launch.work.whole          ? 0
                                   : bytes(launch.out[0]) == 1 ? _profile.byte_entry_picoseconds
                                                               : _profile.integer_entry_picoseconds;
    return product_of(product_of(matrix.nonzeros, launch.out.size()),
                      (operations * each + reducing) * kTicksPerPicosecond);
  }

  /// Whether the sweep computes a function over structs in vectors.
  bool finds_vectors(const Launch& launch) const {
    const auto is_struct = [&](ValueId value) {
      return bytes(value) > kWord && !_plan.values[index_of(value)].type.row;
    };
    return is_matrix_op(launch.op) && _stats.matrices.at(index_of(_sweep.matrix)).dense &&
           (is_struct(launch.in[0]) || is_struct(launch.out[0]));
  }

  /// A tile of the value is made beside what it takes the place of, and copied there at the tile's end.
  Ticks copying(ValueId value) const {
    const std::uint64_t moves = 2 * words(bytes(value)) * _stats.range(_sweep.space, {});
    return product_of(moves, _profile.move_picoseconds * kTicksPerPicosecond);
  }

  std::uint64_t bytes(ValueId value) const { return _plan.values[index_of(value)].type.read_bytes(); }

  std::uint64_t range(const RoleSet& roles) const { return _stats.range(_sweep.space, roles); }

  /// Rows of a dense matrix may be fewer.
  std::uint32_t tile_elements() const {
    if (_sweep.walk != Walk::dense || _sweep.tile_matrix_bytes == 0) return _sweep.tile_elements;
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const std::uint64_t row = _stats.spaces.at(index_of(matrix.columns)).masters * matrix.value_bytes;
    const std::uint64_t rows = _sweep.tile_matrix_bytes / std::max<std::uint64_t>(row, 1);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(rows, 1, _sweep.tile_elements));
  }

  Ticks launches(const Launch& launch, std::uint64_t elements) const {
    if (!is_matrix_op(launch.op)) return ticks_of_launches(elements, tile_elements(), _stats.workers, _profile);
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const Role::Side walked = walked_side(launch);
    if (_sweep.walk == Walk::blocked) {
      const auto edges = [&](std::uint64_t local) { return share(local, kBlockEdge); };
      const std::uint64_t blocks = edges(elements_of(launch.in[0])) * edges(elements_of(launch.out[0]));
      const std::uint64_t each = _profile.launch_picoseconds + kBlockGroups * _profile.turn_picoseconds;
      return product_of(blocks * _stats.workers, each * kTicksPerPicosecond);
    }
    const Ticks calls = ticks_of_launches(elements, tile_elements(), _stats.workers, _profile);
    if (matrix.dense) return calls;
    if (_sweep.walk == Walk::stencils) {  // each run is a loop that ends
      const std::uint64_t runs = matrix.stencils(walked).runs * launch.out.size();
      return sum_of(calls, product_of(runs, _profile.turn_picoseconds * kTicksPerPicosecond));
    }
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
        sum += bytes(out) * _stats.range(_plan.values[index_of(out)].space, launch.filled_roles);
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
    const std::uint64_t elements = share(_stats.range(space, roles), _stats.workers);
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

  /// Inputs of neighbouring outputs are neighbours: they come from memory once, in order, and for each entry from the
  /// first-level cache.
  RandomBytes stencil_accesses(SweepTime& time) const {
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    RandomBytes all;
    std::uint64_t moved = 0;
    for (ValueId value : read_through_matrix(_sweep)) {
      const std::uint64_t reached = matrix.nonzeros * bytes(value);
      moved += reached;
      all.read += reached - std::min(reached, elements_of(value) * _stats.workers * bytes(value));
    }
    time.random = product_of(moved, _profile.move_picoseconds * kTicksPerPicosecond / kWord);
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
      sum += bytes(value) * _stats.range(space, _stats.all_roles(space));
    }
    for (const Launch& launch : _sweep.launches) {
      const bool product = is_matrix_op(launch.op);
      if (!product) continue;
      ++products;
      by_columns = walked_side(launch) == Role::Side::column;
    }
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const std::uint64_t rows = share(_stats.spaces.at(index_of(matrix.rows)).masters, _stats.workers);
    const bool kept = by_columns ? kCacheLine * rows <= _profile.cache_bytes[1] / kCacheShare
                                 : keeps_row(_sweep.matrix, _stats, _profile);
    return only_pulls(_sweep) || kept ? sum : sum + (products - 1) * matrix.nonzeros * matrix.value_bytes;
  }

  /// As random_accesses(), within blocks: entries read their part of the inputs, runs read and write theirs of the
  /// outputs.
  RandomBytes block_accesses(SweepTime& time) const {
    const auto& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const Role::Side outputs = walked_side(_sweep);
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
    return share(_stats.range(space, _stats.all_roles(space)), _stats.workers);
  }

  const Plan& _plan;
  const Step& _step;
  const Sweep& _sweep;
  const PlacementStats& _stats;
  const Profile& _profile;
};

}  // namespace

bool keeps_row(MatrixId matrix, const PlacementStats& stats, const Profile& profile) {
  const PlacementStats::Matrix& dense = stats.matrices.at(index_of(matrix));
  const std::uint64_t bytes = dense.value_bytes * stats.spaces.at(index_of(dense.columns)).masters;
  return bytes <= profile.cache_bytes[1] / kCacheShare;
}

SweepTime time_of_sweep(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile) {
  return SweepTimer(plan, step, stats, profile).run();
}

std::uint64_t threads_of_sweep(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile,
                               std::uint32_t most) {
  return SweepTimer(plan, step, stats, profile).threads(most);
}

void time_active(const Plan& plan, Step& step, std::uint64_t walk, const PlacementStats& stats,
                 const Profile& profile) {
  SweepTimer(plan, step, stats, profile).time_active(step, walk);
}

void time_delta_update(const Plan& plan, Step& step, const PlacementStats& stats, const Profile& profile) {
  SweepTimer(plan, step, stats, profile).time_delta_update(step);
}

}  // namespace kasen::optimizer
