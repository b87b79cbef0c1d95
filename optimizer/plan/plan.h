/// @file
/// The plan, which the optimizer hands to the executor: a tree of steps over values, with the buffers of all values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kasen/base/counts.h"
#include "kasen/base/ids.h"
#include "kasen/base/program.h"
#include "kasen/base/state.h"

namespace kasen::optimizer {

/// Buffers of equal shape. `count` are obtained when the plan starts and shared by the values of this class, so that
/// no step allocates; a value holds one from the step that writes it to the step after which it dies.
struct BufferClass {
  SpaceId space{};
  bool replicas = false;  ///< masters and all replicas of the space, or masters only
  std::uint32_t element_bytes = 0;
  std::uint64_t count = 0;  ///< beyond the buffers of dying live-ins, which join the class when they die
  bool operator==(const BufferClass&) const = default;
};
inline constexpr std::uint32_t kNotStored = 0xffffffffu;
inline constexpr std::uint32_t kNoDelta = 0xffffffffu;

/// One kernel in a sweep: a source, element work, a reduction, an MxV, or a group of 2 or 4 MxVs of one family, which
/// has one of `in` for each of `out`. An MxV of both ends is alone, and has all of its vectors.
struct Launch : Operation {
  RoleSet roles;  ///< runs on masters and on the replicas of these roles
  /// For a pushdown that cannot stay in its input's buffer: on the replicas of these roles in[copied_input] is copied.
  RoleSet copied_roles;
  std::uint8_t copied_input = 0;
  /// An MxV that walks its inputs: out[index[e]] = reducer(out[index[e]], f_z(in[i], value[e])). Its output starts at
  /// the reducer's identity, on masters and on the replicas of `filled_roles`, and is complete after the sweep.
  bool push = false;
  RoleSet filled_roles;  ///< of reduce_by_key: where its result is written, beside masters, when the sweep ends
  /// The elements of `in` that matter, of an MxV alone in its sweep: where they have few entries, a run pushes these
  /// instead of walking the matrix.
  ValueId active = kNone<ValueId>;
  /// In a delta loop: its number among the products that DeltaUpdate::products lists.
  std::uint32_t delta_product = kNoDelta;
  int rule = 0;  ///< its number in Table 1
};

/// The side of its matrix that an MxV walks in a sweep: that of its outputs when it pulls, of its inputs when it
/// pushes.
inline Role::Side walked_side(const Launch& launch) {
  return launch.push ? input_side(launch.op) : output_side(launch.op);
}

/// The side of its matrix that an MxV reads its vector on, or those of its inputs.
inline Role::Side read_side(const Launch& launch) { return input_side(launch.op); }

/// Whether an MxV reads the vector at `position` of `in` through the matrix; others it reads where it walks.
inline bool reads_through_matrix(const Launch& launch, std::size_t position) {
  return launch.push == is_at_outputs(launch, position);
}

/// Where a value lives during a sweep.
struct Place {
  enum class Kind : std::uint8_t {
    input,      ///< read from its buffer
    output,     ///< written to its buffer; if it is pushed to, all through the sweep
    temporary,  ///< in tile buffer `slot` only
  };
  ValueId value{};
  Kind kind = Kind::temporary;
  std::uint16_t slot = 0;  ///< tile buffer, of a temporary and of an output with late_copy
  bool late_copy = false;  ///< an output made in its tile buffer and copied at the tile's end
  /// An output may take over the buffer of this dying input, if nothing else holds that buffer at run time.
  ValueId replaces = kNone<ValueId>;
  bool exclusive = false;  ///< `replaces` is known to be held by nothing else: a pushdown in place relies on it
};

/// How a sweep goes over its elements and its matrix. Results are the same in exact arithmetic, costs are not.
enum class Walk : std::uint8_t {
  elements,    ///< tile by tile; there is no matrix
  compressed,  ///< tiles of rows or columns of a compressed matrix, with element work beside them
  dense,       ///< the same of a dense matrix
  rectangles,  ///< rectangles of a dense matrix; for MxVs that pull and nothing else
  /// Block by block (docs/partition.md); for MxVs that pull and nothing else. They add to outputs that start at the
  /// reducer's identity, on masters and on the replicas of `filled_roles`.
  blocked,
  /// Tiles of outputs of a matrix stored as stencils (docs/partition.md), with element work beside them; for MxVs that
  /// pull vectors of numbers or structs, of one end.
  stencils
};

/// The element work of a delta loop (pass `delta-loops`): where it depends on nothing but what the loop's products of
/// active elements make, and what it has itself made in the iteration before. Where both stayed as they were, and all
/// rests were at rest, so does what it makes: a run may visit the other elements alone.
struct DeltaUpdate {
  /// An output starts at its reducer's identity, or at what it improves, and is put back to it where it is visited.
  struct Product {
    ValueId read{};    ///< the product, gathered, as the element work reads it
    RoleSet gathered;  ///< replicas that send to masters here
    ReducerId reducer{};
    ValueId active{};    ///< which elements the next iteration's product takes: one of `carried`
    ValueId argument{};  ///< of the loop: where `active` is at the end of an iteration
    /// Of one that settles: the vector among `carried` that it is joined to by its reducer, which is idempotent.
    ValueId improves = kNone<ValueId>;
  };
  /// A stored output: made in the buffer of the loop's argument that it replaces.
  struct Carried {
    ValueId out{}, argument{};
  };
  /// Work on `of` follows Shareds that change, unless its elements have this value: then they are visited again.
  struct Rest {
    ValueId of{};
    Scalar value;
  };
  std::vector<Product> products;
  std::vector<Carried> carried;
  std::vector<Rest> rests;
  /// On all workers: delta iterations begin where active elements have at most so many non-zeros, and go on while these
  /// and the elements to be visited again are at most so many.
  std::uint64_t start = 0, most = 0;
};

/// One walk over an index space: source, element and reduce launches over it, and mxv and mxvt launches that walk one
/// side of one matrix. What a launch makes can be read by later ones of the same tile, save for reductions and pushes.
struct Sweep {
  SpaceId space{};                    ///< whose masters and replicas are walked
  MatrixId matrix = kNone<MatrixId>;  ///< none: without matrix launches
  Walk walk = Walk::elements;
  std::vector<Launch> launches;  ///< in order of execution within a tile
  std::vector<Place> places;     ///< one for every vector value that occurs, by ValueId
  std::uint32_t tile_elements = 0;
  /// Bytes of the matrix that one MxV of a tile or rectangle may leave in the second-level cache for the next: a tile
  /// ends before `tile_elements` where its entries are more.
  std::uint64_t tile_matrix_bytes = 0;
  std::uint16_t slots = 0;                ///< number of tile buffers
  std::uint32_t slot_element_bytes = 0;   ///< element size that fits every tile buffer
  std::uint64_t slots_element_bytes = 0;  ///< of an element in each tile buffer, all together
  std::optional<DeltaUpdate> delta;
};

/// A vector that changes its state in an exchange; `to` takes over the buffer of `from`.
struct Move {
  ValueId from{}, to{};
  RoleSet roles;                         ///< whose replicas send (gather) or receive (scatter)
  ReducerId reducer = kNone<ReducerId>;  ///< of a gather; of a scatter with `active`
  /// Of a scatter in a sparse exchange: which elements are not at the reducer's identity. It is scattered beside, of
  /// which receivers know without being sent anything.
  ValueId active = kNone<ValueId>;
};

inline constexpr std::uint32_t kNotOverlapped = 0xffffffffu;

/// Everything that travels at one time.
struct Exchange {
  std::vector<Move> gathers, scatters, reductions;  ///< reductions: of Shareds
  /// Its number among the exchanges whose vectors travel while steps run that name it in Step::under_way: one of
  /// scatters goes on after its own step, one of gathers is begun by an earlier step.
  std::uint32_t overlapped = kNotOverlapped;
  std::uint64_t hidden_picoseconds = 0;  ///< predicted: what that saves
  /// Whether its vectors travel as messages between the workers that have something for each other, not by one call
  /// of all of them.
  bool to_neighbours = false;
  /// Whether only elements travel that are not at the identity of their move's reducer. Its scatters are then pairs.
  bool sparse = false;
  std::uint64_t idle_pairs = 0;  ///< of that one call: directed pairs of workers that have nothing for each other
};

/// What a step has to do with an overlapped exchange.
struct UnderWay {
  enum class Kind : std::uint8_t {
    stays,   ///< The step does not touch what travels.
    ends,    ///< A sweep in blocks that ends it when it has walked the blocks that need no replica.
    begins,  ///< A sweep in blocks that begins it when the outputs on replicas are complete.
  };
  std::uint32_t exchange = kNotOverlapped;
  Kind kind = Kind::stays;
};

/// Work on Shareds: apply.
struct ScalarWork {
  KernelId kernel{};
  std::vector<ValueId> in;
  ValueId out{};
  std::string label;
  SourceLine where = {};
};

struct Step;

/// while (test) body. At entry `initial`, at the back edge `yields` replace `arguments`, all at once; `results` are
/// the arguments when the test, itself an argument, is false.
struct Loop {
  std::vector<ValueId> arguments, initial, yields, results;
  std::vector<ValueId> dies_at_entry;  ///< initial values nobody reads any more once the arguments hold them
  ValueId test{};
  std::uint32_t body_block = 0;
  std::vector<Step> body;
  SourceLine where;
};

struct Branch {
  ValueId test{};
  std::uint32_t then_block = 0, otherwise_block = 0;
  std::vector<Step> then, otherwise;
  std::vector<ValueId> then_yields, otherwise_yields, results;
  SourceLine where;
};

/// The costs of runs of a sweep that do not go over all: of every such run, and for each of the elements that it visits
/// and of their non-zeros.
struct PartialCosts {
  Counts run, element, entry;
  std::uint64_t run_picoseconds = 0;  ///< predicted, on one worker
  std::uint64_t element_picoseconds = 0, entry_picoseconds = 0;
};

struct Step {
  std::variant<Sweep, Exchange, ScalarWork, Loop, Branch> what;
  std::uint32_t block = 0;    ///< how often this step is entered is counted per block, by loop and branch control
  std::vector<ValueId> dies;  ///< values whose buffers are released after this step
  Counts stream, model;       ///< of one entry, without buffer_bytes; zero for Loop and Branch
  PartialCosts active;        ///< of a sweep that may push active elements instead, or over a batch; stream
  PartialCosts delta;         ///< of a sweep of a delta loop, in a delta iteration; stream
  std::uint64_t in_order_picoseconds = 0;  ///< predicted, of what Activity::in_order counts, in place of delta's
  PartialCosts settled;                    ///< of a product that settles: beside `active` or `delta`; stream
  Counts known;                            ///< of a sweep of a delta loop, in a run that Activity::known counts; stream
  std::uint64_t whole_from = 0;   ///< from so many non-zeros of active elements on, on all workers, all are walked
  std::uint64_t picoseconds = 0;  ///< predicted, of one entry on one worker; zero for Loop and Branch
  /// Of buffers that hold something for the first time after it, on all workers. What both sides of a branch need
  /// counts for the one that is taken where its condition holds.
  std::uint64_t fresh_bytes = 0;
  std::uint64_t fresh_picoseconds = 0;  ///< predicted, what that takes more the first time, on one worker
  /// An overlapped exchange that a step does not name here is ended before the step, whatever way led there.
  std::vector<UnderWay> under_way;
};

/// The predicted time of a plan in the unit of time_model.h, compared in this order: an iteration of the outermost
/// loops, in which an inner loop counts 16 times and each side of a branch once; then what runs outside of loops.
struct PlanTime {
  std::uint64_t loops = 0, rest = 0;
  auto operator<=>(const PlanTime&) const = default;
};

/// Where a live-out of the program is when the plan ends: the plan value that holds it, and its state.
struct Result {
  ValueId asked{};  ///< as in Program::live_out
  ValueId held{};
  State state;
};

/// What `--fusion exact` did.
struct SearchReport {
  bool searched = false;
  bool complete = false;  ///< no plan is faster, of all that states and sweeps allow
  std::uint64_t costed = 0, skipped = 0;
  double plans = 0;  ///< how many the search could choose from
  PlanTime greedy;   ///< predicted for the greedy plan
};

struct Plan {
  std::vector<Value> values;            ///< by ValueId; those of the program first
  std::vector<State> states;            ///< by ValueId
  std::vector<std::uint32_t> class_of;  ///< by ValueId; kNotStored: Shared, or only ever in a tile buffer
  std::vector<BufferClass> classes;
  std::vector<std::string> reducers;  ///< names, by ReducerId
  std::vector<LiveIn> live_in;
  std::vector<ValueId> unused;  ///< live-ins that die before the first step
  std::vector<Result> results;
  std::vector<Step> steps;
  std::uint32_t blocks = 1;              ///< block 0 is the top
  std::uint64_t buffer_bytes = 0;        ///< classes and packing buffers
  std::uint64_t model_buffer_bytes = 0;  ///< in the paper's terms: the outputs of all sweeps, each entered once
  PlanTime time;                         ///< predicted
  SearchReport search;
  std::uint64_t fingerprint = 0;  ///< of the plan's text: equal on all workers or the run is an error
};

}  // namespace kasen::optimizer
