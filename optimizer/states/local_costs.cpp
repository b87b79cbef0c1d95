#include "optimizer/states/local_costs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kasen/base/program_tools.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/states/insert_transitions.h"
#include "optimizer/states/state_key.h"

namespace kasen::optimizer {
namespace {

using Kind = State::Kind;

constexpr std::size_t kManyStatements = 24;
constexpr std::size_t kMargin = 4;       // steps before and after what differs, at first
constexpr std::size_t kSmallerPart = 3;  // windows are of one statement in so many, or fewer

/// Which form of a value a reader gets: as it was made, gathered, or scattered.
enum class Form : std::uint8_t { made, gathered, scattered };

Form form_of(const FoundStates& found, ValueId value, Kind kind) {
  if (kind == Kind::pre_reduced) return Form::made;
  if (kind == Kind::consistent && found.scattered[index_of(value)] != kNoRoles) return Form::scattered;
  return found.gathered[index_of(value)] != 0 ? Form::gathered : Form::made;
}

/// The states that the statement asks of its vectors.
Kind asked(const FoundStates& found, const Statement& statement, std::size_t k) {
  return statement.op == Op::while_ ? found.states[index_of(statement.regions[0].arguments[k])].kind
                                    : read_kind(statement, found.choice[index_of(statement.out[0])], k);
}

bool reads_other_form(const FoundStates& a, const FoundStates& b, ValueId value, const Reader& reader,
                      const Statement* statement) {
  if (statement == nullptr) {
    return form_of(a, value, a.states[index_of(reader.as)].kind) !=
           form_of(b, value, b.states[index_of(reader.as)].kind);
  }
  for (std::size_t k = 0; k < statement->in.size(); ++k) {
    if (statement->in[k] == value &&
        form_of(a, value, asked(a, *statement, k)) != form_of(b, value, asked(b, *statement, k)))
      return true;
  }
  return false;
}

/// What is made before the window is in all its forms on entry.
void leave_out_transitions(const Windows::Piece& piece, StatedProgram& stated) {
  std::set<ValueId> before;
  for (std::size_t v = 0; v < piece.values.size(); ++v) {
    if (piece.synchronised[v] == 0) before.insert(static_cast<ValueId>(v));
  }
  std::set<ValueId> in_several_forms;
  std::erase_if(stated.program.top.statements, [&](const Statement& statement) {
    if (!is_transition(statement.op) || !before.contains(statement.in[0])) return false;
    in_several_forms.insert({statement.in[0], statement.out[0]});
    before.insert(statement.out[0]);
    stated.program.live_in.push_back({statement.out[0], stated.states[index_of(statement.out[0])], false});
    return true;
  });
  for (LiveIn& live : stated.program.live_in) live.dies = live.dies && !in_several_forms.contains(live.value);
}

/// The values of the program that are made by the first step that makes any.
template <class Iterator>
std::vector<ValueId> made_by_first(Iterator step, Iterator end, std::size_t values) {
  std::vector<ValueId> made;
  for (; step != end && made.empty(); ++step) {
    made = defined_by(*step);
    std::erase_if(made, [&](ValueId value) { return index_of(value) >= values; });
  }
  std::sort(made.begin(), made.end());
  return made;
}

/// Whether the parts are equal in all that comes before buffers. These count for all of a program at its fullest
/// moment, so windows cannot tell who needs less.
bool equal_up_to_buffers(const PlanCost::Part& a, const PlanCost::Part& b) {
  return a.bytes_sent == b.bytes_sent && a.messages == b.messages && a.stream_bytes == b.stream_bytes &&
         a.exchanges == b.exchanges;
}

}  // namespace

bool LocalCosts::worthwhile(const Program& program) {
  std::size_t statements = 0;
  for_each_block(program.top, [&](const Block& block) { statements += block.statements.size(); });
  return statements >= kManyStatements;
}

LocalCosts::LocalCosts(const Program& program, const Lower& lower, const Plan& plan)
    : _program(program), _lower(lower), _windows(program) {
  _windows.cut_by(plan);
}

std::optional<bool> LocalCosts::cheaper(const FoundStates& changed, const FoundStates& current) {
  const auto spots = differing(changed, current);
  if (!spots) return std::nullopt;
  std::vector<Window> windows, smaller;
  for (std::size_t margin = kMargin;; margin *= 2) {
    smaller = std::exchange(windows, _windows.around(*spots, margin));
    std::size_t size = 0;
    for (const Window& window : windows) size += _windows.size(window);
    if (kSmallerPart * size > _windows.size()) return std::nullopt;
    PlanCost before, after;
    bool contained = true;
    for (const Window& window : windows) {
      const std::optional<Cost>&was = cost_of(window, current), &is = cost_of(window, changed);
      if (!was || !is) return std::nullopt;
      contained = contained && (window.first == 0 || was->begin == is->begin) &&
                  (window.last == _windows.last_step(window.block) || was->end == is->end);
      before += was->cost;
      after += is->cost;
    }
    if (!contained && windows != smaller) continue;
    const auto part = _windows.any_loops() ? &PlanCost::loops : &PlanCost::rest;
    if (equal_up_to_buffers(before.*part, after.*part) && before.rest.buffer_bytes != after.rest.buffer_bytes)
      return std::nullopt;
    return after < before;
  }
}

/// All statements that are other kernels, have other transitions after them, or read another form of a vector. Nothing
/// if a loop or branch hands something on in another state.
std::optional<std::vector<Spot>> LocalCosts::differing(const FoundStates& changed, const FoundStates& current) const {
  std::vector<ValueId> values;
  for (std::size_t v = 0; v < _program.values.size(); ++v) {
    const auto value = static_cast<ValueId>(v);
    const bool made_alike = changed.choice[v] == current.choice[v] && changed.states[v] == current.states[v];
    if (!made_alike) {
      const Statement* maker = _windows.statement(_windows.made(value));
      if (maker == nullptr || !maker->regions.empty()) return std::nullopt;
    }
    if (!made_alike || changed.gathered[v] != current.gathered[v] || changed.scattered[v] != current.scattered[v])
      values.push_back(value);
  }
  std::vector<Spot> spots;
  for (ValueId value : values) {
    spots.push_back(_windows.made(value));
    for (const Reader& reader : _windows.readers(value)) {
      if (reads_other_form(changed, current, value, reader, _windows.statement(reader.spot)))
        spots.push_back(reader.spot);
    }
  }
  return spots;
}

const std::optional<LocalCosts::Cost>& LocalCosts::cost_of(const Window& window, const FoundStates& found) {
  auto known_piece = _pieces.find(window);
  if (known_piece == _pieces.end()) known_piece = _pieces.emplace(window, _windows.piece(window)).first;
  const Windows::Piece& piece = known_piece->second;
  FoundStates part;
  part.role_sets = found.role_sets;
  for (std::size_t v = 0; v < piece.values.size(); ++v) {
    const std::size_t value = index_of(piece.values[v]);
    part.states.push_back(found.states[value]);
    part.choice.push_back(found.choice[value]);
    part.gathered.push_back(found.gathered[value]);
    part.scattered.push_back(found.scattered[value]);
  }
  const auto [known, is_new] = _costs.try_emplace({window, key_of(part)});
  if (!is_new) return known->second;
  Program program = piece.program;
  for (LiveIn& live : program.live_in) live.state = part.state(live.value);
  StatedProgram stated = insert_transitions(program, std::move(part));
  leave_out_transitions(piece, stated);
  if (const auto plan = _lower(stated)) {
    known->second = {optimizer::cost_of(*plan, _windows.loops(window.block)),
                     made_by_first(plan->steps.begin(), plan->steps.end(), piece.values.size()),
                     made_by_first(plan->steps.rbegin(), plan->steps.rend(), piece.values.size())};
  }
  return known->second;
}

}  // namespace kasen::optimizer
