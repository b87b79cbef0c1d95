#include "kasen/checkpoint/vectors.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/hdf5/hdf5_file.h"
#include "kasen/io/hdf5/hdf5_output.h"
#include "kasen/io/lines/blocks.h"
#include "kasen/runtime/fill.h"

namespace kasen::checkpoint {
namespace {

constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 22;

std::string elements_name(std::size_t vector) { return "/vectors/" + std::to_string(vector) + "/elements"; }
std::string index_name(std::size_t vector) { return "/vectors/" + std::to_string(vector) + "/index"; }

/// Calls `visit` with the local indices of masters and of the replicas of these roles, in runs: first and count.
template <class Visit>
void for_each_run(const partition::IndexSpace& space, const RoleSet& roles, const Visit& visit) {
  visit(LocalIndex{0}, space.masters());
  for (const partition::Interval& replicas : space.replicas(roles)) visit(replicas.first, replicas.count);
}

std::uint64_t rows_of_chunk(std::uint64_t element_bytes) {
  return std::max<std::uint64_t>(kChunkBytes / std::max<std::uint64_t>(element_bytes, 1), 1);
}

/// The dataset, which has as many rows of as many bytes.
io::Hdf5Array described(const io::Hdf5File& file, const std::string& name, std::vector<std::uint64_t> shape,
                        std::uint64_t element_bytes) {
  if (file.object(name) != io::Hdf5File::Object::dataset) throw InputError(file.place(name) + ": is missing");
  io::Hdf5Array array = file.describe(name);
  if (array.shape != shape || array.element_bytes != element_bytes)
    throw InputError(file.place(name) + ": found " + array.found);
  return array;
}

}  // namespace

std::uint32_t VectorsToWrite::add(const LocalVector& vector) {
  const partition::IndexSpace& space = _placement->space(vector.space);
  const std::uint64_t bytes = vector.element_bytes;
  SavedVector saved{space.length(), bytes, false, kNone<ReducerId>, {}};
  Block block;
  const std::uint64_t replicas = vector.state.kind == State::Kind::pre_reduced
                                     ? _placement->stats().of(vector.space, vector.state.roles).replicas
                                     : 0;
  if (replicas > 0) {
    saved.partial = true;
    saved.reducer = vector.state.reducer;
    comm::agree(*_workers, [&] {
      const std::span<const GlobalIndex> global = space.global();
      for_each_run(space, vector.state.roles, [&](LocalIndex first, LocalIndex count) {
        const std::byte* const from = vector.elements + std::uint64_t{first} * bytes;
        block.elements.insert(block.elements.end(), from, from + std::uint64_t{count} * bytes);
        block.index.insert(block.index.end(), global.begin() + first, global.begin() + first + count);
      });
    });
    saved.by_worker = _workers->all_gather(std::uint64_t{block.index.size()});
    _predicted += (saved.length + replicas) * (bytes + sizeof(GlobalIndex));
  } else {
    block.elements = io::to_blocks(*_workers, space, {vector.elements, std::uint64_t{space.masters()} * bytes},
                                   vector.element_bytes);
    _predicted += saved.length * bytes;
  }
  _bytes += block.elements.size() + block.index.size() * sizeof(GlobalIndex);
  _saved.push_back(std::move(saved));
  _blocks.push_back(std::move(block));
  return static_cast<std::uint32_t>(_saved.size() - 1);
}

void VectorsToWrite::add_to(io::Hdf5Output& file) const {
  for (std::size_t k = 0; k < _saved.size(); ++k) {
    const std::uint64_t bytes = _saved[k].element_bytes;
    file.add_rows(elements_name(k), _blocks[k].elements.size() / bytes, bytes, io::ElementType::of<std::uint8_t>(),
                  _blocks[k].elements);
    if (_saved[k].partial) file.add(index_name(k), std::span<const GlobalIndex>(_blocks[k].index));
  }
}

std::vector<std::string> datasets_of(const std::vector<SavedVector>& saved) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < saved.size(); ++k) {
    names.push_back(elements_name(k));
    if (saved[k].partial) names.push_back(index_name(k));
  }
  return names;
}

void VectorsToRead::read(std::uint32_t vector, SpaceId space, const State& wanted,
                         std::span<const runtime::Reducer> reducers, std::span<std::byte> into) {
  const SavedVector& saved = _saved->at(vector);
  const partition::IndexSpace& here = _placement->space(space);
  if (saved.length != here.length()) throw InputError(_file->path() + ": has a vector of another length");
  const bool partial = wanted.kind == State::Kind::pre_reduced;
  if (saved.partial && partial && _same_placement) return read_same_partials(vector, space, wanted.roles, into);
  if (saved.partial) {
    if (index_of(saved.reducer) >= reducers.size()) throw InputError(_file->path() + ": has an unknown reducer");
    combine_partials(vector, space, reducers[index_of(saved.reducer)], into);
  } else {
    read_values(vector, space, into);
  }
  if (!partial || _placement->stats().of(space, wanted.roles).replicas == 0) return;
  const std::vector<std::byte>& identity = reducers[index_of(wanted.reducer)].identity;
  if (identity.size() != saved.element_bytes) throw InternalError("partial results of a reducer without identity");
  for (const partition::Interval& replicas : here.replicas(wanted.roles))
    runtime::fill(into.data(), identity, {replicas.first, replicas.count});
}

