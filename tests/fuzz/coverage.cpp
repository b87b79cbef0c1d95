#include "tests/fuzz/coverage.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"
#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {
namespace {

using optimizer::Exchange;
using optimizer::Launch;
using optimizer::Step;
using optimizer::Sweep;

constexpr const char* kStatements[] = {"constant", "iota",   "random",  "batch",  "value", "operation",
                                       "copy",     "array",  "swap",    "rotate", "loop",  "counted loop",
                                       "branch",   "matrix", "attempt", "probe",  "read"};
constexpr const char* kTypeNames[] = {"int32",  "int64",  "double", "bool",  "pair",  "int8",
                                      "uint16", "uint32", "uint64", "float", "color", "wide"};
static_assert(std::size(kTypeNames) == kTypes);
constexpr const char* kStates[] = {"partitioned", "consistent", "pre-reduced"};

const char* name_of(State::Kind kind) {
  return kStates[kind == State::Kind::partitioned ? 0 : kind == State::Kind::consistent ? 1 : 2];
}

/// What workers send nothing of, if they are alone.
const std::set<std::string>& among_workers() {
  static const std::set<std::string> names{"step: gather that moves",        "step: scatter that moves",
                                           "step: gather that begins early", "step: scatter that goes on",
                                           "step: messages to neighbours",   "step: messages of all",
                                           "step: sparse exchange"};
  return names;
}

/// How a sweep walks.
std::string walk_name(optimizer::Walk walk) {
  constexpr const char* kNames[] = {"elements", "compressed", "dense", "rectangles", "blocked", "stencils"};
  return kNames[static_cast<std::size_t>(walk)];
}

bool holds(const std::vector<ValueId>& values, ValueId value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// Of the recorded branches of a block, those by the test of one before.
std::uint64_t branches_by_one_test(const Block& block) {
  std::vector<Place> tests;
  std::uint64_t found = 0;
  for (const Statement& s : block) {
    if (s.kind != Statement::Kind::branch || s.native) continue;
    if (std::find(tests.begin(), tests.end(), s.test) != tests.end()) ++found;
    tests.push_back(s.test);
  }
  return found;
}

}  // namespace

Coverage::Coverage() {
  const auto counters = [&](const std::string& group, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      _order.push_back(group + ": " + name);
      _counts[_order.back()] = 0;
    }
  };
  counters("statement", {std::begin(kStatements), std::end(kStatements)});
  counters("program", {"native loop",
                       "likely loop",
                       "while loop",
                       "native branch",
                       "recorded branch",
                       "branches by one test",
                       "two matrices late",
                       "more than six roles",
                       "error caught",
                       "twin functions",
                       "white box",
                       "black box",
                       "laws",
                       "fold",
                       "temporaries",
                       "temporaries in a fold",
                       "temporaries in a reduction by key",
                       "temporaries in a take",
                       "moved vector",
                       "owners by function",
                       "dense entries",
                       "symmetric matrix",
                       "matrix in batches",
                       "rows in batches",
                       "with a delta loop in a plan",
                       "with delta iterations",
                       "with rests",
                       "with a product that settles"});
  counters("element type", {std::begin(kTypeNames), std::end(kTypeNames)});
  for (const auto& [option, words] : option_words()) counters(option, words);
  counters("passes", switched_off());
  counters("exchange limit", {"lowered"});
  counters("settled entries", {"lowered"});
  counters("settled walks", {"lowered"});
  for (int rule = 4; rule <= 15; ++rule) counters("rule", {std::to_string(rule)});
  counters("rule", {"0", "3", "16", "17", "18", "19", "20", "21"});
  counters("state at the end", {std::begin(kStates), std::end(kStates)});
  counters("state at the start", {std::begin(kStates), std::end(kStates)});
  counters("state beside a late matrix", {std::begin(kStates), std::end(kStates)});
  counters("step", {"sweep of elements",
                    "sweep of compressed",
                    "sweep of blocked",
                    "sweep of dense",
                    "sweep of rectangles",
                    "sweep of stencils",
                    "mixed sweep",
                    "both directions of a batch in a sweep",
                    "both directions of a dense matrix in a greedy sweep",
                    "product of active elements, pushed",
                    "product of active elements, walked",
                    "product that settles, from elements",
                    "product that settles with another one, from elements",
                    "product that finds what is connected",
                    "product that passes on to all that is connected, to elements",
                    "delta iteration",
                    "iteration of a delta loop, on all",
                    "products joined",
                    "product of both ends",
                    "product of both ends, pushed",
                    "in place",
                    "in place, for certain",
                    "copied on replicas",
                    "made in a tile",
                    "buffer passed on",
                    "gather that moves",
                    "scatter that moves",
                    "gather of none",
                    "scatter of none",
                    "several moves at once",
                    "gather that begins early",
                    "scatter that goes on",
                    "messages to neighbours",
                    "messages of all",
                    "sparse exchange",
                    "reduction",
                    "scalar",
                    "loop",
                    "loop that runs",
                    "loop that does not",
                    "loop in a loop",
                    "branch",
                    "pre-reduced argument",
                    "pre-reduced result of a branch",
                    "rotation",
                    "plan used again"});
}

