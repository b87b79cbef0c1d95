/// @file
/// What the compiler says of a mistake, in one sentence. The checks stand in the functions that programs call, so that
/// a message is the first thing that a compiler prints.
#pragma once

#include <cstddef>
#include <type_traits>

#include "kasen/detail/call_mistakes.h"

#define KASEN_REFUSE(mistake, which, message) static_assert((mistake) != ::kasen::detail::Mistake::which, message)

/// What may be wrong with a function of elements.
#define KASEN_CHECK_FUNCTION(call, mistake)                                                                       \
  KASEN_REFUSE(mistake, by_pointer,                                                                               \
               "[" call                                                                                           \
               "] a pointer to a function, or a std::function, is called for each element and never compiled "    \
               "into the loop: write a lambda that calls it, [](auto x) { return f(x); }, or KASEN_FN((auto x), " \
               "kasen::sqrt(x))");                                                                                \
  KASEN_REFUSE(mistake, is_member,                                                                                \
               "[" call                                                                                           \
               "] a pointer to a member is no function: write [](const auto& x) { return x.y; }; of a Shared, "   \
               "member(s, &Point::x)");                                                                           \
  KASEN_REFUSE(mistake, is_mutable,                                                                               \
               "[" call                                                                                           \
               "] a mutable lambda cannot be recorded, as it is copied, and called for elements in any order: "   \
               "give what changes as an argument, and leave `mutable` out");                                      \
  KASEN_REFUSE(mistake, is_move_only,                                                                             \
               "[" call                                                                                           \
               "] a function that cannot be copied, as with a std::unique_ptr in it, cannot be recorded: give "   \
               "it a copy of what it needs, or a std::shared_ptr");                                               \
  KASEN_REFUSE(mistake, not_callable,                                                                             \
               "[" call                                                                                           \
               "] the function cannot be called with these elements: it takes one argument for each operand, "    \
               "in their order and of their types; last, with width, the row that it writes, of doubles with "    \
               "width(n), of floats with width<float>(n)");                                                       \
  KASEN_REFUSE(mistake, returns_nothing,                                                                          \
               "[" call "] the function returns nothing: it returns an element of the result");                   \
  KASEN_REFUSE(mistake, returns_handle,                                                                           \
               "[" call                                                                                           \
               "] the function returns a Shared or a Vector, which are no elements: do not use them in it, but "  \
               "give a Shared as an argument behind the vectors, zip_with(f, v, w, s)");                          \
  KASEN_REFUSE(                                                                                                   \
      mistake, returns_no_element,                                                                                \
      "[" call                                                                                                    \
      "] the function returns what is no element, such as a std::string, a std::vector or a row: elements are "   \
      "trivially copyable types, that is numbers, and structs and arrays of them; a row is written, by width");   \
  KASEN_REFUSE(                                                                                                   \
      mistake, no_symbols,                                                                                        \
      "[" call                                                                                                    \
      "] KASEN_FN or traced has something that symbols do not know: a function of std:: (kasen/math.h has "       \
      "kasen::abs, kasen::exp, ...), a parameter that is not `auto`, a choice between two types (kasen::cast). "  \
      "A plain lambda may have all of it, and is a black box")

