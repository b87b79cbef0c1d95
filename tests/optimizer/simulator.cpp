/// @file
/// Plans, step by step.
#include "tests/optimizer/simulator.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "optimizer/plan/step_tools.h"
#include "tests/optimizer/plan_memory.h"

namespace kasen::optimizer::tests {
namespace {

/// The steps of a plan, on that memory.
class Simulator : PlanMemory {
 public:
  Simulator(const Plan& plan, const ProgramBuilder& builder, const World& world)
      : PlanMemory(plan, world), _builder(builder) {
    _out.entered.assign(plan.blocks, 0);
  }

  Simulated run(const std::vector<Numbers>& live_in) {
    std::vector<BufferRef> users;  // live-ins that others hold
    for (std::size_t k = 0; k < live_in.size(); ++k) {
      const LiveIn& live = _plan.live_in[k];
      if (is_shared(live.value)) {
        _shared[live.value] = Numbers(_world.workers, live_in[k][0]);
        continue;
      }
      _buffer[live.value] = given(live, live_in[k]);
      if (!live.dies) users.push_back(_buffer[live.value]);
    }
    for (ValueId value : _plan.unused) release(value);
    _out.entered[0] = 1;
    walk(_plan.steps);
    end_under_way();
    for (const Result& result : _plan.results) _out.results.push_back(taken(result));
    std::set<ValueId> kept;
    for (const Result& result : _plan.results) kept.insert(result.held);
    for (const LiveIn& live : _plan.live_in) {
      if (!live.dies) kept.insert(live.value);
    }
    for (const auto& [value, buffer] : _buffer) {
      if (!kept.contains(value)) defect("value " + number(value) + " is never released");
    }
    _out.defects = std::move(_defects);
    return std::move(_out);
  }

 private:
  // ---- steps ----

