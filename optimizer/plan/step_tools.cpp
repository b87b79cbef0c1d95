#include "optimizer/plan/step_tools.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace kasen::optimizer {
namespace {

using Values = std::vector<ValueId>;

void append(Values& to, const Values& values) { to.insert(to.end(), values.begin(), values.end()); }

Values sorted(Values values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// What is in `values` and not in `made`.
Values read_before(Values values, Values made) {
  made = sorted(std::move(made));
  std::erase_if(values, [&](ValueId value) { return std::binary_search(made.begin(), made.end(), value); });
  return values;
}

Values reads_of_body(const std::vector<Step>& body, Values inside, const Values& yields) {
  Values reads = yields;
  for (const Step& step : body) {
    append(reads, reads_of(step));
    append(inside, defined_by(step));
  }
  return read_before(std::move(reads), std::move(inside));
}

template <class Steps, class Visit>
void walk(Steps& steps, const Visit& visit) {
  for (auto& step : steps) {
    visit(step);
    if (auto* loop = std::get_if<Loop>(&step.what)) {
      walk(loop->body, visit);
    } else if (auto* branch = std::get_if<Branch>(&step.what)) {
      walk(branch->then, visit);
      walk(branch->otherwise, visit);
    }
  }
}

}  // namespace

std::vector<ValueId> reads_of(const Step& step) {
  Values reads;
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
    Values made;
    for (const Launch& launch : sweep->launches) {
      append(made, launch.out);
      append(reads, launch.in);
    }
    reads = read_before(std::move(reads), std::move(made));
    for (const Launch& launch : sweep->launches) {
      append(reads, launch.shared);
      if (launch.active != kNone<ValueId>) reads.push_back(launch.active);
    }
  } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    for (const auto* moves : {&exchange->gathers, &exchange->scatters, &exchange->reductions}) {
      for (const Move& move : *moves) reads.push_back(move.from);
    }
  } else if (const auto* scalar = std::get_if<ScalarWork>(&step.what)) {
    reads = scalar->in;
  } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
    reads = reads_of_body(loop->body, loop->arguments, loop->yields);
    append(reads, loop->initial);
  } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
    reads = reads_of_body(branch->then, {}, branch->then_yields);
    append(reads, reads_of_body(branch->otherwise, {}, branch->otherwise_yields));
    reads.push_back(branch->test);
  }
  return sorted(std::move(reads));
}

std::vector<ValueId> defined_by(const Step& step) {
  std::vector<ValueId> defined;
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
    for (const Launch& launch : sweep->launches) defined.insert(defined.end(), launch.out.begin(), launch.out.end());
  } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    for (const auto* moves : {&exchange->gathers, &exchange->scatters, &exchange->reductions}) {
      for (const Move& move : *moves) defined.push_back(move.to);
    }
  } else if (const auto* scalar = std::get_if<ScalarWork>(&step.what)) {
    defined.push_back(scalar->out);
  } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
    defined = loop->results;
  } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
    defined = branch->results;
  }
  return defined;
}

std::set<ValueId> defined_within(const std::vector<Step>& steps) {
  std::set<ValueId> all;
  for_each_step(steps, [&](const Step& step) {
    const Values defined = defined_by(step);
    all.insert(defined.begin(), defined.end());
    if (const auto* loop = std::get_if<Loop>(&step.what)) all.insert(loop->arguments.begin(), loop->arguments.end());
  });
  return all;
}

const char* kind_of(const Step& step) {
  constexpr const char* kKinds[] = {"sweep", "exchange", "scalar", "loop", "branch"};
  static_assert(std::size(kKinds) == std::variant_size_v<decltype(step.what)>);
  return kKinds[step.what.index()];
}

bool holds_steps(const Step& step) {
  return std::holds_alternative<Loop>(step.what) || std::holds_alternative<Branch>(step.what);
}

std::set<ValueId> read_through_matrix(const Sweep& sweep) {
  std::set<ValueId> vectors;
  for (const Launch& launch : sweep.launches) {
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      if (is_matrix_op(launch.op) && reads_through_matrix(launch, k)) vectors.insert(launch.in[k]);
    }
  }
  return vectors;
}

std::set<ValueId> read_at_random(const Sweep& sweep) {
  std::set<ValueId> vectors = read_through_matrix(sweep);
  for (const Launch& launch : sweep.launches) {
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      if (reads_whole(launch, k)) vectors.insert(launch.in[k]);
    }
  }
  return vectors;
}

std::vector<ValueId> replaceable(const Sweep& sweep, std::span<const ValueId> dies) {
  const std::set<ValueId> at_random = read_at_random(sweep);
  std::vector<ValueId> found;
  std::copy_if(dies.begin(), dies.end(), std::back_inserter(found),
               [&](ValueId value) { return !at_random.contains(value); });
  return found;
}