/// What may be wrong with functions and operands of map and zip_with, and of apply.
#define KASEN_CHECK_OPERANDS(call, mistake)                                                                            \
  KASEN_REFUSE(mistake, late_vector, "[" call "] vectors come first, then Shareds and plain values");                  \
  KASEN_REFUSE(mistake, several_vectors, "[" call "] map is of one vector: zip_with(f, v, w, ...) is of several");     \
  KASEN_REFUSE(mistake, has_matrix,                                                                                    \
               "[" call "] a Matrix is no operand here: functions of its entries are given to mxv and mxvt");          \
  KASEN_REFUSE(mistake, early_width,                                                                                   \
               "[" call                                                                                                \
               "] width comes last, once, as the function's last parameter is the row that it writes: map(f, "         \
               "X, s, width(8))");                                                                                     \
  KASEN_REFUSE(mistake, laws_of_rows,                                                                                  \
               "[" call "] functions of rows, or of whole vectors, obey no law that could be declared: leave it out"); \
  KASEN_REFUSE(mistake, returns_beside_row,                                                                            \
               "[" call                                                                                                \
               "] the function is given a row to write, by width, and returns something beside it: it returns "        \
               "nothing");                                                                                             \
  KASEN_REFUSE(mistake, has_whole,                                                                                     \
               "[" call "] whole and width are of map and zip_with: map first, and fold what that makes");             \
  KASEN_REFUSE(mistake, no_plain_value,                                                                                \
               "[" call                                                                                                \
               "] a plain value is of a type that is not trivially copyable, such as std::string or std::vector: "     \
               "numbers, and structs and arrays of them, can be given");                                               \
  KASEN_CHECK_FUNCTION(call, mistake)

/// In map and zip_with: of a function F and operands A...
#define KASEN_CHECK_ELEMENTS(call, several, ...)                                                                   \
  constexpr ::kasen::detail::Mistake kMistake = ::kasen::detail::element_mistake_of_given<several, __VA_ARGS__>(); \
  KASEN_CHECK_OPERANDS(call, kMistake)

/// In apply.
#define KASEN_CHECK_APPLY(...)                                                                                \
  constexpr ::kasen::detail::Mistake kMistake = ::kasen::detail::apply_mistake<__VA_ARGS__>();                \
  KASEN_REFUSE(kMistake, function_first, "[apply] the function comes first: apply(f, s)");                    \
  KASEN_REFUSE(kMistake, has_vector, "[apply] apply is of Shareds: of vectors map, zip_with and reduce are"); \
  KASEN_REFUSE(kMistake, no_shared, "[apply] none of the operands is a Shared: call the function itself");    \
  KASEN_CHECK_OPERANDS("apply", kMistake)

/// What may be wrong with a reducing function.
#define KASEN_CHECK_REDUCER(call, mistake)                                                                           \
  KASEN_REFUSE(mistake, has_state,                                                                                   \
               "[" call                                                                                              \
               "] the reducing function has state: it captures nothing, as its type says which function it is");     \
  KASEN_REFUSE(mistake, reduces_nothing,                                                                             \
               "[" call                                                                                              \
               "] minus, divides, first and count reduce nothing: a reducing function is associative and "           \
               "commutative, as elements are taken in any order");                                                   \
  KASEN_REFUSE(mistake, plus_of_bool,                                                                                \
               "[" call                                                                                              \
               "] plus of bool is `or`, and counts nothing: map to an integer first, as by "                         \
               "KASEN_FN((auto x), kasen::cast<std::int64_t>(x > 0)), or reduce by logical_or");                     \
  KASEN_REFUSE(mistake, logical_of_numbers,                                                                          \
               "[" call                                                                                              \
               "] logical_or and logical_and reduce bools, and numbers to others than themselves: map first, as "    \
               "by KASEN_FN((auto x), x != 0), or use bit_or and bit_and");                                          \
  KASEN_REFUSE(mistake, plus_of_array,                                                                               \
               "[" call "] std::array has no +, so that plus cannot add it: kasen::Row<T, K> is an array that has"); \
  KASEN_REFUSE(mistake, not_of_rows,                                                                                 \
               "[" call "] this function is of numbers, and of Rows elementwise(kasen::min) is, for example");       \
  KASEN_REFUSE(mistake, not_of_two,                                                                                  \
               "[" call                                                                                              \
               "] the reducing function cannot be called with two elements: it takes two of them, of their type");   \
  KASEN_REFUSE(mistake, reduces_to_another_type,                                                                     \
               "[" call                                                                                              \
               "] the reducing function takes two elements and returns a third of their type, and this one "         \
               "returns another: map to the result's type first")

