/// @file
/// Random programs as data: what the three back ends - Kasen, the interpreter, the printer - walk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iomanip>
#include <sstream>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "kasen/kasen.h"
#include "tests/fuzz/number.h"

namespace kasen::tests::fuzz {

#include "tests/fuzz/preamble.inc"

/// Element types, in the order of the alternatives of Plain and Value.
enum class Type : std::uint8_t { int32, int64, real, flag, pair, int8, uint16, uint32, uint64, real32, color, wide };
inline constexpr int kTypes = 12;
enum class Entries : std::uint8_t { pattern, real, int32 };

/// A value as programs have it.
using Plain = std::variant<std::int32_t, std::int64_t, double, bool, Pair, std::int8_t, std::uint16_t, std::uint32_t,
                           std::uint64_t, float, Color, Wide>;
static_assert(std::variant_size_v<Plain> == kTypes);

template <class T, class Variant>
inline constexpr std::size_t kAlternative = 0;
template <class T, class... Before>
inline constexpr std::size_t kAlternative<T, std::variant<T, Before...>> = 0;
template <class T, class First, class... Rest>
requires(!std::is_same_v<T, First>) inline constexpr std::size_t kAlternative<T, std::variant<First, Rest...>> =
    1 + kAlternative<T, std::variant<Rest...>>;

template <class T>
inline constexpr Type kType = static_cast<Type>(kAlternative<T, Plain>);
template <class T>
inline constexpr Entries kEntries = std::is_same_v<T, Pattern>  ? Entries::pattern
                                    : std::is_same_v<T, double> ? Entries::real
                                                                : Entries::int32;

struct SpaceOf {
  int length = 0;
  bool separate = false;     ///< told apart from others of its length
  std::uint64_t owners = 0;  ///< elements are spread by a function of this seed; 0: as --partition says
};

struct NonZero {
  int row = 0, column = 0;
  int value = 0;  ///< a quarter of it where entries are real
  int batch = 0;  ///< of a matrix in batches
};

struct MatrixOf {
  Entries type = Entries::pattern;
  int rows = 0, columns = 0;  ///< spaces
  int batches = 0;            ///< in which it is, of `rows` each; 0: whole
  int more = 0;               ///< rows of the matrix that are in none
  std::vector<NonZero> entries;
};

/// Batches, of the size of a space, of a vector of numbers_of_batches(), in preamble.inc, or of rows_of_batches(), of
/// which a program has ends_of_rows().
struct BatchesOf {
  Type type = Type::real;
  int space = 0;  ///< of one batch
  int count = 1;
  int more = 0;   ///< elements of the vector that are in none
  int width = 0;  ///< of rows; 0: a vector
};

/// A handle: a vector, a Shared, or a std::vector of vectors.
struct Variable {
  bool vector = true;
  Type type = Type::real;
  int space = -1;
  int elements = 0;       ///< of an array; 0: none
  bool reserved = false;  ///< only its own statements store to it: loops end by it
};

struct Place {
  int variable = -1;
  int element = -1;  ///< of an array
  bool operator==(const Place&) const = default;
};

struct Operand {
  enum class Kind : std::uint8_t { place, literal, counter } kind = Kind::literal;
  Place place;
  double literal = 0;
  int counter = -1;  ///< of a counted native loop: how often its body was entered before

  static Operand of(Place place) { return {Kind::place, place, 0, -1}; }
  static Operand number(double literal) { return {Kind::literal, {}, literal, -1}; }
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind : std::uint8_t {
    constant,   ///< target = constant(space, operand)
    iota,       ///< target = iota(space)
    random,     ///< target = random(space, seed), or random(space, seed, operand) with a Shared int64 as step
    batch,      ///< target = batch(batches, operand), or with a Shared int64 one that it makes a number of one
    value,      ///< Shared target = operand
    operation,  ///< target = operation(operands)
    copy,       ///< target = operand
    array,      ///< std::vector<Vector> target{operands}
    swap,       ///< std::swap(target, operand)
    rotate,     ///< std::rotate of the array `target` by one
    loop,       ///< while (condition; test) body
    counted,    ///< native: for (int k = 0; k < times; ++k) body
    branch,     ///< if (test) body else otherwise
    matrix,     ///< the matrix is made here: until then the program runs without
    attempt,    ///< try body; that it was left by an error is a result
    probe,      ///< try get() of the operand; a result too: the value, or an error where an attempt has lost it
    read        ///< get() of the operand, a result
  } kind = Kind::operation;
  bool declares = false;   ///< the target is made here
  bool native = false;     ///< of a loop or branch: C++ control flow on get()
  bool likely = false;     ///< of a recorded loop
  bool essential = false;  ///< what ends a loop
  bool transposed = false;
  bool temporaries = false;  ///< vectors are given as temporaries, or moved
  int operation = -1;
  int matrix = -1;
  int batches = -1;
  int space = -1;
  int times = 0;
  int counter = -1;
  std::uint64_t seed = 0;
  Place target, test;
  std::vector<Operand> operands;
  Operand batch;  ///< of what a matrix in batches goes into: a number, or a Shared int64 that it makes one of
  Block condition, body, otherwise;
};

struct Program {
  std::uint64_t seed = 0;
  bool exact = true;  ///< all orders of operations give the same bits; else agreement is within a relative error
  std::vector<SpaceOf> spaces;
  std::vector<MatrixOf> matrices;
  std::vector<BatchesOf> batches;
  std::vector<Variable> variables;
  int counters = 0;
  Block body;
};

/// What a program has read, in order.
template <class T>
struct ResultOf {
  bool vector = false;
  std::vector<T> values;
  bool lost = false;  ///< reading it was an error; of what is expected: may be one
};

/// Every variable is declared before it is used, in a block around its uses.
bool well_formed(const Program& program);
/// Statements, those in blocks included.
int count_statements(const Block& block);
/// Calls `visit` for every statement with the number of blocks around it, containing statements first.
void for_each_statement(const Block& block, const std::function<void(const Statement&, int)>& visit, int depth = 0);
/// The rows of a matrix in batches, of which `all` are made.
int height_of(const MatrixOf& all, const Program& program);
/// Whether each matrix is made by a statement, and not before all of them.
std::vector<char> late_matrices(const Program& program);

}  // namespace kasen::tests::fuzz
