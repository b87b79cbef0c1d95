#include "kasen/session/structure_key.h"

#include <cstring>
#include <utility>

#include "kasen/base/hash.h"

namespace kasen {
namespace {

class KeyWriter {
 public:
  explicit KeyWriter(bool with_lines) : _with_lines(with_lines) {}

  template <class... T>
  void add(T... numbers) {
    (add_one(static_cast<std::uint64_t>(numbers)), ...);
  }
  template <class T>
  void add_list(const std::vector<T>& list) {
    add(list.size());
    for (const T& entry : list) add(entry);
  }
  void add_text(const std::string& text) {
    add(text.size());
    _key += text;
  }
  void add_expression(const ExpressionRef& expression) {
    if (!expression) return add(0);
    add(expression->nodes.size());
    for (const Node& node : expression->nodes) {
      add(node.op, node.type, node.position, node.bits);
      for (int k = 0; k < operands_of(node.op); ++k) add(node.in[static_cast<std::size_t>(k)]);
    }
  }
  void add_work(const Work& work) {
    add(work.known, work.arithmetic, work.divisions, work.transcendentals, work.integers, work.once.arithmetic,
        work.once.divisions, work.once.transcendentals);
  }
  void add_state(const State& state) {
    add(state.kind, state.reducer, state.roles.size());
    for (const Role& role : state.roles) add(role.matrix, role.side);
  }
  void add_block(const Block& block) {
    add_list(block.arguments);
    add(block.statements.size(), block.condition_length, block.test);
    for (const Statement& statement : block.statements) add_statement(statement);
    add_list(block.condition_yields);
    add_list(block.yields);
  }
  std::string take() { return std::move(_key); }

 private:
  void add_one(std::uint64_t number) {
    // Most numbers are small: one byte, or a mark and eight.
    if (number < 0xff) {
      _key.push_back(static_cast<char>(number));
      return;
    }
    _key.push_back(static_cast<char>(0xff));
    _key.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add_statement(const Statement& statement) {
    add(statement.op, statement.matrix, statement.kernel, statement.function, statement.reducer, statement.family,
        statement.reads_global, statement.likely, statement.total, statement.effect, statement.keeps_identity,
        statement.positive, statement.of_batch, statement.inputs, statement.returns, statement.wholes);
    add_list(statement.in);
    add_list(statement.shared);
    add_list(statement.out);
    add(statement.laws.size());
    for (const Law& law : statement.laws) add(law.kind, law.over, law.argument);
    add_expression(statement.expression);
    add_work(statement.work);
    add(statement.affine.scale_kernel, statement.affine.shift_kernel);  // its expressions follow from the whole
    add(statement.activity.all, statement.activity.changed, statement.activity.present, statement.combines);
    add_text(statement.label);
    if (_with_lines) add_line(statement.where);
    add(statement.regions.size());
    for (const Block& region : statement.regions) add_block(region);
  }

  /// The file where it is not that of the statement before.
  void add_line(const SourceLine& where) {
    const bool is_same = std::strcmp(where.file, std::exchange(_file, where.file)) == 0;
    add(where.line, is_same);
    if (!is_same) add_text(where.file);
  }

  const bool _with_lines;
  const char* _file = "";
  std::string _key;
};

/// @param for_plan also source lines, and what live-ins are like
void add_program(KeyWriter& key, const Program& program, bool for_plan) {
  key.add(program.values.size());
  for (const Value& value : program.values)
    key.add(value.kind, value.space, value.type.bytes, value.type.hash, value.type.parts);
  key.add_block(program.top);
  key.add(program.live_in.size());
  for (const LiveIn& live : program.live_in) {
    key.add(live.value);
    if (!for_plan) continue;
    key.add(live.dies);
    key.add_state(live.state);
  }
  key.add(program.live_out.size());
  for (const LiveOut& live : program.live_out) key.add(live.value, live.partitioned);
}

}  // namespace

std::uint64_t program_hash(const Program& program) {
  KeyWriter key(false);
  add_program(key, program, false);
  return hash_of(key.take());
}

std::string structure_key(const Program& program, const PlacementStats& stats) {
  KeyWriter key(true);
  add_program(key, program, true);
  // Spaces and matrices are only ever added.
  key.add(stats.matrices.size(), stats.spaces.size());
  for (const auto& space : stats.spaces) key.add(space.masters, space.replicas, space.roles.size(), space.blocks);
  for (const auto& matrix : stats.matrices) key.add(matrix.by_column.counted, matrix.by_row.counted);
  return key.take();
}

}  // namespace kasen