void Coverage::add(const std::string& name, std::uint64_t count) {
  const auto found = _counts.find(name);
  if (found == _counts.end()) throw std::logic_error("no such counter: " + name);
  found->second += count;
}

void Coverage::add_program(const Program& program) {
  _has_delta_loop = _has_delta_iterations = false;
  add("program: branches by one test", branches_by_one_test(program.body));
  for_each_statement(program.body, [&](const Statement& s, int) {
    for (const Block* inner : {&s.body, &s.otherwise})
      add("program: branches by one test", branches_by_one_test(*inner));
    add(std::string("statement: ") + kStatements[static_cast<std::size_t>(s.kind)]);
    if (s.kind == Statement::Kind::loop) {
      add(s.native ? "program: native loop" : s.likely ? "program: likely loop" : "program: while loop");
    }
    if (s.kind == Statement::Kind::batch && program.batches[static_cast<std::size_t>(s.batches)].width > 0)
      add("program: rows in batches");
    if (s.kind == Statement::Kind::branch) add(s.native ? "program: native branch" : "program: recorded branch");
    if (s.kind != Statement::Kind::operation) return;
    const Operation& called = operations()[static_cast<std::size_t>(s.operation)];
    if (called.twin) add("program: twin functions");
    if (s.temporaries) {
      add("program: temporaries");
      if (called.kind == Operation::Kind::fold) add("program: temporaries in a fold");
      if (called.kind == Operation::Kind::keyed) add("program: temporaries in a reduction by key");
      if (called.kind == Operation::Kind::taken) add("program: temporaries in a take");
    }
    const auto is_target = [&](const Operand& operand) { return operand.place == s.target; };
    if (s.temporaries && !s.declares && called.kind == Operation::Kind::element &&
        std::any_of(s.operands.begin(), s.operands.end(), is_target)) {
      add("program: moved vector");
    }
    if (called.kind == Operation::Kind::fold) add("program: fold");
    if (called.kind == Operation::Kind::element) {
      const bool lawful = called.text.find("kasen::laws(") != std::string::npos;
      const bool black = called.text.find("[](") != std::string::npos;
      add(lawful ? "program: laws" : black ? "program: black box" : "program: white box");
    }
  });
  for (const Variable& variable : program.variables) {
    add(std::string("element type: ") + kTypeNames[static_cast<std::size_t>(variable.type)]);
  }
  const std::vector<char> late = late_matrices(program);
  if (std::count(late.begin(), late.end(), char{1}) >= 2) add("program: two matrices late");
  std::vector<int> roles(program.spaces.size());
  for (const MatrixOf& matrix : program.matrices) {
    const auto rows = static_cast<std::size_t>(matrix.rows), columns = static_cast<std::size_t>(matrix.columns);
    ++roles[rows], ++roles[columns];
    const int elements = program.spaces[rows].length * program.spaces[columns].length;
    if (elements > 0 && static_cast<int>(matrix.entries.size()) == elements) add("program: dense entries");
  }
  if (std::any_of(roles.begin(), roles.end(), [](int count) { return count > 6; })) add("program: more than six roles");
  for (const SpaceOf& space : program.spaces) {
    if (space.owners != 0) add("program: owners by function");
  }
}