const std::vector<VectorsToRead::Local>& VectorsToRead::locals(SpaceId space) {
  std::vector<Local>& locals = _locals[space];
  if (!locals.empty()) return locals;
  const std::span<const GlobalIndex> global = _placement->space(space).global();
  for (std::size_t k = 0; k < global.size(); ++k) locals.emplace_back(global[k], static_cast<LocalIndex>(k));
  std::sort(locals.begin(), locals.end());
  return locals;
}

void VectorsToRead::read_values(std::uint32_t vector, SpaceId space, std::span<std::byte> into) {
  const SavedVector& saved = (*_saved)[vector];
  const std::uint64_t bytes = saved.element_bytes, room = into.size() / bytes;
  const io::Hdf5Array array = described(*_file, elements_name(vector), {saved.length, bytes}, 1);
  const std::vector<Local>& here = locals(space);
  std::vector<std::byte> chunk;
  auto next = here.begin();
  for (std::uint64_t first = 0; first < saved.length && next != here.end(); first += rows_of_chunk(bytes)) {
    const std::uint64_t count = std::min(rows_of_chunk(bytes), saved.length - first);
    chunk.resize(count * bytes);
    _file->read_stored(array, first, count, chunk);
    for (; next != here.end() && static_cast<std::uint64_t>(next->first) < first + count; ++next) {
      if (next->second < room)
        std::memcpy(&into[next->second * bytes], &chunk[(static_cast<std::uint64_t>(next->first) - first) * bytes],
                    bytes);
    }
  }
}

void VectorsToRead::read_same_partials(std::uint32_t vector, SpaceId space, const RoleSet& roles,
                                       std::span<std::byte> into) {
  const SavedVector& saved = (*_saved)[vector];
  const std::uint64_t bytes = saved.element_bytes;
  std::uint64_t first = 0, all = 0;
  for (std::size_t w = 0; w < saved.by_worker.size(); ++w) {
    if (w == static_cast<std::size_t>(_rank)) first = all;
    all += saved.by_worker[w];
  }
  const io::Hdf5Array elements = described(*_file, elements_name(vector), {all, bytes}, 1);
  const io::Hdf5Array index = described(*_file, index_name(vector), {all}, sizeof(GlobalIndex));
  const partition::IndexSpace& here = _placement->space(space);
  std::vector<GlobalIndex> numbers;
  for_each_run(here, roles, [&](LocalIndex begin, LocalIndex count) {
    if (count == 0) return;
    numbers.resize(count);
    if (first + count <= all) _file->read(index, first, count, std::span<GlobalIndex>(numbers));
    const std::span<const GlobalIndex> expected = here.global().subspan(begin, count);
    if (first + count > all || !std::equal(numbers.begin(), numbers.end(), expected.begin()))
      throw InputError(_file->path() + ": has partial results of elements that were spread otherwise");
    _file->read_stored(elements, first, count,
                       into.subspan(std::uint64_t{begin} * bytes, std::uint64_t{count} * bytes));
    first += count;
  });
}

void VectorsToRead::combine_partials(std::uint32_t vector, SpaceId space, const runtime::Reducer& reducer,
                                     std::span<std::byte> into) {
  const SavedVector& saved = (*_saved)[vector];
  const std::uint64_t bytes = saved.element_bytes, room = into.size() / bytes;
  std::uint64_t all = 0;
  for (const std::uint64_t count : saved.by_worker) all += count;
  const io::Hdf5Array elements = described(*_file, elements_name(vector), {all, bytes}, 1);
  const io::Hdf5Array index = described(*_file, index_name(vector), {all}, sizeof(GlobalIndex));
  const std::vector<Local>& here = locals(space);
  std::vector<bool> seen(here.size());
  std::vector<std::byte> chunk;
  std::vector<GlobalIndex> numbers;
  for (std::uint64_t first = 0; first < all; first += rows_of_chunk(bytes)) {
    const std::uint64_t count = std::min(rows_of_chunk(bytes), all - first);
    chunk.resize(count * bytes), numbers.resize(count);
    _file->read_stored(elements, first, count, chunk);
    _file->read(index, first, count, std::span<GlobalIndex>(numbers));
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto found = std::lower_bound(here.begin(), here.end(), Local{numbers[k], 0});
      if (found == here.end() || found->first != numbers[k] || found->second >= room) continue;
      std::byte* const to = &into[found->second * bytes];
      if (seen[found->second]) {
        reducer.combine.fold(reducer.combine.context.get(), to, nullptr, &chunk[k * bytes], 1);
      } else {
        std::memcpy(to, &chunk[k * bytes], bytes);
      }
      seen[found->second] = true;
    }
  }
}

}  // namespace kasen::checkpoint
