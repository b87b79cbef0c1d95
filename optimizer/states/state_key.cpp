#include "optimizer/states/state_key.h"

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

class KeyWriter {
 public:
  std::vector<std::uint32_t> run(const StatedProgram& stated) {
    for (const State& state : stated.states) add(state);
    for (const RuleChoice& choice : stated.choice) {
      add(static_cast<std::uint32_t>(choice.rule));
      add(choice.argument);
    }
    add(stated.program.top);
    for (const Result& result : stated.results) add(index_of(result.held));
    return std::move(_key);
  }

 private:
  void add(std::uint32_t number) { _key.push_back(number); }
  void add(const State& state) {
    add(static_cast<std::uint32_t>(state.kind));
    add(index_of(state.reducer));
    add(static_cast<std::uint32_t>(state.roles.size()));
    for (const Role& role : state.roles) {
      add(index_of(role.matrix));
      add(static_cast<std::uint32_t>(role.side));
    }
  }
  void add(const std::vector<ValueId>& values) {
    for (ValueId value : values) add(index_of(value));
  }
  /// What the decisions change: which transitions there are, and what is read.
  void add(const Block& block) {
    add(static_cast<std::uint32_t>(block.statements.size()));
    for (const Statement& statement : block.statements) {
      add(static_cast<std::uint32_t>(statement.op));
      add(statement.in);
      add(statement.out);
      for (const Block& region : statement.regions) add(region);
    }
    add(block.yields);
  }

  std::vector<std::uint32_t> _key;
};

}  // namespace

std::vector<std::uint32_t> key_of(const StatedProgram& stated) { return KeyWriter().run(stated); }

}  // namespace kasen::optimizer
