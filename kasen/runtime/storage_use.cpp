/// @file
/// The storages that sweeps walk, from their plan.
#include "kasen/runtime/storage_use.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "comm/free_memory.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Step;
using optimizer::Walk;
using partition::MatrixStorage;
using Form = partition::MatrixStorage::Form;

namespace {

/// The form in which a sweep walks its matrix; none of a dense one, and where there is no matrix.
std::optional<Form> form_of(Walk walk) {
  switch (walk) {
    case Walk::compressed:
      return Form::compressed;
    case Walk::blocked:
      return Form::blocks;
    case Walk::stencils:
      return Form::stencils;
    case Walk::elements:
    case Walk::dense:
    case Walk::rectangles:
      break;
  }
  return std::nullopt;
}

bool contains(const std::vector<MatrixStorage>& storages, const MatrixStorage& storage) {
  return std::find(storages.begin(), storages.end(), storage) != storages.end();
}

}  // namespace

StorageUse::StorageUse(const std::vector<Step>& steps, partition::Placement& placement)
    : _placement(&placement), _walked(steps.size()) {
  for (std::size_t k = 0; k < steps.size(); ++k) add(steps[k], k, 1);
}

/// A product of active elements may push these, and has a storage for that beside that of its walk.
void StorageUse::add(const Step& step, std::size_t top, std::uint64_t walks) {
  if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
    const std::optional<Form> form = form_of(sweep->walk);
    if (!form) return;
    Walked& walked = _walked[top][sweep->matrix];
    if (!optimizer::connects(*sweep)) walked.walks += walks;
    const auto note = [&](const MatrixStorage& storage, bool at_once) {
      walked.storages.push_back(storage);
      Need& need = _needs[sweep->matrix][storage];
      need = {top, need.at_once || at_once};
    };
    for (const optimizer::Launch& launch : sweep->launches) {
      if (!is_matrix_op(launch.op)) continue;
      const bool pushes = launch.active != kNone<ValueId>;
      if (optimizer::connects(*sweep)) {
        if (!optimizer::finds_connected(*sweep)) continue;
        walked.walks += 1;
        note({optimizer::read_side(launch)}, true);
        continue;
      }
      note({optimizer::walked_side(launch), *form}, !pushes);
      if (pushes) note({optimizer::read_side(launch)}, true);
    }
  } else if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
    for (const Step& inner : loop->body) add(inner, top, partition::kWalksOfStorage);
  } else if (const auto* branch = std::get_if<optimizer::Branch>(&step.what)) {
    for (const Step& inner : branch->then) add(inner, top, walks);
    for (const Step& inner : branch->otherwise) add(inner, top, walks);
  }
}

void StorageUse::make() {
  bool made = false;
  for (const auto& [id, needs] : _needs) {
    partition::LocalMatrix& matrix = _placement->matrix(id);
    const std::vector<MatrixStorage> there = matrix.storages();
    std::vector<MatrixStorage> made_of, wanted, kept = there;
    for (const auto& [storage, need] : needs) {
      made_of.push_back({storage.outputs});
      if (!need.at_once) continue;
      wanted.push_back(storage);
      made = made || !contains(there, storage);
    }
    made = matrix.drop_unasked(made_of) || made;
    for (const MatrixStorage& storage : wanted) {  // of which others are made that are wanted as well
      if (storage.form != Form::compressed) continue;
      const bool is_source =
          contains(wanted, {storage.outputs, Form::blocks}) || contains(wanted, {storage.outputs, Form::stencils});
      if (is_source) matrix.by(storage.outputs);
    }
    for (const MatrixStorage& storage : wanted) {
      if (storage.form == Form::blocks) _placement->blocked(id, storage.outputs);
      if (storage.form == Form::stencils) matrix.stencils(storage.outputs);
    }
    for (const MatrixStorage& storage : wanted) {
      if (storage.form == Form::compressed) matrix.by(storage.outputs);
    }
    for (const auto& [storage, need] : needs) {
      if (!need.at_once) kept.push_back({storage.outputs});
    }
    made = matrix.drop_unasked(kept) || made;
  }
  if (made) comm::return_free_memory();  // of what they were made of
}

/// What storages are made of goes as they come, so of the first ones only what they have more counts.
void StorageUse::add_needs(const comm::Communicator& all, comm::MemoryNeeds& needs) const {
  for (const auto& [matrix, wanted] : _needs) {
    const PlacementStats::Matrix& stats = _placement->stats().matrices[index_of(matrix)];
    const std::vector<MatrixStorage> there = _placement->matrix(matrix).storages();
    std::uint64_t entry = 0, elements = 0, stencils = 0;
    for (const auto& [storage, need] : wanted) {
      if (contains(there, storage)) continue;
      if (storage.form == Form::stencils) {
        const PlacementStats::Matrix::Stencils& has = stats.stencils(storage.outputs);
        stencils += has.runs * partition::StencilMatrix::kRunBytes;
        stencils += has.entries * (MatrixFormat::kOffsetBytes + stats.value_bytes);
        continue;
      }
      entry += (storage.form == Form::blocks ? sizeof(std::uint16_t) : sizeof(LocalIndex)) + stats.value_bytes;
      const bool by_column = storage.outputs == Role::Side::column;
      elements += _placement->space(by_column ? stats.columns : stats.rows).length();
    }
    const std::uint64_t made_of = there.empty() ? 2 * sizeof(LocalIndex) + stats.value_bytes : 0;
    entry = all.max(entry - std::min(entry, made_of));
    elements = all.max(elements);
    stencils = all.max(stencils);
    needs.add("storages of matrix " + std::to_string(index_of(matrix)),
              [=, nonzeros = stats.nonzeros, imbalance = stats.imbalance](std::uint64_t workers) {
                const double nonzeros_here = static_cast<double>(comm::share_of(nonzeros, workers)) * imbalance;
                return comm::share_of(stencils, workers) + static_cast<std::uint64_t>(nonzeros_here) * entry +
                       8 * std::min(comm::share_of(elements, workers) + static_cast<std::uint64_t>(nonzeros_here),
                                    elements);
              });
  }
}

/// What is to come later needs what it is made of.
void StorageUse::before(std::size_t step) {
  bool dropped = false;
  for (const auto& [id, walked] : _walked[step]) {
    partition::LocalMatrix& matrix = _placement->matrix(id);
    const std::vector<MatrixStorage> there = matrix.storages();
    std::vector<MatrixStorage> needed;
    for (const auto& [storage, need] : _needs.at(id)) {
      if (need.last < step) continue;
      needed.push_back(storage);
      if (!contains(there, storage)) needed.push_back({storage.outputs});
    }
    if (matrix.walk(walked.storages, walked.walks, needed)) dropped = true;
  }
  if (dropped) comm::return_free_memory();
}

}  // namespace kasen::runtime
