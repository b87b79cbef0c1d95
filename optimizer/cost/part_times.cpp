#include "optimizer/cost/part_times.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "optimizer/cost/accesses.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMille = 1000;
/// A vector of the processor holds so many numbers, or twice as many. What is computed alone - a sum, a division, an
/// exponential - takes as long as so many in vectors.
constexpr std::uint64_t kLanes = 4, kAlone = 6;
// What is taken for the operations per word of a function that nothing is known of. Over structs, loops are guarded
// against a defect of the compiler, and members are often chosen between.
constexpr std::uint32_t kOfABlackBox = 4, kOfAStruct = 16;
/// Of a function that gets a whole vector, for each word of that: a multiplication and an addition, or such.
constexpr std::uint32_t kOfAWhole = 2;
constexpr std::uint64_t kOfReducingStructs = 8;

/// How many numbers in vectors take as long as a row of so many, of which those behind the last vector are alone.
std::uint64_t in_vectors(std::uint64_t numbers) { return numbers / kLanes * kLanes + numbers % kLanes * kAlone; }

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
  const auto bytes = [&](ValueId value) { return std::uint64_t{values[index_of(value)].type.read_bytes()}; };
  const bool product = is_matrix_op(operation.op);
  std::uint64_t moved = 0, widest = 1;  // of one application, in bytes
  bool numbers = true;                  // or rows of them, which loops go along
  bool rows = false;
  const auto meet = [&](ValueId value) {
    const bool row = values[index_of(value)].type.row;
    widest = std::max(widest, bytes(value));
    numbers = numbers && (bytes(value) <= kWord || row);
    rows = rows || row;
  };
  for (std::size_t k = 0; k < operation.in.size(); ++k) {
    const std::uint64_t size = bytes(operation.in[k]);
    if (!reads_whole(operation, k)) moved += size;
    meet(operation.in[k]);
  }
  for (ValueId value : operation.out) {
    if (operation.op == Op::fold && bytes(value) > kWord) continue;  // a step changes some of it
    if (!is_any_reduction(operation.op)) moved += bytes(value);
    meet(value);
  }
  if (product) moved = 0;  // which is what random accesses and the stream count
  Work work = operation.work;
  if (!work.known && operation.op != Op::reduce && !follows_keys(operation.op))
    work.arithmetic = numbers ? kOfABlackBox : kOfAStruct;
  const bool reduces = product || operation.op == Op::reduce || operation.op == Op::reduce_by_key;
  const std::uint64_t operations = work.arithmetic + (!reduces ? 0 : numbers ? 1 : kOfReducingStructs);
  // Ticks by which one byte is slower; rates are per word.
  const std::uint64_t each = operations * profile.flop_picoseconds + work.integers * profile.integer_picoseconds +
                             work.divisions * profile.division_picoseconds +
                             work.transcendentals * profile.transcendental_picoseconds / kQuartersOfExponential;
  const std::uint64_t results = product ? operation.out.size() : 1;
  const std::uint64_t computed = rows ? in_vectors(words(widest)) * kWord : widest;
  const Ticks along = sum_of(product_of(moved, profile.move_picoseconds), product_of(computed * results, each));
  const Work::Once& once = work.once;
  const std::uint64_t of_call =
      kAlone * (once.arithmetic * profile.flop_picoseconds + once.divisions * profile.division_picoseconds +
                once.transcendentals * profile.transcendental_picoseconds / kQuartersOfExponential) +
      (rows && !product ? profile.row_picoseconds : 0);  // to enter and leave the loop over a row
  const Ticks one =
      sum_of(product_of(along, kTicksPerPicosecond / kWord), product_of(of_call * results, kTicksPerPicosecond));
  return product_of(one, applications);
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
  if (const Type& key = values[index_of(operation.in[0])].type; is_cross(operation, values)) {
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

std::uint64_t bytes_of_vectors(const Exchange& exchange, const Counts& counts, const std::vector<Value>& values,
                               std::uint64_t workers) {
  std::uint64_t bytes = counts.bytes_sent;
  for (const Move& move : exchange.reductions)
    bytes -= workers * (workers - 1) * values[index_of(move.from)].type.bytes;
  return bytes;
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

}  // namespace kasen::optimizer
