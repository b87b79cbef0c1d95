/// @file
/// One random program in the making. Its parts are in files of their own: make_*.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/draw.h"
#include "tests/fuzz/generator.h"
#include "tests/fuzz/operations.h"
#include "tests/fuzz/vocabulary.h"

namespace kasen::tests::fuzz {

class ProgramMaker {
 public:
  ProgramMaker(Draw draw, Kind kind, const Vocabulary& vocabulary) : _draw(draw), _kind(kind), _words(vocabulary) {
    _program.exact = kind.exact;
  }
  Program make();

 private:
  using StatementKind = Statement::Kind;

  // ---- variables and blocks ----

  int any_space() { return _draw.below(static_cast<int>(_program.spaces.size())); }
  int length(int space) const { return _program.spaces[static_cast<std::size_t>(space)].length; }
  const Variable& about(Place place) const { return _program.variables[static_cast<std::size_t>(place.variable)]; }
  /// What is visible, elements of arrays included, and fits.
  template <class Fits>
  std::vector<Place> places(const Fits& fits) const {
    std::vector<Place> found;
    for (int number : _visible) {
      const Variable& variable = _program.variables[static_cast<std::size_t>(number)];
      if (!fits(variable)) continue;
      if (variable.elements == 0) found.push_back({number, -1});
      for (int k = 0; k < variable.elements; ++k) found.push_back({number, k});
    }
    return found;
  }
  int add(Variable variable);
  std::vector<Place> vectors(Type type, int space = -1) const;
  std::vector<Place> shareds(Type type) const;
  /// Stores to a variable there is, or to a new one. Vectors of no element type change their space.
  void set_target(Statement& s, Variable like);
  void statements(Block& block, int count);
  bool visible(Place place) const;
  void late_matrix(Block& block);
  std::vector<Place> assignable() const;
  void read(Block& block, Place place);
  /// A block of its own.
  Block nested(bool recorded, int count);
  /// Some or all of what is alive, one of it twice.
  void results(Block& block);

  // ---- data ----

  void spaces();
  std::optional<int> empty_space() const;
  void matrices();
  /// In no order: such a matrix is stored dense.
  void add_all_elements(MatrixOf& matrix, int height, int width);
  void add_band(MatrixOf& matrix, int height, int width);
  void add_some_elements(MatrixOf& matrix, int height, int width);
  void add_graph(MatrixOf& matrix, int vertices);
  void put_in_batches(MatrixOf& matrix);
  Operand batch_of(const MatrixOf& all);
  void mirror(MatrixOf& matrix);
  /// Of a program whose searches are what it is about.
  void search_spaces();
  void search_matrices();
  double number(Type type, bool divisor);
  /// Of those that not all programs have.
  std::vector<Type> other_types(int count);
  void inputs(Block& block, int space);
  void source(Block& block, int space);
  void batches();
  void batch(Block& block);
  Place value(Block& block, Type type);

  // ---- statements ----

  /// The operands of a call, if there are variables that fit. The vector stored last is one of them where it can be,
  /// mostly: what is computed should be used.
  std::optional<std::vector<Operand>> operands(const Operation& called, int& space);
  void element(Block& block);
  /// The function of the same name in another source file, called with the same.
  void twin(Block& block);
  /// Another handle of a vector, to be read later, whatever happens to the first.
  void keep(Block& block);
  Place declare_copy(Block& block, Place from);
  static void assign(Block& block, Place to, Place from);
  void reduce(Block& block);
  Place call(Block& block, int operation, std::vector<Operand> operands);
  void apply(Block& block);
  void copy(Block& block);
  void swap(Block& block);
  void array(Block& block);

  // ---- products ----

  /// Space of its result; none if no vectors fit.
  std::optional<Statement> product_of(int operation, int matrix_number);
  Variable result_of(const Statement& s) const;
  static std::string reducer_of(const Statement& s);
  void product(Block& block);
  void go_back(Block& block);
  /// A product of one kind whose result is a new vector, the latest. @return whether there is one
  bool new_product(Block& block);
  /// One that has run when something else is read, so that it waits. @return whether there is one
  bool waiting_product(Block& block);
  /// What may run on the vector stored last while it is spread over workers as partial results: functions with laws,
  /// and a reduction by the function that reduces these.
  void use_partial_results(Block& block, const std::string& reducer);
  void reduce_by(Block& block, const std::string& reducer);
  Place beside(Block& block, Type type, int space);
  void lawful_element(Block& block, bool in_place = false);