ValueId active_of(const Sweep& sweep) { return sweep.launches.empty() ? kNone<ValueId> : sweep.launches[0].active; }

ValueId batch_of(const Sweep& sweep) {
  for (const Launch& launch : sweep.launches) {
    if (launch.of_batch) return batch_of(launch);
  }
  return kNone<ValueId>;
}

bool is_of_batch(const Step& step) {
  const auto* sweep = std::get_if<Sweep>(&step.what);
  return sweep != nullptr && batch_of(*sweep) != kNone<ValueId>;
}

const Move& sent_sparsely(const Exchange& exchange) {
  if (!exchange.gathers.empty()) return exchange.gathers.front();
  return *std::find_if(exchange.scatters.begin(), exchange.scatters.end(),
                       [](const Move& move) { return move.active != kNone<ValueId>; });
}

bool touches_masters_alone(const Sweep& sweep) {
  return std::all_of(sweep.launches.begin(), sweep.launches.end(), [](const Launch& launch) {
    return launch.roles.empty() && launch.copied_roles.empty() && !follows_keys(launch.op) && launch.wholes == 0;
  });
}

bool in_delta_loop(const Sweep& sweep) {
  return sweep.delta || (!sweep.launches.empty() && sweep.launches[0].delta_product != kNoDelta);
}

bool settles(const Launch& launch) { return launch.settles && launch.delta_product != kNoDelta; }

bool settles(const Sweep& sweep) { return !sweep.launches.empty() && settles(sweep.launches.front()); }

bool connects(const Sweep& sweep) { return settles(sweep) && sweep.launches.front().connects; }

bool finds_connected(const Sweep& sweep) { return connects(sweep) && sweep.launches.front().delta_product == 0; }

void connect_if_it_may(Sweep& sweep) {
  if (sweep.launches.size() == 1 && sweep.launches[0].connects) sweep.launches[0].delta_product = 0;
}

bool pushes(const Sweep& sweep) {
  return std::any_of(sweep.launches.begin(), sweep.launches.end(), [](const Launch& launch) { return launch.push; });
}

std::uint64_t least_pushed(std::uint64_t elements) { return std::clamp<std::uint64_t>(elements / 16, 64, 256); }

bool is_cross(const Operation& operation, const std::vector<Value>& values) {
  return operation.op == Op::reduce_by_key && values[index_of(operation.in[0])].type.row;
}

std::uint64_t numbers_of_element(const Sweep& sweep, const std::vector<Value>& values) {
  std::uint64_t bytes = 1;
  const auto add = [&](ValueId value) {
    bytes = std::max<std::uint64_t>(bytes, values[index_of(value)].type.read_bytes());
  };
  for (const Launch& launch : sweep.launches) {
    std::for_each(launch.in.begin() + launch.wholes, launch.in.end(), add);
    if (is_element_op(launch.op) && !is_any_reduction(launch.op))
      std::for_each(launch.out.begin(), launch.out.end(), add);
  }
  constexpr std::uint64_t kNumber = 8;
  return (bytes + kNumber - 1) / kNumber;
}

Role::Side walked_side(const Sweep& sweep) {
  return walked_side(*std::find_if(sweep.launches.begin(), sweep.launches.end(),
                                   [](const Launch& launch) { return is_matrix_op(launch.op); }));
}

bool may_go_by_stencils(const Operation& product, const std::vector<Value>& values) {
  const auto is_row = [&](ValueId value) { return values[index_of(value)].type.row; };
  return !is_of_ends(product) && !product.of_batch && std::none_of(product.in.begin(), product.in.end(), is_row) &&
         std::none_of(product.out.begin(), product.out.end(), is_row);
}

bool are_numbers(const Operation& product, const std::vector<Value>& values) {
  const auto is_number = [&](ValueId value) { return values[index_of(value)].type.read_bytes() <= sizeof(double); };
  return std::all_of(product.in.begin(), product.in.end(), is_number) &&
         std::all_of(product.out.begin(), product.out.end(), is_number);
}

bool only_pulls(const Sweep& sweep) {
  return std::all_of(sweep.launches.begin(), sweep.launches.end(),
                     [](const Launch& launch) { return is_matrix_op(launch.op) && !launch.push; });
}

void push_instead(Launch& launch, MatrixId matrix) {
  launch.push = true;
  launch.filled_roles = launch.roles;
  launch.roles = {Role{matrix, walked_side(launch)}};
}

void for_each_step(std::vector<Step>& steps, const std::function<void(Step&)>& visit) { walk(steps, visit); }
void for_each_step(const std::vector<Step>& steps, const std::function<void(const Step&)>& visit) {
  walk(steps, visit);
}

}  // namespace kasen::optimizer
