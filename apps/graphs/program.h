/// @file
/// Parts that programs of the graph suite have in common: options, reading the graph, vertices by name, output.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kasen/base/printable.h"
#include "kasen/kasen.h"

namespace CLI {
class App;
}

namespace apps {

using VertexNames = std::shared_ptr<const kasen::io::VertexIds>;

/// The graph that a program works on, as its command line gives it.
struct GraphFile {
  std::string path;
  kasen::ReadOptions input;

  /// Adds --graph and the options of reading it. @param what the file must hold, for --help
  void add_options(CLI::App& app, const std::string& what = "a graph");
  /// Collective. Reads the graph. @throws InputError (by all workers); also if it is a matrix that is not square
  template <class T>
  kasen::Matrix<T> read() const {
    auto G = kasen::read_matrix<T>(path, input);
    if (!G.ids()) refuse_rectangle(G.rows().length(), G.columns().length());
    return G;
  }
  /// Collective. The graph with its weights. @throws InputError (by all workers); also for an edge below 0, or nan
  kasen::Matrix<double> read_weights() const;
  /// Collective. The vertices of these names, which `option` has given; "FILE: has no vertex 'x', which OPTION names".
  /// @throws InputError
  std::vector<kasen::GlobalIndex> vertices(const VertexNames& ids, const std::vector<std::string>& names,
                                           const std::string& option) const;

 private:
  [[noreturn]] void refuse_rectangle(std::uint64_t rows, std::uint64_t columns) const;
};

/// The integer that a word is, of digits and a sign; nothing if it is none of 64 bits.
std::optional<std::int64_t> as_integer(const std::string& word);

/// The name of a dataset for a name that the data has: slashes, which would make groups, are %2F, and percent signs
/// %25.
std::string dataset_of(const std::string& prefix, const std::string& name);

/// The results that --output writes: vectors beside the names of their vertices. Without the option, nothing.
class Results {
 public:
  /// Collective. Checks that the file can be written. @throws InputError (by all workers)
  explicit Results(VertexNames ids);
  /// Adds a vector. This and all of the following are collective, and run what is pending.
  template <class T>
  Results& add(const std::string& dataset, const kasen::Vector<T>& v) {
    if (_output) _output->add(dataset, v);
    return *this;
  }
  /// Adds vertices, by their names; where there is none (-1), -1 or an empty word.
  Results& add_vertices(const std::string& dataset, const kasen::Vector<kasen::GlobalIndex>& v);
  /// Adds words of a list, by their position in it; written as integers if all of them are. Where there is none (-1),
  /// -1 or an empty word.
  Results& add_words(const std::string& dataset, const kasen::Vector<std::int32_t>& v,
                     const std::vector<std::string>& words);
  /// Writes the file, with the names of all vertices as the last dataset, "vertex". @throws InputError (by all workers)
  void commit();

 private:
  VertexNames _ids;
  std::optional<kasen::Output> _output;
  std::deque<kasen::io::VertexIds> _names;  ///< stay where they are until commit
};

/// Collective. Prints a line for each of the largest elements: place, element, name of the vertex.
template <class T>
void print_top(const kasen::Vector<T>& v, const VertexNames& ids, std::size_t count) {
  const auto best = kasen::top(v, count);
  std::vector<kasen::GlobalIndex> vertices;
  for (const auto& entry : best) vertices.push_back(entry.index);
  const auto names = kasen::names(*ids, vertices);
  std::string text;
  for (std::size_t i = 0; i < best.size(); ++i)
    text += fmt::format("{:4} {:14.8g}  {}\n", i + 1, static_cast<double>(best[i].value), kasen::printable(names[i]));
  kasen::Session::current().print(text);
}

/// Prints "N vertices, W workers, I iterations, FINDINGS".
void print_summary(kasen::Space vertices, const std::string& findings);

}  // namespace apps