void Coverage::add_options(const Combination& combination) {
  for (const auto& [option, word] : combination.words) add(option + ": " + word);
  for (const std::string& pass : combination.options.passes_off) add("passes: " + pass);
  if (combination.options.exchange_limit != Options().exchange_limit) add("exchange limit: lowered");
  if (combination.options.settled_entries != Options().settled_entries) add("settled entries: lowered");
  if (combination.options.settled_walks != Options().settled_walks) add("settled walks: lowered");
}

void Coverage::add_waiting(Session& session) {
  session.engine().recorder().for_each_stored([&](recording::Stored& stored) {
    if (stored.about.kind != kasen::Value::Kind::vector) return;
    add(std::string("state beside a late matrix: ") + name_of(stored.state.kind));
  });
}

void Coverage::add_session(Session& session) {
  const PlacementStats& stats = session.engine().placement().stats();
  if (std::any_of(stats.matrices.begin(), stats.matrices.end(), [](const auto& matrix) { return matrix.symmetric; }))
    add("program: symmetric matrix");
  if (std::any_of(stats.matrices.begin(), stats.matrices.end(), [](const auto& matrix) { return matrix.in_batches(); }))
    add("program: matrix in batches");
  for (const auto& record : session.engine().plans()) {
    const optimizer::Plan& plan = record->plan;
    const auto vector = [&](ValueId value) { return plan.values[index_of(value)].kind == kasen::Value::Kind::vector; };
    const auto partial = [&](ValueId value) {
      return vector(value) && plan.states[index_of(value)].kind == State::Kind::pre_reduced;
    };
    if (record->runs > 1) add("step: plan used again");
    for (const LiveIn& live : plan.live_in) {
      if (vector(live.value)) add(std::string("state at the start: ") + name_of(live.state.kind));
    }
    for (const optimizer::Result& result : plan.results) {
      if (vector(result.asked)) add(std::string("state at the end: ") + name_of(result.state.kind));
    }
    std::size_t index = 0;
    optimizer::for_each_step(plan.steps, [&](const Step& step) {
      const Activity& activity = record->activity[index];
      const std::uint64_t pushed = activity.partial_runs(), entered = record->entered[index++];
      if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
        add("step: loop");
        if (step.block != 0) add("step: loop in a loop");
        if (!loop->body.empty()) {  // whose steps come next
          add(record->entered[index] > 0 ? "step: loop that runs" : "step: loop that does not");
        }
        for (std::size_t k = 0; k < loop->arguments.size(); ++k) {
          if (partial(loop->arguments[k])) add("step: pre-reduced argument");
          const bool unused = holds(step.dies, loop->results[k]);
          bool read_by_product = false;
          optimizer::for_each_step(loop->body, [&](const Step& inner_step) {
            const auto* sweep = std::get_if<Sweep>(&inner_step.what);
            if (sweep == nullptr) return;
            for (const Launch& launch : sweep->launches) {
              read_by_product = read_by_product || (is_matrix_op(launch.op) && holds(launch.in, loop->arguments[k]));
            }
          });
          if (unused && read_by_product) add("step: rotation");
        }
        return;
      }
      if (const auto* branch = std::get_if<optimizer::Branch>(&step.what)) {
        add("step: branch");
        for (const ValueId result : branch->results) {
          if (partial(result)) add("step: pre-reduced result of a branch");
        }
        return;
      }
      if (const auto* found = std::get_if<Sweep>(&step.what); found != nullptr && found->delta) {
        if (!std::exchange(_has_delta_loop, true)) add("program: with a delta loop in a plan");
        if (pushed > 0 && !std::exchange(_has_delta_iterations, true)) {
          add("program: with delta iterations");
          if (!found->delta->rests.empty()) add("program: with rests");
        }
      }
      if (entered == 0) return;
      if (std::holds_alternative<optimizer::ScalarWork>(step.what)) {
        add("step: scalar");
        return add("rule: 3");
      }
      if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
        if (!exchange->reductions.empty()) add("step: reduction");
        add(exchange->to_neighbours ? "step: messages to neighbours" : "step: messages of all");
        if (exchange->sparse) add("step: sparse exchange");
        if (exchange->overlapped != optimizer::kNotOverlapped)
          add(exchange->gathers.empty() ? "step: scatter that goes on" : "step: gather that begins early");
        if (exchange->gathers.size() + exchange->scatters.size() > 1) add("step: several moves at once");
        const auto moves = [&](const optimizer::Move& move) {
          const SpaceId space = plan.values[index_of(move.to)].space;
          const auto& listed = stats.spaces[index_of(space)].roles;  // of now: matrices may have come since
          return std::any_of(listed.begin(), listed.end(),
                             [&](const auto& entry) { return entry.roles == move.roles && entry.replicas != 0; });
        };
        for (const auto& move : exchange->gathers)
          add(moves(move) ? "step: gather that moves" : "step: gather of none");
        for (const auto& move : exchange->scatters) {
          add(moves(move) ? "step: scatter that moves" : "step: scatter of none");
        }
        return;
      }
      const auto& sweep = std::get<Sweep>(step.what);
      add("step: sweep of " + walk_name(sweep.walk));
      bool products = false, others = false;
      for (const Launch& launch : sweep.launches) {
        (is_matrix_op(launch.op) ? products : others) = true;
        add("rule: " + std::to_string(launch.rule));
        if (launch.label.ends_with(", c*x")) add("rule: 16");
        if (is_matrix_op(launch.op) && launch.out.size() > 1) add("step: products joined");
        if (is_of_ends(launch)) add(launch.push ? "step: product of both ends, pushed" : "step: product of both ends");
        if (!launch.copied_roles.empty()) add("step: copied on replicas");
      }
      if (products && others) add("step: mixed sweep");
      const auto pulls = [](const Launch& launch) { return is_matrix_op(launch.op) && !launch.push; };
      if (optimizer::is_of_batch(step) && optimizer::pushes(sweep) &&
          std::any_of(sweep.launches.begin(), sweep.launches.end(), pulls))
        add("step: both directions of a batch in a sweep");
      if (sweep.walk == optimizer::Walk::dense && !plan.search.searched)
        add("step: both directions of a dense matrix in a greedy sweep");
      if (optimizer::active_of(sweep) != kNone<ValueId>) {
        add("step: product of active elements, pushed", pushed);
        add("step: product of active elements, walked", entered - pushed);
      }
      if (optimizer::connects(sweep)) {
        add("step: product that finds what is connected", activity.settled.runs);
        add("step: product that passes on to all that is connected, to elements", activity.settled.elements);
      } else if (optimizer::settles(sweep)) {
        add("program: with a product that settles");
        add("step: product that settles, from elements", activity.settled.elements);
        if (sweep.launches[0].delta_product > 0)
          add("step: product that settles with another one, from elements", activity.settled.elements);
      }
      if (sweep.delta) {
        add("step: delta iteration", pushed);
        add("step: iteration of a delta loop, on all", entered - pushed);
      }
      for (const optimizer::Place& place : sweep.places) {
        if (place.kind == optimizer::Place::Kind::temporary) add("step: made in a tile");
        if (place.replaces != kNone<ValueId>) add("step: in place");
        if (place.exclusive) add("step: in place, for certain");
      }
    });
    for (const optimizer::BufferClass& buffers : plan.classes) {
      std::uint64_t users = 0;
      for (const std::uint32_t of : plan.class_of) {
        users += of != optimizer::kNotStored && plan.classes[of] == buffers ? 1 : 0;
      }
      if (users > buffers.count) add("step: buffer passed on");
    }
  }
}

std::string Coverage::table() const {
  std::string text;
  for (const std::string& name : _order) {
    const std::string count = std::to_string(_counts.at(name));
    text += std::string(count.size() < 10 ? 10 - count.size() : 0, ' ') + count + "  " + name + "\n";
  }
  return text;
}

std::vector<std::string> Coverage::missing(int workers) const {
  std::vector<std::string> names;
  for (const std::string& name : _order) {
    if (_counts.at(name) == 0 && (workers > 1 || !among_workers().contains(name))) names.push_back(name);
  }
  return names;
}

}  // namespace kasen::tests::fuzz
