/// @file
/// Programs, run as they are written.
#include <numeric>
#include <utility>

#include "tests/optimizer/program_builder.h"

namespace kasen::optimizer::tests {
namespace {

class Interpreter {
 public:
  Interpreter(const ProgramBuilder& builder, const std::vector<std::uint64_t>& lengths,
              const std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>>& matrices)
      : _builder(builder), _lengths(lengths), _matrices(matrices), _values(builder.program.values.size()) {}

  Numbers& at(ValueId value) { return _values[index_of(value)]; }

  void run(const std::vector<Statement>& statements, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) run(statements[i]);
  }

 private:
  void run(const Statement& statement) {
    switch (statement.op) {
      case Op::while_:
        return run_loop(statement);
      case Op::if_:
        return run_branch(statement);
      case Op::reduce: {
        Number result = 0;
        for (Number v : at(statement.in[0])) result = fold(statement.reducer, result, v);
        at(statement.out[0]) = {result};
        return;
      }
      case Op::fold: {
        Number result = 0;
        for (const Number v : of_elements(statement, length(statement.in[0])))
          result = fold(statement.reducer, result, v);
        at(statement.out[0]) = {result};
        return;
      }
      case Op::take: {
        const Numbers& from = at(statement.in[0]);
        Numbers result;
        for (Number key : at(statement.in[1])) {
          const auto place = led_to(key, from.size());
          result.push_back(place ? from[*place] : 0);
        }
        at(statement.out[0]) = std::move(result);
        return;
      }
      case Op::reduce_by_key: {
        Numbers result(length(statement.out[0]), 0);
        const Numbers &keys = at(statement.in[0]), &in = at(statement.in[1]);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          if (const auto place = led_to(keys[i], result.size()))
            result[*place] = fold(statement.reducer, result[*place], in[i]);
        }
        at(statement.out[0]) = std::move(result);
        return;
      }
      case Op::mxv:
      case Op::mxvt: {
        Numbers result(length(statement.out[0]), 0);
        for (const auto& [row, column] : _matrices[index_of(statement.matrix)]) {
          const auto [from, to] = statement.op == Op::mxv ? std::pair(row, column) : std::pair(column, row);
          Number element = at(statement.in[0])[from];
          if (is_of_ends(statement)) {
            Numbers in;
            for (std::size_t k = 0; k < statement.in.size(); ++k)
              in.push_back(at(statement.in[k])[k < statement.inputs ? from : to]);
            element = _builder.functions[index_of(statement.kernel)].f(in, {});
          }
          result[to] = fold(statement.reducer, result[to], weighted(element, row, column));
        }
        at(statement.out[0]) = std::move(result);
        return;
      }
      default:
        return run_function(statement);
    }
  }

  void run_function(const Statement& statement) {
    at(statement.out[0]) = of_elements(statement, statement.op == Op::apply ? 1 : length(statement.out[0]));
  }

  Numbers of_elements(const Statement& statement, std::uint64_t n) {
    Numbers shared, result;
    for (ValueId value : statement.shared) shared.push_back(at(value)[0]);
    for (std::uint64_t i = 0; i < n; ++i) {
      Numbers in;
      for (std::size_t k = 0; k < statement.in.size(); ++k) {
        const Numbers& vector = at(statement.in[k]);
        in.push_back(k < statement.wholes ? std::accumulate(vector.begin(), vector.end(), Number{0}) : vector[i]);
      }
      if (statement.op == Op::source) in = {i};
      result.push_back(_builder.functions[index_of(statement.kernel)].f(in, shared));
    }
    return result;
  }

  void run_loop(const Statement& statement) {
    const Block& body = statement.regions[0];
    assign(body.arguments, statement.in);
    for (;;) {
      run(body.statements, 0, body.condition_length);
      if (at(body.test)[0] == 0) break;
      run(body.statements, body.condition_length, body.statements.size());
      assign(body.arguments, body.yields);
    }
    assign(statement.out, body.condition_yields.empty() ? body.arguments : body.condition_yields);
  }

  void run_branch(const Statement& statement) {
    const Block& side = statement.regions[at(statement.shared[0])[0] != 0 ? 0 : 1];
    run(side.statements, 0, side.statements.size());
    assign(statement.out, side.yields);
  }

  void assign(const std::vector<ValueId>& to, const std::vector<ValueId>& from) {
    std::vector<Numbers> moved;
    for (ValueId value : from) moved.push_back(at(value));
    for (std::size_t k = 0; k < to.size(); ++k) at(to[k]) = std::move(moved[k]);
  }

  std::uint64_t length(ValueId value) const { return _lengths[index_of(_builder.value(value).space)]; }

  const ProgramBuilder& _builder;
  const std::vector<std::uint64_t>& _lengths;
  const std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>>& _matrices;
  std::vector<Numbers> _values;
};

}  // namespace

std::vector<Numbers> interpret(const ProgramBuilder& builder, const std::vector<Numbers>& live_in,
                               const std::vector<std::uint64_t>& space_lengths,
                               const std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>>& matrices) {
  Interpreter interpreter(builder, space_lengths, matrices);
  for (std::size_t k = 0; k < live_in.size(); ++k) interpreter.at(builder.program.live_in[k].value) = live_in[k];
  const auto& statements = builder.program.top.statements;
  interpreter.run(statements, 0, statements.size());
  std::vector<Numbers> results;
  for (const LiveOut& live : builder.program.live_out) results.push_back(interpreter.at(live.value));
  return results;
}

}  // namespace kasen::optimizer::tests
