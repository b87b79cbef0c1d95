/// @file
/// The functions random programs call, as a table: how each is recorded, what it computes, and its text.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

class Machine;

struct PairOfNumbers {
  Real x;
  Int n;
};
struct WideOfNumbers {
  std::array<Real, 8> x;
};
/// A value as the interpreter has it, in the order of Plain.
using Value = std::variant<Int, Long, Real, bool, PairOfNumbers, Number<std::int8_t>, Number<std::uint16_t>,
                           Number<std::uint32_t>, Number<std::uint64_t>, Real32, Color, WideOfNumbers>;
static_assert(std::variant_size_v<Value> == kTypes);

struct Parameter {
  enum class Kind : std::uint8_t { vector, shared, plain } kind = Kind::vector;
  Type type = Type::real;
};

/// In which programs a function may stand.
enum class Suits : std::uint8_t {
  all,
  exact,    ///< jumps: only where all orders of operations give the same bits
  rounded,  ///< rounds: only where they need not
  defect    ///< is wrong on purpose: only in tests of the tests
};

/// What a function does in a search, see make_searches.cpp. "Is nothing" means: is the reducer's identity.
enum class Part : std::uint8_t {
  none,           ///< the function stands anywhere
  key,            ///< no part of a search, but of what follows keys: makes them
  product,        ///< along entries
  join,           ///< the reducer, of two vectors
  total,          ///< the reducer, of all elements
  source,         ///< is nothing but where its index is a plain value
  moving_source,  ///< or a Shared
  everywhere,     ///< something at each index
  next_value,     ///< of a Shared, by a Shared index
  frontier,       ///< of what is known now and what was known before: is nothing where these are the same
  reached,        ///< of what a product gives: is nothing where this is
  entered,        ///< of what is to go into a product, and indices
  marked,         ///< is nothing but where a vector of indices is positive
  change,         ///< any
  following,      ///< what changes where nothing is reached, with a Shared
  changes,        ///< 1 where two vectors differ, and 0 elsewhere
  any_changes,    ///< whether they do
  count,          ///< of what a product gives and indices: a term of a sum
  least,
  most,    ///< or of a minimum or maximum
  chance,  ///< a term of a sum, of a random vector
  mark     ///< the next value of a vector of indices
};

struct Operation {
  enum class Kind : std::uint8_t {
    element,
    reduce,
    fold,
    product,
    ends,     ///< a product of both ends, with vectors over its inputs and over its outputs
    entries,  ///< a reduction of a matrix's entries, with vectors over its rows and over its columns
    keyed,    ///< a keyed reduction
    taken,    ///< elements by keys, and a plain value where there is none
    apply,
    infix,
    direct
  } kind = Kind::element;
  std::string text;                   ///< the function, in C++; of an infix apply the operator
  std::vector<Parameter> parameters;  ///< in the order of the call; of a product the vector's
  Type out = Type::real;
  Entries entries = Entries::pattern;  ///< of the matrix of a product, or whose entries are reduced
  Suits suits = Suits::all;
  std::string instead;     ///< of what follows keys, and of products: a function of the preamble that does the same
  bool made = false;       ///< the text makes the function out of the last parameter
  bool divides = false;    ///< by its last operand
  bool ordered = false;    ///< with --reproducible it is refused
  bool twin = false;       ///< another source file has a function of the same name that does something else
  std::string family;      ///< of functions of a type and a reducer that searches are made of
  Part part = Part::none;  ///< of a search; one that has a part stands nowhere else
  std::function<void(Machine&, const Statement&)> record;
  /// Of elements; of a product with the matrix's last, of both ends between theirs, of a fold with the accumulator
  /// first.
  std::function<Value(std::span<const Value>)> compute;
  std::function<Value(const Value&, const Value&)> fold;  ///< of a reduce, keyed or not, or product
  std::optional<Value> identity;                          ///< the same; what a fold starts from
};

/// All of them; statements name them by index.
const std::vector<Operation>& operations();

// The parts of the table, each in a file of its own.
void add_real_operations(std::vector<Operation>& table);
void add_integer_operations(std::vector<Operation>& table);
void add_struct_operations(std::vector<Operation>& table);
void add_products(std::vector<Operation>& table);
void add_functions_of_ends(std::vector<Operation>& table);
void add_key_operations(std::vector<Operation>& table);
void add_shared_operations(std::vector<Operation>& table);
void add_narrow_operations(std::vector<Operation>& table);
void add_row_operations(std::vector<Operation>& table);
void add_folds(std::vector<Operation>& table);
void add_first_twins(std::vector<Operation>& table);
void add_second_twins(std::vector<Operation>& table);
void add_searches_of_numbers(std::vector<Operation>& table);
void add_other_searches(std::vector<Operation>& table);

}  // namespace kasen::tests::fuzz
