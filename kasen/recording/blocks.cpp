// Recorded control flow: blocks become regions of one statement, slots become arguments and results.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kasen/base/error.h"
#include "kasen/base/program_tools.h"
#include "kasen/recording/recorder.h"

namespace kasen::recording {

Recorder::Frame Recorder::pop_frame() {
  Frame frame = std::move(_frames.back());
  _frames.pop_back();
  for (SlotId id : frame.made) slot(id).escaped = true;
  if (!in_block()) {
    _free_slots.insert(_free_slots.end(), _dropped_in_block.begin(), _dropped_in_block.end());
    _dropped_in_block.clear();
  }
  return frame;
}

/// Records into a new frame. If that throws, the frame is gone and everything outside is as before.
void Recorder::in_frame(bool loop, SourceLine where, const std::function<void()>& record_block) {
  _frames.emplace_back();
  _frames.back().loop = loop;
  _frames.back().where = where;
  try {
    record_block();
    check_ends();
  } catch (...) {
    pop_frame();
    throw;
  }
}

/// At the end of a block. What containers, optionals and pointers hold is not carried to the next iteration, or to what
/// follows a branch: only what is stored to a handle is. So no handle is exchanged for another one in a block.
void Recorder::check_ends() const {
  const Frame& frame = _frames.back();
  constexpr std::string_view kAdvice =
      "the block is recorded once, and which handle a container or pointer holds is not part of it. Assign to a handle "
      "that was made before the block (h[0] = ...), or swap or rotate such handles themselves";
  if (!frame.made.empty()) {
    refuse(frame.where, frame.loop ? "while_" : "if_",
           fmt::format("a handle that was made in the block (at {}), or copied by a container in it, lives on after "
                       "it: {}",
                       line_for(slot(frame.made.front()).where, frame.where), kAdvice));
  }
  if (frame.loop && frame.ended) {
    refuse(frame.where, "while_",
           fmt::format("a handle that was made before the block (at {}) and is used in it ends in it: {}",
                       line_for(*frame.ended, frame.where), kAdvice));
  }
}

void Recorder::record_while(const std::function<SlotId()>& condition, const std::function<void()>& body, bool likely,
                            SourceLine where) {
  std::map<SlotId, ValueId> after_condition;
  in_frame(true, where, [&] {
    const SlotId test = condition();
    Frame& frame = _frames.back();
    frame.block.test = read(test, where);
    frame.block.condition_length = frame.block.statements.size();
    after_condition = frame.current;
    drop(test);
    body();
  });
  Frame& frame = _frames.back();
  for (const Argument& argument : frame.arguments) {
    const auto then = after_condition.find(argument.slot);
    const auto end = frame.current.find(argument.slot);
    frame.block.arguments.push_back(argument.argument);
    frame.block.condition_yields.push_back(then == after_condition.end() ? argument.argument : then->second);
    frame.block.yields.push_back(end == frame.current.end() ? argument.argument : end->second);
  }
  close_loop(pop_frame(), likely);
}

namespace {

/// Whether the test of a loop can change: it reads an argument, if only by way of what the condition computes.
bool test_changes(const Block& body) {
  std::set<ValueId> changing(body.arguments.begin(), body.arguments.end());
  for (std::size_t i = 0; i < body.condition_length; ++i) {
    const Statement& statement = body.statements[i];
    bool reads = false;
    for_each_read(statement, [&](ValueId value) { reads = reads || changing.contains(value); });
    if (reads) changing.insert(statement.out.begin(), statement.out.end());
  }
  return changing.contains(body.test);
}

}  // namespace

void Recorder::close_loop(Frame frame, bool likely) {
  Statement loop;
  loop.op = Op::while_;
  loop.likely = likely;
  loop.where = frame.where;
  loop.label = likely ? "while(likely)" : "while";
  Substitution invariants;
  Block body = std::move(frame.block);
  Block kept = body;
  kept.arguments.clear();
  kept.condition_yields.clear();
  kept.yields.clear();
  std::vector<std::pair<SlotId, ValueId>> stores;
  for (std::size_t k = 0; k < frame.arguments.size(); ++k) {
    const Argument& argument = frame.arguments[k];
    if (body.yields[k] == argument.argument && body.condition_yields[k] == argument.argument) {
      invariants[argument.argument] = argument.outer;
      continue;
    }
    kept.arguments.push_back(body.arguments[k]);
    kept.condition_yields.push_back(body.condition_yields[k]);
    kept.yields.push_back(body.yields[k]);
    loop.in.push_back(argument.outer);
    loop.out.push_back(new_value(about(argument.argument)));
    if (slot(argument.slot).used) stores.emplace_back(argument.slot, loop.out.back());
  }
  if (!test_changes(kept)) {
    refuse(loop.where, "while_",
           "the condition reads nothing that the loop stores, so it would hold for ever or never: what changes is "
           "stored to a variable made before the loop; an if_ asks once");
  }
  substitute_reads(kept, invariants);
  loop.regions.push_back(std::move(kept));
  push(std::move(loop));
  for (const auto& [id, value] : stores) store(id, value);
}

void Recorder::record_if(SlotId test, const std::function<void()>& then, const std::function<void()>& otherwise,
                         SourceLine where) {
  Statement branch;
  branch.op = Op::if_;
  branch.label = "if";
  branch.where = where;
  branch.shared = {read(test, where)};
  std::vector<std::map<SlotId, ValueId>> ends;
  std::vector<SlotId> stored;
  for (const auto* record_side : {&then, &otherwise}) {
    in_frame(false, where, *record_side);
    Frame frame = pop_frame();
    // In the order of the program: numbers of slots are used again, and the same code would make another program.
    for (SlotId id : frame.stored) {
      if (frame.current.contains(id) && std::find(stored.begin(), stored.end(), id) == stored.end())
        stored.push_back(id);
    }
    ends.push_back(std::move(frame.current));
    branch.regions.push_back(std::move(frame.block));
  }
  for (SlotId id : stored) {
    for (std::size_t side = 0; side < 2; ++side) {
      const auto found = ends[side].find(id);
      branch.regions[side].yields.push_back(found == ends[side].end() ? read(id, where) : found->second);
    }
    branch.out.push_back(new_value(about(branch.regions[0].yields.back())));
  }
  const std::vector<ValueId> results = branch.out;
  push(std::move(branch));
  for (std::size_t k = 0; k < stored.size(); ++k) store(stored[k], results[k]);
}

}  // namespace kasen::recording
