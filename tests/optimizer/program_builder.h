/// @file
/// Programs written by hand, statement by statement, with functions that an interpreter and a simulator can run:
/// elements are 64-bit numbers that wrap around, so every law holds exactly and results compare bit by bit.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kasen/base/program.h"

namespace kasen::optimizer::tests {

using Number = std::uint64_t;
using Numbers = std::vector<Number>;

inline constexpr ReducerId kPlus{0}, kMax{1};
Number fold(ReducerId reducer, Number a, Number b);  ///< of both, 0 is the identity

/// A user function: of the vectors' elements (of a source: of the global index) and of Shareds.
struct Function {
  std::string name;
  std::function<Number(const Numbers& in, const Numbers& shared)> f;
  std::vector<Law> laws;
  bool total = true;
  int returns = -1;               ///< as Statement::returns
  std::string key{};              ///< equal keys: equal functions; empty: the name is the key
  std::vector<Function> parts{};  ///< of an affine map: its exchange part and its pushdown part
};

// Maps. `mix` obeys nothing; the others what their comment says, over plus.
Function mix();                       ///< also of several vectors, and of Shareds
Function scale(Number c);             ///< c * x: exchange
Function shift(Number c);             ///< x + c: pushdown
Function scale_by_shared();           ///< s * x: exchange
Function affine(Number c, Number d);  ///< c * x + d: affine
// Zips over plus, of any number of vectors.
Function add();                ///< pushdown at every argument
Function minus();              ///< pushdown at the first
Function product();            ///< distributive at every argument
Function larger();             ///< max(x, y): pushdown at every argument over max
Function first();              ///< the first operand, as it is
Function partial(Function f);  ///< the same, not total

/// What an MxV does with an element and a non-zero, known to all tests.
Number weighted(Number element, std::uint64_t row, std::uint64_t column);

/// Where a number leads as a key: nowhere too.
inline std::optional<std::uint64_t> led_to(Number key, std::uint64_t keys) {
  const Number place = key % (keys + 1);
  return place == keys ? std::nullopt : std::optional<std::uint64_t>(place);
}

class ProgramBuilder {
 public:
  Program program;
  std::vector<Function> functions;  ///< by KernelId
  bool knows_functions = false;     ///< tells the optimizer which functions are equal (Statement::function)

  ProgramBuilder() { program.reducers = {{"plus"}, {"max"}}; }

  /// From here on the optimizer is told that max is max, what `larger` of two vectors computes, and of MxVs over max
  /// how active elements are found.
  void know_extrema();
  /// The same, but for what `larger` computes, which only is the function that reduces.
  void know_what_combines();

  ValueId live_in(SpaceId space, State state = State::partitioned(), bool dies = false, std::uint32_t bytes = 8);
  ValueId live_shared();
  ValueId source(SpaceId space, bool reads_global = false);
  ValueId element(Function f, std::vector<ValueId> in, std::vector<ValueId> shared = {}, std::uint32_t bytes = 8);
  ValueId reduce(ReducerId op, ValueId vector);
  /// `op` of what `f` makes of the elements.
  ValueId fold(ReducerId op, Function f, std::vector<ValueId> in, std::vector<ValueId> shared = {},
               std::uint32_t bytes = 8);
  ValueId mxv(std::uint32_t matrix, ValueId vector, SpaceId out, ReducerId op = kPlus, std::uint64_t family = 1);
  ValueId mxvt(std::uint32_t matrix, ValueId vector, SpaceId out, ReducerId op = kPlus, std::uint64_t family = 1);
  /// Of both ends: weighted() of what `f` makes of the elements at an input, and then of those at an output.
  ValueId of_ends(Op op, std::uint32_t matrix, Function f, std::vector<ValueId> inputs, std::vector<ValueId> outputs,
                  SpaceId out, ReducerId reducer = kPlus);
  /// f gets the sum of each whole in place of its elements.
  ValueId with_wholes(Function f, std::vector<ValueId> wholes, std::vector<ValueId> in);
  ValueId take(ValueId vector, ValueId key);  ///< 0 where there is no key
  ValueId reduce_by_key(ReducerId op, ValueId key, ValueId vector, SpaceId keys);
  ValueId apply(Function f, std::vector<ValueId> shared);
  void live_out(ValueId value, bool partitioned = false) { program.live_out.push_back({value, partitioned}); }

  using Values = std::vector<ValueId>;
  /// while: the condition gets the arguments, may store to them, and returns the test; the body returns the yields.
  Values loop(const Values& initial, const std::function<ValueId(Values& arguments)>& condition,
              const std::function<Values(const Values& arguments)>& body, bool likely = true);
  /// The same `count` times: the body gets and returns only the vectors; a counter is carried beside them.
  Values repeat(Number count, const Values& initial, const std::function<Values(const Values& arguments)>& body,
                bool likely = true);
  Values branch(ValueId test, const std::function<Values()>& then, const std::function<Values()>& otherwise);

  const Value& value(ValueId id) const { return program.values[index_of(id)]; }

 private:
  ValueId add_value(Value value);
  ValueId like(ValueId value) { return add_value(program.values[index_of(value)]); }
  KernelId kernel(Function f);
  FunctionId function(const std::string& key);
  Statement& push(Statement statement);
  ValueId product_of(Op op, std::uint32_t matrix, ValueId vector, SpaceId out, ReducerId reducer, std::uint64_t family);

  bool _knows_extrema = false, _knows_what_combines = false;
  std::map<std::string, FunctionId> _function_ids;
  std::vector<Block*> _open;  ///< the blocks being written; empty: the top
};

/// Serial and straight: what a program computes, given its live-ins in order; vectors in global order, Shareds as one
/// number; the results are those of live_out.
std::vector<Numbers> interpret(const ProgramBuilder& builder, const std::vector<Numbers>& live_in,
                               const std::vector<std::uint64_t>& space_lengths,
                               const std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>>& matrices);

}  // namespace kasen::optimizer::tests
