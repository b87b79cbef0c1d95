/// @file
/// Sweeps of simulated workers, one element or run after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "optimizer/plan/step_tools.h"
#include "tests/optimizer/simulated_exchanges.h"

namespace kasen::optimizer::tests {

/// The kernels of sweeps: over elements, by compressed matrices and in blocks.
class SimulatedSweeps : protected SimulatedExchanges {
 protected:
  SimulatedSweeps(const Plan& plan, const ProgramBuilder& builder, const World& world)
      : SimulatedExchanges(plan, world), _builder(builder) {}

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
      if (product && launch.out.size() != outputs) defect("a group of MxVs with unequal inputs and outputs");
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
          const bool by_stencil = sweep.walk == Walk::stencils;
          const bool walks =
              !by_stencil || (!entries.empty() && _world.begins_run(static_cast<std::uint32_t>(index_of(sweep.matrix)),
                                                                    walked_side(launch), w, i));
          if (walks && !matrix.dense) this->read(8);
          const std::uint32_t place = by_stencil ? 8 : matrix.dense ? 0 : 4;
          for (std::size_t k = 0; k < entries.size() && walks; ++k) this->read(place + matrix.value_bytes);
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

  const ProgramBuilder& _builder;
  std::map<ValueId, std::vector<Numbers>> _by_key;  ///< by worker: of the sweep that runs
};

}  // namespace kasen::optimizer::tests