  // ---- both ends of non-zeros ----

  std::optional<Statement> call_of_ends(int operation, int matrix_number);
  void of_ends(Block& block);
  void reduce_entries(Block& block);

  // ---- keys ----

  Place make_keys(Block& block, int space, int keys);
  void reduce_by_key(Block& block);
  void take(Block& block);

  // ---- loops and branches ----

  void loop(Block& block);
  /// @param make_body makes it, in a loop that is native or not.
  void loop(Block& block, bool native, const std::function<Block(bool)>& make_body);
  /// At most so many rounds; `condition` may add to what the loop's test is made of.
  void loop(Block& block, bool native, int rounds, const std::function<void(Statement&)>& condition,
            const std::function<Block(bool)>& make_body);
  /// Two or three vectors, often products just made, change names in a loop; old and new names are read after it.
  void renaming_loop(Block& block);
  /// A vector goes round: into a product, or one there and one back, and on to the next iteration.
  void iteration(Block& block);
  void map_latest(Block& block);
  /// A vector that grows in a loop by what products of it reach, or a frontier; sometimes not quite.
  void spreading(Block& block);
  void read_in_loop(Block& block, Place place);
  /// Partial results that a loop or a branch takes up, changes by functions with laws, and hands on to a reduction.
  void carried_partials(Block& block);
  /// Vectors of one type and space, different or not; in the half of all cases results of one kind of product.
  std::vector<Place> alike(Block& block, int count);
  void counted(Block& block);
  /// Often a second one by the same test follows.
  void branch(Block& block);
  void branch(Block& block, Place test, bool native);

  // ---- searches ----

  struct Search;
  /// One or two searches after one another, or one in a loop; see make_searches.cpp.
  void searches(Block& block);
  /// A loop that ends when nothing changes, and of which mostly nothing else is seen; sometimes something is.
  void fixpoint(Block& block);
  Block fixpoint_body(const Search& s, Place test, bool native);
  std::optional<Search> new_search();
  void declare_search(Block& block, Search& s);
  void begin_again(Block& block, const Search& s);
  Block search_again(const Search& s, bool native, int rounds);
  void search_loop(Block& block, const Search& s, int most);
  Block search_body(const Search& s, bool native);
  Place search_front(Block& body, const Search& s, Place reached, Place next, const std::vector<Place>& all);
  Place search_change(Block& body, const Search& s, Place old, Place front, const std::vector<Place>& all);
  Place search_sum(Block& body, Type type, const std::string& reducer, Place vector);
  void search_sums(Block& body, const Search& s, Place reached, Place next, const std::vector<Place>& all);
  int of_part(const Search& s, Part part);
  Place make_call(Block& block, const Search& s, int operation, const std::vector<Place>& vectors);
  Place make_part(Block& block, const Search& s, Part part, const std::vector<Place>& vectors);
  Statement product_of(const Search& s, bool grows);
  Place search_product(Block& block, const Search& s, Statement product, Place from);

  // ---- errors that are caught ----

  /// A run that reads a Shared without value ends in an error, at once or in the middle of a loop. What was computed
  /// before is there still; what the attempt stored to is stored to again.
  void attempt(Block& block);
  void read_nothing(Block& block, Place none, Type type);
  /// Variables from outside of the block that something in it stores to, with the elements of arrays.
  std::vector<Place> stored_in(const Block& block) const;
  void store_again(Block& block, Place place);

  Draw _draw;
  Kind _kind;
  const Vocabulary& _words;
  Program _program;
  std::vector<int> _visible;      ///< variables
  std::vector<int> _made, _late;  ///< matrices
  Place _latest;                  ///< the vector stored last
  std::string _reducer;           ///< of the vectors that alike() has made
  std::vector<int> _counters;     ///< of the native loops around
  int _depth = 0;
  int _recorded = 0;  ///< recorded blocks around
};

}  // namespace kasen::tests::fuzz