  void walk(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (_under_way && kind_in(step, *_under_way) == nullptr) end_under_way();
      if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
        for (const Place& p : sweep->places) {
          if (p.kind == Place::Kind::output) place(p);
        }
        if (active_of(*sweep) != kNone<ValueId>) find_active(*sweep);
        sweep->walk == Walk::blocked ? walk_blocks(step, *sweep) : walk_elements(*sweep);
      } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
        if (!_under_way) begin(*exchange);
        arrive(*exchange);
      } else if (const auto* scalar = std::get_if<Scalar>(&step.what)) {
        Numbers& out = _shared[scalar->out];
        out.clear();
        for (std::uint32_t w = 0; w < _world.workers; ++w) {
          out.push_back(_builder.functions[index_of(scalar->kernel)].f({}, shareds(scalar->in, w)));
        }
      } else if (const auto* l = std::get_if<Loop>(&step.what)) {
        loop(*l);
      } else {
        branch(std::get<Branch>(step.what));
      }
      for (ValueId value : step.dies) release(value);
    }
  }

  Numbers shareds(const std::vector<ValueId>& values, std::uint32_t w) {
    Numbers result;
    for (ValueId value : values) {
      if (!_shared.contains(value)) {
        defect("Shared " + number(value) + " is read before it is known");
        _shared[value] = Numbers(_world.workers);
      }
      if (state(value).kind == State::Kind::pre_reduced)
        defect("Shared " + number(value) + " is read as a partial result");
      result.push_back(_shared[value][w]);
    }
    return result;
  }

  bool decide(ValueId test) {
    Numbers values;
    for (std::uint32_t w = 0; w < _world.workers; ++w) values.push_back(shareds({test}, w)[0]);
    if (std::set<Number>(values.begin(), values.end()).size() > 1) defect("workers decide differently");
    return values[0] != 0;
  }

  /// All at once.
  void hand_over(const std::vector<ValueId>& from, const std::vector<ValueId>& to) {
    std::map<ValueId, BufferRef> buffers;
    std::map<ValueId, Numbers> shared;
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (is_shared(from[k])) {
        shareds({from[k]}, 0);
        shared[to[k]] = _shared[from[k]];
      } else {
        stored(from[k]);
        buffers[to[k]] = _buffer[from[k]];
      }
    }
    for (auto& [value, buffer] : buffers) _buffer[value] = buffer;
    for (auto& [value, numbers] : shared) _shared[value] = numbers;
  }

  /// After a region: what it stored is gone, save for `yields`, which are given up now.
  void leave(const std::set<ValueId>& before, const std::vector<ValueId>& yields) {
    std::vector<ValueId> left;
    for (const auto& [value, buffer] : _buffer) {
      if (!before.contains(value)) left.push_back(value);
    }
    for (ValueId value : left) {
      if (std::find(yields.begin(), yields.end(), value) == yields.end()) {
        defect("value " + number(value) + " outlives its block");
      }
      _buffer.erase(value);
    }
  }
  std::set<ValueId> holding() const {
    std::set<ValueId> values;
    for (const auto& [value, buffer] : _buffer) values.insert(value);
    return values;
  }

  void loop(const Loop& loop) {
    hand_over(loop.initial, loop.arguments);
    for (ValueId value : loop.dies_at_entry) release(value);
    std::set<ValueId> outside = holding();
    for (ValueId value : loop.arguments) outside.erase(value);
    while (decide(loop.test) && ++_out.entered[loop.body_block] < 1000) {
      walk(loop.body);
      std::map<ValueId, BufferRef> held = _buffer;  // yields may be arguments of the ending iteration
      leave(outside, loop.yields);
      std::map<ValueId, BufferRef> kept = std::move(_buffer);
      _buffer = std::move(held);
      hand_over(loop.yields, loop.arguments);
      for (ValueId value : loop.arguments) {
        if (!is_shared(value)) kept[value] = _buffer[value];
      }
      _buffer = std::move(kept);
    }
    end_under_way();
    hand_over(loop.arguments, loop.results);
    for (ValueId value : loop.arguments) _buffer.erase(value);
  }

  void branch(const Branch& branch) {
    const std::set<ValueId> outside = holding();
    const bool test = decide(branch.test);
    ++_out.entered[test ? branch.then_block : branch.otherwise_block];
    walk(test ? branch.then : branch.otherwise);
    const std::vector<ValueId>& yields = test ? branch.then_yields : branch.otherwise_yields;
    const std::map<ValueId, BufferRef> held = _buffer;
    hand_over(yields, branch.results);
    std::vector<ValueId> given_up = yields;
    std::set<ValueId> kept = outside;
    kept.insert(branch.results.begin(), branch.results.end());
    leave(kept, given_up);
  }

  // ---- sweeps ----

  /// Every worker looks at all its inputs, and tells the others what it found; in a delta loop also where it has to
  /// look again. Iterations are all whole here.
  void find_active(const Sweep& sweep) {
    const Launch& launch = sweep.launches.at(0);
    const SpaceId space = space_of(launch.active);
    if (sweep.launches.size() != 1 || launch.in.size() != 1) defect("active elements of more than one product");
    for (std::uint32_t w = 0; w < _world.workers; ++w) {
      for (std::uint64_t i = 0; i < length(space); ++i) {
        if (in_range(w, space, i, {Role{sweep.matrix, read_side(launch)}})) read(1);
      }
    }
    _out.counts.bytes_sent += (launch.delta_product == kNoDelta ? 8 : 16) * _world.workers * (_world.workers - 1);
    _out.counts.messages += _world.workers * (_world.workers - 1);
  }

  void walk_elements(const Sweep& sweep) {
    const bool table =
        std::any_of(sweep.launches.begin(), sweep.launches.end(), [](const Launch& l) { return l.reads_global; });
    for (const Launch& launch : sweep.launches) {
      if (is_reduction(launch.op)) _shared[launch.out[0]] = Numbers(_world.workers, 0);
      if (launch.op == Op::reduce_by_key)
        _by_key[launch.out[0]].assign(_world.workers, Numbers(length(space_of(launch.out[0])), 0));
      for (std::size_t k = 0; k < launch.wholes && launch.op == Op::with_wholes; ++k) {
        for (std::uint64_t e = 0; e < _world.workers * length(space_of(launch.in[k])); ++e) read(bytes(launch.in[k]));
      }
      if (launch.push) fill(launch);
      const bool product = launch.op == Op::mxv || launch.op == Op::mxvt;
      const std::size_t outputs = is_of_ends(launch) ? 1 : launch.in.size();
      if (product && launch.out.size() != outputs) defect("a batch of MxVs with unequal inputs and outputs");
    }
    for (std::uint32_t w = 0; w < _world.workers; ++w) {
      for (std::uint64_t i = 0; i < length(sweep.space); ++i) {
        if (in_range(w, sweep.space, i, _world.roles_of(sweep.space))) element(sweep, w, i, table);
      }
    }
    for (const Launch& launch : sweep.launches) {
      if (launch.op == Op::reduce_by_key) hand_out(launch);
    }
  }

  /// What a worker has reduced by key is its partial result for every key.
  void hand_out(const Launch& launch) {
    const ValueId out = launch.out[0];
    for (std::uint32_t w = 0; w < _world.workers; ++w) {
      for (std::uint64_t k = 0; k < length(space_of(out)); ++k) {
        if (!in_range(w, space_of(out), k, launch.filled_roles)) {
          defect("partial results of " + number(out) + " have no place");
          continue;
        }
        stored(out).at[w][k] = _by_key[out][w][k];
        write(bytes(out));
      }
    }
  }

  /// Runs of which all inputs are masters need no exchange that is under way; others wait for those on replicas.
  void walk_blocks(const Step& step, const Sweep& sweep) {
    for (const Launch& launch : sweep.launches) fill(launch);
    std::uint32_t begins = kNotOverlapped;
    bool ahead = false;
    for (const UnderWay& one : step.under_way) {
      if (one.kind == UnderWay::Kind::begins) begins = one.exchange;
      if (one.kind == UnderWay::Kind::ends && _under_way == one.exchange) ahead = true;
    }
    if (ahead) {
      add_runs(sweep, [&](std::uint32_t w, const World::Run& run) { return on_masters(sweep, w, run); });
      end_under_way();
    }
    add_rest(sweep, begins, ahead);
  }

  /// What other workers wait for, then the exchange `begins`, then the others; `ahead`: without what is done already.
  void add_rest(const Sweep& sweep, std::uint32_t begins, bool ahead) {
    const auto left = [&](std::uint32_t w, const World::Run& run) { return !ahead || !on_masters(sweep, w, run); };
    const auto waited_for = [&](std::uint32_t w, const World::Run& run) {
      const auto& [row, column] = run.at(0);
      const bool mxv = sweep.launches.at(0).op == Op::mxv;
      return !is_master(w, space_of(sweep.launches.at(0).out[0]), mxv ? column : row);
    };
    if (begins == kNotOverlapped) return add_runs(sweep, left);
    add_runs(sweep, [&](std::uint32_t w, const World::Run& run) { return left(w, run) && waited_for(w, run); });
    for_each_step(_plan.steps, [&](const Step& step) {
      const auto* exchange = std::get_if<Exchange>(&step.what);
      if (exchange != nullptr && exchange->overlapped == begins) begin(*exchange);
    });
    add_runs(sweep, [&](std::uint32_t w, const World::Run& run) { return left(w, run) && !waited_for(w, run); });
  }

  bool on_masters(const Sweep& sweep, std::uint32_t w, const World::Run& run) const {
    const bool mxv = sweep.launches.at(0).op == Op::mxv;
    const bool ends = std::any_of(sweep.launches.begin(), sweep.launches.end(),
                                  [](const Launch& launch) { return is_of_ends(launch); });
    const SpaceId in = space_of(sweep.launches.at(0).in[0]), out = space_of(sweep.launches.at(0).out[0]);
    return std::all_of(run.begin(), run.end(), [&](const auto& entry) {
      const auto [from, to] = mxv ? entry : std::pair(entry.second, entry.first);
      return is_master(w, in, from) && (!ends || is_master(w, out, to));
    });
  }

  template <class Chosen>
  void add_runs(const Sweep& sweep, const Chosen& chosen) {
    const Role::Side outputs = walked_side(sweep.launches.at(0));
    const auto matrix = static_cast<std::uint32_t>(index_of(sweep.matrix));
    for (std::uint32_t w = 0; w < _world.workers; ++w) {
      for (const World::Run& run : _world.runs(matrix, outputs, w)) {
        if (chosen(w, run)) add_run(sweep, w, run);
      }
    }
  }

  void add_run(const Sweep& sweep, std::uint32_t w, const World::Run& run) {
    const auto matrix = static_cast<std::uint32_t>(index_of(sweep.matrix));
    read(2);
    if (run.size() > 16) read(4);
    for (std::size_t k = 0; k < run.size(); ++k) read(2 + _world.matrices[matrix].value_bytes);
    std::set<ValueId> pulled, at_outputs;
    for (const Launch& launch : sweep.launches) {
      for (std::size_t b = 0; b < launch.out.size(); ++b) {
        Numbers here;
        for (std::size_t k = launch.inputs; is_of_ends(launch) && k < launch.in.size(); ++k) {
          here.push_back(stored(launch.in[k]).at[w][launch.op == Op::mxv ? run.at(0).second : run.at(0).first]);
          if (at_outputs.insert(launch.in[k]).second) read(bytes(launch.in[k]));
        }
        const Number sum = is_of_ends(launch) ? pull_ends(launch, run, w, here, pulled)
                                              : pull(launch, run, w, b, pulled.insert(launch.in[b]).second);
        const auto& [row, column] = run.at(0);
        Number& to = stored(launch.out[b]).at[w][launch.op == Op::mxv ? column : row];
        to = fold(launch.reducer, to, sum);
        read(bytes(launch.out[b]));
        write(bytes(launch.out[b]));
      }
    }
  }

  /// What is added to starts as nothing, where partial results may arise.
  void fill(const Launch& launch) {
    for (ValueId out : launch.out) {
      const SpaceId space = space_of(out);
      for (std::uint32_t w = 0; w < _world.workers; ++w) {
        for (std::uint64_t j = 0; j < length(space); ++j) {
          if (!in_range(w, space, j, launch.filled_roles)) continue;
          stored(out).at[w][j] = 0;
          ++_out.counts.elements_initialised;
        }
      }
    }
  }

  void element(const Sweep& sweep, std::uint32_t w, std::uint64_t i, bool table) {
    Numbers tile;
    for (std::uint16_t slot = 0; slot < sweep.slots; ++slot) tile.push_back(garbage());
    std::set<ValueId> read, made, pulled;
    bool read_table = false, walked_matrix = false;
    const auto place_of = [&](ValueId value) -> const Place& {
      return *std::find_if(sweep.places.begin(), sweep.places.end(), [&](const Place& p) { return p.value == value; });
    };
    const auto load = [&](ValueId value) {
      const Place& place = place_of(value);
      if (place.kind == Place::Kind::input) read.insert(value);
      const bool in_tile = place.kind == Place::Kind::temporary || (place.late_copy && made.contains(value));
      return in_tile ? tile.at(place.slot) : stored(value).at[w][i];
    };
    const auto store = [&](ValueId value, Number v) {
      const Place& place = place_of(value);
      made.insert(value);
      if (place.kind == Place::Kind::temporary || place.late_copy) {
        tile.at(place.slot) = v;
      } else {
        stored(value).at[w][i] = v;
      }
    };
    for (const Launch& launch : sweep.launches) {
      if (!in_range(w, sweep.space, i, launch.roles)) {
        if (_world.is_replica(w, sweep.space, i, launch.copied_roles)) {
          store(launch.out[0], load(launch.in[launch.copied_input]));
        }
        continue;
      }
      if (launch.op == Op::mxv || launch.op == Op::mxvt) {
        const Entries entries = entries_at(sweep, launch, w, i);
        if (!std::exchange(walked_matrix, true)) {
          const World::Matrix& matrix = _world.matrices[index_of(sweep.matrix)];
          if (!matrix.dense) this->read(8);
          for (std::size_t k = 0; k < entries.size(); ++k) this->read((matrix.dense ? 0 : 4) + matrix.value_bytes);
        }
        if (is_of_ends(launch)) {
          Numbers here;
          for (std::size_t k = 0; k < launch.in.size(); ++k) {
            if (reads_through_matrix(launch, k) && made.contains(launch.in[k]))
              defect("a product reads " + number(launch.in[k]) + " before it is complete");
            if (!reads_through_matrix(launch, k)) here.push_back(load(launch.in[k]));
          }
          if (launch.push) {
            push_ends(launch, entries, w, here, pulled);
          } else {
            store(launch.out[0], pull_ends(launch, entries, w, here, pulled));
          }
        } else if (launch.push) {
          push(launch, entries, w, load(launch.in[0]));
        } else {
          for (std::size_t b = 0; b < launch.in.size(); ++b) {
            store(launch.out[b], pull(launch, entries, w, b, pulled.insert(launch.in[b]).second));
          }
        }
        continue;
      }
      if (launch.op == Op::take) {
        const ValueId from = launch.in[0];
        if (made.contains(from)) defect("keys lead into " + number(from) + " before it is complete");
        const auto place = led_to(load(launch.in[1]), length(space_of(from)));
        this->read(bytes(from));
        store(launch.out[0], place ? stored(from).at[w][*place] : 0);
        continue;
      }
      Numbers in;
      for (std::size_t k = 0; k < launch.in.size(); ++k)
        in.push_back(k < launch.wholes ? sum_of(launch.in[k], w, made) : load(launch.in[k]));
      if (launch.op == Op::reduce_by_key) {
        Numbers& sums = _by_key[launch.out[0]][w];
        if (const auto place = led_to(in[0], sums.size())) sums[*place] = fold(launch.reducer, sums[*place], in[1]);
        continue;
      }
      if (launch.op == Op::reduce) {
        Number& partial = _shared[launch.out[0]][w];
        partial = fold(launch.reducer, partial, in[0]);
        continue;
      }
      if (launch.op == Op::fold) {
        Number& partial = _shared[launch.out[0]][w];
        const Number step = _builder.functions[index_of(launch.kernel)].f(in, shareds(launch.shared, w));
        partial = fold(launch.reducer, partial, step);
        continue;
      }
      if (launch.op == Op::source) in = {i};
      read_table |= launch.reads_global;
      store(launch.out[0], _builder.functions[index_of(launch.kernel)].f(in, shareds(launch.shared, w)));
    }
    for (ValueId value : made) {
      const Place& place = place_of(value);
      if (place.late_copy) stored(value).at[w][i] = tile.at(place.slot);
      if (place.kind == Place::Kind::output) write(bytes(value));
    }
    for (ValueId value : read) this->read(bytes(value));
    if (table && read_table) this->read(8);
  }

  /// Of all elements, as the worker has them.
  Number sum_of(ValueId whole, std::uint32_t w, const std::set<ValueId>& made) {
    if (made.contains(whole)) defect(number(whole) + " is read whole before it is complete");
    const Numbers& all = stored(whole).at[w];
    return std::accumulate(all.begin(), all.end(), Number{0});
  }

  /// Row and column of a worker's non-zeros whose walked side is i.
  using Entries = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  Entries entries_at(const Sweep& sweep, const Launch& launch, std::uint32_t w, std::uint64_t i) const {
    const World::Matrix& m = _world.matrices[index_of(sweep.matrix)];
    const bool by_rows = launch.op == (launch.push ? Op::mxv : Op::mxvt);
    Entries found;
    for (std::size_t k = 0; k < m.entries.size(); ++k) {
      const auto& [row, column] = m.entries[k];
      if (m.worker[k] == w && (by_rows ? row : column) == i) found.push_back(m.entries[k]);
    }
    return found;
  }

  Number pull(const Launch& launch, const Entries& entries, std::uint32_t w, std::size_t b, bool counts) {
    Number sum = 0;
    for (const auto& [row, column] : entries) {
      const std::uint64_t i = launch.op == Op::mxv ? row : column;
      const bool left_out = launch.active != kNone<ValueId> && stored(launch.active).at[w][i] == 0;
      if (!left_out) sum = fold(launch.reducer, sum, weighted(stored(launch.in[b]).at[w][i], row, column));
      if (counts) read(bytes(launch.in[b]));
    }
    return sum;
  }

  /// What a product of both ends makes at a non-zero, with the elements `here`, where it walks.
  Number of_ends(const Launch& launch, const std::pair<std::uint64_t, std::uint64_t>& entry, std::uint32_t w,
                 const Numbers& here, const std::set<ValueId>& counts) {
    const auto& [row, column] = entry;
    const auto [from, to] = launch.op == Op::mxv ? std::pair(row, column) : std::pair(column, row);
    Numbers in;
    std::size_t next = 0;
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      if (!reads_through_matrix(launch, k)) {
        in.push_back(here.at(next++));
        continue;
      }
      in.push_back(stored(launch.in[k]).at[w][launch.push ? to : from]);
    }
    for (const ValueId value : counts) read(bytes(value));
    return weighted(_builder.functions[index_of(launch.kernel)].f(in, {}), row, column);
  }

  /// The vectors that it reads through the matrix, and no launch before has.
  static std::set<ValueId> counted(const Launch& launch, std::set<ValueId>& read) {
    std::set<ValueId> counts;
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      if (reads_through_matrix(launch, k) && read.insert(launch.in[k]).second) counts.insert(launch.in[k]);
    }
    return counts;
  }

  Number pull_ends(const Launch& launch, const Entries& entries, std::uint32_t w, const Numbers& here,
                   std::set<ValueId>& read) {
    const std::set<ValueId> counts = counted(launch, read);
    Number sum = 0;
    for (const auto& entry : entries) sum = fold(launch.reducer, sum, of_ends(launch, entry, w, here, counts));
    return sum;
  }

  void push_ends(const Launch& launch, const Entries& entries, std::uint32_t w, const Numbers& here,
                 std::set<ValueId>& seen) {
    const std::set<ValueId> counts = counted(launch, seen);
    const ValueId out = launch.out[0];
    for (const auto& entry : entries) {
      Number& sum = stored(out).at[w][launch.op == Op::mxv ? entry.second : entry.first];
      sum = fold(launch.reducer, sum, of_ends(launch, entry, w, here, counts));
      read(bytes(out));
      write(bytes(out));
    }
  }

  void push(const Launch& launch, const Entries& entries, std::uint32_t w, Number in) {
    const ValueId out = launch.out[0];
    for (const auto& [row, column] : entries) {
      Number& sum = stored(out).at[w][launch.op == Op::mxv ? column : row];
      sum = fold(launch.reducer, sum, weighted(in, row, column));
      read(bytes(out));
      write(bytes(out));
    }
  }

  void read(std::uint64_t size) {
    ++_out.counts.elements_read;
    _out.counts.bytes_read += size;
  }
  void write(std::uint64_t size) {
    ++_out.counts.elements_written;
    _out.counts.bytes_written += size;
  }

  // ---- exchanges ----

  /// An element on its way. Where it comes from and where it is to go is garbage meanwhile, but for masters.
  struct Travelling {
    BufferRef buffer;
    std::uint32_t to;
    std::uint64_t element;
    Number value;
    const Move* gather;  ///< null: of a scatter
  };

  static const UnderWay* kind_in(const Step& step, std::uint32_t exchange) {
    for (const UnderWay& one : step.under_way) {
      if (one.exchange == exchange) return &one;
    }
    return nullptr;
  }

  void end_under_way() {
    for (const Travelling& one : _travelling) {
      Number& to = one.buffer->at[one.to][one.element];
      to = one.gather == nullptr ? one.value : fold(one.gather->reducer, to, one.value);
    }
    _travelling.clear();
    _under_way.reset();
  }

  /// The frontier of whose elements `mask` says which are active, in a sparse exchange: receivers know it from that.
  static const Move* told_by(const Exchange& exchange, const Move& mask) {
    const auto found = std::find_if(exchange.scatters.begin(), exchange.scatters.end(),
                                    [&](const Move& move) { return move.active == mask.to; });
    return exchange.sparse && found != exchange.scatters.end() ? &*found : nullptr;
  }

  /// Sends vectors off. Of sparse exchanges the most that they may send is counted.
  void begin(const Exchange& exchange) {
    if (_under_way) defect("an exchange begins while another one is under way");
    std::set<std::pair<std::uint32_t, std::uint32_t>> messages;
    for (const bool gather : {true, false}) {
      for (const Move& move : gather ? exchange.gathers : exchange.scatters) {
        stored(move.from);
        const BufferRef buffer = _buffer[move.from];
        const SpaceId space = space_of(move.from);
        const Move* const frontier = gather ? nullptr : told_by(exchange, move);
        std::set<std::pair<std::uint32_t, std::uint32_t>> of_vector;
        for (std::uint32_t w = 0; w < _world.workers; ++w) {
          for (std::uint64_t i = 0; i < length(space); ++i) {
            const std::uint32_t owner = _world.owners[index_of(space)][i];
            Number& here = buffer->at[w][i];
            if (_world.is_replica(w, space, i, move.roles)) {
              if (frontier == nullptr) {
                _out.counts.bytes_sent += bytes(move.from);
                of_vector.insert(gather ? std::pair(w, owner) : std::pair(owner, w));
              }
              const Number sent = gather                ? here
                                  : frontier == nullptr ? buffer->at[owner][i]
                                                        : Number{_buffer[frontier->from]->at[owner][i] != 0};
              _travelling.push_back({buffer, gather ? owner : w, i, sent, gather ? &move : nullptr});
              here = garbage();
            }
            if (gather && w != owner) here = garbage();
          }
        }
        if (exchange.sparse) _out.counts.bytes_sent += 4 * of_vector.size();
        messages.merge(of_vector);
      }
    }
    _out.counts.messages += messages.size();
    _under_way = exchange.overlapped;
  }

  /// At the step of an exchange: vectors have arrived, unless they are to do so later, and Shareds are reduced.
  void arrive(const Exchange& exchange) {
    if (exchange.overlapped == kNotOverlapped || !exchange.gathers.empty()) end_under_way();
    for (const auto* moves : {&exchange.gathers, &exchange.scatters}) {
      for (const Move& move : *moves) {
        stored(move.from);
        _buffer[move.to] = _buffer[move.from];
      }
    }
    for (const Move& move : exchange.reductions) {
      Number sum = 0;
      for (Number v : _shared[move.from]) sum = fold(move.reducer, sum, v);
      _shared[move.to] = Numbers(_world.workers, sum);
      _out.counts.bytes_sent += bytes(move.from) * _world.workers * (_world.workers - 1);
    }
    if (!exchange.reductions.empty()) _out.counts.messages += std::uint64_t{_world.workers} * (_world.workers - 1);
  }

  /// The masters' values, or what they add up to; replicas have to be what the state says.
  Numbers taken(const Result& result) {
    if (is_shared(result.held)) return {shareds({result.held}, 0)[0]};
    const SpaceId space = space_of(result.held);
    const Buffer& buffer = stored(result.held);
    Numbers values;
    for (std::uint64_t i = 0; i < length(space); ++i) {
      Number value = buffer.at[_world.owners[index_of(space)][i]][i];
      for (std::uint32_t w = 0; w < _world.workers; ++w) {
        if (!_world.is_replica(w, space, i, result.state.roles)) continue;
        if (result.state.kind == State::Kind::pre_reduced) value = fold(result.state.reducer, value, buffer.at[w][i]);
        if (result.state.kind == State::Kind::consistent && buffer.at[w][i] != value) {
          defect("replicas of result " + number(result.held) + " differ from the master");
        }
      }
      values.push_back(value);
    }
    return values;
  }

  const ProgramBuilder& _builder;
  Simulated _out;
  std::map<ValueId, Numbers> _shared;               ///< by worker
  std::map<ValueId, std::vector<Numbers>> _by_key;  ///< by worker: of the sweep that runs
  std::vector<Travelling> _travelling;
  std::optional<std::uint32_t> _under_way;  ///< the overlapped exchange that has begun and not ended
};

}  // namespace

Simulated simulate(const Plan& plan, const ProgramBuilder& builder, const World& world,
                   const std::vector<Numbers>& live_in) {
  return Simulator(plan, builder, world).run(live_in);
}

}  // namespace kasen::optimizer::tests