/// In fold: of the types of the accumulator, of step and merge, and of operands.
#define KASEN_CHECK_FOLD(...)                                                                                         \
  constexpr ::kasen::detail::Mistake kMistake = ::kasen::detail::fold_mistake_of_given<__VA_ARGS__>();                \
  KASEN_REFUSE(kMistake, not_a_step,                                                                                  \
               "[fold] the step cannot be called with the accumulator and these elements: it takes the accumulator, " \
               "of the type of the first argument, and then one argument for each operand, in their order and of "    \
               "their types");                                                                                        \
  KASEN_REFUSE(                                                                                                       \
      kMistake, steps_to_another_type,                                                                                \
      "[fold] the step returns another type than that of the accumulator to start from: convert one of both, "        \
      "fold(0.0, ...) has a double");                                                                                 \
  KASEN_REFUSE(kMistake, steps_on_a_copy,                                                                             \
               "[fold] the step returns nothing, and what it changes is a copy of the accumulator: take that by "     \
               "reference, as auto&, or return it");                                                                  \
  KASEN_CHECK_REDUCER("fold", kMistake);                                                                              \
  KASEN_CHECK_OPERANDS("fold", kMistake)

/// What may be wrong with a vector of keys.
#define KASEN_CHECK_KEYS(call, Key)                                                                   \
  static_assert(std::is_integral_v<Key> && !std::is_same_v<Key, bool>,                                \
                "[" call                                                                              \
                "] keys are whole numbers: map the vector to std::int32_t or another integer, as by " \
                "KASEN_FN((auto x), kasen::cast<std::int32_t>(x))")

/// What may be wrong with the function of reduce_by_key.
#define KASEN_CHECK_KEYED_REDUCER(mistake)                                                                         \
  KASEN_REFUSE(mistake, no_identity,                                                                               \
               "[reduce_by_key] the reducing function needs an identity, the result of keys that no element has: " \
               "use with_identity(f, e), or a built-in over numbers");                                             \
  KASEN_CHECK_REDUCER("reduce_by_key", mistake);                                                                   \
  KASEN_CHECK_FUNCTION("reduce_by_key", mistake)

/// What may be wrong with mxv and mxvt.
#define KASEN_CHECK_PRODUCT(call, mistake)                                                                      \
  KASEN_REFUSE(mistake, not_of_pattern,                                                                         \
               "[" call                                                                                         \
               "] over a Matrix<Pattern>, which has no values, f_z is called with the vector's element alone: " \
               "write first, or a function of one argument");                                                   \
  KASEN_REFUSE(mistake, not_of_entries,                                                                         \
               "[" call                                                                                         \
               "] over a matrix with values f_z is called with the vector's element and the entry: write "      \
               "times, or a function of two arguments");                                                        \
  KASEN_REFUSE(mistake, no_identity,                                                                            \
               "[" call                                                                                         \
               "] the reducing function needs an identity, the result where a matrix has no entries: use "      \
               "with_identity(f, e), or a built-in over numbers");                                              \
  KASEN_CHECK_REDUCER(call, mistake);                                                                           \
  KASEN_CHECK_FUNCTION(call, mistake)

/// What may be wrong with mxv and mxvt of Rows.
#define KASEN_CHECK_ROWS_PRODUCT(call, mistake)                                                                       \
  KASEN_REFUSE(mistake, not_of_numbers,                                                                               \
               "[" call                                                                                               \
               "] of Rows f_z is called with each number of a row, and the entry if there are any, as with the "      \
               "element of a vector; a function of whole rows is one of both ends: " call "(f_z, op, M, V, W)");      \
  KASEN_REFUSE(mistake, makes_no_numbers,                                                                             \
               "[" call                                                                                               \
               "] of Rows f_z makes a number of each number of a row; a function that makes something else of whole " \
               "rows is one of both ends: " call "(f_z, op, M, V, W)");                                               \
  KASEN_CHECK_PRODUCT(call, mistake)

