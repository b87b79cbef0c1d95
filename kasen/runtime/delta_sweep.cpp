#include "kasen/runtime/delta_sweep.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/base/with_size.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/fill.h"
#include "kasen/runtime/marks.h"
#include "kasen/runtime/running.h"

namespace kasen::runtime {

using optimizer::DeltaUpdate;
using optimizer::Launch;
using optimizer::Place;

namespace {

/// An element takes so many times as long here and there as it takes in order.
constexpr std::uint32_t kInOrder = 4;

std::size_t words_of(std::uint32_t elements) { return (elements + ElementSet::kBits - 1) / ElementSet::kBits; }

}  // namespace

DeltaSweep::DeltaSweep(const optimizer::Step& step, RunContext& context, std::size_t position)
    : _sweep(std::get<optimizer::Sweep>(step.what)),
      _dies(step.dies),
      _context(context),
      _position(position),
      _state(DeltaState::of(context)),
      _whole(_sweep, step.dies, context, position),
      _space(context.placement.space(_sweep.space)),
      _tile_elements(_sweep.tile_elements),
      _index(_tile_elements),
      _reached(_tile_elements),
      _keep(_tile_elements),
      _settled(_state.settles() ? _tile_elements : 0) {
  if (_tile_elements % ElementSet::kBits != 0) throw InternalError("tiles of a delta loop are no words of sets");
  _noted.reserve(words_of(_tile_elements));
  const DeltaUpdate& delta = _sweep.delta.value();
  for (const Place& place : _sweep.places) {
    const std::uint32_t operand = operand_of(place.value);
    if (place.kind == Place::Kind::input) _inputs.push_back(operand);
  }
  for (const DeltaUpdate::Product& product : delta.products) {
    const std::uint32_t improves =
        product.improves == kNone<ValueId> ? optimizer::kNoDelta : operand_of(product.improves);
    _products.push_back(
        {operand_of(product.read), improves, context.reducers[index_of(product.reducer)].identity.data()});
  }
  for (std::size_t k = 0; k < delta.carried.size(); ++k) {
    const bool read = std::any_of(_sweep.places.begin(), _sweep.places.end(), [&](const Place& place) {
      return place.kind == Place::Kind::input && place.value == delta.carried[k].argument;
    });
    _outputs.push_back({operand_of(delta.carried[k].out), _state.set_of_output(k), read});
  }
  for (const DeltaUpdate::Rest& rest : delta.rests) _rests.push_back({operand_of(rest.of), rest.value});
  for (const Launch& launch : _sweep.launches) {
    Work work;
    work.launch = &launch;
    for (const ValueId in : launch.in) work.in.push_back(operand_of(in));
    work.source.resize(work.in.size());
    for (const ValueId shared : launch.shared) work.shared.push_back(context.storage.shared(shared));
    if (launch.op == Op::reduce) {
      work.reduce = &context.kernel<ReduceKernel>(launch.kernel);
      work.lanes.resize(lines_of(work.reduce->lanes_bytes));
      work.identity = &context.reducers[index_of(launch.reducer)].identity;
    } else {
      work.out = operand_of(launch.out[0]);
    }
    _reads_global = _reads_global || launch.reads_global;
    _works.push_back(std::move(work));
  }
  if (_reads_global) _global.resize(_tile_elements);
}

std::uint32_t DeltaSweep::operand_of(ValueId value) {
  const auto found =
      std::find_if(_operands.begin(), _operands.end(), [&](const Operand& operand) { return operand.value == value; });
  if (found != _operands.end()) return static_cast<std::uint32_t>(found - _operands.begin());
  Operand operand;
  operand.value = value;
  operand.bytes = _context.element_bytes(value);
  operand.copy.resize(lines_of(std::uint64_t{_tile_elements} * operand.bytes));
  _operands.push_back(std::move(operand));
  return static_cast<std::uint32_t>(_operands.size() - 1);
}

bool DeltaSweep::in_place() const {
  return std::all_of(_sweep.places.begin(), _sweep.places.end(), [&](const Place& place) {
    return place.kind != Place::Kind::output || _context.storage.takes_over(place, _dies);
  });
}

void DeltaSweep::run() {
  const DeltaState::Visits visits = _state.next(in_place());
  if (visits == DeltaState::Visits::all_untracked) {
    _whole.run();
    _state.end(false, 0);
    return;
  }
  for (Work& work : _works) {
    require_shareds(_context, *work.launch, work.shared.data());
    if (work.reduce != nullptr) work.reduce->begin(work.reduce->context.get(), work.lanes.data());
  }
  _context.storage.place_outputs(_sweep, _dies);
  for (const std::uint32_t in : _inputs) _operands[in].base = _context.storage.vector(_operands[in].value);
  for (const Output& output : _outputs) {
    _operands[output.operand].base = _context.storage.vector(_operands[output.operand].value);
    if (output.active_set != optimizer::kNoDelta) _state.active_set(output.active_set).begin_round();
  }
  _kept = _visited = _visited_in_order = 0;
  see_received();
  visits == DeltaState::Visits::all ? visit_all() : visit_changed();
  running = {};
  for (Work& work : _works) {
    if (work.reduce != nullptr) finish(work);
  }
  count(_visited);
  Activity& activity = _context.activity[_position];
  if (visits == DeltaState::Visits::all) {
    activity.known += 1;
  } else {
    activity.delta += {1, _visited, 0};
    activity.in_order += _visited_in_order;
  }
  _state.end(true, _kept);
}

/// Where other workers have sent something, masters are not what they started from: the identity before the first delta
/// iteration, in which it is not x.
void DeltaSweep::see_received() {
  const DeltaUpdate& delta = *_sweep.delta;
  for (std::size_t k = 0; k < delta.products.size(); ++k) {
    const RoleSet& gathered = delta.products[k].gathered;
    if (gathered.empty()) continue;
    const Product& product = _products[k];
    const Operand& operand = _operands[product.operand];
    const bool improves = product.improves != optimizer::kNoDelta;
    const std::byte* const x = improves ? _operands[product.improves].base : nullptr;
    const std::vector<std::uint32_t>& masters = _space.halo(gathered).master_index;
    with_size(operand.bytes, [&](auto size) {
      for (const std::uint32_t i : masters) {
        const std::uint64_t at = std::uint64_t{size} * i;
        const std::byte* const made = operand.base + at;
        if (differ(made, product.identity, size) && (!improves || differ(made, x + at, size)))
          _state.reached().insert(i);
        if (_state.settles()) _state.settled().put(i, false);
      }
    });
    const std::uint64_t reads = masters.size() * (improves ? 2 : 1);
    _context.measured.elements_read += reads;
    _context.measured.bytes_read += reads * operand.bytes;
    if (kCountAccesses) _context.witnessed.elements_read += reads;
  }
}

/// Before the first delta iteration. What was reached is visited again in the next one, without what reached it, as
/// nothing is known of what it makes then.
void DeltaSweep::visit_all() {
  const LocalIndex masters = _space.masters();
  const ElementSet& reached = _state.reached();
  for (LocalIndex first = 0, n = 0; first < masters; first += n) {
    n = std::min<LocalIndex>(_tile_elements, masters - first);
    reached.read(first, words_of(n), _reached.data());
    _keep = _reached;
    run_tile({first, n, false});
  }
  _state.reached().clear();
}

/// Of an element that is not to be visited again it is known that without being reached it makes what is there. So it
/// does after it has been reached, if that has changed nothing.
void DeltaSweep::visit_changed() {
  LocalIndex tile = 0;
  ElementSet::drain(_state.reached(), _state.kept_set(),
                    [&](LocalIndex first, std::uint64_t reached, std::uint64_t kept) {
                      if (first / _tile_elements != tile) {
                        visit_noted();
                        tile = first / _tile_elements;
                      }
                      _noted.push_back({first, reached, kept});
                    });
  visit_noted();
  run_here_and_there();
}

/// All of a tile if it has many that are to be visited, in order.
void DeltaSweep::visit_noted() {
  if (_noted.empty()) return;
  const LocalIndex tile = _noted.front().first / _tile_elements * _tile_elements;
  const std::uint32_t n = std::min<std::uint32_t>(_tile_elements, _space.masters() - tile);
  std::uint32_t visited = 0;
  for (const Noted& word : _noted) visited += static_cast<std::uint32_t>(std::popcount(word.reached | word.kept));
  if (kInOrder * visited > n) {
    run_here_and_there();
    std::fill(_reached.begin(), _reached.end(), char{0});
    std::fill(_keep.begin(), _keep.end(), char{0});
    for (const Noted& word : _noted) {
      ElementSet::read_word(word.reached, &_reached[word.first - tile]);
      ElementSet::read_word(word.reached & word.kept, &_keep[word.first - tile]);
    }
    run_tile({tile, n, false});
  } else {
    for (const Noted& word : _noted) {
      for (std::uint64_t left = word.reached | word.kept; left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        const char reached = static_cast<char>(word.reached >> at & 1), kept = static_cast<char>(word.kept >> at & 1);
        _index[_here_and_there] = word.first + static_cast<LocalIndex>(at);
        _reached[_here_and_there] = reached;
        _keep[_here_and_there] = static_cast<char>(reached & kept);
        if (++_here_and_there == _tile_elements) run_here_and_there();
      }
    }
  }
  _noted.clear();
}

void DeltaSweep::run_here_and_there() {
  if (_here_and_there > 0) run_tile({0, std::exchange(_here_and_there, 0), true});
}

void DeltaSweep::run_tile(const Stretch& stretch) {
  bind_inputs(stretch);
  for (Work& work : _works) run_kernel(work, stretch);
  for (const Rest& rest : _rests)
    keep_unlike(reinterpret_cast<const std::byte*>(&rest.value.bits), _operands[rest.operand], stretch.n);
  reset_products(stretch);
  for (const Output& output : _outputs) store(output, stretch);
  if (stretch.here_and_there) {
    ElementSet& kept = _state.kept_set();
    for (std::uint32_t k = 0; k < stretch.n; ++k) {
      kept.insert_if(_keep[k] != 0, _index[k]);
      _kept += _keep[k] != 0 ? 1 : 0;
    }
  } else {
    _kept += _state.kept_set().insert_marked(stretch.first, words_of(stretch.n), _keep.data());
  }
  _visited += stretch.n;
  if (!stretch.here_and_there) _visited_in_order += stretch.n;
}

void DeltaSweep::bind_inputs(const Stretch& stretch) {
  for (Operand& operand : _operands) operand.tile = operand.copy.data()->bytes;
  for (const std::uint32_t in : _inputs) {
    Operand& operand = _operands[in];
    if (!stretch.here_and_there) {
      operand.tile = operand.base + std::uint64_t{operand.bytes} * stretch.first;
      continue;
    }
    with_size(operand.bytes, [&](auto bytes) {
      std::byte* to = operand.copy.data()->bytes;
      const LocalIndex* const index = _index.data();
      for (std::uint32_t k = 0; k < stretch.n; ++k, to += bytes)
        std::memcpy(to, operand.base + std::uint64_t{bytes} * index[k], bytes);
    });
  }
  if (!_reads_global || !stretch.here_and_there) return;
  const bool blocks = _space.blocks();
  const auto table = blocks ? std::span<const GlobalIndex>{} : _space.global();
  for (std::uint32_t k = 0; k < stretch.n; ++k)
    _global[k] = blocks ? _space.first_master() + static_cast<GlobalIndex>(_index[k]) : table[_index[k]];
}

void DeltaSweep::run_kernel(Work& work, const Stretch& stretch) {
  const Launch& launch = *work.launch;
  running = {&launch.label, launch.where};
  for (std::size_t k = 0; k < work.in.size(); ++k) work.source[k] = _operands[work.in[k]].tile;
  Tile tile;
  tile.in = work.source.data();
  tile.shared = work.shared.data();
  tile.n = stretch.n;
  if (work.reduce != nullptr) {
    work.reduce->fold(work.reduce->context.get(), work.lanes.data(), tile);
    // What contributes to a reduction has to be there again in the next iteration.
    keep_unlike(work.identity->data(), _operands[work.in[0]], stretch.n);
    return;
  }
  tile.out = _operands[work.out].copy.data();
  if (launch.reads_global && stretch.here_and_there) {
    tile.global = _global.data();
  } else if (launch.reads_global) {
    tile.global = _space.blocks() ? nullptr : _space.global().data() + stretch.first;
    tile.first_global = _space.blocks() ? _space.first_master() + static_cast<GlobalIndex>(stretch.first) : 0;
  }
  const auto& kernel = _context.kernel<ElementKernel>(launch.kernel);
  kernel.run(kernel.context.get(), tile);
}

void DeltaSweep::keep_unlike(const std::byte* element, const Operand& operand, std::uint32_t n) {
  mark_unlike(operand.tile, element, operand.bytes, n, _keep.data());
}

void DeltaSweep::store(const Output& output, const Stretch& stretch) {
  Operand& operand = _operands[output.operand];
  std::byte* const made = operand.copy.data()->bytes;
  // What is read makes something else in the next iteration. All else makes the same again, unless it was reached.
  const char* const among = output.read ? nullptr : _reached.data();
  if (!stretch.here_and_there) {
    std::byte* const there = operand.base + std::uint64_t{operand.bytes} * stretch.first;
    const std::uint64_t bytes = std::uint64_t{operand.bytes} * stretch.n;
    if (std::memcmp(there, made, bytes) != 0) {  // in most tiles nothing changes
      mark_different(there, made, operand.bytes, stretch.n, among, _keep.data());
      std::memcpy(there, made, bytes);
    }
    if (output.active_set == optimizer::kNoDelta) return;
    const std::size_t words = words_of(stretch.n);
    std::memset(made + stretch.n, 0, words * ElementSet::kBits - stretch.n);
    if (_state.settles()) {
      _state.settled().read(stretch.first, words, _settled.data());
      for (std::uint32_t k = 0; k < stretch.n; ++k) made[k] &= std::byte{_settled[k] == 0};
    }
    _state.active_set(output.active_set).replace(stretch.first, words, reinterpret_cast<const char*>(made));
    return;
  }
  const LocalIndex* const index = _index.data();
  char* const keep = _keep.data();
  // Which elements change is not foreseen: all are written, without a branch.
  with_size(operand.bytes, [&](auto size) {
    const std::byte* from = made;
    for (std::uint32_t k = 0; k < stretch.n; ++k, from += size) {
      std::byte* const to = operand.base + std::uint64_t{size} * index[k];
      const int differs = differ(to, from, size) ? 1 : 0;
      std::memcpy(to, from, size);
      keep[k] = static_cast<char>(keep[k] | (among == nullptr ? differs : differs & among[k]));
    }
  });
  if (output.active_set == optimizer::kNoDelta) return;
  ListedSet& active = _state.active_set(output.active_set);
  const auto settled = [&](LocalIndex i) { return _state.settles() && _state.settled().contains(i); };
  for (std::uint32_t k = 0; k < stretch.n; ++k) active.put(index[k], made[k] != std::byte{0} && !settled(index[k]));
}

/// To what they start from in the next iteration.
void DeltaSweep::reset_products(const Stretch& stretch) {
  for (const Product& product : _products) {
    const Operand& operand = _operands[product.operand];
    const bool improves = product.improves != optimizer::kNoDelta;
    const std::byte* from = improves ? _operands[product.improves].copy.data()->bytes : product.identity;
    if (!stretch.here_and_there) {
      std::byte* const to = operand.base + std::uint64_t{operand.bytes} * stretch.first;
      if (improves) {
        std::memcpy(to, from, std::uint64_t{operand.bytes} * stretch.n);
      } else {
        fill_with(product.identity, operand.bytes, stretch.n, to);
      }
      continue;
    }
    const LocalIndex* const index = _index.data();
    with_size(operand.bytes, [&](auto size) {
      const std::uint64_t step = improves ? std::uint64_t{size} : 0;
      for (std::uint32_t k = 0; k < stretch.n; ++k, from += step)
        std::memcpy(operand.base + std::uint64_t{size} * index[k], from, size);
    });
  }
}

/// What was not visited contributes the identity.
void DeltaSweep::finish(Work& work) {
  const Launch& launch = *work.launch;
  running = {&launch.label, launch.where};
  std::byte* const out = _context.storage.shared(launch.out.at(0));
  bool has = work.reduce->finish(work.reduce->context.get(), work.lanes.data(), out);
  if (_visited == 0 && _space.masters() > 0) {
    std::memcpy(out, work.identity->data(), work.identity->size());
    has = true;
  }
  _context.storage.set_has(launch.out.at(0), has);
  running = {};
}

void DeltaSweep::count(std::uint64_t visited) {
  Counts each;
  for (const Place& place : _sweep.places) {
    if (place.kind == Place::Kind::temporary) continue;
    const std::uint32_t bytes = _context.read_bytes(place.value);
    each.elements_read += 1;
    each.bytes_read += bytes;
    if (place.kind != Place::Kind::output) continue;
    each.elements_written += 1;
    each.bytes_written += bytes;
  }
  if (_reads_global && !_space.blocks()) {
    each.elements_read += 1;
    each.bytes_read += sizeof(GlobalIndex);
  }
  each.elements_initialised = _products.size();
  _context.measured += each.times(visited);
  if (!kCountAccesses) return;
  _context.witnessed.elements_read += each.elements_read * visited;
  _context.witnessed.elements_written += each.elements_written * visited;
}

}  // namespace kasen::runtime