/// What may be wrong with mxv and mxvt of both ends.
#define KASEN_CHECK_ENDS(call, mistake)                                                                              \
  KASEN_REFUSE(mistake, not_of_ends,                                                                                 \
               "[" call                                                                                              \
               "] f_z cannot be called with these elements: it takes the element of each vector in their order, "    \
               "and the entry between those of one end and those of the other, or over a Matrix<Pattern> no entry; " \
               "last, with width, the row that it writes");                                                          \
  KASEN_REFUSE(mistake, returns_beside_row,                                                                          \
               "[" call                                                                                              \
               "] f_z is given a row to write, by width, and returns something beside it: it returns nothing");      \
  KASEN_CHECK_PRODUCT(call, mistake)

/// What may be wrong with multiply and multiply_transposed, which choose the functions.
#define KASEN_CHECK_FACTORS(call, mistake)                                                                   \
  KASEN_REFUSE(mistake, not_of_entries,                                                                      \
               "[" call                                                                                      \
               "] these elements have no * with the matrix's entries: write mxvt(f_z, op, A, x), with what " \
               "is computed of both, and what adds the results");                                            \
  KASEN_REFUSE(mistake, not_of_two,                                                                          \
               "[" call "] these elements have no +: write mxvt(f_z, op, A, x), with an op that adds them"); \
  KASEN_CHECK_PRODUCT(call, mistake)

/// What is wrong with the arguments of map (of 1) and zip_with (of 2), which are none that it takes.
#define KASEN_REFUSE_MAPPED(call, vectors, F, ...)                                                                   \
  using kasen::detail::kLeadingVectors;                                                                              \
  constexpr bool kSwapped = kasen::detail::kIsVector<F>;                                                             \
  constexpr bool kMatrix = !kSwapped && kasen::detail::kLeadWithMatrix<__VA_ARGS__>;                                 \
  constexpr bool kMany = !kSwapped && kLeadingVectors<__VA_ARGS__> >= (vectors);                                     \
  constexpr bool kOne = !kSwapped && (vectors) == 2 && kLeadingVectors<__VA_ARGS__> == 1;                            \
  static_assert(!kSwapped, "[" call "] the function comes first: " call "(f, v)");                                   \
  static_assert(!kMatrix,                                                                                            \
                "[" call "] a Matrix is no operand here: functions of its entries are given to mxv and mxvt");       \
  static_assert(!kMany, "[" call "] so many operands are given in a tuple: zip_with(f, std::tie(v, w, a, b, ...))"); \
  static_assert(!kOne, "[zip_with] it is of two vectors and more, which come first: of one map(f, v, a) is");        \
  static_assert(kSwapped || kMatrix || kMany || kOne,                                                                \
                "[" call                                                                                             \
                "] vectors come first behind the function, then Shareds and plain values: map(f, v, s) and "         \
                "zip_with(f, v, w, s) are of Vectors, apply(f, s, 1.0) is of Shareds")

/// What is wrong with the arguments of mxv and mxvt, which are none that it takes.
#define KASEN_REFUSE_PRODUCT(call, textbook, ...)                                                                 \
  constexpr bool kOneFunction = kasen::detail::kAreOneFunctionProduct<__VA_ARGS__>;                               \
  constexpr bool kWidthOfOneEnd = kasen::detail::kIsWidthOfOneEnd<__VA_ARGS__>;                                   \
  static_assert(!kWidthOfOneEnd, "[" call "] a function writes rows of what is at both ends of a non-zero: " call \
                                 "(f_z, op, M, V, W, width(8))");                                                 \
  static_assert(!kOneFunction,                                                                                    \
                "[" call "] it takes two functions, one of elements and entries and one that reduces: " call      \
                "(times, plus, M, v), which is " textbook "(M, v)");                                              \
  static_assert(kOneFunction || kWidthOfOneEnd,                                                                   \
                "[" call "] it takes two functions, a matrix and a vector, in this order: " call                  \
                "(f_z, op, M, v); of matrices in batches, batch(all, b)")
